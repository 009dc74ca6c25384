"""Puts a device into a state and says where it then stood: as the witness saw it, or as it reported."""

from __future__ import annotations

import asyncio
from itertools import count

from ..adapters.registry import on_or_off
from ..engine.terms import Direction, Reason, SubjectId
from ..engine.trace.samples import SampledChannel
from ..engine.witness.settled import Window, settled_reading
from .apparatus import Apparatus
from .witnesses import Qualified

STROBE_HOLD = 2.2
"""Seconds for which a strobe of a reference state is held: at least 2."""
PREPARATION_HOLDS = (1.2, 2.4, 4.8)
"""Seconds for which a preparation is watched, longer with every attempt."""
_SETTLED_PART = 0.4
"""Part of a hold, at its end, over which the device must stand still near a level."""
_MOVING = 0.8
"""Seconds that a device is given to move before a slow camera's last look."""


class Positioning:
    """Commands single devices outside trials. Its commands are the audit's own: they make no passive trials."""

    def __init__(self, apparatus: Apparatus, name: str) -> None:
        """Name the windows that will be armed after the session."""
        self._apparatus = apparatus
        self._name = name
        self._numbers = count(1)

    async def async_place(self, subject: SubjectId, state: Direction, hold: float) -> Direction | None:
        """Command a device and return where it stood at the end of the hold, None if nobody can tell."""
        entity_id = self._apparatus.registry.entity_of(subject)
        if entity_id is None:
            return None
        call = await self._apparatus.driver.async_drive(
            state, addressed=(entity_id,), targets={}, on_context=self._apparatus.own.add
        )
        if call.dispatch is None:
            return None
        qualified = self._apparatus.witnesses.testifying(subject)
        if isinstance(qualified, Qualified):
            return await self._witnessed(qualified, call.dispatch.at, hold)
        await asyncio.sleep(max(0.0, call.dispatch.at + hold - self._apparatus.clocks.monotonic()))
        return on_or_off(self._apparatus.registry.state_of(subject))

    async def async_prepare(self, subject: SubjectId, state: Direction) -> bool:
        """Bring a device into a starting state, with a few attempts; return whether it and its report got there."""
        for hold in PREPARATION_HOLDS:
            if await self.async_place(subject, state, hold) is state and self._shows(subject, state):
                return True
        return False

    def _shows(self, subject: SubjectId, state: Direction) -> bool:
        return on_or_off(self._apparatus.registry.state_of(subject)) is state

    async def _witnessed(self, qualified: Qualified, dispatched_at: float, hold: float) -> Direction | None:
        witnesses = self._apparatus.witnesses
        look = max(hold * _SETTLED_PART, qualified.glance)
        until = dispatched_at + max(hold, _MOVING + look)
        armed = witnesses.arm(
            f"{self._name}/position/{next(self._numbers)}",
            (qualified,),
            dispatched_at=dispatched_at,
            close_at=until,
            lookback=0.0,
        )
        await witnesses.async_collect(armed)
        report = armed.window_of(qualified.lamp)
        if isinstance(report, Reason) or report.faults:
            return None
        channel = SampledChannel(
            subject=qualified.subject,
            levels=qualified.levels,
            samples=report.samples,
            tier=report.tier,
            qualification=qualified.qualification,
            armed_at=armed.armed_at,
        )
        reading = settled_reading(channel, Window(start=until - look, end=until))
        return reading if isinstance(reading, Direction) else None
