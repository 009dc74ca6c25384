"""The writer: makes the next entry of a chain. It stores nothing; the adapter that does has one writer thread."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime

from ..canonical import MAX_SAFE_INTEGER, Json, canonical_bytes, digest
from ..terms import Digest
from .entry import FORMAT, EntryKind, Head, LedgerEntry, Stamp
from .errors import LedgerError, PayloadTooLargeError

MAX_TRIAL_BYTES = 4096
"""The most that one trial may store, so that a busy home's ledger stays small enough to back up."""

_TRIAL_KINDS = frozenset({EntryKind.TRIAL, EntryKind.TRIAL_AMENDED})
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Append:
    """What an adapter has to store, in one transaction: the entry and the bytes of its payload."""

    entry: LedgerEntry
    payload: bytes


def append(head: Head, kind: EntryKind, payload: Json, stamp: Stamp) -> Append:
    """Return the entry that follows ``head``, with its payload's canonical bytes.

    Raises:
        NotCanonicalError: the payload lies outside the JSON domain.
        PayloadTooLargeError: a trial's payload exceeds ``MAX_TRIAL_BYTES``.
        LedgerError: as for ``next_entry``.
    """
    content = canonical_bytes(payload)
    if kind in _TRIAL_KINDS and len(content) > MAX_TRIAL_BYTES:
        raise PayloadTooLargeError(f"{len(content)} bytes for one {kind}, at most {MAX_TRIAL_BYTES} are stored")
    return Append(entry=next_entry(head, kind, Digest(hashlib.sha256(content).hexdigest()), stamp), payload=content)


def next_entry(head: Head, kind: EntryKind, payload_digest: Digest, stamp: Stamp) -> LedgerEntry:
    """Return the entry that follows ``head`` (``EMPTY_HEAD`` for the first).

    Raises:
        LedgerError: the head, the payload's digest or the stamp does not have the agreed form.
    """
    _check(head, payload_digest, stamp)
    sequence = head.sequence + 1
    header: Json = {
        "format": FORMAT,
        "sequence": sequence,
        "previous": head.digest,
        "kind": kind.value,
        "payload_digest": payload_digest,
        "recorded_at": stamp.recorded_at,
        "monotonic_us": stamp.monotonic_us,
        "boot_id": stamp.boot_id,
    }
    return LedgerEntry(
        sequence=sequence,
        previous=head.digest,
        kind=kind,
        payload_digest=payload_digest,
        stamp=stamp,
        digest=digest(header),
    )


def _check(head: Head, payload_digest: Digest, stamp: Stamp) -> None:
    if head.sequence < 0 or not _SHA256.fullmatch(head.digest):
        raise LedgerError("the head is not that of a chain")
    if not _SHA256.fullmatch(payload_digest):
        raise LedgerError("a payload is named by its SHA-256 in lower-case hexadecimal")
    if not 0 <= stamp.monotonic_us <= MAX_SAFE_INTEGER:
        raise LedgerError("the monotonic stamp is out of range")
    if not stamp.boot_id:
        raise LedgerError("a monotonic stamp means nothing without its boot")
    try:
        label = datetime.fromisoformat(stamp.recorded_at)
    except ValueError as error:
        raise LedgerError(f"{stamp.recorded_at!r} is not a time in ISO 8601") from error
    if label.tzinfo is None:
        raise LedgerError(f"{stamp.recorded_at!r} does not say in which time zone")
