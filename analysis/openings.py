"""The chained record of openings: a line an entry, appended and flushed before a held-out byte is read."""

import json
import os
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from analysis.errors import EvidenceError
from simverity_engine.canonical import Json, canonical_bytes, plain
from simverity_engine.errors import EngineError
from simverity_engine.ledger.chain import append
from simverity_engine.ledger.entry import EMPTY_HEAD, EntryKind, Head, Stamp
from simverity_engine.ledger.verify import verify_chain
from simverity_engine.message import Fields, integer, text
from simverity_engine.profile.freezing import HeldOutOpening
from simverity_engine.terms import Digest, SessionId

_BOOT = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True, kw_only=True)
class Openings:
    """What was opened so far, oldest first, and the head of the chain."""

    openings: tuple[HeldOutOpening, ...]
    head: Head


def read_openings(file: Path) -> Openings:
    """Return the verified record; an absent file is an empty one.

    Raises:
        EvidenceError: the chain is not whole.
    """
    if not file.exists():
        return Openings(openings=(), head=EMPTY_HEAD)
    try:
        return _read(file)
    except (OSError, ValueError, EngineError) as error:
        raise EvidenceError(f"{file} is no record of openings: {error}") from error


def _read(file: Path) -> Openings:
    rows: list[tuple[object, ...]] = []
    openings: list[HeldOutOpening] = []
    for number, line in enumerate(file.read_bytes().splitlines(), 1):
        fields = Fields(json.loads(line), f"line {number}")
        rows.append(
            (
                fields.get("sequence", integer),
                fields.get("previous", text),
                fields.get("kind", text),
                fields.get("payload_digest", text),
                fields.get("recorded_at", text),
                fields.get("monotonic_us", integer),
                fields.get("boot_id", text),
                fields.get("digest", text),
                fields.get("payload", text).encode(),
            )
        )
        fields.close()
        openings.append(_opening(json.loads(fields.get("payload", text))))
    report = verify_chain(rows)
    if report.fault is not None:
        raise EvidenceError(f"{file}: entry {report.fault.sequence} is {report.fault.fault}")
    return Openings(
        openings=tuple(openings),
        head=Head(sequence=report.verified.sequence, digest=Digest(report.verified.digest)),
    )


def _opening(document: object) -> HeldOutOpening:
    fields = Fields(document, "opening")
    opening = HeldOutOpening(
        lock=Digest(fields.get("lock", text)),
        manifest=Digest(fields.get("manifest", text)),
        sessions=tuple(SessionId(one) for one in fields.each("sessions", text)),
    )
    fields.close()
    return opening


def record_opening(file: Path, opening: HeldOutOpening, head: Head) -> Head:
    """Append an opening behind ``head``, durably, and return the new head."""
    made = append(head, EntryKind.HELD_OUT_OPENED, plain(opening), _stamp())
    entry = made.entry
    line: Json = {
        "sequence": entry.sequence,
        "previous": entry.previous,
        "kind": entry.kind.value,
        "payload_digest": entry.payload_digest,
        "recorded_at": entry.stamp.recorded_at,
        "monotonic_us": entry.stamp.monotonic_us,
        "boot_id": entry.stamp.boot_id,
        "digest": entry.digest,
        "payload": made.payload.decode(),
    }
    with file.open("ab") as record:
        record.write(canonical_bytes(line) + b"\n")
        record.flush()
        os.fsync(record.fileno())
    return entry.head


def _stamp() -> Stamp:
    boot = _BOOT.read_text(encoding="ascii").strip() if _BOOT.exists() else "unknown"
    return Stamp(recorded_at=datetime.now(UTC).isoformat(), monotonic_us=time.monotonic_ns() // 1000, boot_id=boot)
