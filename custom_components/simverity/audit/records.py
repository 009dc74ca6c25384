"""What a person may do with the evidence itself: look at it, give it away, take names out, go on after a restore."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from homeassistant.core import HomeAssistant

from ..adapters.ledger.store import LedgerStore, LedgerUnavailableError, StoredEntry
from ..engine.ledger.entry import EntryKind
from ..engine.ledger.notices import Redaction
from ..engine.terms import SubjectId
from .conclusions import Conclusions
from .errors import LedgerRefusesError
from .evidence import read_trial
from .exhibits import EXHIBIT_KINDS, false_clearances
from .exporting import export_archive

_EXHIBITS = 5
_LOOKBACK = 2_000
"""Entries that are searched for false clearances: a few thousand traces are a few megabytes."""
_AT_A_TIME = 1_000
"""Trials that are decoded in one go: a few megabytes."""


class Records:
    """The ledger, as an admin may handle it."""

    def __init__(
        self,
        hass: HomeAssistant,
        store: LedgerStore,
        conclusions: Conclusions,
        *,
        secrets: Callable[[], frozenset[str]],
    ) -> None:
        """``secrets`` returns what no archive may contain."""
        self._hass = hass
        self._store = store
        self._conclusions = conclusions
        self._secrets = secrets

    async def async_export(self) -> bytes:
        """Return all evidence as an archive without names, tokens and addresses.

        Raises:
            LedgerUnavailableError: the ledger cannot be read.
        """
        entries = await self._store.async_read()
        return await self._hass.async_add_executor_job(partial(export_archive, entries, secrets=self._secrets()))

    async def async_false_clearances(self, subject: str) -> list[dict[str, Any]]:
        """Return the newest false clearances of a subject (registry id) among the newest entries, with their traces.

        Raises:
            LedgerUnavailableError: the ledger cannot be read.
        """
        after = max(0, self._store.head.sequence - _LOOKBACK)
        entries = reversed(await self._store.async_read(after=after, kinds=EXHIBIT_KINDS))
        return await self._hass.async_add_executor_job(
            partial(false_clearances, entries, SubjectId(subject), most=_EXHIBITS)
        )

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
