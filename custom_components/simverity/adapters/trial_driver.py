"""Makes one service call and keeps what only its caller can see: the return, the error, the state at that instant."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

from homeassistant.const import ATTR_ENTITY_ID, EVENT_CALL_SERVICE
from homeassistant.core import Context, Event, HomeAssistant, callback

from ..engine.terms import Direction, SubjectId
from ..engine.trace.trace import PreState, Return

type Spawn = Callable[[Coroutine[Any, Any, Return], str], asyncio.Task[Return]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispatch:
    """A call as the bus announced it.

    ``at`` is monotonic seconds, ``wall`` the same instant as a label; ``requested_at`` the instant before the call.
    """

    context_id: str
    requested_at: float
    at: float
    wall: str
    pre_states: tuple[PreState, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrivenCall:
    """A call that was made.

    ``dispatch`` is None if the call was refused before the bus announced it. ``returning`` ends when the call does;
    it never raises, the error is part of the return.
    """

    context_id: str
    requested_at: float
    pre_states: tuple[PreState, ...]
    dispatch: Dispatch | None
    returning: asyncio.Task[Return]

    def returned(self) -> Return | None:
        """Return what the caller saw, None while the call has not returned."""
        done = self.returning.done() and not self.returning.cancelled()
        return self.returning.result() if done else None


class TrialDriver:
    """Drives commands under contexts of its own.

    ``monotonic`` reads the clock of all times here, ``from_wall`` converts a recent wall timestamp to it, ``spawn``
    starts a task eagerly and keeps it until it ends.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        *,
        monotonic: Callable[[], float],
        from_wall: Callable[[float], float],
        spawn: Spawn,
    ) -> None:
        """Keep what a call needs."""
        self._hass = hass
        self._monotonic = monotonic
        self._from_wall = from_wall
        self._spawn = spawn

    async def async_drive(
        self,
        state: Direction,
        *,
        addressed: tuple[str, ...],
        targets: Mapping[SubjectId, str],
        on_context: Callable[[str], None] | None = None,
        on_dispatch: Callable[[Dispatch], None] | None = None,
    ) -> DrivenCall:
        """Command the addressed entities (all of one domain) to a state and return as soon as the bus announced it.

        ``targets`` (subject to entity id) are read before the call and in the same step as its return. ``on_context``
        learns the call's context before the call is made; ``on_dispatch`` runs inside the announcement.
        """
        context = Context()
        if on_context is not None:
            on_context(context.id)
        announced: asyncio.Future[Dispatch] = self._hass.loop.create_future()
        pre_states = tuple(self._pre_state(subject, entity_id) for subject, entity_id in targets.items())
        requested_at = self._monotonic()

        @callback
        def heard(event: Event[Any]) -> None:
            if event.context.id != context.id or announced.done():
                return
            dispatch = Dispatch(
                context_id=context.id,
                requested_at=requested_at,
                at=self._from_wall(event.time_fired_timestamp),
                wall=event.time_fired.isoformat(),
                pre_states=pre_states,
            )
            announced.set_result(dispatch)
            if on_dispatch is not None:
                on_dispatch(dispatch)

        stop = self._hass.bus.async_listen(EVENT_CALL_SERVICE, heard)
        try:
            returning = self._spawn(
                self._call(state, addressed, dict(targets), context), f"simverity call {state} {addressed}"
            )
            await asyncio.wait((announced, returning), return_when=asyncio.FIRST_COMPLETED)
            if not announced.done():
                # A call made while another event is dispatched is announced right after its handler returned.
                await asyncio.sleep(0)
        finally:
            stop()
        return DrivenCall(
            context_id=context.id,
            requested_at=requested_at,
            pre_states=pre_states,
            dispatch=announced.result() if announced.done() else None,
            returning=returning,
        )

    async def _call(
        self, state: Direction, addressed: tuple[str, ...], targets: dict[SubjectId, str], context: Context
    ) -> Return:
        error: str | None = None
        domain = addressed[0].partition(".")[0]
        data = {ATTR_ENTITY_ID: list(addressed)}
        try:
            await self._hass.services.async_call(domain, f"turn_{state}", data, blocking=True, context=context)
        except Exception as failure:  # noqa: BLE001 - whatever an integration raises is evidence of its trial
            error = type(failure).__name__
        states = tuple(
            (subject, found.state)
            for subject, entity_id in targets.items()
            if (found := self._hass.states.get(entity_id)) is not None
        )
        return Return(at=self._monotonic(), states=states, error=error)

    def _pre_state(self, subject: SubjectId, entity_id: str) -> PreState:
        state = self._hass.states.get(entity_id)
        if state is None:
            return PreState(subject=subject, value=None, age=None)
        age = self._monotonic() - self._from_wall(state.last_updated_timestamp)
        return PreState(subject=subject, value=state.state, age=max(0.0, age))
