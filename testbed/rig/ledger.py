"""The evidence ledger as a file that anybody may read: its entries, and the stored traces of its trials."""

import base64
import sqlite3
import time
import zlib
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from testbed.rig.errors import RigError
from testbed.rig.json_value import Json, at, items, parse, text

_ROWS = """
SELECT sequence, previous, kind, payload_digest, recorded_at, monotonic_us, boot_id, digest, content
FROM entries LEFT JOIN payloads USING (sequence) ORDER BY sequence
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of the ledger. ``payload`` is None where it was redacted."""

    sequence: int
    kind: str
    payload: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTrial:
    """One trial of a session, on one rung, as far as a reader needs it without judging."""

    session: str
    trial: str
    rung: str
    direction: str
    path: str
    targets: tuple[str, ...]
    """Registry ids of what had to change."""
    dispatched_at: float
    """Monotonic seconds of this machine."""
    void: str | None
    trace: bytes
    """The stored trace, for whoever judges it again."""


def ledger_file(home: Path) -> Path:
    """Return where the ledger of a Home Assistant lies."""
    return home / "simverity" / "ledger.db"


def chain_rows(home: Path) -> list[tuple[object, ...]]:
    """Return every entry's header and payload as the file holds them, oldest first, for whoever verifies the chain.

    Raises:
        RigError: if there is no readable ledger.
    """
    file = ledger_file(home)
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, timeout=10)) as reader:
            rows: list[tuple[object, ...]] = reader.execute(_ROWS).fetchall()
    except sqlite3.Error as error:
        raise RigError(f"{file} cannot be read: {error}") from error
    return rows


def read_ledger(home: Path) -> list[Entry]:
    """Return every entry, oldest first.

    Raises:
        RigError: if there is no readable ledger.
    """
    return [_entry(row) for row in chain_rows(home)]


def _entry(row: tuple[object, ...]) -> Entry:
    sequence, kind, content = row[0], row[2], row[-1]
    if not isinstance(sequence, int) or not isinstance(kind, str):
        raise RigError(f"{row[:3]} is no entry of a ledger")
    return Entry(sequence=sequence, kind=kind, payload=parse(content) if isinstance(content, str | bytes) else None)


def recorded_trials(entries: list[Entry], session: str) -> list[RecordedTrial]:
    """Return the trials of one session, both rungs, in the order in which they were appended.

    Raises:
        AnswerError: if a payload does not have the expected form.
    """
    keyed = [entry.payload for entry in entries if entry.kind == "trial" and at(entry.payload, "key") is not None]
    return [_recorded(payload) for payload in keyed if text(payload, "key", 0) == session]


def _recorded(payload: Json) -> RecordedTrial:
    stored = base64.b85decode(text(payload, "trace"))
    document = parse(zlib.decompress(stored))
    void = at(document, "void")
    return RecordedTrial(
        session=text(payload, "key", 0),
        trial=text(document, "trial"),
        rung=text(document, "rung"),
        direction=text(document, "direction"),
        path=text(document, "path"),
        targets=tuple(text(goal, 0) for goal in items(document, "goals")),
        dispatched_at=_monotonic(text(document, "wall_dispatched")),
        void=None if void is None else text(void),
        trace=stored,
    )


def _monotonic(label: str) -> float:
    """Return the monotonic instant of a wall time on this machine, whose clock did not step meanwhile."""
    return datetime.fromisoformat(label).timestamp() - (time.time() - time.monotonic())
