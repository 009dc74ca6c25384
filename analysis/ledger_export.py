"""From a home's ledger to sanitised records: one file a session, with pseudonyms for all that could name a home.

Devices are numbered in the order in which the ledger first names them, so that they keep their numbers as it grows.
"""

import argparse
import base64
import json
import sqlite3
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.errors import AnalysisError, EvidenceError
from analysis.session_file import RecordedTrial, SessionRecord, read_session, write_session
from analysis.session_manifest import parse_manifest, parse_strobe
from analysis.table_source import write_table
from simverity_engine.errors import EngineError
from simverity_engine.message import Fields, elements, integer, text
from simverity_engine.profile.row import LeftOut, PredictionRow
from simverity_engine.session.manifest import ManifestRow, SessionManifest
from simverity_engine.session.validity import ReferenceStrobe
from simverity_engine.terms import RowId, Rung, SessionId, SubjectId, TrialId
from simverity_engine.trace.codec import decode
from simverity_engine.trace.samples import EffectChannel
from simverity_engine.trace.trace import Trace

_ENTRIES = "SELECT kind, content FROM entries LEFT JOIN payloads USING (sequence) ORDER BY sequence"
NEVER_CLOSED = "interrupted"
"""What a session says that has no end in the ledger."""
NO_WALL_TIME = "1970-01-01T00:00:00+00:00"
"""Stands for every wall time: they are labels, and say when people were at home."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPlan:
    """What to export and under which names.

    Attributes:
        ledger: the file of the ledger.
        site: the home's pseudonym.
        prefix: sessions become ``prefix-1`` and so on, in the order of the ledger.
        sessions: only these, by their real names; empty for all.
        per_reset: how many sessions ran between two device resets; 0 if the devices were never reset.
    """

    ledger: Path
    site: str
    prefix: str
    sessions: tuple[str, ...] = ()
    per_reset: int = 0


@dataclass(slots=True)
class _Found:
    """One session while the ledger is read."""

    manifest: SessionManifest
    trials: list[RecordedTrial]
    strobes: tuple[ReferenceStrobe, ...] = ()
    ended: tuple[str, ...] = (NEVER_CLOSED,)


def export(plan: ExportPlan) -> tuple[SessionRecord, ...]:
    """Return the sanitised records of a ledger's sessions.

    Raises:
        EvidenceError: it is no ledger, or holds an entry of another form.
    """
    try:
        with closing(sqlite3.connect(f"{plan.ledger.resolve().as_uri()}?mode=ro", uri=True)) as reader:
            entries = [(str(kind), content) for kind, content in reader.execute(_ENTRIES)]
        found = _sessions(entries)
    except (sqlite3.Error, EngineError, ValueError) as error:
        raise EvidenceError(f"{plan.ledger} cannot be exported: {error}") from error
    wanted = [one for name, one in found.items() if not plan.sessions or name in plan.sessions]
    devices = _Pseudonyms("device")
    for one in found.values():
        for row in one.manifest.rows:
            for subject in (row.subject, *row.targets, *row.quiet):
                devices(subject)
    return tuple(_sanitised(plan, number, one, devices) for number, one in enumerate(wanted, 1))


def _sessions(entries: Iterable[tuple[str, object]]) -> dict[str, _Found]:
    found: dict[str, _Found] = {}
    for kind, content in entries:
        if kind not in _READERS or not isinstance(content, str | bytes):
            continue
        document: object = json.loads(content)
        if isinstance(document, dict):
            _READERS[kind](found, document)
    return found


def _opened(found: dict[str, _Found], payload: dict[object, object]) -> None:
    manifest = parse_manifest(payload.get("manifest"), "manifest")
    found[manifest.session] = _Found(manifest=manifest, trials=[])


def _trial(found: dict[str, _Found], payload: dict[object, object]) -> None:
    if payload.get("key") is None:
        return  # a passive trial belongs to no session
    (session, at), (row, at_row), (repetition, at_repetition) = elements(payload["key"], "key")
    trial = RecordedTrial(
        row=RowId(text(row, at_row)),
        repetition=integer(repetition, at_repetition),
        trace=decode(base64.b85decode(text(payload.get("trace"), "trace"))),
    )
    found[text(session, at)].trials.append(trial)


def _closed(found: dict[str, _Found], payload: dict[object, object]) -> None:
    one = found[text(payload.get("session"), "session")]
    fields = Fields(payload, "closed")
    one.strobes = fields.each("strobes", parse_strobe)
    # What the traces can say is judged again; an early end is all that has to be believed.
    complete = payload.get("card") is not None
    one.ended = () if complete else fields.each("reasons", text) or (NEVER_CLOSED,)


_READERS: dict[str, Callable[[dict[str, _Found], dict[object, object]], None]] = {
    "session_opened": _opened,
    "trial": _trial,
    "session_closed": _closed,
}


class _Pseudonyms:
    """Numbers for names, in the order in which they are first asked for."""

    def __init__(self, kind: str) -> None:
        """Begin with nothing named."""
        self._kind = kind
        self._numbers: dict[str, int] = {}

    def __call__(self, name: str) -> SubjectId:
        """Return the pseudonym of a name."""
        return SubjectId(f"{self._kind}-{self._numbers.setdefault(name, len(self._numbers) + 1)}")


def _sanitised(plan: ExportPlan, number: int, one: _Found, devices: _Pseudonyms) -> SessionRecord:
    rows = {row.row: RowId(f"row-{place}") for place, row in enumerate(one.manifest.rows, 1)}
    session = SessionId(f"{plan.prefix}-{number}")
    stretch = (number - 1) // plan.per_reset if plan.per_reset else 0
    return SessionRecord(
        site=plan.site,
        reset=f"{plan.prefix}-reset-{stretch + 1}",
        manifest=replace(
            one.manifest,
            session=session,
            rows=tuple(_row(row, rows[row.row], devices) for row in one.manifest.rows),
            qualifications=tuple((devices(subject), digest) for subject, digest in one.manifest.qualifications),
            declared_at=NO_WALL_TIME,
        ),
        strobes=tuple(replace(strobe, subject=devices(strobe.subject)) for strobe in one.strobes),
        ended=one.ended,
        software_only=not any(trial.trace.rung is Rung.PHYSICAL for trial in one.trials) and not one.ended,
        trials=tuple(
            RecordedTrial(
                row=rows[trial.row],
                repetition=trial.repetition,
                trace=_trace(trial.trace, f"{session}/{rows[trial.row]}/{trial.repetition}", devices),
            )
            for trial in one.trials
        ),
    )


def _row(row: ManifestRow, name: RowId, devices: _Pseudonyms) -> ManifestRow:
    return replace(
        row,
        row=name,
        subject=devices(row.subject),
        targets=tuple(map(devices, row.targets)),
        quiet=tuple(map(devices, row.quiet)),
    )


def _trace(trace: Trace, name: str, devices: _Pseudonyms) -> Trace:
    def channels(of: tuple[EffectChannel, ...]) -> tuple[EffectChannel, ...]:
        return tuple(replace(channel, subject=devices(channel.subject)) for channel in of)

    returned = trace.returned
    if returned is not None:
        returned = replace(returned, states=tuple((devices(subject), state) for subject, state in returned.states))
    return replace(
        trace,
        trial=TrialId(name),
        subject=devices(trace.subject),
        goals=tuple(replace(goal, subject=devices(goal.subject)) for goal in trace.goals),
        wall_dispatched=NO_WALL_TIME,
        pre_states=tuple(replace(state, subject=devices(state.subject)) for state in trace.pre_states),
        returned=returned,
        feedback=tuple(replace(report, subject=devices(report.subject)) for report in trace.feedback),
        channels=channels(trace.channels),
        quiet=channels(trace.quiet),
    )


def write_records(folder: Path, records: Iterable[SessionRecord]) -> list[Path]:
    """Write one file a session and return them."""
    files: list[Path] = []
    for record in records:
        files.append(folder / f"{record.manifest.session}.jsonl.gz")
        write_session(files[-1], record)
    return files


def tabulate(files: Sequence[Path], table: Path) -> None:
    """Turn records of sessions into one Parquet file, for large analyses.

    Raises:
        EvidenceError: a file is no record of a session.
    """
    lines: list[tuple[PredictionRow | LeftOut, str, str, bool]] = []
    for read in map(read_session, files):
        found: tuple[PredictionRow | LeftOut, ...] = (*read.rows.rows, *read.rows.left_out)
        lines += [(line, read.record.site, read.record.reset, read.valid) for line in found]
    write_table(table, lines)


def main(argv: list[str] | None = None) -> int:
    """Export a ledger's sessions; return 0, or 2 if it cannot be done."""
    parser = argparse.ArgumentParser(prog="scripts/export", description=__doc__)
    parser.add_argument("ledger", type=Path, help="ledger.db of a home, or a copy of it")
    parser.add_argument("--out", type=Path, required=True, help="folder for the records")
    parser.add_argument("--site", default="home-1", help="pseudonym of the home")
    parser.add_argument("--prefix", default="session", help="sessions become PREFIX-1, PREFIX-2, …")
    parser.add_argument("--sessions", nargs="*", default=[], metavar="ID", help="only these (default: all)")
    parser.add_argument("--per-reset", type=int, default=0, help="sessions between two device resets (0: no resets)")
    parser.add_argument("--table", type=Path, help="also write one Parquet file of all rows")
    given = parser.parse_args(argv)
    plan = ExportPlan(
        ledger=given.ledger,
        site=given.site,
        prefix=given.prefix,
        sessions=tuple(given.sessions),
        per_reset=given.per_reset,
    )
    try:
        files = write_records(given.out, export(plan))
        if given.table is not None:
            tabulate(files, given.table)
    except AnalysisError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write("".join(f"{file}\n" for file in files))
    return 0


if __name__ == "__main__":
    sys.exit(main())
