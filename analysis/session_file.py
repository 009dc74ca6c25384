"""The sanitised record of one session: a heading, then one line a trial and rung with the trace as the ledger holds it.

No names, addresses or tokens: subjects, rows and the home are pseudonyms. Nothing in the heading is believed that the
traces can say: validity is judged again, and so is every verdict.
"""

import base64
import binascii
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import EvidenceError
from analysis.json_lines import read_lines, write_lines
from analysis.session_manifest import parse_manifest, parse_strobe
from simverity_engine.canonical import Json, plain
from simverity_engine.errors import EngineError
from simverity_engine.message import Fields, flag, integer, member, text
from simverity_engine.profile.row import SessionRows
from simverity_engine.profile.rows import Origin, rows_of
from simverity_engine.session.manifest import SessionManifest, TrialKey, check_manifest
from simverity_engine.session.pairing import JudgedTrial, TrialPair, judged, pair
from simverity_engine.session.validity import ReferenceStrobe, Unsound, assess
from simverity_engine.terms import RowId, Rung, SessionId
from simverity_engine.trace.alignment import watched
from simverity_engine.trace.codec import decode, encode
from simverity_engine.trace.trace import Trace

FORM = "simverity-session/1"
"""The version of the record's form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTrial:
    """One trial on one rung."""

    row: RowId
    repetition: int
    trace: Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecord:
    """One session as it was recorded.

    Attributes:
        site: the home's pseudonym.
        reset: names the stretch between two device resets in which the session ran.
        manifest: what was declared, with pseudonyms.
        strobes: the reference states at start and end.
        ended: why the session itself said that it does not count; empty if it had nothing to say.
        software_only: whether only twins were planned.
        trials: both rungs, in the order of the record.
    """

    site: str
    reset: str
    manifest: SessionManifest
    strobes: tuple[ReferenceStrobe, ...]
    ended: tuple[str, ...]
    software_only: bool
    trials: tuple[RecordedTrial, ...]

    def on(self, rung: Rung) -> tuple[JudgedTrial, ...]:
        """Return the trials of one rung, judged again."""
        session = self.manifest.session
        return tuple(
            judged(TrialKey(session=session, row=trial.row, repetition=trial.repetition), trial.trace)
            for trial in self.trials
            if trial.trace.rung is rung
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSession:
    """One session, judged: its rows and what became of every trial.

    Attributes:
        record: what it was read from.
        valid: whether it counts.
        reasons: why not.
        planned: trials by the manifest, of one rung.
        recorded: trials with a trace on the rung that was planned.
        pairs: physical trials with their twins; empty if only twins were planned.
        rows: what the predictors can learn from, and what was left out.
    """

    record: SessionRecord
    valid: bool
    reasons: tuple[str, ...]
    planned: int
    recorded: int
    pairs: tuple[TrialPair, ...]
    rows: SessionRows


def write_session(file: Path, record: SessionRecord) -> None:
    """Write a record; the same record gives the same bytes."""
    heading: Json = {
        "form": FORM,
        "site": record.site,
        "reset": record.reset,
        "manifest": plain(record.manifest),
        "strobes": plain(record.strobes),
        "ended": list(record.ended),
        "software_only": record.software_only,
        "trials": len(record.trials),
    }
    trials: list[Json] = [
        {
            "row": trial.row,
            "repetition": trial.repetition,
            "rung": trial.trace.rung.value,
            "trace": base64.b64encode(encode(trial.trace)).decode(),
        }
        for trial in record.trials
    ]
    write_lines(file, [heading, *trials])


def session_name(file: Path) -> SessionId:
    """Return whose record a file is, without reading a single trial.

    Raises:
        EvidenceError: it is no record.
    """
    return SessionId(file.name.partition(".")[0])


def read_record(file: Path) -> SessionRecord:
    """Return the record in a file.

    Raises:
        EvidenceError: it is no record, is cut short, or is not named after its session.
    """
    lines = read_lines(file)
    try:
        return _record(file, lines)
    except (EngineError, binascii.Error) as error:
        raise EvidenceError(f"{file} is no record of a session: {error}") from error


def _record(file: Path, lines: list[object]) -> SessionRecord:
    heading = Fields(lines[0] if lines else None, "heading")
    if heading.get("form", text) != FORM:
        raise EvidenceError(f"{file} does not have the form {FORM}")
    trials = tuple(_trial(line, f"line {number}") for number, line in enumerate(lines[1:], 2))
    if heading.get("trials", integer) != len(trials):
        raise EvidenceError(f"{file} is cut short: its heading counts other trials than there are")
    record = SessionRecord(
        site=heading.get("site", text),
        reset=heading.get("reset", text),
        manifest=heading.get("manifest", parse_manifest),
        strobes=heading.each("strobes", parse_strobe),
        ended=heading.each("ended", text),
        software_only=heading.get("software_only", flag),
        trials=trials,
    )
    heading.close()
    check_manifest(record.manifest)
    if record.manifest.session != session_name(file):
        raise EvidenceError(f"{file} holds session {record.manifest.session}: name it after its session")
    _check_keys(file, record)
    return record


def _trial(value: object, at: str) -> RecordedTrial:
    fields = Fields(value, at)
    trial = RecordedTrial(
        row=RowId(fields.get("row", text)),
        repetition=fields.get("repetition", integer),
        trace=decode(base64.b64decode(fields.get("trace", text), validate=True)),
    )
    if fields.get("rung", member(Rung)) is not trial.trace.rung:
        raise EvidenceError(f"{at}: the trace ran on another rung")
    fields.close()
    return trial


def _check_keys(file: Path, record: SessionRecord) -> None:
    """Refuse trials that were not planned, and such as are there twice."""
    repetitions = {row.row: row.repetitions for row in record.manifest.rows}
    counted = Counter((trial.row, trial.repetition, trial.trace.rung) for trial in record.trials)
    for (row, repetition, rung), count in counted.items():
        if count > 1 or not 0 <= repetition < repetitions.get(row, 0):
            raise EvidenceError(
                f"{file}: trial {row}/{repetition} on {rung} is there {count} times, or was not planned"
            )


def read_session(file: Path) -> ReadSession:
    """Read a session and judge it again. One that says itself that it does not count contributes no row.

    Raises:
        EvidenceError: the file is no record of a session, or its trials are not paired one to one.
    """
    record = read_record(file)
    try:
        return _judged_session(record)
    except EngineError as error:
        raise EvidenceError(f"{file}: {error}") from error


def _judged_session(record: SessionRecord) -> ReadSession:
    manifest = record.manifest
    origin = Origin(site=record.site, reset=record.reset)
    physical, twins = record.on(Rung.PHYSICAL), record.on(Rung.SOFTWARE)
    planned = sum(row.repetitions for row in manifest.rows)
    reasons, rows = record.ended, SessionRows(rows=(), left_out=())
    pairs: tuple[TrialPair, ...] = ()
    if record.software_only:
        if physical:
            raise EvidenceError(f"session {manifest.session} planned no physical trial, and holds {len(physical)}")
        complete = sum(watched(twin.trace, twin.trace.path) for twin in twins)
        reasons = reasons or (() if complete >= manifest.completeness * planned else (Unsound.INCOMPLETE.value,))
        rows = rows_of(manifest, (), origin, twins=twins)
    elif not reasons:
        pairs = pair(physical, twins)
        validity = assess(manifest, traces=[one.physical.trace for one in pairs], strobes=record.strobes)
        reasons = tuple(reason.value for reason in validity.reasons)
        rows = rows_of(manifest, pairs, origin)
    return ReadSession(
        record=record,
        valid=not reasons,
        reasons=reasons,
        planned=planned,
        recorded=len(twins if record.software_only else physical),
        pairs=pairs,
        rows=rows,
    )
