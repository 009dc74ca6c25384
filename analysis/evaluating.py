"""The evaluation: what every predictor scored on every cohort, and which registered criteria were met."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analysis.accounting import Accounts
from analysis.comparing import Comparison, compare
from analysis.errors import AnalysisError
from analysis.evidence import PREDICTORS, BoundaryClass, HeldOut, Vector, forecasts_of
from analysis.scoring import ReliabilityBin, Scores, reliability, score
from simverity_engine.profile.counts import Tally
from simverity_engine.profile.predictors import PredictorId
from simverity_engine.profile.registration import Cohort, Criterion, CriterionKind, EvaluationManifest
from simverity_engine.terms import PropertyId, SessionId


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictorResult:
    """One predictor on one cohort.

    ``levels`` counts trials by the back-off level that answered; ``coverage`` is covered of all rows.
    """

    predictor: PredictorId
    scores: Scores | None
    uncovered: int
    coverage: float | None
    levels: tuple[tuple[int, int], ...]
    reliability: tuple[ReliabilityBin, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionResult:
    """One held-out session: its rows under the primary property, and each predictor's Brier score on what it covers."""

    session: SessionId
    regime: str
    trials: int
    failures: int
    brier: tuple[tuple[PredictorId, float | None], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyCount:
    """How one property did in a cohort, at one boundary in one direction, or over all (``all``)."""

    property_id: PropertyId
    direction: str
    boundary: str
    trials: int
    failures: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CohortResult:
    """One cohort."""

    name: str
    trials: int
    failures: int
    sessions: tuple[SessionResult, ...]
    predictors: tuple[PredictorResult, ...]
    comparisons: tuple[Comparison, ...]
    counts: tuple[PropertyCount, ...]
    boundaries: tuple[PropertyCount, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionResult:
    """One registered criterion. ``met`` is None where there is not enough evidence; ``finding`` says it in words."""

    criterion: Criterion
    met: bool | None
    finding: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """All that is published of an evaluation."""

    manifest: EvaluationManifest
    cohorts: tuple[CohortResult, ...]
    primary: tuple[CriterionResult, ...]
    secondary: tuple[CriterionResult, ...]
    calibration: Accounts
    held_out: Accounts


def evaluate(manifest: EvaluationManifest, calibration: Accounts, found: HeldOut) -> Evaluation:
    """Evaluate what the frozen profile answered.

    Raises:
        AnalysisError: two predictors that must coincide on a held-out path do not.
    """
    _check_coincidence(found)
    cohorts = tuple(_cohort(manifest, cohort, found) for cohort in manifest.cohorts)
    by_name = {cohort.name: cohort for cohort in cohorts}
    vectors = {cohort.name: _vectors(cohort, found) for cohort in manifest.cohorts}

    def judge(criterion: Criterion) -> CriterionResult:
        return _criterion(manifest, criterion, by_name[criterion.cohort], vectors[criterion.cohort])

    return Evaluation(
        manifest=manifest,
        cohorts=cohorts,
        primary=tuple(map(judge, manifest.primary)),
        secondary=tuple(map(judge, manifest.secondary)),
        calibration=calibration,
        held_out=found.accounts,
    )


def _check_coincidence(found: HeldOut) -> None:
    """On a path that was never measured, paths cannot be told apart: both predictors rest on the same trials."""
    scalar, path = PREDICTORS.index(PredictorId.SCALAR_LATENCY), PREDICTORS.index(PredictorId.PATH_ONLY)
    for vectors in found.vectors.values():
        for vector in vectors:
            pooled, by_path = vector[scalar], vector[path]
            if pooled is not None and (by_path is None or by_path[0] != pooled[0]):
                raise AnalysisError("on a held-out path scalar latency and path-only must coincide, and do not")


def _vectors(cohort: Cohort, found: HeldOut) -> dict[SessionId, Mapping[Vector, Tally]]:
    return {name: found.vectors.get(name, {}) for name in cohort.names}


def _cohort(manifest: EvaluationManifest, cohort: Cohort, found: HeldOut) -> CohortResult:
    sessions = _vectors(cohort, found)
    whole = [tally for vectors in sessions.values() for tally in vectors.values()]
    mine = frozenset(cohort.names)
    outcomes = {place: tally for place, tally in found.outcomes.items() if place.session in mine}
    rivals = [one for one in PREDICTORS if one is not PredictorId.SIMVERITY]
    return CohortResult(
        name=cohort.name,
        trials=sum(tally.trials for tally in whole),
        failures=sum(tally.failures for tally in whole),
        sessions=tuple(_session(one.session, one.regime, sessions[one.session]) for one in cohort.sessions),
        predictors=tuple(
            _predictor(one, list(sessions.values()), manifest.resampling.confidence) for one in PREDICTORS
        ),
        comparisons=tuple(compare(sessions, PredictorId.SIMVERITY, rival, manifest.resampling) for rival in rivals),
        counts=_counts(outcomes, by_boundary=False),
        boundaries=_counts(outcomes, by_boundary=True),
    )


def _session(session: SessionId, regime: str, vectors: Mapping[Vector, Tally]) -> SessionResult:
    scored = [(one, score(forecasts_of([vectors], one))) for one in PREDICTORS]
    return SessionResult(
        session=session,
        regime=regime,
        trials=sum(tally.trials for tally in vectors.values()),
        failures=sum(tally.failures for tally in vectors.values()),
        brier=tuple((one, None if found is None else found.brier) for one, found in scored),
    )


def _predictor(
    predictor: PredictorId, sessions: Sequence[Mapping[Vector, Tally]], confidence: float
) -> PredictorResult:
    place = PREDICTORS.index(predictor)
    levels: Counter[int] = Counter()
    uncovered = 0
    for vectors in sessions:
        for vector, tally in vectors.items():
            answer = vector[place]
            if answer is None:
                uncovered += tally.trials
            else:
                levels[answer[1]] += tally.trials
    covered = levels.total()
    forecasts = forecasts_of(sessions, predictor)
    return PredictorResult(
        predictor=predictor,
        scores=score(forecasts),
        uncovered=uncovered,
        coverage=covered / (covered + uncovered) if covered + uncovered else None,
        levels=tuple(sorted(levels.items())),
        reliability=reliability(forecasts, confidence),
    )


def _counts(outcomes: Mapping[BoundaryClass, Tally], *, by_boundary: bool) -> tuple[PropertyCount, ...]:
    summed: dict[tuple[PropertyId, str, str], Tally] = {}
    for place, tally in outcomes.items():
        key = (place.property_id, place.direction, place.boundary) if by_boundary else (place.property_id, "all", "all")
        summed[key] = summed.get(key, Tally()) + tally
    return tuple(
        PropertyCount(
            property_id=key[0],
            direction=key[1],
            boundary=key[2],
            trials=summed[key].trials,
            failures=summed[key].failures,
        )
        for key in sorted(summed, key=lambda key: (key[0], key[1], _seconds(key[2]), key[2]))
    )


def _seconds(boundary: str) -> float:
    try:
        return float(boundary)
    except ValueError:
        return float("inf")


def _criterion(
    manifest: EvaluationManifest,
    criterion: Criterion,
    cohort: CohortResult,
    sessions: Mapping[SessionId, Mapping[Vector, Tally]],
) -> CriterionResult:
    if cohort.trials < manifest.n_min:
        finding = f"insufficient evidence: {cohort.trials} rows, {manifest.n_min} needed"
        return CriterionResult(criterion=criterion, met=None, finding=finding)
    if criterion.kind is CriterionKind.COVERAGE:
        place = next(one for one in cohort.predictors if one.predictor is criterion.predictor)
        coverage = place.coverage or 0.0
        finding = f"{cohort.trials - place.uncovered} of {cohort.trials} rows covered"
        return CriterionResult(criterion=criterion, met=coverage >= criterion.limit, finding=finding)
    comparison = compare(sessions, criterion.predictor, criterion.rival, manifest.resampling)
    met, finding = _compared(criterion, comparison, len(sessions))
    return CriterionResult(criterion=criterion, met=met, finding=finding)


def _compared(criterion: Criterion, comparison: Comparison, planned: int) -> tuple[bool | None, str]:
    """Judge a comparison. A planned session without a shared trial is no win, and leaves a test undecided."""
    record = f"{comparison.wins} wins, {comparison.ties} ties, {comparison.losses} losses in {planned} sessions"
    missing = f"{comparison.unshared} sessions share no trial" if comparison.unshared else ""
    if criterion.kind is CriterionKind.WINS_EVERY_SESSION:
        return comparison.wins == planned, f"{record}{f'; {missing}' if missing else ''}"
    if missing:
        return None, f"insufficient evidence: {missing}"
    if criterion.kind is CriterionKind.BOOTSTRAP_BELOW_ZERO:
        drawn = comparison.resampled
        if drawn is None or drawn.label != "percentile interval":
            return None, f"insufficient evidence: {len(comparison.sessions)} sessions are too few to resample"
        return drawn.upper < 0, f"mean difference {drawn.mean:.4f}, interval {drawn.lower:.4f} to {drawn.upper:.4f}"
    tested = comparison.sign_test if criterion.kind is CriterionKind.SIGN_TEST else comparison.wilcoxon
    if tested is None:
        return None, f"insufficient evidence: {record}, nothing to test"
    return tested.p <= criterion.limit, f"{record}; {tested.text}"
