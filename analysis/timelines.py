"""What is needed to draw a false clearance: when each thing happened, in seconds after dispatch."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from analysis.session_file import read_session
from analysis.session_source import evaluated_rows
from simverity_engine.profile.registration import EvaluationManifest
from simverity_engine.session.pairing import JudgedTrial
from simverity_engine.terms import Boundary, SessionId
from simverity_engine.trace.alignment import align
from simverity_engine.trace.samples import SampledChannel


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A property that failed although it was cleared, and the boundary at which it was read (seconds)."""

    property_id: str
    boundary: str
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """One trial with at least one false clearance.

    ``stages`` are (name, earliest, latest), None where there is no such bound. ``levels`` are a witness's samples as
    (middle of the capture interval, share of the way to the new level).
    """

    session: SessionId
    trial: str
    path: str
    direction: str
    failures: tuple[Failure, ...]
    stages: tuple[tuple[str, float | None, float | None], ...]
    reports: tuple[tuple[float, str], ...]
    levels: tuple[tuple[float, float], ...]


def timelines_of(file: Path, manifest: EvaluationManifest) -> tuple[Timeline, ...]:
    """Return every trial of a session that holds a false clearance, in the order of the record."""
    read = read_session(file)
    by_trial: dict[str, list[Failure]] = {}
    for row in evaluated_rows(read, manifest):
        if row.failed:
            failure = Failure(property_id=row.query.property_id.value, boundary=row.query.boundary, at=0.0)
            by_trial.setdefault(row.key.text, []).append(failure)
    physical = {pair.key.text: pair.physical for pair in read.pairs}
    return tuple(_timeline(physical[trial], failures) for trial, failures in by_trial.items())


def _timeline(judged: JudgedTrial, failures: Iterable[Failure]) -> Timeline:
    trace = judged.trace
    start = trace.dispatched_at
    seconds = _boundary_seconds(trace.boundaries)
    returned = 0.0 if trace.returned is None else trace.returned.at - start
    return Timeline(
        session=judged.key.session,
        trial=f"{judged.key.row}/{judged.key.repetition}",
        path=trace.path.value,
        direction=trace.direction.value,
        failures=tuple(
            Failure(property_id=one.property_id, boundary=one.boundary, at=seconds.get(one.boundary, returned))
            for one in failures
        ),
        stages=tuple(
            (stage.stage.value, stage.earliest, stage.latest)
            for stage in align(trace)
            if stage.earliest is not None or stage.latest is not None
        ),
        reports=tuple((report.at - start, report.state) for report in trace.feedback),
        levels=tuple(
            ((sample.earliest + sample.latest) / 2 - start, (sample.level - old) / (new - old))
            for channel in trace.channels
            if isinstance(channel, SampledChannel)
            for old, new in [(channel.levels.level(trace.direction.opposite), channel.levels.level(trace.direction))]
            for sample in channel.samples
        ),
    )


def _boundary_seconds(boundaries: Iterable[Boundary]) -> dict[str, float]:
    return {boundary.label: boundary.seconds for boundary in boundaries}
