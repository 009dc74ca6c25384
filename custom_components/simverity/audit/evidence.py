"""What goes into the ledger and how it is read back: the payload of every kind of entry that the audit makes."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from ..adapters.ledger.store import LedgerStore, LedgerUnavailableError, StoredEntry
from ..adapters.restoring import FoundState
from ..engine.canonical import Json, canonical_bytes, plain
from ..engine.errors import EngineError, MessageError
from ..engine.ledger.entry import EntryKind, LedgerEntry
from ..engine.session.manifest import SessionManifest, TrialKey, manifest_digest
from ..engine.session.validity import ReferenceStrobe
from ..engine.terms import Digest, RowId, SessionId
from ..engine.trace.codec import decode, encode
from ..engine.trace.trace import Trace
from .errors import LedgerRefusesError

_LARGEST_CARD = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTrial:
    """A trial read back. ``key`` is None for a passive one; ``coordinates`` tell what its value depends on."""

    key: TrialKey | None
    coordinates: Digest
    trace: Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedSession:
    """A session's opening read back, with the states in which the devices were found."""

    session: SessionId
    found: tuple[FoundState, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedSession:
    """A session's end.

    ``card`` is packed: ``unpack_card`` opens it; None where the session has none. ``sequence`` is the entry's, None
    before it is in the ledger.
    """

    session: SessionId
    valid: bool
    reasons: tuple[str, ...]
    ended_at: str
    card: str | None
    strobes: tuple[ReferenceStrobe, ...] = ()
    sequence: int | None = None


class Evidence:
    """The audit's way into the ledger. Nothing counts that is not in it."""

    def __init__(self, store: LedgerStore) -> None:
        """Write to a store that is open or will be."""
        self._store = store

    def require(self) -> None:
        """Make sure that new evidence can be kept.

        Raises:
            LedgerRefusesError: it cannot.
        """
        if not self._store.takes_sessions:
            raise LedgerRefusesError(status=self._store.state.value)

    async def async_session_opened(self, manifest: SessionManifest, found: Iterable[FoundState]) -> None:
        """Freeze a session's manifest, and remember how its devices were found.

        Raises:
            LedgerRefusesError: the ledger cannot take it.
        """
        payload: Json = {
            "manifest": plain(manifest),
            "manifest_digest": manifest_digest(manifest),
            "found": [one.to_json() for one in found],
        }
        await self.async_append(EntryKind.SESSION_OPENED, payload)

    async def async_trial(self, trace: Trace, *, key: TrialKey | None, coordinates: Digest) -> LedgerEntry:
        """Keep one trial, whatever became of it.

        Raises:
            LedgerRefusesError: the ledger cannot take it.
        """
        payload: Json = {
            "key": None if key is None else [key.session, key.row, key.repetition],
            "coordinates": coordinates,
            "trace": base64.b85encode(encode(trace)).decode(),
        }
        return await self.async_append(EntryKind.TRIAL, payload)

    async def async_session_closed(self, closed: ClosedSession) -> ClosedSession:
        """Keep how a session ended; return it with its place in the ledger.

        Raises:
            LedgerRefusesError: the ledger cannot take it.
        """
        entry = await self.async_append(EntryKind.SESSION_CLOSED, plain(closed))
        return replace(closed, sequence=entry.sequence)

    async def async_qualification(self, record: Mapping[str, Any], refusals: Iterable[str]) -> LedgerEntry:
        """Keep a witness's raw record and what the re-check said against it.

        Raises:
            LedgerRefusesError: the ledger cannot take it.
        """
        return await self.async_append(EntryKind.QUALIFICATION, {"record": dict(record), "refusals": list(refusals)})

    async def async_append(self, kind: EntryKind, payload: Json) -> LedgerEntry:
        """Append an entry of any kind.

        Raises:
            LedgerRefusesError: the ledger cannot take it.
        """
        try:
            return await self._store.async_append(kind, payload)
        except LedgerUnavailableError as error:
            raise LedgerRefusesError(status=error.state.value) from error
        except EngineError as error:
            raise LedgerRefusesError(status=str(error)) from error


def read_trial(entry: StoredEntry) -> RecordedTrial | None:
    """Return the trial in an entry, None where its payload was redacted or is not ours."""
    payload = entry.payload
    if not isinstance(payload, dict):
        return None
    try:
        trace = decode(base64.b85decode(str(payload.get("trace"))))
    except MessageError, ValueError, zlib.error:
        return None
    return RecordedTrial(key=_key(payload.get("key")), coordinates=Digest(str(payload.get("coordinates"))), trace=trace)


def read_opened(entry: StoredEntry) -> OpenedSession | None:
    """Return the session that an entry opened."""
    payload = entry.payload
    manifest = payload.get("manifest") if isinstance(payload, dict) else None
    session = manifest.get("session") if isinstance(manifest, dict) else None
    if not isinstance(payload, dict) or not isinstance(session, str):
        return None
    found = payload.get("found")
    states = [FoundState.from_json(one) for one in found] if isinstance(found, list) else []
    return OpenedSession(session=SessionId(session), found=tuple(one for one in states if one is not None))


def read_closed(entry: StoredEntry) -> ClosedSession | None:
    """Return the end of a session."""
    payload = entry.payload
    if not isinstance(payload, dict) or not isinstance(session := payload.get("session"), str):
        return None
    reasons, card, ended = payload.get("reasons"), payload.get("card"), payload.get("ended_at")
    try:
        datetime.fromisoformat(str(ended))
    except ValueError:
        return None
    return ClosedSession(
        session=SessionId(session),
        valid=payload.get("valid") is True,
        reasons=tuple(str(reason) for reason in reasons) if isinstance(reasons, list) else (),
        ended_at=str(ended),
        card=card if isinstance(card, str) else None,
        sequence=entry.sequence,
    )


def pack_card(card: Mapping[str, Any]) -> str:
    """Return a card as compact text for the ledger."""
    return base64.b85encode(zlib.compress(canonical_bytes(card), 9)).decode()


def unpack_card(packed: str) -> dict[str, Any] | None:
    """Return the card in a text, None if it is none."""
    try:
        content = zlib.decompressobj().decompress(base64.b85decode(packed), _LARGEST_CARD)
        card = json.loads(content)
    except ValueError, binascii.Error, zlib.error:
        return None
    return card if isinstance(card, dict) else None


def _key(value: Json) -> TrialKey | None:
    match value:
        case [str(session), str(row), int(repetition)]:
            return TrialKey(session=SessionId(session), row=RowId(row), repetition=repetition)
    return None
