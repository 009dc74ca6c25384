"""The ledger on disk: it only grows, survives, and says what is wrong with it instead of overwriting it."""

from __future__ import annotations

import asyncio
import errno
import json
import shutil
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from custom_components.simverity.adapters.ledger.store import LedgerStore, LedgerUnavailableError, StoreState
from custom_components.simverity.engine.ledger.entry import EntryKind, Stamp
from custom_components.simverity.engine.ledger.errors import PayloadTooLargeError
from custom_components.simverity.engine.ledger.notices import Redaction

STAMP = Stamp(recorded_at="2026-12-01T00:00:00+00:00", monotonic_us=1, boot_id="boot")


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[list[LedgerStore]]:
    """Keep the stores of a test, and close them."""
    stores: list[LedgerStore] = []
    yield stores
    for store in stores:
        await store.async_close()


async def _open(folder: Path, opened: list[LedgerStore]) -> LedgerStore:
    store = LedgerStore(folder, make_stamp=lambda: STAMP, on_change=lambda: None)
    opened.append(store)
    await store.async_open()
    return store


async def _filled(folder: Path, opened: list[LedgerStore], count: int = 3) -> LedgerStore:
    store = await _open(folder, opened)
    for number in range(count):
        await store.async_append(EntryKind.TRIAL, {"number": number})
    return store


def _change(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / "ledger.db")) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


def _remove_database(folder: Path) -> None:
    for file in folder.glob("ledger.db*"):
        file.unlink()


async def test_entries_survive_a_restart_and_the_chain_goes_on(tmp_path: Path, opened: list[LedgerStore]) -> None:
    first = await _filled(tmp_path, opened, 2)
    await first.async_close()
    second = await _open(tmp_path, opened)
    await second.async_append(EntryKind.QUALIFICATION, {"number": 2})
    entries = await second.async_read()
    assert [(entry.sequence, entry.payload) for entry in entries] == [(n, {"number": n - 1}) for n in (1, 2, 3)]
    report = await second.async_verify()
    assert report is not None
    assert report.intact
    assert second.state is StoreState.SOUND


async def test_reading_can_be_limited_to_kinds_and_to_what_is_new(tmp_path: Path, opened: list[LedgerStore]) -> None:
    store = await _filled(tmp_path, opened, 2)
    await store.async_append(EntryKind.QUALIFICATION, {})
    assert [entry.sequence for entry in await store.async_read(after=1, kinds=[EntryKind.TRIAL])] == [2]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET kind = 'correction' WHERE sequence = 1",
        "DELETE FROM entries WHERE sequence = 1",
        "UPDATE payloads SET content = x'7b7d' WHERE sequence = 1",
        "DELETE FROM payloads WHERE sequence = 1",
    ],
)
async def test_the_database_refuses_to_change_what_is_recorded(
    tmp_path: Path, opened: list[LedgerStore], statement: str
) -> None:
    await _filled(tmp_path, opened)
    with pytest.raises(sqlite3.IntegrityError):
        _change(tmp_path, statement)


@pytest.mark.parametrize(
    "statements",
    [
        ("DROP TRIGGER payloads_no_update", "UPDATE payloads SET content = x'7b7d' WHERE sequence = 2"),
        ("DROP TRIGGER entries_no_update", "UPDATE entries SET recorded_at = '2020-01-01T00:00:00+00:00'"),
        (
            "DROP TRIGGER payloads_no_delete",
            "DROP TRIGGER entries_no_delete",
            "DELETE FROM payloads WHERE sequence = 2",
            "DELETE FROM entries WHERE sequence = 2",
        ),
    ],
)
async def test_tampering_is_found_and_then_nothing_is_added(
    tmp_path: Path, opened: list[LedgerStore], statements: tuple[str, ...]
) -> None:
    await (await _filled(tmp_path, opened)).async_close()
    _change(tmp_path, *statements)
    store = await _open(tmp_path, opened)
    await store.async_verify()
    assert store.state is StoreState.DAMAGED
    with pytest.raises(LedgerUnavailableError):
        await store.async_append(EntryKind.TRIAL, {})


async def test_a_shortened_ledger_is_found_by_its_published_head(tmp_path: Path, opened: list[LedgerStore]) -> None:
    await (await _filled(tmp_path, opened)).async_close()
    _change(
        tmp_path,
        "DROP TRIGGER payloads_no_delete",
        "DROP TRIGGER entries_no_delete",
        "DELETE FROM payloads WHERE sequence = 3",
        "DELETE FROM entries WHERE sequence = 3",
    )
    store = await _open(tmp_path, opened)
    await store.async_verify()
    assert store.state is StoreState.BEHIND


async def test_a_head_that_lags_behind_is_no_fault(tmp_path: Path, opened: list[LedgerStore]) -> None:
    store = await _filled(tmp_path, opened)
    [first, *_] = await store.async_read()
    await store.async_close()
    (tmp_path / "head.json").write_text(json.dumps({"sequence": 1, "digest": first.digest}))
    again = await _open(tmp_path, opened)
    await again.async_verify()
    assert again.state is StoreState.SOUND


async def test_a_file_that_is_no_ledger_is_left_as_it_is(tmp_path: Path, opened: list[LedgerStore]) -> None:
    content = b"not a database at all" * 100
    (tmp_path / "ledger.db").write_bytes(content)
    store = await _open(tmp_path, opened)
    await store.async_verify()
    assert store.state is StoreState.DAMAGED
    with pytest.raises(LedgerUnavailableError):
        await store.async_append(EntryKind.TRIAL, {})
    with pytest.raises(LedgerUnavailableError):
        await store.async_read()
    await store.async_close()
    assert (tmp_path / "ledger.db").read_bytes() == content


async def test_a_missing_ledger_is_not_replaced_by_an_empty_one(tmp_path: Path, opened: list[LedgerStore]) -> None:
    await (await _filled(tmp_path, opened)).async_close()
    _remove_database(tmp_path)
    store = await _open(tmp_path, opened)
    assert store.state is StoreState.MISSING
    assert not (tmp_path / "ledger.db").exists()


async def test_a_full_disk_refuses_the_entry_and_keeps_the_rest(tmp_path: Path, opened: list[LedgerStore]) -> None:
    store = await _filled(tmp_path, opened)
    await store.async_verify()
    pages = await store._in_writer(lambda: store._connection.execute("PRAGMA page_count").fetchone()[0])
    await store._in_writer(lambda: store._connection.execute(f"PRAGMA max_page_count = {pages}").fetchone())
    with pytest.raises(LedgerUnavailableError) as caught:
        await _fill(store)
    assert caught.value.state is StoreState.FULL
    assert [entry.sequence for entry in await store.async_read(kinds=[EntryKind.TRIAL])] == [1, 2, 3]
    await store._in_writer(lambda: store._connection.execute("PRAGMA max_page_count = 1000000").fetchone())
    await store.async_append(EntryKind.TRIAL, {})
    assert store.takes_entries


async def _fill(store: LedgerStore) -> None:
    for _ in range(100):
        await store.async_append(EntryKind.QUALIFICATION, {"much": "x" * 50_000})


async def test_a_full_disk_takes_no_session_until_it_has_room_again(
    tmp_path: Path, opened: list[LedgerStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await _filled(tmp_path, opened)
    store._set(StoreState.FULL)
    free = {"bytes": 1000}
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free["bytes"]))
    assert not store.takes_sessions
    free["bytes"] = 10**9
    assert store.takes_sessions


async def test_a_folder_that_cannot_be_made_is_read_only(tmp_path: Path, opened: list[LedgerStore]) -> None:
    (tmp_path / "file").touch()
    store = await _open(tmp_path / "file", opened)
    assert store.state is StoreState.READ_ONLY
    assert not store.takes_entries


async def test_a_ledger_of_another_version_is_left_alone(tmp_path: Path, opened: list[LedgerStore]) -> None:
    await (await _filled(tmp_path, opened)).async_close()
    _change(tmp_path, "PRAGMA user_version = 99")
    store = await _open(tmp_path, opened)
    assert store.state is StoreState.DAMAGED
    assert await store.async_verify() is None


async def test_a_checkpoint_that_cannot_be_written_costs_no_evidence(tmp_path: Path, opened: list[LedgerStore]) -> None:
    store = await _filled(tmp_path, opened)
    (tmp_path / "checkpoint.json").mkdir()
    await store.async_save_checkpoint({"cells": 1})
    await store.async_append(EntryKind.TRIAL, {})
    assert store.head.sequence == 4


async def test_a_ledger_that_may_not_be_written_says_so(tmp_path: Path, opened: list[LedgerStore]) -> None:
    store = await _filled(tmp_path, opened)
    await store._in_writer(lambda: store._connection.execute("PRAGMA query_only = ON").fetchone())
    with pytest.raises(LedgerUnavailableError):
        await store.async_append(EntryKind.TRIAL, {})
    assert store.state is StoreState.READ_ONLY
    assert len(await store.async_read()) == 3


async def test_a_payload_that_is_too_large_leaves_no_trace(tmp_path: Path, opened: list[LedgerStore]) -> None:
    store = await _filled(tmp_path, opened)
    with pytest.raises(PayloadTooLargeError):
        await store.async_append(EntryKind.TRIAL, {"much": "x" * 5000})
    assert store.head.sequence == 3
    assert store.takes_entries


async def test_many_appends_at_once_make_one_chain(tmp_path: Path, opened: list[LedgerStore]) -> None:
    store = await _open(tmp_path, opened)
    made = await asyncio.gather(*(store.async_append(EntryKind.TRIAL, {"n": n}) for n in range(30)))
    assert [entry.sequence for entry in made] == list(range(1, 31))
    report = await store.async_verify()
    assert report is not None
    assert report.intact


async def test_the_first_entry_of_a_month_seals_the_month_before(tmp_path: Path, opened: list[LedgerStore]) -> None:
    await (await _filled(tmp_path, opened, 2)).async_close()
    later = replace(STAMP, recorded_at="2027-01-01T00:00:00+00:00")
    store = LedgerStore(tmp_path, make_stamp=lambda: later, on_change=lambda: None)
    opened.append(store)
    await store.async_open()
    await store.async_append(EntryKind.TRIAL, {"number": 2})
    await store.async_append(EntryKind.TRIAL, {"number": 3})
    entries = await store.async_read()
    assert [entry.kind for entry in entries] == ["trial", "trial", "segment_sealed", "trial", "trial"]
    assert isinstance(entries[2].payload, dict)
    assert (entries[2].payload["segment"], entries[2].payload["entries"]) == ("2026-12", 2)
    report = await store.async_verify()
    assert report is not None
    assert report.intact


async def test_the_checkpoint_is_replaced_whole(tmp_path: Path, opened: list[LedgerStore]) -> None:
    store = await _open(tmp_path, opened)
    assert await store.async_load_checkpoint() is None
    await store.async_save_checkpoint({"cells": 1})
    await store.async_save_checkpoint({"cells": 2})
    assert await store.async_load_checkpoint() == {"cells": 2}
    assert not (tmp_path / "checkpoint.tmp").exists()


async def test_the_writer_thread_ends_with_the_store(tmp_path: Path, opened: list[LedgerStore]) -> None:
    store = await _filled(tmp_path, opened)
    await store.async_close()
    assert [thread for thread in threading.enumerate() if thread.name.startswith("simverity-ledger")] == []


async def test_a_file_without_tables_was_only_just_made(tmp_path: Path, opened: list[LedgerStore]) -> None:
    (tmp_path / "ledger.db").touch()
    store = await _filled(tmp_path, opened, 1)
    assert store.head.sequence == 1


async def test_a_file_that_cannot_be_read_any_more_is_said_by_every_way_in(
    tmp_path: Path, opened: list[LedgerStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await _filled(tmp_path, opened)

    def broken(*_arguments: object) -> None:
        raise sqlite3.DatabaseError("malformed")

    for name in ("_read", "_redact", "_append"):
        monkeypatch.setattr(store, name, broken)
    with pytest.raises(LedgerUnavailableError):
        await store.async_read()
    monkeypatch.setattr(store, "_state", StoreState.SOUND)
    with pytest.raises(LedgerUnavailableError):
        await store.async_redact(Redaction(sequences=(1,), reason="asked", author="me"))
    monkeypatch.setattr(store, "_state", StoreState.BEHIND)
    with pytest.raises(LedgerUnavailableError):
        await store.async_go_on_from_backup()


async def test_a_disk_that_is_full_leaves_the_old_checkpoint_and_is_said(
    tmp_path: Path, opened: list[LedgerStore], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    store = await _filled(tmp_path, opened)
    await store.async_save_checkpoint({"kept": 1})

    def full(*_arguments: object) -> None:
        raise OSError(errno.ENOSPC, "no space")

    monkeypatch.setattr("custom_components.simverity.adapters.ledger.store.write_atomically", full)
    await store.async_save_checkpoint({"kept": 2})
    assert (store.state, await store.async_load_checkpoint()) == (StoreState.FULL, {"kept": 1})
    assert "could not be written" in caplog.text
