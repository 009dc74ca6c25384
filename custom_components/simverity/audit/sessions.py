"""One session or qualification at a time: starts it, waits for it, stops it, and counts it when it has ended."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable, Mapping
from typing import Any

from homeassistant.util.ulid import ulid_now

from ..adapters.restoring import async_restore, found_state
from ..adapters.witness.messages import Link
from ..const import DOMAIN
from ..coordinator import Phase
from ..engine.terms import SessionId, SubjectId
from .apparatus import Apparatus
from .conclusions import Conclusions
from .coordinates import Gathering
from .errors import (
    EntityNotAuditedError,
    LedgerRefusesError,
    MayNotBeSwitchedError,
    NoSessionError,
    SessionRunningError,
    WitnessFailedError,
)
from .listing import Listing
from .progress import Progress
from .qualification import Qualifying
from .session import Frozen, Session, SessionEnd
from .session_plan import SessionDraft, SessionRequest, draft_session
from .witnesses import Binding, LampBinding

EVENT_PROGRESS = f"{DOMAIN}_session_progress"
EVENT_FINISHED = f"{DOMAIN}_session_finished"
_LOGGER = logging.getLogger(__name__)
_SEED_BYTES = 6
"""Seeds stay whole numbers in JSON: below 2^53."""


class Sessions:
    """Keeps the one session that may run.

    ``listing`` returns what is listed now; ``on_progress`` shows how far the session is (None: none runs), ``on_idle``
    is called when it has ended, ``watch`` makes the bus observer watch these subjects beside the audited ones.
    """

    def __init__(
        self,
        apparatus: Apparatus,
        conclusions: Conclusions,
        gathering: Gathering,
        *,
        listing: Callable[[], Listing],
        on_progress: Callable[[SessionId | None, Progress], None],
        on_idle: Callable[[], None],
        watch: Callable[[tuple[SubjectId, ...]], None],
    ) -> None:
        """Run nothing yet."""
        self._apparatus = apparatus
        self._conclusions = conclusions
        self._gathering = gathering
        self._listing = listing
        self._on_progress = on_progress
        self._on_idle = on_idle
        self._watch = watch
        self._qualifying = Qualifying(
            apparatus.driver,
            apparatus.registry,
            apparatus.witnesses,
            take_record=self._async_take_record,
            on_context=apparatus.own.add,
        )
        self._running: SessionId | None = None
        self._session: Session | None = None
        self._task: asyncio.Task[None] | None = None
        self._unkept: dict[SessionId, Mapping[str, Any]] = {}

    @property
    def busy(self) -> bool:
        """Whether a session or a qualification runs."""
        return self._running is not None

    def start(self, request: SessionRequest) -> SessionId:
        """Check a request and start the session; return its id at once.

        Raises:
            AuditError: what forbids it.
        """
        self.require_idle()
        listing = self._listing()
        draft = draft_session(
            request,
            registry=self._apparatus.registry,
            may_be_switched=listing.may_be_switched,
            default_settling=(listing.settling.start, listing.settling.window),
        )
        self._require_witness(draft.targets)
        session = SessionId(ulid_now())
        self._running = session
        self._task = self._apparatus.spawn(self._async_session(session, draft), f"simverity {session}")
        return session

    async def async_wait(self, session: SessionId) -> dict[str, Any]:
        """Wait for a session's end and return its card.

        Raises:
            NoSessionError: there is no such session.
        """
        if self._running == session and self._task is not None:
            await asyncio.wait((self._task,))
        if (card := self.card(session)) is None:
            raise NoSessionError(session=session)
        return card

    async def async_cancel(self) -> None:
        """Stop what runs and wait until the devices are restored.

        Raises:
            NoSessionError: nothing runs.
        """
        task = self._task
        if not self.busy or task is None:
            raise NoSessionError(session="-")
        if self._session is not None:
            self._session.cancel()
        else:
            task.cancel()
        await asyncio.wait((task,))

    async def async_requalify(self, subjects: tuple[SubjectId, ...]) -> None:
        """Qualify the witnesses of these subjects anew, and put the devices back.

        Raises:
            AuditError: something else runs, a subject may not be switched, or the witness failed.
        """
        self.require_idle()
        consent = self._listing().may_be_switched
        for subject in subjects:
            entity_id = self._apparatus.registry.entity_of(subject) or subject
            if subject not in consent:
                raise EntityNotAuditedError(entity=entity_id)
            if not consent[subject]:
                raise MayNotBeSwitchedError(entity=entity_id)
        self._running = SessionId(ulid_now())
        self._task = self._apparatus.spawn(self._async_requalify(subjects), "simverity qualification")
        await asyncio.wait((self._task,))
        if not self._task.cancelled():
            self._task.result()

    def card(self, session: SessionId | None) -> dict[str, Any] | None:
        """Return a session's card, or the last one."""
        if session in self._unkept:
            return dict(self._unkept[session])
        return self._conclusions.card(session)

    def require_idle(self) -> None:
        """Make sure that no session runs and that evidence can be kept.

        Raises:
            SessionRunningError: one runs.
            LedgerRefusesError: the ledger cannot take evidence.
        """
        if self._running is not None:
            raise SessionRunningError(session=self._running)
        self._apparatus.evidence.require()

    def _require_witness(self, subjects: tuple[SubjectId, ...]) -> None:
        """Refuse to run for minutes beside a witness that is known to be out of reach."""
        witnesses = self._apparatus.witnesses
        filmed = any(isinstance(one, LampBinding) for subject in subjects for one in witnesses.bindings_of(subject))
        if filmed and witnesses.client is not None and witnesses.client.link not in (Link.CONNECTED, Link.CONNECTING):
            raise WitnessFailedError(code=witnesses.client.link.value, message="no connection")

    async def _async_session(self, session: SessionId, draft: SessionDraft) -> None:
        seed = draft.seed if draft.seed is not None else int.from_bytes(os.urandom(_SEED_BYTES))
        frozen: list[Frozen] = []

        async def freeze() -> Frozen:
            frozen.append(await self._async_frozen(draft))
            return frozen[0]

        self._session = Session(
            self._apparatus,
            session,
            draft,
            seed=seed,
            qualify=self._async_qualify,
            freeze=freeze,
            remember_found=self._conclusions.async_remember_found,
            on_progress=self._progressed,
        )
        self._watch(tuple(dict.fromkeys(row.subject for row in draft.rows)))
        try:
            end = await self._session.async_run()
            if end.closed.card is None:
                self._unkept[session] = end.card
            await self._conclusions.async_take_session(
                end.closed, end.card, end.trials, frozen[0].coordinates if frozen else {}
            )
            if draft.replays is not None:
                with contextlib.suppress(LedgerRefusesError):
                    await self._conclusions.async_take_replay(end.closed, draft.replays, end.trials)
            self._tell_finished(end)
        finally:
            self._become_idle()

    async def _async_requalify(self, subjects: tuple[SubjectId, ...]) -> None:
        states = (self._apparatus.registry.state_of(subject) for subject in subjects)
        found = tuple(found_state(state) for state in states if state is not None)
        await self._conclusions.async_remember_found(found)
        try:
            await self._async_qualify(
                subjects,
                lambda done, total: self._progressed(Progress(phase=Phase.QUALIFYING, done=done, total=total)),
            )
        finally:
            await async_restore(self._apparatus.hass, found, on_context=self._apparatus.own.add)
            await self._conclusions.async_remember_found(())
            self._become_idle()

    async def _async_qualify(self, subjects: tuple[SubjectId, ...], on_step: Callable[[int, int], None]) -> None:
        on_step(0, 0)
        refused = await self._qualifying.async_qualify(
            subjects, name=f"q-{ulid_now()}", seed=int.from_bytes(os.urandom(_SEED_BYTES)), on_step=on_step
        )
        for one in refused:
            entity = self._apparatus.registry.entity_of(one.binding.subject) or one.binding.subject
            _LOGGER.warning("The camera may not testify on %s: %s", entity, ", ".join(one.codes))

    async def _async_take_record(self, record: Mapping[str, Any], binding: Binding) -> tuple[str, ...]:
        """Keep a raw record in the ledger, then put it into force if the engine agrees."""
        codes = self._apparatus.witnesses.consider(record, binding, made_at=self._apparatus.clocks.wall())
        try:
            await self._apparatus.evidence.async_qualification(record, codes)
        except LedgerRefusesError:
            self._apparatus.witnesses.withdraw(binding.lamp)
            raise
        return codes

    async def _async_frozen(self, draft: SessionDraft) -> Frozen:
        by_subject = {row.subject: row.path for row in draft.rows}
        return Frozen(
            monitors=await self._gathering.async_engine(),
            all_coordinates=await self._gathering.async_session_digest(draft.rows),
            coordinates={
                subject: await self._gathering.async_digest(subject, path) for subject, path in by_subject.items()
            },
        )

    def _progressed(self, progress: Progress) -> None:
        self._on_progress(self._running, progress)
        self._apparatus.hass.bus.async_fire(
            EVENT_PROGRESS,
            {
                "session_id": self._running,
                "phase": progress.phase.value,
                "done": progress.done,
                "total": progress.total,
                "seconds_left": progress.seconds_left,
            },
        )

    def _tell_finished(self, end: SessionEnd) -> None:
        closed = end.closed
        self._apparatus.hass.bus.async_fire(
            EVENT_FINISHED, {"session_id": closed.session, "valid": closed.valid, "reasons": list(closed.reasons)}
        )

    def _become_idle(self) -> None:
        self._running = self._session = None
        self._watch(())
        self._on_progress(None, Progress(phase=Phase.IDLE))
        self._on_idle()
