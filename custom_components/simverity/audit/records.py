"""What a person may do with the evidence itself: look at it, give it away, take names out, go on after a restore."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import partial
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant

from ..adapters.ledger.store import LedgerStore, LedgerUnavailableError, StoredEntry
from ..const import CONF_WITNESS
from ..engine.ledger.entry import EntryKind
from ..engine.ledger.notices import Redaction
from ..engine.terms import Direction, Rung, SubjectId
from ..engine.trace.codec import encode
from ..engine.trace.trace import Trace
from .conclusions import Conclusions
from .errors import LedgerRefusesError
from .evidence import read_trial
from .exhibits import reliability, session_exhibit, ticket, trial_exhibit
from .exporting import export_archive
from .session_plan import SessionRequest
from .standing_cell import StandingCell

_EXHIBITS = 5
_AT_A_TIME = 1_000
"""Trials that are decoded in one go: a few megabytes."""


class Records:
    """The ledger, as an admin may handle it."""

    def __init__(
        self,
        hass: HomeAssistant,
        store: LedgerStore,
        conclusions: Conclusions,
        entry: ConfigEntry[Any],
    ) -> None:
        """``entry`` holds the connection to the witness, which no archive may contain."""
        self._hass = hass
        self._store = store
        self._conclusions = conclusions
        self._entry = entry

    async def async_export(self) -> bytes:
        """Return all evidence as an archive without names, tokens and addresses.

        Raises:
            LedgerUnavailableError: the ledger cannot be read.
        """
        entries = await self._store.async_read()
        secrets = frozenset(str(value) for value in self._entry.data.get(CONF_WITNESS, {}).values())
        return await self._hass.async_add_executor_job(partial(export_archive, entries, secrets=secrets))

    async def async_tickets(self, subject: str, *, traces: bool = False) -> list[dict[str, Any]]:
        """Return the false clearances of a subject (registry id), newest first: one ticket per cell, by its last trial.

        ``traces`` adds each trial as it was recorded. A trial whose traces were removed is shown without them.

        Raises:
            LedgerUnavailableError: the ledger cannot be read.
        """
        by_trial: dict[str, list[StandingCell]] = {}
        for cell in self._conclusions.standing.cells_of(SubjectId(subject)):
            if cell.last_failure is not None:
                by_trial.setdefault(cell.last_failure, []).append(cell)
        newest = sorted(by_trial, key=datetime.fromisoformat, reverse=True)[:_EXHIBITS]
        return [await self._async_ticket(SubjectId(subject), at, by_trial[at], traces=traces) for at in newest]

    def session_exhibit(self, subject: str) -> dict[str, Any] | None:
        """Return what the last session found about a subject (registry id), with its hashes; None if nothing."""
        return session_exhibit(self._conclusions.card(None), SubjectId(subject))

    def reliability(self, subject: str) -> list[dict[str, Any]]:
        """Return what the last session made expect of a subject (registry id), beside what everything else showed."""
        cells = self._conclusions.standing.cells_of(SubjectId(subject))
        return reliability(self._conclusions.card(None), cells)

    async def async_replay_request(
        self, subject: str, direction: Direction, *, at: str | None, repetitions: int
    ) -> SessionRequest | None:
        """Return the request that repeats a trial of a subject that failed though it was cleared, if there is one.

        ``at`` is the wall time of a ticket's last failure; without it the newest of that direction is repeated.

        Raises:
            LedgerRefusesError: the ledger cannot be read.
        """
        cells = self._conclusions.standing.cells_of(SubjectId(subject))
        failed = [cell.last_failure for cell in cells if cell.key.direction is direction and cell.last_failure]
        if not failed or (at is not None and at not in failed):
            return None
        try:
            trace = await self._async_trial_at(SubjectId(subject), at or max(failed, key=datetime.fromisoformat))
        except LedgerUnavailableError as error:
            raise LedgerRefusesError(status=error.state.value) from error
        return None if trace is None else _repeating(trace, repetitions)

    async def _async_ticket(
        self, subject: SubjectId, at: str, cells: list[StandingCell], *, traces: bool
    ) -> dict[str, Any]:
        trace = await self._async_trial_at(subject, at)
        cell = cells[0].key
        shown: dict[str, Any] = {"trial": None, "at": at, "direction": cell.direction.value, "path": cell.path.value}
        shown |= {"digest": None, "settled": None, "stages": [], "channel": None}
        if trace is not None:
            shown = dict(await self._hass.async_add_executor_job(trial_exhibit, trace, subject))
            if traces:
                shown["trace"] = b64encode(encode(trace)).decode()
        return shown | {"cells": [ticket(one, self._conclusions.replays) for one in cells]}

    async def _async_trial_at(self, subject: SubjectId, wall: str) -> Trace | None:
        """Return the trial of a subject that was dispatched at a wall time; None where its traces are gone."""
        since, after = datetime.fromisoformat(wall).astimezone(UTC).isoformat(), 0
        kinds = (EntryKind.TRIAL,)
        while entries := await self._store.async_read(after=after, since=since, kinds=kinds, most=_AT_A_TIME):
            after = entries[-1].sequence
            found = await self._hass.async_add_executor_job(_dispatched_at, entries, subject, wall)
            if found is not None:
                return found
        return None

    async def async_redact(self, subjects: frozenset[str], *, until: str | None, reason: str, author: str) -> int:
        """Remove the traces of these subjects (registry ids), and return of how many trials.

        What was concluded from them stays: it enters the ledger first. ``until`` (ISO 8601) spares later trials.

        Raises:
            LedgerRefusesError: the ledger cannot be read or added to; nothing was removed.
        """
        try:
            sequences = await self._async_trials_of(subjects, until)
            if sequences:
                await self._conclusions.async_redact(Redaction(sequences=sequences, reason=reason, author=author))
        except LedgerUnavailableError as error:
            raise LedgerRefusesError(status=error.state.value) from error
        return len(sequences)

    async def async_go_on_from_backup(self) -> None:
        """Accept that the ledger is a restored backup: what it lacks is named in it, and nothing lacking counts.

        Raises:
            LedgerRefusesError: it is none, or its chain is not whole.
        """
        try:
            await self._conclusions.async_go_on_from_backup()
        except LedgerUnavailableError as error:
            raise LedgerRefusesError(status=error.state.value) from error

    async def async_hold_still(self, *, hold: bool) -> None:
        """Keep the ledger's file as it is while a backup copies it; appending goes on beside it."""
        await self._store.async_hold_still(hold=hold)

    async def _async_trials_of(self, subjects: frozenset[str], until: str | None) -> tuple[int, ...]:
        found: list[int] = []
        after = 0
        while entries := await self._store.async_read(after=after, kinds=(EntryKind.TRIAL,), most=_AT_A_TIME):
            after = entries[-1].sequence
            found += await self._hass.async_add_executor_job(_concerning, entries, subjects, until)
        return tuple(found)


def _concerning(entries: Iterable[StoredEntry], subjects: frozenset[str], until: str | None) -> list[int]:
    """Return the sequences of the trials that have one of the subjects and were recorded by then."""
    found: list[int] = []
    for entry in entries:
        if until is not None and entry.recorded_at > until:
            continue
        trial = read_trial(entry)
        if trial is not None and subjects & {trial.trace.subject, *trial.trace.targets}:
            found.append(entry.sequence)
    return found


def _repeating(trace: Trace, repetitions: int) -> SessionRequest:
    """Return the same command on the same device under the same terms."""
    return SessionRequest(
        subjects=(trace.subject,),
        repetitions=repetitions,
        settle_from=trace.settle_from,
        settle_window=round(trace.settle_until - trace.settle_from, 6),
        paths=frozenset({trace.path}),
        directions=frozenset({trace.direction}),
        replays=trace.trial,
    )


def _dispatched_at(entries: Iterable[StoredEntry], subject: SubjectId, wall: str) -> Trace | None:
    for entry in entries:
        trial = read_trial(entry)
        if trial is None or trial.trace.rung is not Rung.PHYSICAL:
            continue
        if trial.trace.wall_dispatched == wall and subject in (trial.trace.subject, *trial.trace.targets):
            return trial.trace
    return None
