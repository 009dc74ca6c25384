"""The tables of the ledger's file. The database itself refuses every UPDATE and DELETE."""

from __future__ import annotations

import sqlite3
from enum import StrEnum
from pathlib import Path

from ...engine.ledger.verify import COLUMNS

SCHEMA = """
CREATE TABLE entries (
    sequence INTEGER PRIMARY KEY, previous TEXT NOT NULL, kind TEXT NOT NULL, payload_digest TEXT NOT NULL,
    recorded_at TEXT NOT NULL, monotonic_us INTEGER NOT NULL, boot_id TEXT NOT NULL, digest TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE payloads (
    sequence INTEGER PRIMARY KEY REFERENCES entries (sequence), segment TEXT NOT NULL, content BLOB NOT NULL
) STRICT;
CREATE TABLE redacted (sequence INTEGER PRIMARY KEY REFERENCES entries (sequence)) STRICT;
CREATE TRIGGER entries_no_update BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;
CREATE TRIGGER entries_no_delete BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;
CREATE TRIGGER payloads_no_update BEFORE UPDATE ON payloads BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;
CREATE TRIGGER payloads_no_delete BEFORE DELETE ON payloads
    WHEN NOT EXISTS (SELECT 1 FROM redacted WHERE sequence = OLD.sequence)
    BEGIN SELECT RAISE(ABORT, 'only a redacted payload may go'); END;
CREATE TRIGGER redacted_no_update BEFORE UPDATE ON redacted BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;
CREATE TRIGGER redacted_no_delete BEFORE DELETE ON redacted BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;
PRAGMA user_version = 1;
"""
VERSION = 1
HEADER = ", ".join(COLUMNS[:-1])
ROWS = f"""
SELECT {", ".join(f"entries.{name}" for name in COLUMNS[:-1])}, payloads.content
FROM entries LEFT JOIN payloads USING (sequence) WHERE entries.sequence > ? ORDER BY entries.sequence
"""  # noqa: S608 - the names are the engine's own
SOME_ROWS = ROWS.replace("ORDER BY", "AND entries.recorded_at >= ? AND entries.kind IN ({}) ORDER BY") + " LIMIT ?"
BUSY_SECONDS = 10.0


class StoreState(StrEnum):
    """Whether the evidence can be read, trusted and added to."""

    VERIFYING = "verifying"
    SOUND = "sound"
    BEHIND = "behind"
    """Whole, but its last entries are not those whose head was published: a restored backup, or a shortened file."""
    DAMAGED = "damaged"
    MISSING = "missing"
    READ_ONLY = "read_only"
    FULL = "full"


_BY_CODE = {
    sqlite3.SQLITE_FULL: StoreState.FULL,
    sqlite3.SQLITE_READONLY: StoreState.READ_ONLY,
    sqlite3.SQLITE_PERM: StoreState.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: StoreState.READ_ONLY,
    sqlite3.SQLITE_IOERR: StoreState.FULL,
}


def connect(file: Path) -> sqlite3.Connection:
    """Open the file for the writer thread, in autocommit: every transaction is explicit."""
    database = sqlite3.connect(file, isolation_level=None, timeout=BUSY_SECONDS)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("PRAGMA foreign_keys = ON")
    return database


def is_blank(database: sqlite3.Connection) -> bool:
    """Whether the file was only just made by a process that ended before it could make the tables."""
    return not database.execute("SELECT 1 FROM sqlite_master").fetchall()


def state_of(error: sqlite3.Error) -> StoreState:
    """Return what an error of the database means for the ledger; the low byte is the primary code."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    return _BY_CODE.get(code & 0xFF, StoreState.DAMAGED)
