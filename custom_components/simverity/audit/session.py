"""Runs one session from its qualification to its card, and puts every device back as it was found."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from ..adapters.bus_observer import Command, Consumer
from ..adapters.registry import on_or_off
from ..adapters.restoring import FoundState, async_restore, found_state
from ..adapters.trial_driver import Dispatch
from ..adapters.virtual_edges import EdgesUnavailableError
from ..coordinator import Phase
from ..engine.errors import EngineError
from ..engine.session.card import build_card
from ..engine.session.manifest import SCHEMA, SessionManifest
from ..engine.session.pairing import JudgedTrial, judged, pair
from ..engine.session.plan import PlannedTrial, plan
from ..engine.session.validity import Phase as StrobePhase
from ..engine.session.validity import ReferenceStrobe, assess
from ..engine.terms import GRID, Digest, Direction, Reason, SessionId, SubjectId, TrialId
from ..engine.trace.trace import Goal, Return, Trace
from .apparatus import Apparatus
from .errors import AuditError
from .evidence import ClosedSession, pack_card
from .positioning import STROBE_HOLD, Positioning
from .progress import Progress
from .session_plan import SessionDraft
from .slimming import fit
from .twins import Twins
from .watching import OpenTrial, settled_states
from .witnesses import Qualified

N_MIN = 10
CONFIDENCE = 0.95
COMPLETENESS = 0.95
_AFTER_LAST_BOUNDARY = GRID[-1].seconds + 0.05
_TWINS_PER_WAIT = 2
_QUALIFICATION_SECONDS = 126.0
"""About what a qualification takes, for the estimate."""
_PATIENCE_WITH_WITNESS = 45.0
"""Seconds that a witness may take to connect and to open its cameras."""
_STROBES = (Direction.ON, Direction.OFF, Direction.ON, Direction.OFF)
_OVERHEAD = 0.7
"""Seconds that a trial takes beyond its settled window, for the estimate of what is left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEnd:
    """How a session ended. ``trials`` are its physical ones in order; ``card`` is JSON."""

    closed: ClosedSession
    card: Mapping[str, Any]
    trials: tuple[JudgedTrial, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Frozen:
    """What a manifest binds besides rows and qualifications. ``coordinates`` is by subject, ``all`` over every row."""

    monitors: Digest
    all_coordinates: Digest
    coordinates: Mapping[SubjectId, Digest]


type Qualify = Callable[[tuple[SubjectId, ...], Callable[[int, int], None]], Awaitable[None]]
type Freeze = Callable[[], Awaitable[Frozen]]
type RememberFound = Callable[[tuple[FoundState, ...]], Awaitable[None]]


class Session:
    """One session. ``qualify`` runs a qualification for subjects that need one, ``freeze`` gathers what is frozen.

    ``remember_found`` keeps what a killed process must restore; ``on_progress`` is told whenever the session moves.
    """

    def __init__(
        self,
        apparatus: Apparatus,
        session: SessionId,
        draft: SessionDraft,
        *,
        seed: int,
        qualify: Qualify,
        freeze: Freeze,
        remember_found: RememberFound,
        on_progress: Callable[[Progress], None],
    ) -> None:
        """Have everything still to do."""
        self._apparatus = apparatus
        self._session = session
        self._draft = draft
        self._seed = seed
        self._qualify = qualify
        self._freeze = freeze
        self._remember_found = remember_found
        self._on_progress = on_progress
        self._positioning = Positioning(apparatus, session)
        self._stands: dict[SubjectId, Direction | None] = {}
        self._strobes: list[ReferenceStrobe] = []
        self._trials: list[JudgedTrial] = []
        self._open: OpenTrial | None = None
        self._opened_at = datetime.now(UTC).isoformat()
        self._work: asyncio.Task[SessionEnd] | None = None
        self._cancelled = False

    def cancel(self) -> None:
        """Stop as soon as possible; the run still restores the devices and closes the session."""
        self._cancelled = True
        if self._work is not None:
            self._work.cancel()

    async def async_run(self) -> SessionEnd:
        """Run to the end and return it; whatever goes wrong is the session's reason for being invalid."""
        states = (self._apparatus.registry.state_of(target) for target in self._draft.targets)
        found = tuple(found_state(state) for state in states if state is not None)
        await self._remember_found(found)
        self._work = self._apparatus.spawn(self._async_work(found), f"simverity session {self._session}")
        if self._cancelled:
            self._work.cancel()
        try:
            await asyncio.wait((self._work,))
        finally:
            self._work.cancel()
            end = await self._async_end(found, self._work)
        return end

    async def _async_end(self, found: tuple[FoundState, ...], work: asyncio.Task[SessionEnd]) -> SessionEnd:
        """Put everything back, whatever happened; close the session if that is still to be done."""
        await asyncio.wait((work,))
        self._on_progress(Progress(phase=Phase.FINISHING))
        try:
            await self._apparatus.edges.async_remove_all()
        except EdgesUnavailableError:
            self._apparatus.edges.purge()
        await async_restore(self._apparatus.hass, found, on_context=self._apparatus.own.add)
        await self._remember_found(())
        reason = _reason(work)
        if reason is None:
            return work.result()
        closed = ClosedSession(
            session=self._session, valid=False, reasons=(reason,), ended_at=datetime.now(UTC).isoformat(), card=None
        )
        # If the ledger refuses, the next start finds the session open and records it as interrupted.
        with contextlib.suppress(AuditError):
            closed = await self._apparatus.evidence.async_session_closed(closed)
        return SessionEnd(closed=closed, card=empty_card(closed, self._opened_at), trials=tuple(self._trials))

    async def _async_work(self, found: tuple[FoundState, ...]) -> SessionEnd:
        await self._async_qualify()
        frozen = await self._freeze()
        manifest = self._manifest(frozen)
        await self._apparatus.evidence.async_session_opened(manifest, found)
        planned = plan(manifest)
        states = {target: self._apparatus.registry.state_of(target) for target in self._draft.targets}
        edges = await self._apparatus.edges.async_create({t: s for t, s in states.items() if s is not None})

        async def keep(trial: PlannedTrial, trace: Trace) -> None:
            await self._apparatus.evidence.async_trial(
                trace, key=trial.key, coordinates=frozen.coordinates[trial.row.subject]
            )

        twins = Twins(self._apparatus, edges, planned, settling=self._draft.settling, keep=keep)
        twins.start()
        stop = self._apparatus.observer.async_add_consumer(
            Consumer(on_command=self._on_command, on_report=lambda _: None)
        )
        try:
            await self._async_strobe(StrobePhase.START, len(planned))
            for trial in planned:
                self._tell(Phase.RUNNING, trial.index, len(planned))
                trace = fit(await self._async_trial(trial, twins))
                self._trials.append(judged(trial.key, trace))
                await keep(trial, trace)
            self._tell(Phase.RUNNING, len(planned), len(planned))
            await asyncio.gather(twins.async_drain(), self._async_strobe(StrobePhase.END, 0))
        finally:
            stop()
            await twins.async_stop()
        return await self._async_close(manifest, tuple(twins.finished))

    async def _async_close(self, manifest: SessionManifest, twins: tuple[JudgedTrial, ...]) -> SessionEnd:
        self._tell(Phase.FINISHING, 0, 0)
        trials = tuple(self._trials)
        validity = assess(manifest, traces=[trial.trace for trial in trials], strobes=self._strobes)

        def build() -> tuple[dict[str, Any], str]:
            card = json.loads(build_card(manifest, pairs=pair(trials, twins), validity=validity).to_json())
            return card, pack_card(card)

        card, packed = await self._apparatus.hass.async_add_executor_job(build)
        closed = ClosedSession(
            session=self._session,
            valid=validity.valid,
            reasons=tuple(reason.value for reason in validity.reasons),
            ended_at=datetime.now(UTC).isoformat(),
            card=packed,
            strobes=tuple(self._strobes),
        )
        closed = await self._apparatus.evidence.async_session_closed(closed)
        return SessionEnd(closed=closed, card=card, trials=trials)

    async def _async_qualify(self) -> None:
        """Qualify what is filmed and has no live qualification."""
        witnesses = self._apparatus.witnesses
        if witnesses.client is not None:
            await witnesses.client.async_ready(_PATIENCE_WITH_WITNESS)
        needy = tuple(
            target
            for target in self._draft.targets
            if witnesses.testifying(target) in (Reason.UNQUALIFIED, Reason.QUALIFICATION_EXPIRED)
        )
        if needy:
            await self._qualify(needy, lambda done, total: self._tell(Phase.QUALIFYING, done, total))

    def _manifest(self, frozen: Frozen) -> SessionManifest:
        settling = self._draft.settling
        return SessionManifest(
            schema=SCHEMA,
            session=self._session,
            seed=self._seed,
            rows=self._draft.rows,
            settle_from=settling.start,
            settle_window=settling.window,
            n_min=N_MIN,
            confidence=CONFIDENCE,
            completeness=COMPLETENESS,
            monitors=frozen.monitors,
            coordinates=frozen.all_coordinates,
            qualifications=self._apparatus.witnesses.digests(self._draft.targets),
            declared_at=datetime.now(UTC).isoformat(),
        )

    async def _async_strobe(self, phase: StrobePhase, trials_left: int) -> None:
        """Strobe the reference states of every witnessed target, all at once."""
        self._tell(Phase.STROBING, 0, trials_left)
        witnessed = [
            target
            for target in self._draft.targets
            if isinstance(self._apparatus.witnesses.testifying(target), Qualified)
        ]
        await asyncio.gather(*(self._async_strobe_one(target, phase) for target in witnessed))

    async def _async_strobe_one(self, subject: SubjectId, phase: StrobePhase) -> None:
        for state in _STROBES:
            for _ in range(2):
                observed = await self._positioning.async_place(subject, state, STROBE_HOLD)
                self._strobes.append(ReferenceStrobe(subject=subject, phase=phase, state=state, observed=observed))
                self._stands[subject] = observed
                if observed is state:
                    break

    async def _async_trial(self, planned: PlannedTrial, twins: Twins) -> Trace:
        row = planned.row
        start = row.direction.opposite
        needy = [target for target in row.targets if not self._stands_in(target, start)]
        await asyncio.gather(*(self._positioning.async_prepare(target, start) for target in needy))
        trial = await self._async_dispatch(planned)
        self._open = trial
        try:
            wait = trial.dispatched_at + _AFTER_LAST_BOUNDARY - self._apparatus.clocks.monotonic()
            if trial.void is None and wait > 0:
                await asyncio.sleep(wait)
            for _ in range(_TWINS_PER_WAIT):
                twins.launch(during=row.row)
            trace = await self._apparatus.watching.async_close(trial)
        finally:
            self._open = None
            self._apparatus.watching.drop(trial)
        self._note_positions(trace)
        return trace

    async def _async_dispatch(self, planned: PlannedTrial) -> OpenTrial:
        """Give the command; the witness is armed inside its announcement."""
        registry, watching = self._apparatus.registry, self._apparatus.watching
        row = planned.row
        entities = {subject: registry.entity_of(subject) for subject in (*row.targets, row.subject)}
        present = {subject: entity_id for subject, entity_id in entities.items() if entity_id is not None}
        unable = [target for target in row.targets if on_or_off(registry.state_of(target)) is None]
        if unable or row.subject not in present:
            return self._void(planned, Reason.NOT_DISPATCHED)
        opened: list[OpenTrial] = []
        call = await self._apparatus.driver.async_drive(
            row.direction,
            addressed=(present[row.subject],),
            targets=present,
            on_context=self._apparatus.own.add,
            on_dispatch=lambda dispatch: opened.append(watching.open(self._trial(planned, dispatch))),
        )
        if not opened:
            return self._void(planned, Reason.CALL_REFUSED)
        trial = opened[0]

        def returned(task: asyncio.Task[Return]) -> None:
            if not task.cancelled():
                trial.returned = task.result()

        call.returning.add_done_callback(returned)
        return trial

    def _trial(self, planned: PlannedTrial, dispatch: Dispatch) -> OpenTrial:
        row = planned.row
        return OpenTrial(
            trial=TrialId(planned.key.text),
            path=row.path,
            direction=row.direction,
            subject=row.subject,
            goals=tuple(Goal(subject=target, state=row.direction) for target in row.targets),
            dispatched_at=dispatch.at,
            wall_dispatched=dispatch.wall,
            settling=self._draft.settling,
            pre_states=dispatch.pre_states,
            contexts={dispatch.context_id},
            requested_at=dispatch.requested_at,
            quiet=row.quiet,
        )

    def _void(self, planned: PlannedTrial, reason: Reason) -> OpenTrial:
        """Return a trial whose command never went out."""
        now = self._apparatus.clocks.monotonic()
        wall = datetime.now(UTC).isoformat()
        trial = self._trial(planned, Dispatch(context_id="", requested_at=now, at=now, wall=wall, pre_states=()))
        trial.end(reason)
        return trial

    def _on_command(self, command: Command) -> None:
        """Somebody else's command on a device of the open trial ends it: what follows is no longer its effect."""
        trial = self._open
        if trial is None or self._apparatus.own.own(command.context_id, command.parent_id):
            return
        if any(target.subject in (*trial.targets, *trial.quiet) for target in command.targets):
            trial.end(Reason.SUPERSEDED)

    def _stands_in(self, subject: SubjectId, state: Direction) -> bool:
        reported = on_or_off(self._apparatus.registry.state_of(subject))
        return reported is state and self._stands.get(subject, reported) is state

    def _note_positions(self, trace: Trace) -> None:
        seen = settled_states(trace)
        for goal in trace.goals:
            reported = on_or_off(self._apparatus.registry.state_of(goal.subject))
            self._stands[goal.subject] = seen.get(goal.subject, reported) if trace.void is None else None

    def _tell(self, phase: Phase, done: int, total: int) -> None:
        left = self._seconds_left(phase, done)
        if phase is Phase.QUALIFYING:
            left += _QUALIFICATION_SECONDS * (1 - done / total if total else 1)
        self._on_progress(Progress(phase=phase, done=done, total=total, seconds_left=left))

    def _seconds_left(self, phase: Phase, done: int) -> float:
        per_trial = self._draft.settling.until + _OVERHEAD
        planned = sum(row.repetitions for row in self._draft.rows)
        strobes = len(_STROBES) * STROBE_HOLD
        if phase is Phase.RUNNING:
            return (planned - done) * per_trial + strobes
        if phase is Phase.FINISHING:
            return 0.0
        if phase is Phase.STROBING and self._trials:
            return strobes
        return planned * per_trial + 2 * strobes


def empty_card(closed: ClosedSession, declared_at: str) -> dict[str, Any]:
    """Return the card of a session that came to no conclusion."""
    validity = {"valid": False, "reasons": list(closed.reasons)}
    return {"session": closed.session, "declared_at": declared_at, "validity": validity, "cells": []}


def _reason(work: asyncio.Task[SessionEnd]) -> str | None:
    """Return why a session's work did not end by itself, None if it did."""
    if work.cancelled():
        return "cancelled"
    error = work.exception()
    if error is None:
        return None
    if isinstance(error, AuditError):
        return error.translation_key
    if isinstance(error, EdgesUnavailableError):
        return "edges_unavailable"
    return "engine_refused" if isinstance(error, EngineError) else "failed"
