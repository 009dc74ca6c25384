"""The evidence ledger on disk: SQLite, append-only, one writer thread, with its head published outside the file.

``ledger.db`` holds the entries and, in a table of their own, the payloads by monthly segment; UPDATE and DELETE are
refused by the database itself, but for payloads that a redaction names. ``head.json`` beside it names the last entry,
so that truncation and rollback show; ``checkpoint.json`` holds what was concluded, with the head it was concluded at.
Nothing is ever overwritten.
"""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from ...engine.canonical import Json, digest, plain
from ...engine.ledger.chain import Append, append
from ...engine.ledger.entry import EMPTY_HEAD, EntryKind, Head, LedgerEntry, Stamp
from ...engine.ledger.notices import Redaction, Restored
from ...engine.ledger.verify import ChainEnd, ChainReport, Fault, verify_chain
from ...engine.terms import Digest
from .published import read_head, read_json, write_atomically
from .tables import BUSY_SECONDS, HEADER, ROWS, SCHEMA, SOME_ROWS, VERSION, StoreState, connect, is_blank, state_of

_LOGGER = logging.getLogger(__name__)
_ROOM = 64 * 1024 * 1024
"""Bytes: far more than any session needs."""
_TAKES_ENTRIES = frozenset({StoreState.VERIFYING, StoreState.SOUND, StoreState.FULL})
"""A full disk may have been cleared: the next entry finds out."""
_BEHIND_FAULTS = frozenset({Fault.TRUNCATED, Fault.ROLLED_BACK})
_LOG_PAGES = 1000
"""SQLite's own number of pages after which the log beside the file is copied into it."""


class LedgerUnavailableError(Exception):
    """The ledger cannot be read or added to; ``state`` says why."""

    def __init__(self, state: StoreState) -> None:
        """Keep the state."""
        super().__init__(state.value)
        self.state = state


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEntry:
    """An entry read back. ``content`` are its payload's bytes, None where it was redacted."""

    sequence: int
    kind: str
    recorded_at: str
    digest: Digest
    content: bytes | None

    @property
    def payload(self) -> Json:
        """The payload's value, None where it is gone or unreadable."""
        try:
            value: Json = json.loads(self.content) if self.content is not None else None
        except ValueError:
            return None
        return value


class LedgerStore:
    """One ledger in one folder. ``make_stamp`` is called in the writer thread."""

    def __init__(self, folder: Path, *, make_stamp: Callable[[], Stamp], on_change: Callable[[], None]) -> None:
        """Touch nothing yet; ``on_change`` is called in the event loop when state or head changed."""
        self._file = folder / "ledger.db"
        self._head_file = folder / "head.json"
        self._checkpoint_file = folder / "checkpoint.json"
        self._make_stamp = make_stamp
        self._on_change = on_change
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="simverity-ledger")
        self._database: sqlite3.Connection | None = None
        self._head = EMPTY_HEAD
        self._state = StoreState.VERIFYING
        self._closed = False

    @property
    def state(self) -> StoreState:
        """Whether the evidence can be read, trusted and added to."""
        return self._state

    @property
    def head(self) -> Head:
        """The last entry."""
        return self._head

    @property
    def takes_entries(self) -> bool:
        """Whether an append may succeed."""
        return not self._closed and self._database is not None and self._state in _TAKES_ENTRIES

    @property
    def takes_sessions(self) -> bool:
        """Whether entries of a long session may be expected to find room: a disk that was full must have some again."""
        if self._state is StoreState.FULL and shutil.disk_usage(self._file.parent).free < _ROOM:
            return False
        return self.takes_entries

    async def async_open(self) -> None:
        """Open or create the ledger; what is wrong with it becomes its state, never an exception."""
        self._set(await self._in_writer(self._open))

    async def async_verify(self) -> ChainReport | None:
        """Verify the whole chain with the verifier's own reading of the file; None where it cannot be read."""
        if self._database is None:
            return None
        published = await self._in_writer(lambda: read_head(self._head_file))
        report = await asyncio.get_running_loop().run_in_executor(None, self._verify, published)
        self._set(_verified_state(self._state, report))
        return report

    async def async_append(self, kind: EntryKind, payload: Json) -> LedgerEntry:
        """Append an entry; it is on disk when this returns.

        Raises:
            LedgerUnavailableError: the ledger cannot take it; nothing was written.
            LedgerError: the payload is no valid evidence.
        """
        if not self.takes_entries:
            raise LedgerUnavailableError(self._state)
        try:
            entry = await self._in_writer(lambda: self._append(kind, payload))
        except sqlite3.Error as error:
            self._set(state_of(error))
            raise LedgerUnavailableError(self._state) from error
        self._head = entry.head
        self._set(StoreState.SOUND if self._state is StoreState.FULL else self._state)
        self._on_change()
        return entry

    @property
    def readable(self) -> bool:
        """Whether entries can be read back, whatever else is wrong with them."""
        return self._database is not None

    async def async_read(
        self,
        *,
        after: int = 0,
        since: str = "",
        kinds: Iterable[EntryKind] | None = None,
        most: int | None = None,
    ) -> list[StoredEntry]:
        """Return the entries after a sequence, oldest first, of some kinds or of all, at most so many.

        ``since`` leaves out what was recorded before (ISO 8601 in UTC, as entries have it).

        Raises:
            LedgerUnavailableError: the ledger cannot be read.
        """
        wanted = sorted(EntryKind if kinds is None else kinds)
        if self._database is None:
            raise LedgerUnavailableError(self._state)
        try:
            return await self._in_writer(lambda: self._read(wanted, after, since, -1 if most is None else most))
        except sqlite3.Error as error:
            self._set(state_of(error))
            raise LedgerUnavailableError(self._state) from error

    async def async_redact(self, redaction: Redaction) -> LedgerEntry:
        """Remove the payloads that a redaction names, for good; their entries stay and the chain stays whole.

        Raises:
            LedgerUnavailableError: the ledger cannot take it; nothing was removed.
        """
        if not self.takes_entries:
            raise LedgerUnavailableError(self._state)
        try:
            entry = await self._in_writer(lambda: self._redact(redaction))
        except sqlite3.Error as error:
            self._set(state_of(error))
            raise LedgerUnavailableError(self._state) from error
        self._head = entry.head
        self._on_change()
        return entry

    async def async_go_on_from_backup(self) -> LedgerEntry:
        """Go on from a restored backup: append ``restored`` with both heads, and publish the new one.

        Raises:
            LedgerUnavailableError: the ledger is not one whose published head was lost, or its chain is not whole.
        """
        loop = asyncio.get_running_loop()
        if self._state is not StoreState.BEHIND:
            raise LedgerUnavailableError(self._state)
        report = await loop.run_in_executor(None, self._verify, None)
        published = await self._in_writer(lambda: read_head(self._head_file))
        if report is None or not report.intact or published is None:
            self._set(StoreState.DAMAGED)
            raise LedgerUnavailableError(self._state)
        notice = plain(Restored(found=self._head, published=published))
        try:
            entry = await self._in_writer(lambda: self._append(EntryKind.RESTORED, notice))
        except sqlite3.Error as error:
            raise LedgerUnavailableError(state_of(error)) from error
        self._head = entry.head
        self._set(StoreState.SOUND)
        return entry

    async def async_hold_still(self, *, hold: bool) -> None:
        """While a backup copies the file, put what is appended only into the log beside it."""
        if self._database is not None:
            await self._in_writer(lambda: self._hold_still(hold=hold))

    async def async_load_checkpoint(self) -> Json:
        """Return what was last concluded; None where there is no readable checkpoint."""
        return await self._in_writer(lambda: read_json(self._checkpoint_file))

    async def async_save_checkpoint(self, conclusions: Json) -> None:
        """Replace the checkpoint, whole or not at all; a disk that cannot take it leaves the old one."""
        try:
            await self._in_writer(lambda: write_atomically(self._checkpoint_file, conclusions))
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT) and self._state in _TAKES_ENTRIES:
                self._set(StoreState.FULL)
            _LOGGER.warning("The checkpoint beside the ledger could not be written: %s", error)

    async def async_close(self) -> None:
        """Finish what is queued, close the file and join the writer."""
        if self._closed:
            return
        self._closed = True
        await self._in_writer(self._close)
        await asyncio.get_running_loop().run_in_executor(None, self._writer.shutdown)

    async def _in_writer[T](self, job: Callable[[], T]) -> T:
        return await asyncio.wrap_future(self._writer.submit(job))

    def _set(self, state: StoreState) -> None:
        if state is not self._state:
            self._state = state
            self._on_change()

    # What follows runs in the writer thread.

    def _open(self) -> StoreState:
        published = read_head(self._head_file)
        exists = self._file.exists()
        if not exists and (published is not None or self._checkpoint_file.exists()):
            return StoreState.MISSING
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._database = connect(self._file)
            if not exists or (published is None and is_blank(self._database)):
                self._database.executescript(f"BEGIN;{SCHEMA}COMMIT;")
            if self._database.execute("PRAGMA user_version").fetchone()[0] != VERSION:
                return self._give_up(StoreState.DAMAGED)
            self._head = self._last()
            self._database.execute("PRAGMA secure_delete = ON")
            self._database.execute("BEGIN IMMEDIATE")
            self._database.execute("ROLLBACK")
        except sqlite3.Error as error:
            return self._give_up(state_of(error))
        except OSError:
            return self._give_up(StoreState.READ_ONLY)
        if published is not None and published.sequence > self._head.sequence:
            return StoreState.BEHIND
        return StoreState.VERIFYING

    def _give_up(self, state: StoreState) -> StoreState:
        """Keep a file that can be read open for reading; let go of one that cannot."""
        if self._database is not None and state is not StoreState.READ_ONLY:
            self._database.close()
            self._database = None
        return state

    def _last(self) -> Head:
        row = self._connection.execute("SELECT sequence, digest FROM entries ORDER BY sequence DESC LIMIT 1").fetchone()
        return EMPTY_HEAD if row is None else Head(sequence=row[0], digest=Digest(row[1]))

    def _append(self, kind: EntryKind, payload: Json) -> LedgerEntry:
        """Append an entry in one transaction; the first of a month seals the month before it."""
        stamp = self._make_stamp()
        with self._transaction():
            if (sealed := self._segment_to_seal(stamp)) is not None:
                self._insert(append(self._last(), EntryKind.SEGMENT_SEALED, sealed, stamp))
            entry = self._insert(append(self._last(), kind, payload, stamp))
        self._publish(entry.head)
        return entry

    def _redact(self, redaction: Redaction) -> LedgerEntry:
        named = [(sequence,) for sequence in redaction.sequences]
        with self._transaction():
            entry = self._insert(append(self._last(), EntryKind.REDACTION, plain(redaction), self._make_stamp()))
            self._connection.executemany("INSERT INTO redacted (sequence) VALUES (?)", named)
            self._connection.executemany("DELETE FROM payloads WHERE sequence = ?", named)
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()  # the log still holds what went
        self._publish(entry.head)
        return entry

    def _hold_still(self, *, hold: bool) -> None:
        if hold:
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        self._connection.execute(f"PRAGMA wal_autocheckpoint = {0 if hold else _LOG_PAGES}").fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        database = self._connection
        database.execute("BEGIN IMMEDIATE")
        try:
            yield
            database.execute("COMMIT")
        except BaseException:
            if database.in_transaction:
                database.execute("ROLLBACK")
            raise

    def _insert(self, made: Append) -> LedgerEntry:
        entry, stamp = made.entry, made.entry.stamp
        self._connection.execute(
            f"INSERT INTO entries ({HEADER}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - our own names
            (
                entry.sequence,
                entry.previous,
                entry.kind.value,
                entry.payload_digest,
                stamp.recorded_at,
                stamp.monotonic_us,
                stamp.boot_id,
                entry.digest,
            ),
        )
        self._connection.execute(
            "INSERT INTO payloads (sequence, segment, content) VALUES (?, ?, ?)",
            (entry.sequence, _segment(stamp), made.payload),
        )
        return entry

    def _segment_to_seal(self, stamp: Stamp) -> Json:
        """Return the seal of the last entry's month if this entry is of a later one."""
        row = self._connection.execute("SELECT segment FROM payloads ORDER BY sequence DESC LIMIT 1").fetchone()
        if row is None or row[0] >= _segment(stamp):
            return None
        digests = self._connection.execute(
            "SELECT payload_digest FROM entries JOIN payloads USING (sequence) WHERE segment = ? ORDER BY sequence", row
        ).fetchall()
        return {"segment": row[0], "entries": len(digests), "payloads": digest([one for (one,) in digests])}

    def _publish(self, head: Head) -> None:
        """Name the head outside the file. Lagging behind is allowed: the next entry catches up."""
        try:
            write_atomically(self._head_file, {"sequence": head.sequence, "digest": head.digest})
        except OSError:
            return

    def _read(self, kinds: list[EntryKind], after: int, since: str, most: int) -> list[StoredEntry]:
        rows = self._connection.execute(SOME_ROWS.format(", ".join("?" * len(kinds))), (after, since, *kinds, most))
        return [
            StoredEntry(sequence=row[0], kind=row[2], recorded_at=row[4], digest=Digest(row[7]), content=row[8])
            for row in rows
        ]

    def _close(self) -> None:
        if self._database is not None:
            self._database.close()
        self._database = None

    @property
    def _connection(self) -> sqlite3.Connection:
        if self._database is None:
            raise sqlite3.ProgrammingError("the ledger is closed")
        return self._database

    # This runs in any other thread, on a connection of its own.

    def _verify(self, published: Head | None) -> ChainReport | None:
        end = None if published is None else ChainEnd(sequence=published.sequence, digest=published.digest)
        try:
            with closing(sqlite3.connect(f"{self._file.as_uri()}?mode=ro", uri=True, timeout=BUSY_SECONDS)) as reader:
                return verify_chain(reader.execute(ROWS, (0,)), published=end)
        except sqlite3.Error:
            return None


def _verified_state(state: StoreState, report: ChainReport | None) -> StoreState:
    """Return what a verification makes of the ledger: a chain that is whole but not the published one is behind."""
    if report is None or (report.fault is not None and report.fault.fault not in _BEHIND_FAULTS):
        return StoreState.DAMAGED
    if not report.intact:
        return StoreState.BEHIND
    return StoreState.SOUND if state is StoreState.VERIFYING else state


def _segment(stamp: Stamp) -> str:
    """Return the month of an entry: the segment in which its payload lies."""
    return stamp.recorded_at[:7]
