"""The verifier: reads a ledger as rows and says whether it is whole.

It imports nothing of ours. It has its own idea of what a header's bytes are and does its own hashing, so that a
mistake of the writer cannot excuse itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

COLUMNS = (
    "sequence",
    "previous",
    "kind",
    "payload_digest",
    "recorded_at",
    "monotonic_us",
    "boot_id",
    "digest",
    "payload",
)
"""The order of a row's values. The payload is bytes, or None where it is gone; a row may leave it out unchecked."""

type Row = Sequence[object]

_HEADER_FORMAT = "simverity-ledger/1"
_WITHOUT_PAYLOAD = 8


class Fault(StrEnum):
    """What is wrong with a chain."""

    ALTERED = "altered"
    BROKEN_LINK = "broken_link"
    MISSING = "missing"
    TRUNCATED = "truncated"
    ROLLED_BACK = "rolled_back"
    PAYLOAD_ALTERED = "payload_altered"
    PAYLOAD_MISSING = "payload_missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainEnd:
    """A place in a chain: the sequence of an entry (0: before the first) and its digest."""

    sequence: int
    digest: str


BEGINNING = ChainEnd(sequence=0, digest="0" * 64)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainFault:
    """The first thing wrong, at the entry with this sequence."""

    sequence: int
    fault: Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainReport:
    """What a verification found.

    ``fault`` is None for a whole chain. ``verified`` is the last entry up to which the chain holds. ``redacted``
    counts payloads that are gone and named by a redaction. ``head_checked`` and ``payloads_checked`` say whether a
    published head was at hand, and whether every row brought its payload along.
    """

    fault: ChainFault | None
    verified: ChainEnd
    redacted: int
    head_checked: bool
    payloads_checked: bool

    @property
    def intact(self) -> bool:
        """Nothing was found to be wrong."""
        return self.fault is None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """A row whose values have the right types; ``recomputed`` is what its digest ought to be."""

    sequence: int
    previous: str
    kind: str
    payload_digest: str
    digest: str
    recomputed: str
    has_payload: bool
    payload: bytes | None


@dataclass(slots=True, kw_only=True)
class _Walk:
    """What is remembered between rows; lives only inside ``verify_chain``."""

    end: ChainEnd
    published: ChainEnd | None
    without_payload: set[int] = field(default_factory=set)
    redacted: set[int] = field(default_factory=set)
    payloads_checked: bool = True


def verify_chain(rows: Iterable[Row], *, published: ChainEnd | None = None, start: ChainEnd = BEGINNING) -> ChainReport:
    """Verify the rows that follow ``start``, in ascending order of sequence, against the published head.

    The published head may lag behind the chain (the machine stopped between appending and publishing), never run
    ahead of it. Give a later ``start`` only where an earlier verification vouches for it; payloads that lie before
    it are not looked at. A missing payload is a fault unless a later redaction in the rows names it.
    """
    walk = _Walk(end=start, published=published)
    fault = _against_published(walk, start)
    for row in rows:
        if fault is not None:
            break
        fault = _step(walk, row)
    if fault is None:
        fault = _at_the_end(walk)
    return ChainReport(
        fault=fault,
        verified=walk.end,
        redacted=len(walk.without_payload & walk.redacted),
        head_checked=published is not None,
        payloads_checked=walk.payloads_checked,
    )


def _step(walk: _Walk, row: Row) -> ChainFault | None:
    """Check one row and, if it holds, move on to it."""
    expected = walk.end.sequence + 1
    entry = _parse(row)
    if entry is None:
        return ChainFault(sequence=expected, fault=Fault.ALTERED)
    if entry.sequence != expected:
        # A gap, unless the row claims a place that is already taken.
        return ChainFault(sequence=expected, fault=Fault.MISSING if entry.sequence > expected else Fault.BROKEN_LINK)
    if entry.recomputed != entry.digest:
        return ChainFault(sequence=expected, fault=Fault.ALTERED)
    if entry.previous != walk.end.digest:
        return ChainFault(sequence=expected, fault=Fault.BROKEN_LINK)
    here = ChainEnd(sequence=entry.sequence, digest=entry.digest)
    fault = _against_published(walk, here) or _check_payload(walk, entry)
    if fault is None:
        walk.end = here
    return fault


def _parse(row: Row) -> _Entry | None:
    """Read a row's values by type and hash its header as the format describes it; None if it is no entry at all."""
    has_payload = len(row) == len(COLUMNS)
    if not has_payload and len(row) != _WITHOUT_PAYLOAD:
        return None
    sequence, previous, kind, payload_digest, recorded_at, monotonic_us, boot_id, digest = row[:_WITHOUT_PAYLOAD]
    payload = row[-1] if has_payload else None
    if type(sequence) is not int or type(monotonic_us) is not int:
        return None
    if not (isinstance(previous, str) and isinstance(kind, str) and isinstance(payload_digest, str)):
        return None
    if not (isinstance(recorded_at, str) and isinstance(boot_id, str) and isinstance(digest, str)):
        return None
    if not (payload is None or isinstance(payload, bytes)):
        return None
    header = {
        "boot_id": boot_id,
        "format": _HEADER_FORMAT,
        "kind": kind,
        "monotonic_us": monotonic_us,
        "payload_digest": payload_digest,
        "previous": previous,
        "recorded_at": recorded_at,
        "sequence": sequence,
    }
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return _Entry(
        sequence=sequence,
        previous=previous,
        kind=kind,
        payload_digest=payload_digest,
        digest=digest,
        recomputed=_sha256(text.encode(errors="surrogatepass")),
        has_payload=has_payload,
        payload=payload,
    )


def _check_payload(walk: _Walk, entry: _Entry) -> ChainFault | None:
    if not entry.has_payload:
        walk.payloads_checked = False
        return None
    if entry.payload is None:
        walk.without_payload.add(entry.sequence)
        return None
    if _sha256(entry.payload) != entry.payload_digest:
        return ChainFault(sequence=entry.sequence, fault=Fault.PAYLOAD_ALTERED)
    if entry.kind == "redaction":
        walk.redacted |= _named(entry.payload, entry.sequence)
    return None


def _named(payload: bytes, own_sequence: int) -> set[int]:
    """Return the earlier entries that a redaction names; it cannot excuse what comes after it."""
    try:
        notice = json.loads(payload)
    except ValueError:
        return set()
    sequences = notice.get("sequences") if isinstance(notice, dict) else None
    if not isinstance(sequences, list):
        return set()
    return {named for named in sequences if isinstance(named, int) and named < own_sequence}


def _against_published(walk: _Walk, here: ChainEnd) -> ChainFault | None:
    published = walk.published
    if published is not None and published.sequence == here.sequence and published.digest != here.digest:
        return ChainFault(sequence=here.sequence, fault=Fault.ROLLED_BACK)
    return None


def _at_the_end(walk: _Walk) -> ChainFault | None:
    if walk.published is not None and walk.published.sequence > walk.end.sequence:
        return ChainFault(sequence=walk.end.sequence + 1, fault=Fault.TRUNCATED)
    unexplained = walk.without_payload - walk.redacted
    if unexplained:
        return ChainFault(sequence=min(unexplained), fault=Fault.PAYLOAD_MISSING)
    return None


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
