"""A ledger's sessions as sanitised records: nothing that names a home, and nothing lost that judging needs."""

import base64
import gzip
import json
import sqlite3
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.errors import EvidenceError
from analysis.ledger_export import ExportPlan, export, main, write_records
from analysis.session_file import SessionRecord, read_session, write_session
from analysis.synthetic import session, write_evaluation
from simverity_engine.canonical import Json, canonical_bytes, plain
from simverity_engine.terms import SessionId
from simverity_engine.trace.codec import encode


def recorded(tmp_path: Path, name: str = "calibration-1") -> SessionRecord:
    """A session that is synthetic, with its own names."""
    folder = write_evaluation(tmp_path / "evaluation", seed=1)
    return read_session(folder.root / "calibration" / f"{name}.jsonl.gz").record


def write_ledger(file: Path, *records: SessionRecord, closed: bool = True) -> None:
    """Write sessions as the audit does, with a passive trial and a redacted payload among them."""
    entries: list[tuple[str, Json]] = [("qualification", {"record": {}}), ("trial", None)]
    for record in records:
        name = record.manifest.session
        entries.append(("session_opened", {"manifest": plain(record.manifest), "found": []}))
        for trial in record.trials:
            trace = base64.b85encode(encode(trial.trace)).decode()
            entries.append(("trial", {"key": [name, trial.row, trial.repetition], "coordinates": "", "trace": trace}))
        entries.append(("trial", {"key": None, "coordinates": "", "trace": ""}))
        if closed:
            end: Json = {
                "session": name,
                "valid": not record.ended,
                "reasons": list(record.ended),
                "ended_at": "2026-12-01T00:00:00+00:00",
                "card": None if record.ended else "packed",
                "strobes": plain(record.strobes),
                "sequence": None,
            }
            entries.append(("session_closed", end))
    with sqlite3.connect(file) as ledger:
        ledger.execute("CREATE TABLE entries (sequence INTEGER PRIMARY KEY, kind TEXT)")
        ledger.execute("CREATE TABLE payloads (sequence INTEGER PRIMARY KEY, content BLOB)")
        for sequence, (kind, payload) in enumerate(entries, 1):
            ledger.execute("INSERT INTO entries VALUES (?, ?)", (sequence, kind))
            if payload is not None:
                ledger.execute("INSERT INTO payloads VALUES (?, ?)", (sequence, canonical_bytes(payload)))
    ledger.close()


def plan(file: Path, **changes: object) -> ExportPlan:
    """Export everything."""
    return replace(ExportPlan(ledger=file, site="home-7", prefix="s"), **changes)  # type: ignore[arg-type]


def test_an_exported_session_gives_the_rows_of_the_original(tmp_path: Path) -> None:
    record = recorded(tmp_path)
    write_ledger(tmp_path / "ledger.db", record)
    (file,) = write_records(tmp_path / "out", export(plan(tmp_path / "ledger.db")))
    write_session(tmp_path / "calibration-1.jsonl.gz", record)
    before, after = read_session(tmp_path / "calibration-1.jsonl.gz"), read_session(file)
    assert after.valid
    assert len(after.rows.rows) > 100
    assert [(one.query.property_id, one.query.boundary, one.failed) for one in after.rows.rows] == [
        (one.query.property_id, one.query.boundary, one.failed) for one in before.rows.rows
    ]
    assert len(after.rows.left_out) == len(before.rows.left_out)


def test_nothing_in_an_export_names_the_home(tmp_path: Path) -> None:
    write_ledger(tmp_path / "ledger.db", recorded(tmp_path))
    (file,) = write_records(tmp_path / "out", export(plan(tmp_path / "ledger.db")))
    first, *trials = gzip.decompress(file.read_bytes()).decode().splitlines()
    content = first + "".join(zlib.decompress(base64.b64decode(json.loads(one)["trace"])).decode() for one in trials)
    for name in ("lamp-a", "lamp-b", "calibration-1", "2026"):
        assert name not in content


def test_a_device_keeps_its_number_over_sessions_and_selections(tmp_path: Path) -> None:
    first = recorded(tmp_path)
    second = replace(first, manifest=replace(first.manifest, session=SessionId("later")))
    write_ledger(tmp_path / "ledger.db", first, second)
    both = export(plan(tmp_path / "ledger.db", per_reset=1))
    (only,) = export(plan(tmp_path / "ledger.db", sessions=("later",)))
    assert both[0].manifest.rows == both[1].manifest.rows == only.manifest.rows
    assert [one.reset for one in both] == ["s-reset-1", "s-reset-2"]


def test_a_session_without_an_end_does_not_count(tmp_path: Path) -> None:
    write_ledger(tmp_path / "ledger.db", recorded(tmp_path), closed=False)
    (file,) = write_records(tmp_path / "out", export(plan(tmp_path / "ledger.db")))
    read = read_session(file)
    assert (read.valid, read.reasons, read.rows.rows) == (False, ("interrupted",), ())


def test_sessions_are_without_resets_between_them_unless_said_otherwise(tmp_path: Path) -> None:
    record = session("a", (), 1)
    other = replace(record, manifest=replace(record.manifest, session=SessionId("b")))
    write_ledger(tmp_path / "ledger.db", record, other)
    assert {one.reset for one in export(plan(tmp_path / "ledger.db"))} == {"s-reset-1"}


def test_what_is_no_ledger_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(EvidenceError):
        export(plan(tmp_path / "missing.db"))
    assert main([str(tmp_path / "missing.db"), "--out", str(tmp_path)]) == 2
    assert "cannot be exported" in capsys.readouterr().err
