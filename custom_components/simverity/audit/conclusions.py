"""What the ledger's evidence amounts to, kept between restarts: standing, sessions, cards, qualifications.

A checkpoint holds what was concluded at a head; at the start it is loaded and the entries after it are folded in.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from ..adapters.ledger.store import LedgerStore, LedgerUnavailableError, StoredEntry
from ..adapters.restoring import FoundState
from ..engine.canonical import Json, plain
from ..engine.cells import claims
from ..engine.errors import EngineError
from ..engine.ledger.entry import EntryKind
from ..engine.ledger.notices import Redaction
from ..engine.properties.table import judge
from ..engine.replay import replay_counts
from ..engine.session.pairing import JudgedTrial
from ..engine.standing.policy import StandingPolicy
from ..engine.standing.record import policy_from_json
from ..engine.standing.state import Acknowledgement
from ..engine.terms import Digest, Disposition, Rung, SessionId, SubjectId
from ..engine.trace.trace import Trace
from .errors import AuditError
from .evidence import ClosedSession, Evidence, OpenedSession, read_closed, read_opened, read_trial, unpack_card
from .replays import Replays, replay_payload
from .standing import Standing
from .views import SessionLook, SubjectRecord, looks_of

_LOGGER = logging.getLogger(__name__)
_KEPT_CARDS = 50
_PAGE = 500
"""Entries that are read back at once."""
_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRecord:
    """A qualification record read back, and the wall time at which it was received (seconds since the epoch)."""

    record: Mapping[str, Any]
    received_at: float


class Conclusions:
    """The one place that counts. Nothing is counted before it is in the ledger."""

    def __init__(self, store: LedgerStore, evidence: Evidence) -> None:
        """Know of nothing before ``async_load``; a policy is the default one until an entry says otherwise."""
        self._store = store
        self._evidence = evidence
        self.standing = Standing(StandingPolicy())
        self.replays = Replays()
        self.last: ClosedSession | None = None
        self.unclosed: tuple[OpenedSession, ...] = ()
        self.to_restore: tuple[FoundState, ...] = ()
        self.qualifications: dict[str, KeptRecord] = {}
        self._looks: dict[SubjectId, tuple[SessionLook, ...]] = {}
        self._set_aside: dict[SubjectId, float] = {}
        self._cards: dict[str, str] = {}
        self._counted = 0
        self._saved: tuple[int, tuple[FoundState, ...]] | None = None

    def record_of(self, subject: SubjectId) -> SubjectRecord:
        """Return all that was concluded about a subject."""
        looks, aside = self._looks.get(subject, ()), subject in self._set_aside
        return SubjectRecord(
            cells=self.standing.cells_of(subject),
            tally=self.standing.tally_of(subject),
            looks=tuple(look for look in looks if not (aside and look.disposition is Disposition.ESCALATE)),
            set_aside=aside,
            policy=self.standing.policy,
        )

    def card(self, session: str | None) -> dict[str, Any] | None:
        """Return a session's card, or the last one."""
        packed = next(reversed(self._cards.values()), None) if session is None else self._cards.get(session)
        return None if packed is None else unpack_card(packed)

    async def async_load(self) -> None:
        """Load the checkpoint and fold in what the ledger holds beyond it, if it can be read."""
        checkpoint = await self._store.async_load_checkpoint()
        if isinstance(checkpoint, dict) and checkpoint.get("version") == _VERSION:
            found = checkpoint.get("found")
            states = [FoundState.from_json(one) for one in found] if isinstance(found, list) else []
            self.to_restore = tuple(one for one in states if one is not None)
            sequence = checkpoint.get("sequence")
            if self.standing.load(checkpoint.get("standing")) and isinstance(sequence, int):
                self._counted = sequence
        if not self._store.readable:
            return
        with contextlib.suppress(LedgerUnavailableError):
            if self._counted > self._store.head.sequence:
                await self._recount()
            else:
                await self._replay(self._counted)
            self._counted = self._store.head.sequence

    async def async_save(self) -> None:
        """Write the checkpoint if anything was concluded since the last one."""
        current = (self._counted, self.to_restore)
        if current == self._saved:
            return
        await self._store.async_save_checkpoint(
            {
                "version": _VERSION,
                "sequence": self._counted,
                "standing": self.standing.to_json(),
                "found": [one.to_json() for one in self.to_restore],
            }
        )
        self._saved = current

    async def async_redact(self, redaction: Redaction) -> None:
        """Let payloads go; what was concluded from them is kept in the ledger first, so that no warning goes with them.

        Raises:
            LedgerUnavailableError: the ledger cannot take it; nothing was removed.
            LedgerRefusesError: the same.
        """
        await self._evidence.async_append(
            EntryKind.CHECKPOINT, {"version": _VERSION, "standing": self.standing.to_json()}
        )
        self._counted = (await self._store.async_redact(redaction)).sequence
        await self.async_save()

    async def async_go_on_from_backup(self) -> None:
        """Accept a restored ledger as the one to go on with.

        Raises:
            LedgerUnavailableError: it is none, or its chain is not whole.
        """
        self._counted = (await self._store.async_go_on_from_backup()).sequence
        await self.async_save()

    async def async_remember_found(self, found: tuple[FoundState, ...]) -> None:
        """Keep how devices were found, so that a killed process can put them back."""
        self.to_restore = found
        await self.async_save()

    async def async_take_passive(self, trace: Trace, coordinates: Digest) -> None:
        """Keep a passive trial and count it. Trials come back from the writer in the order of their entries.

        Raises:
            LedgerRefusesError: the ledger cannot take it; then it counts nowhere.
        """
        entry = await self._evidence.async_trial(trace, key=None, coordinates=coordinates)
        turned = self.standing.fold(trace, judge(trace), coordinates)
        self._counted = entry.sequence
        if turned:
            await self.async_save()

    async def async_take_session(
        self,
        closed: ClosedSession,
        card: Mapping[str, Any],
        trials: tuple[JudgedTrial, ...],
        coordinates: Mapping[SubjectId, Digest],
    ) -> None:
        """Count a session that has ended; an invalid one is a record and counts nowhere."""
        self._note_closed(closed)
        if closed.valid:
            self._note_looks(card)
            for trial in trials:
                self.standing.fold(trial.trace, trial.outcomes, coordinates[trial.trace.subject])
        if closed.sequence is not None:
            self._counted = max(self._counted, closed.sequence)
        await self.async_save()

    async def async_take_replay(self, closed: ClosedSession, trial: str, trials: tuple[JudgedTrial, ...]) -> None:
        """Keep what repeating a trial in a session showed.

        Raises:
            LedgerRefusesError: the ledger cannot take it; then it counts nowhere.
        """
        verdicts = [one for judged in trials for one in claims(judged.trace, judged.outcomes)]
        ended = datetime.fromisoformat(closed.ended_at)
        counts = replay_counts(verdicts, at=ended, witnessed_valid=closed.valid)
        entry = await self._evidence.async_append(EntryKind.REPLAYED, replay_payload(closed.session, trial, counts))
        self._counted = max(self._counted, entry.sequence)
        self.replays.take(counts)

    async def async_adopt(self, policy: StandingPolicy) -> None:
        """Judge by another policy from now on; the change enters the ledger, so that everything can be recomputed.

        What the ledger cannot take is adopted all the same: then it takes no trials either.
        """
        if self.standing.adopt(policy):
            with contextlib.suppress(AuditError):
                self._counted = (await self._evidence.async_append(EntryKind.POLICY, plain(policy))).sequence
                await self.async_save()

    async def async_note_coordinates(self, subject: SubjectId, coordinates: Digest) -> None:
        """Learn what a subject's values depend on now; a change enters the ledger and moves its cells.

        Raises:
            LedgerRefusesError: the ledger cannot take it; the cells have moved all the same, which is the safe side.
        """
        if self.standing.note_coordinates(subject, coordinates):
            payload: Json = {"subject": subject, "coordinates": coordinates}
            self._counted = (await self._evidence.async_append(EntryKind.COORDINATES, payload)).sequence
            await self.async_save()

    def escalates(self, subject: SubjectId) -> bool:
        """Return whether anything stands against a subject that an admin could set aside."""
        record = self.record_of(subject)
        against = (*(cell.state.disposition for cell in record.cells), *(look.disposition for look in record.looks))
        return Disposition.ESCALATE in against

    async def async_acknowledge(self, subject: SubjectId, acknowledgement: Acknowledgement, wall_time: float) -> None:
        """Set aside what stands against a subject until the acknowledgement expires; it enters the ledger first.

        Raises:
            LedgerRefusesError: the ledger cannot take it; then nothing is set aside.
        """
        payload: Json = {
            "subject": subject,
            "reason": acknowledgement.reason,
            "expires_at": acknowledgement.expires_at,
            "at": wall_time,
        }
        entry = await self._evidence.async_append(EntryKind.ACKNOWLEDGED, payload)
        self._counted = max(self._counted, entry.sequence)
        self._set_aside[subject] = acknowledgement.expires_at
        self.standing.acknowledge(subject, acknowledgement, wall_time)
        await self.async_save()

    def expire(self, wall_time: float) -> set[SubjectId]:
        """Bring back what was set aside until now or earlier; return of which subjects."""
        over = {subject for subject, until in self._set_aside.items() if until <= wall_time}
        for subject in over:
            del self._set_aside[subject]
        return over | self.standing.expire(wall_time)

    def _note_looks(self, card: Mapping[str, Any]) -> None:
        """Take over a session's looks; what was set aside before was not about them."""
        looks = looks_of(card)
        self._looks |= looks
        for subject in looks:
            self._set_aside.pop(subject, None)

    def _acknowledge_again(self, payload: Json, *, fresh: bool) -> None:
        match payload:
            case {"subject": str(subject), "reason": str(reason), "expires_at": float() | int() as until, "at": at}:
                self._set_aside[SubjectId(subject)] = until
                if fresh and isinstance(at, (int, float)):
                    self.standing.acknowledge(
                        SubjectId(subject), Acknowledgement(reason=reason, expires_at=until), wall_time=at
                    )

    def _note_closed(self, closed: ClosedSession) -> None:
        self.last = closed
        if closed.card is not None:
            self._cards[closed.session] = closed.card
            while len(self._cards) > _KEPT_CARDS:
                del self._cards[next(iter(self._cards))]

    async def _recount(self) -> None:
        """Count anew: the checkpoint rests on entries that are gone. Of it, only what spoke against a device stays."""
        before, self.standing = self.standing, Standing(StandingPolicy())
        try:
            await self._replay(0)
        finally:
            self.standing.carry_bad_experience(before)

    async def _replay(self, counted: int) -> None:
        """Read back sessions and qualifications, and fold in what is not counted yet, in the ledger's order.

        A checkpoint in the ledger itself stands for everything before it.
        """
        for entry in reversed(await self._store.async_read(after=counted, kinds=(EntryKind.CHECKPOINT,))):
            if isinstance(payload := entry.payload, dict) and self.standing.load(payload.get("standing")):
                counted = entry.sequence
                break
        kinds = (
            EntryKind.SESSION_OPENED,
            EntryKind.SESSION_CLOSED,
            EntryKind.QUALIFICATION,
            EntryKind.COORDINATES,
            EntryKind.POLICY,
            EntryKind.ACKNOWLEDGED,
            EntryKind.REPLAYED,
        )
        opened: dict[SessionId, tuple[int, OpenedSession]] = {}
        oldest = counted
        landmarks = await self._store.async_read(kinds=kinds)
        for entry in landmarks:
            if entry.kind == EntryKind.SESSION_OPENED and (session := read_opened(entry)) is not None:
                opened[session.session] = (entry.sequence, session)
            elif entry.kind == EntryKind.SESSION_CLOSED and (closed := read_closed(entry)) is not None:
                began = opened.pop(closed.session, (entry.sequence, None))[0]
                if entry.sequence > counted:
                    oldest = min(oldest, began)
            elif entry.kind == EntryKind.QUALIFICATION:
                self._note_qualification(entry)
            elif entry.kind == EntryKind.REPLAYED:
                self.replays.read(entry.payload)
        self.unclosed = tuple(session for _, session in opened.values())
        fold = partial(self._fold_back, counted=counted, by_session={})
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, fold, [entry for entry in landmarks if entry.sequence <= oldest])
        while page := await self._store.async_read(after=oldest, kinds=(*kinds, EntryKind.TRIAL), most=_PAGE):
            await loop.run_in_executor(None, fold, page)
            oldest = page[-1].sequence

    def _fold_back(
        self,
        entries: Iterable[StoredEntry],
        *,
        counted: int,
        by_session: dict[SessionId, list[tuple[Trace, Digest]]],
    ) -> None:
        """Fold in entries of the ledger. Without a checkpoint that takes long: run it in a thread, page by page.

        An entry that cannot be read says nothing; that the record is damaged is the verifier's to say.
        """
        for entry in entries:
            try:
                self._fold_entry(entry, by_session, fresh=entry.sequence > counted)
            except (EngineError, LookupError, TypeError, ValueError) as error:
                _LOGGER.warning("Entry %s of the evidence record cannot be read: %r", entry.sequence, error)

    def _fold_entry(
        self, entry: StoredEntry, by_session: dict[SessionId, list[tuple[Trace, Digest]]], *, fresh: bool
    ) -> None:
        if entry.kind == EntryKind.TRIAL and (trial := read_trial(entry)) is not None:
            if trial.key is not None:
                by_session.setdefault(trial.key.session, []).append((trial.trace, trial.coordinates))
            elif fresh:
                self.standing.fold(trial.trace, judge(trial.trace), trial.coordinates)
        elif entry.kind == EntryKind.COORDINATES and fresh and isinstance(payload := entry.payload, dict):
            subject, coordinates = payload.get("subject"), payload.get("coordinates")
            self.standing.note_coordinates(SubjectId(str(subject)), Digest(str(coordinates)))
        elif entry.kind == EntryKind.POLICY and fresh:
            self.standing.adopt(policy_from_json(entry.payload))
        elif entry.kind == EntryKind.ACKNOWLEDGED:
            self._acknowledge_again(entry.payload, fresh=fresh)
        elif entry.kind == EntryKind.SESSION_CLOSED and (closed := read_closed(entry)) is not None:
            self._close_again(closed, by_session.pop(closed.session, []), fresh=fresh)

    def _close_again(self, closed: ClosedSession, trials: list[tuple[Trace, Digest]], *, fresh: bool) -> None:
        self._note_closed(closed)
        if not closed.valid:
            return
        card = None if closed.card is None else unpack_card(closed.card)
        if card is not None:
            self._note_looks(card)
        for trace, coordinates in trials if fresh else ():
            if trace.rung is Rung.PHYSICAL:
                self.standing.fold(trace, judge(trace), coordinates)

    def _note_qualification(self, entry: StoredEntry) -> None:
        payload = entry.payload
        record = payload.get("record") if isinstance(payload, dict) else None
        lamp = record.get("lamp") if isinstance(record, dict) else None
        if not isinstance(record, dict) or not isinstance(lamp, str):
            return
        received_at = datetime.fromisoformat(entry.recorded_at).timestamp()
        self.qualifications[lamp] = KeptRecord(record=record, received_at=received_at)
