"""Small rows, manifests and profiles for the tests of prediction."""

from __future__ import annotations

from dataclasses import replace

from simverity_engine.profile.counts import ClassCounts, Counted, counted, group
from simverity_engine.profile.predictors import PredictorId
from simverity_engine.profile.profile import RiskProfile, fit
from simverity_engine.profile.registration import (
    Cohort,
    Criterion,
    CriterionKind,
    EvaluationManifest,
    HeldOutCell,
    HeldOutSession,
    Resampling,
)
from simverity_engine.profile.row import Latency, PredictionRow, Query
from simverity_engine.profile.split import Evidence
from simverity_engine.session.manifest import TrialKey
from simverity_engine.terms import GRID, Direction, Path, PropertyId, RowId, Rung, SessionId, Source, SubjectId

EFFECT = PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE
READ = PropertyId.REPORTED_READ_AFTER_WRITE
CALIBRATION, HELD_OUT = SessionId("c-1"), SessionId("h-1")
LAMP, OTHER = SubjectId("lamp"), SubjectId("other")


def query(**changes: object) -> Query:
    """The effect of one lamp going off, read at 0.25 s."""
    plain = Query(
        site="home",
        property_id=EFFECT,
        boundary="0.25",
        direction=Direction.OFF,
        path=Path.SINGLE_LIGHT,
        rung=Rung.PHYSICAL,
        action="light.turn_off",
        devices=(LAMP,),
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def row(asked: Query, *, failed: bool, latency: float | None = 0.3, session: SessionId = CALIBRATION) -> PredictionRow:
    """A row of one trial; every device took ``latency``."""
    return PredictionRow(
        session=session,
        key=TrialKey(session=session, row=RowId("r"), repetition=0),
        reset="reset-1",
        source=Source.TWIN if asked.rung is Rung.PHYSICAL else Source.ACCEPTED_CALL,
        query=asked,
        failed=failed,
        latencies=tuple(Latency(device=device, seconds=latency) for device in asked.devices)
        if asked.property_id is EFFECT
        else (),
    )


def rows(asked: Query, failures: int, trials: int, **changes: object) -> list[PredictionRow]:
    """Several rows of one query, of which the first failed."""
    return [row(asked, failed=number < failures, **changes) for number in range(trials)]  # type: ignore[arg-type]


def count(*found: list[PredictionRow]) -> Counted:
    """The counts of rows, over the ordinary grid."""
    return counted([one for part in found for one in part], GRID)


def classes(*found: list[PredictionRow], pool_sites: bool = False) -> ClassCounts:
    """The counts of rows by class."""
    return group(count(*found), pool_sites=pool_sites)


def evaluation(**changes: object) -> EvaluationManifest:
    """One calibration session; the sensor path at the physical rung is held out, in one cohort of one session."""
    plain = EvaluationManifest(
        schema=1,
        name="example",
        declared_at="2026-12-01T00:00:00+00:00",
        synthetic=True,
        pool_sites=False,
        n_min=1,
        calibration=(CALIBRATION,),
        held_out=(HeldOutCell(path=Path.SENSOR_TO_EFFECT, rung=Rung.PHYSICAL),),
        cohorts=(Cohort(name="one", sessions=(HeldOutSession(session=HELD_OUT, regime="natural"),)),),
        primary=(criterion(),),
        secondary=(),
        resampling=Resampling(resamples=100, seed=1, confidence=0.95),
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def criterion(**changes: object) -> Criterion:
    """The profile wins every session against path-only."""
    plain = Criterion(
        name="wins",
        kind=CriterionKind.WINS_EVERY_SESSION,
        cohort="one",
        predictor=PredictorId.SIMVERITY,
        rival=PredictorId.PATH_ONLY,
        limit=0.0,
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def evidence(**changes: object) -> Evidence:
    """Where a calibration row comes from."""
    plain = Evidence(site="home", session=CALIBRATION, reset="reset-1", path=Path.SINGLE_LIGHT, rung=Rung.PHYSICAL)
    return replace(plain, **changes)  # type: ignore[arg-type]


def profile(*found: list[PredictionRow], **changes: object) -> RiskProfile:
    """A profile fitted to rows."""
    manifest = evaluation(**changes)
    return fit(manifest, classes(*found, pool_sites=manifest.pool_sites), [evidence()])
