"""Passive trials in which a lamp does not do what it was told, fed to a real audit."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from homeassistant.core import HomeAssistant

from custom_components.simverity.engine.terms import (
    GRID,
    Direction,
    Path,
    Reason,
    Rung,
    SubjectId,
    TrialId,
    settled_boundary,
)
from custom_components.simverity.engine.trace.samples import NoChannel
from custom_components.simverity.engine.trace.trace import Feedback, Goal, Trace
from custom_components.simverity.runtime import Runtime


def ignored(subject: str, minute: int) -> Trace:
    """Return a trial in which the lamp was told to turn on and never reported it."""
    lamp = SubjectId(subject)
    at = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=2) + timedelta(minutes=minute)
    return Trace(
        trial=TrialId(f"t/{minute}"),
        rung=Rung.PHYSICAL,
        path=Path.SINGLE_LIGHT,
        direction=Direction.ON,
        subject=lamp,
        goals=(Goal(subject=lamp, state=Direction.ON),),
        dispatched_at=0.0,
        wall_dispatched=at.isoformat(),
        settle_from=4.0,
        settle_until=4.6,
        boundaries=(*GRID, settled_boundary(4.0)),
        feedback=(Feedback(subject=lamp, at=0.05, state="off"),),
        channels=(NoChannel(subject=lamp, reason=Reason.NO_WITNESS),),
        closed_at=4.6,
    )


async def escalate(hass: HomeAssistant, runtime: Runtime, subject: str) -> None:
    """Let a lamp fail until it is refused."""
    for minute in range(3):
        await runtime._async_take_passive(ignored(subject, minute))
    await hass.async_block_till_done()
