"""Synthetic evidence from a seed, for trying the analysis where no campaign was run yet. Nothing in it was measured.

Every session is made of whole traces, in the form in which real ones are recorded, so that reading, judging, pairing
and counting are the real ones. The lamps only roughly behave like lamps.
"""

import argparse
import random
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.folder import EvaluationFolder
from analysis.json_lines import write_whole
from analysis.session_file import RecordedTrial, SessionRecord, write_session
from simverity_engine.canonical import canonical_bytes, plain
from simverity_engine.profile.predictors import PredictorId
from simverity_engine.profile.registration import (
    EVALUATION_SCHEMA,
    Cohort,
    Criterion,
    CriterionKind,
    EvaluationManifest,
    HeldOutCell,
    HeldOutSession,
    Resampling,
)
from simverity_engine.session.manifest import SCHEMA, ManifestRow, SessionManifest
from simverity_engine.session.validity import Phase, ReferenceStrobe
from simverity_engine.terms import (
    GRID,
    Digest,
    Direction,
    Reason,
    RowId,
    Rung,
    SessionId,
    SubjectId,
    Tier,
    TrialId,
    settled_boundary,
)
from simverity_engine.terms import Path as TrialPath
from simverity_engine.trace.samples import EffectChannel, FrozenLevels, LoggedChannel, Sample, SampledChannel
from simverity_engine.trace.trace import Feedback, Goal, PreState, Return, Trace

SETTLE_FROM, SETTLE_WINDOW = 4.0, 0.6
LAMPS = (SubjectId("lamp-a"), SubjectId("lamp-b"))
GROUP = SubjectId("group")
WALL = "2026-01-01T00:00:00+00:00"
_FRAME = 1 / 60
_LEVELS = FrozenLevels(
    on=180.0,
    off=20.0,
    guard=2.0,
    two_sided=tuple((state, tuple(boundary.seconds for boundary in GRID)) for state in Direction),
)
_DISTURBED, _DISTURBANCE = frozenset({TrialPath.SINGLE_LIGHT, TrialPath.CROSS_DEVICE}), 0.01
"""Where a person sometimes steps in, which makes the trial void, and how often."""
_REPORT = (0.04, 0.06)
_EFFECT = {Direction.ON: (0.02, 0.05), Direction.OFF: (0.2, 0.38)}
"""Seconds from dispatch to the report, and to the crossing of the midpoint: drawn evenly."""
_SLOWER = {"natural": 0.0, "open": 0.0, "half": 0.05, "closed": 0.12}
"""Seconds by which the effect is later under each regime."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """A kind of session."""

    path: TrialPath
    subjects: tuple[SubjectId, ...]
    repetitions: int
    rungs: tuple[Rung, ...] = (Rung.PHYSICAL, Rung.SOFTWARE)


def _rows(kind: _Kind) -> tuple[ManifestRow, ...]:
    several = kind.path is TrialPath.MULTI_TARGET
    return tuple(
        ManifestRow(
            row=RowId(f"{kind.path}-{subject}-{direction}"),
            path=kind.path,
            subject=subject,
            targets=LAMPS if several else (subject,),
            direction=direction,
            service=f"light.turn_{direction}",
            repetitions=kind.repetitions,
            quiet=tuple(lamp for lamp in LAMPS if lamp != subject) if kind.path is TrialPath.CROSS_DEVICE else (),
        )
        for subject in kind.subjects
        for direction in Direction
    )


def session(name: str, kinds: Sequence[_Kind], seed: int, *, regime: str = "natural", ended: str = "") -> SessionRecord:
    """Return one session of these kinds."""
    draw = random.Random(f"{seed} {name}")  # noqa: S311 - chance, not a secret
    rows = tuple(row for kind in kinds for row in _rows(kind))
    manifest = SessionManifest(
        schema=SCHEMA,
        session=SessionId(name),
        seed=seed,
        rows=rows,
        settle_from=SETTLE_FROM,
        settle_window=SETTLE_WINDOW,
        n_min=10,
        confidence=0.95,
        completeness=0.95,
        monitors=Digest("0" * 64),
        coordinates=Digest("0" * 64),
        qualifications=tuple((lamp, Digest("0" * 64)) for lamp in LAMPS),
        declared_at=WALL,
    )
    rungs = {row.row: kind.rungs for kind in kinds for row in _rows(kind)}
    trials = tuple(
        RecordedTrial(row=row.row, repetition=repetition, trace=_trace(draw, row, repetition, rung, regime))
        for row in rows
        for repetition in range(row.repetitions)
        for rung in rungs[row.row]
    )
    return SessionRecord(
        site="synthetic-home",
        reset=f"reset-{name}",
        manifest=manifest,
        strobes=tuple(_strobes()),
        ended=(ended,) if ended else (),
        software_only=all(Rung.PHYSICAL not in kind.rungs for kind in kinds),
        trials=trials,
    )


def _strobes() -> Iterable[ReferenceStrobe]:
    for lamp in LAMPS:
        for phase in Phase:
            for state in Direction:
                yield from [ReferenceStrobe(subject=lamp, phase=phase, state=state, observed=state)] * 2


def _trace(draw: random.Random, row: ManifestRow, repetition: int, rung: Rung, regime: str) -> Trace:
    real = rung is Rung.PHYSICAL
    old = row.direction.opposite
    crossings = {lamp: _crossing(draw, row, regime) if real else 0.001 for lamp in row.targets}
    reported = draw.uniform(*_REPORT) if real else 0.001
    return Trace(
        trial=TrialId(f"{row.row}/{repetition}"),
        rung=rung,
        path=row.path,
        direction=row.direction,
        subject=row.subject,
        goals=tuple(Goal(subject=lamp, state=row.direction) for lamp in row.targets),
        dispatched_at=0.0,
        wall_dispatched=WALL,
        settle_from=SETTLE_FROM,
        settle_until=SETTLE_FROM + SETTLE_WINDOW,
        boundaries=(*GRID, settled_boundary(SETTLE_FROM)),
        pre_states=tuple(PreState(subject=lamp, value=old.value, age=20.0) for lamp in row.targets),
        requested_at=-0.002,
        source_reported_at=-0.02 if row.path is TrialPath.SENSOR_TO_EFFECT else None,
        returned=Return(
            at=0.002, states=tuple((lamp, old.value if real else row.direction.value) for lamp in row.targets)
        ),
        feedback=tuple(Feedback(subject=lamp, at=reported, state=row.direction.value) for lamp in row.targets),
        channels=tuple(_channel(draw, lamp, row.direction, at, real=real) for lamp, at in crossings.items()),
        quiet=tuple(_still(draw, lamp, real=real) for lamp in row.quiet),
        void=Reason.SUPERSEDED if real and row.path in _DISTURBED and draw.random() < _DISTURBANCE else None,
        closed_at=SETTLE_FROM + SETTLE_WINDOW,
    )


def _crossing(draw: random.Random, row: ManifestRow, regime: str) -> float:
    later = 0.03 if row.path is TrialPath.MULTI_TARGET else 0.0
    return draw.uniform(*_EFFECT[row.direction]) + later + _SLOWER[regime]


def _channel(draw: random.Random, lamp: SubjectId, state: Direction, crossed: float, *, real: bool) -> EffectChannel:
    if real:
        return _film(draw, lamp, [(crossed, state)], state.opposite)
    return _log(lamp, ((crossed, state),), state.opposite)


def _still(draw: random.Random, lamp: SubjectId, *, real: bool) -> EffectChannel:
    return _film(draw, lamp, [], Direction.OFF) if real else _log(lamp, (), Direction.OFF)


def _log(lamp: SubjectId, effects: tuple[tuple[float, Direction], ...], initial: Direction) -> LoggedChannel:
    return LoggedChannel(
        subject=lamp, initial=initial, effects=effects, watched_until=SETTLE_FROM + SETTLE_WINDOW + 0.1
    )


def _film(
    draw: random.Random, lamp: SubjectId, changes: list[tuple[float, Direction]], initial: Direction
) -> SampledChannel:
    """Film a lamp at 60 frames a second around the command, and a few frames in the settled window."""
    phase = draw.uniform(0.0, _FRAME)
    times = [index * _FRAME + phase for index in range(-5, 45)]
    times += [SETTLE_FROM + 0.05 + 0.1 * index for index in range(5)]
    samples: list[Sample] = []
    for at in times:
        state = next((state for since, state in changes if at >= since), initial)
        level = _LEVELS.level(state) + draw.gauss(0.0, 0.3)
        samples.append(Sample(earliest=at - _FRAME / 4, latest=at + _FRAME / 4, level=level))
    return SampledChannel(
        subject=lamp,
        levels=_LEVELS,
        samples=tuple(samples),
        tier=Tier.STREAM_CLOCK,
        qualification="synthetic",
        armed_at=0.0,
    )


_LIGHTS = _Kind(path=TrialPath.SINGLE_LIGHT, subjects=LAMPS, repetitions=6)
_GROUPS = _Kind(path=TrialPath.MULTI_TARGET, subjects=(GROUP,), repetitions=6)
_CROSS = _Kind(path=TrialPath.CROSS_DEVICE, subjects=LAMPS[:1], repetitions=6)
_SENSOR = _Kind(path=TrialPath.SENSOR_TO_EFFECT, subjects=LAMPS[:1], repetitions=6)
_SENSOR_TWINS = _Kind(path=TrialPath.SENSOR_TO_EFFECT, subjects=LAMPS[:1], repetitions=6, rungs=(Rung.SOFTWARE,))
_REGIMES = ("open", "half", "closed")


def evaluation() -> EvaluationManifest:
    """Return the manifest of the synthetic evaluation."""
    names = ("calibration-1", "calibration-2", "calibration-3", "calibration-4", "calibration-twins")
    cohorts = (
        Cohort(
            name="cohort-1",
            sessions=tuple(HeldOutSession(session=SessionId(f"first-{n}"), regime="natural") for n in range(1, 4)),
        ),
        Cohort(
            name="cohort-2",
            sessions=tuple(
                HeldOutSession(session=SessionId(f"second-{n}"), regime=_REGIMES[n % 3]) for n in range(1, 9)
            ),
        ),
    )
    return EvaluationManifest(
        schema=EVALUATION_SCHEMA,
        name="synthetic",
        declared_at=WALL,
        synthetic=True,
        pool_sites=False,
        n_min=10,
        calibration=tuple(map(SessionId, names)),
        held_out=(HeldOutCell(path=TrialPath.SENSOR_TO_EFFECT, rung=Rung.PHYSICAL),),
        cohorts=cohorts,
        primary=tuple(
            _criterion(f"{cohort.name}: profile beats path-only in every session", "wins_every_session", cohort.name)
            for cohort in cohorts
        ),
        secondary=(
            _criterion("cohort-2: sign test", "sign_test", "cohort-2", limit=0.05),
            _criterion("cohort-2: Wilcoxon", "wilcoxon", "cohort-2", limit=0.05),
            _criterion("cohort-2: interval below zero", "bootstrap_below_zero", "cohort-2"),
            _criterion("cohort-2: coverage", "coverage", "cohort-2", limit=0.95),
        ),
        resampling=Resampling(resamples=2000, seed=7, confidence=0.95),
    )


def _criterion(name: str, kind: str, cohort: str, *, limit: float = 0.0) -> Criterion:
    return Criterion(
        name=name,
        kind=CriterionKind(kind),
        cohort=cohort,
        predictor=PredictorId.SIMVERITY,
        rival=PredictorId.PATH_ONLY,
        limit=limit,
    )


def write_evaluation(root: Path, *, seed: int) -> EvaluationFolder:
    """Write the manifest and the evidence of both sides."""
    folder = EvaluationFolder(root=root)
    manifest = evaluation()
    write_whole(folder.manifest_file, canonical_bytes(plain(manifest)) + b"\n")
    calibration = [session(name, (_LIGHTS, _GROUPS, _CROSS), seed) for name in manifest.calibration[:3]]
    calibration.append(session(manifest.calibration[3], (_LIGHTS,), seed, ended="interrupted"))
    calibration.append(session(manifest.calibration[4], (_SENSOR_TWINS,), seed))
    held_out = [
        session(one.session, (_SENSOR,), seed, regime=one.regime)
        for cohort in manifest.cohorts
        for one in cohort.sessions
    ]
    for side, records in (("calibration", calibration), ("held_out", held_out)):
        for record in records:
            write_session(root / side / f"{record.manifest.session}.jsonl.gz", record)
    return folder


def main(argv: list[str] | None = None) -> int:
    """Write synthetic evidence into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(argv)
    write_evaluation(given.folder, seed=given.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
