"""What a killed process left behind: sessions that were never closed, and devices that were never put back."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from ..adapters.ledger.store import LedgerStore
from ..adapters.registry import on_or_off
from ..adapters.restoring import FoundState, async_restore
from ..engine.terms import Reason, SessionId
from .apparatus import Apparatus
from .conclusions import Conclusions
from .errors import AuditError
from .evidence import ClosedSession

_PATIENCE = 120.0
"""Seconds after Home Assistant's start for which devices may take to appear."""


class Recovery:
    """Runs once after a start."""

    def __init__(self, apparatus: Apparatus, conclusions: Conclusions, store: LedgerStore) -> None:
        """Note what the ledger and the checkpoint left open."""
        self._apparatus = apparatus
        self._conclusions = conclusions
        self._store = store

    async def async_close_interrupted(self) -> tuple[SessionId, ...]:
        """Record every session that was never closed as invalid; return them. A ledger in doubt stays as it is."""
        closed: list[SessionId] = []
        for opened in self._conclusions.unclosed:
            if not self._store.takes_entries:
                break
            end = ClosedSession(
                session=opened.session,
                valid=False,
                reasons=(Reason.INTERRUPTED.value,),
                ended_at=datetime.now(UTC).isoformat(),
                card=None,
            )
            try:
                kept = await self._apparatus.evidence.async_session_closed(end)
            except AuditError:
                break
            await self._conclusions.async_take_session(kept, {}, (), {})
            closed.append(opened.session)
        return tuple(closed)

    async def async_restore_devices(self) -> None:
        """Put devices back as an interrupted session or qualification found them, each as soon as it is there."""
        found = {one.entity_id: one for opened in self._conclusions.unclosed for one in opened.found}
        found |= {one.entity_id: one for one in self._conclusions.to_restore}
        if not found:
            return
        waiting = list(found.values())
        deadline = self._apparatus.clocks.monotonic() + _PATIENCE
        while waiting and self._apparatus.clocks.monotonic() < deadline:
            present = [one for one in waiting if self._is_there(one)]
            await async_restore(self._apparatus.hass, present, on_context=self._apparatus.own.add)
            waiting = [one for one in waiting if one not in present]
            if waiting:
                await asyncio.sleep(1.0)
        await self._conclusions.async_remember_found(())

    def _is_there(self, one: FoundState) -> bool:
        return on_or_off(self._apparatus.hass.states.get(one.entity_id)) is not None
