"""Registered criteria: met, not met, or undecided, and never decided by what is missing."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from analysis.accounting import Accounts
from analysis.errors import AnalysisError
from analysis.evaluating import CriterionResult, evaluate
from analysis.evidence import PREDICTORS, HeldOut, Vector
from analysis.synthetic import evaluation
from simverity_engine.profile.counts import Tally
from simverity_engine.profile.predictors import PredictorId
from simverity_engine.profile.registration import (
    Cohort,
    Criterion,
    CriterionKind,
    EvaluationManifest,
    HeldOutSession,
)
from simverity_engine.terms import SessionId

GOOD, BAD = 0.1, 0.4


def vector(profile: float | None, path: float | None = BAD) -> Vector:
    """Answers of the profile and of path-only; the others agree with path-only."""
    risks = dict.fromkeys(PREDICTORS, path) | {PredictorId.SIMVERITY: profile}
    return tuple(None if risks[one] is None else (risks[one] or 0.0, 2) for one in PREDICTORS)


def manifest(kind: CriterionKind, sessions: int, **changes: object) -> EvaluationManifest:
    """One criterion over one cohort of so many sessions."""
    names = tuple(HeldOutSession(session=SessionId(f"h-{n}"), regime="natural") for n in range(sessions))
    criterion = Criterion(
        name="the criterion",
        kind=kind,
        cohort="one",
        predictor=PredictorId.SIMVERITY,
        rival=PredictorId.PATH_ONLY,
        limit=0.05,
    )
    plain = replace(
        evaluation(),
        cohorts=(Cohort(name="one", sessions=names),),
        primary=(criterion,),
        secondary=(),
        n_min=1,
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def held_out(*sessions: Mapping[Vector, Tally]) -> HeldOut:
    """Answers and outcomes of sessions."""
    return HeldOut(
        vectors={SessionId(f"h-{n}"): found for n, found in enumerate(sessions)},
        outcomes={},
        evidence=frozenset(),
        accounts=Accounts(),
    )


def judged(kind: CriterionKind, *sessions: Mapping[Vector, Tally], **changes: object) -> CriterionResult:
    """The result of the criterion."""
    found = evaluate(manifest(kind, len(sessions), **changes), Accounts(), held_out(*sessions))
    (result,) = found.primary
    return result


PASSES = Tally(trials=10, failures=0)
WIN = {vector(GOOD): PASSES}
TIE = {vector(BAD): PASSES}
LOSS = {vector(0.9): PASSES}
UNSHARED = {vector(None): PASSES}


@pytest.mark.parametrize(
    ("sessions", "met"),
    [((WIN, WIN, WIN), True), ((WIN, TIE), False), ((WIN, LOSS), False), ((WIN, UNSHARED), False), ((WIN, {}), False)],
)
def test_winning_every_session_means_every_planned_one(sessions: tuple[Mapping[Vector, Tally], ...], met: bool) -> None:
    assert judged(CriterionKind.WINS_EVERY_SESSION, *sessions).met is met


@pytest.mark.parametrize("kind", [CriterionKind.SIGN_TEST, CriterionKind.WILCOXON])
@pytest.mark.parametrize(
    ("sessions", "met"),
    [([WIN] * 8, True), ([WIN] * 3, False), ([TIE] * 8, None), ([*[WIN] * 8, UNSHARED], None)],
)
def test_a_test_is_undecided_where_there_is_nothing_to_test(
    kind: CriterionKind, sessions: list[Mapping[Vector, Tally]], met: bool | None
) -> None:
    assert judged(kind, *sessions).met is met


@pytest.mark.parametrize(("sessions", "met"), [([WIN] * 8, True), ([LOSS] * 8, False), ([WIN] * 4, None)])
def test_resampling_decides_only_with_enough_sessions(sessions: list[Mapping[Vector, Tally]], met: bool | None) -> None:
    assert judged(CriterionKind.BOOTSTRAP_BELOW_ZERO, *sessions).met is met


@pytest.mark.parametrize(("sessions", "met"), [((WIN,), True), ((UNSHARED, UNSHARED), False)])
def test_coverage_is_over_all_rows(sessions: tuple[Mapping[Vector, Tally], ...], met: bool) -> None:
    assert judged(CriterionKind.COVERAGE, *sessions).met is met


def test_too_few_rows_decide_nothing() -> None:
    found = judged(CriterionKind.WINS_EVERY_SESSION, WIN, n_min=11)
    assert found.met is None
    assert found.finding == "insufficient evidence: 10 rows, 11 needed"


def test_uncovered_rows_enter_no_score() -> None:
    found = evaluate(manifest(CriterionKind.COVERAGE, 1), Accounts(), held_out({**WIN, **UNSHARED}))
    profile = found.cohorts[0].predictors[PREDICTORS.index(PredictorId.SIMVERITY)]
    assert profile.scores is not None
    assert (profile.scores.trials, profile.uncovered, profile.coverage) == (10, 10, 0.5)
    (comparison,) = [one for one in found.cohorts[0].comparisons if one.rival is PredictorId.PATH_ONLY]
    assert (comparison.trials, comparison.uncompared) == (10, 10)


@pytest.mark.parametrize("path", [0.2, None])
def test_predictors_that_must_coincide_are_held_to_it(path: float | None) -> None:
    answers = list(vector(GOOD))
    answers[PREDICTORS.index(PredictorId.PATH_ONLY)] = None if path is None else (path, 2)
    with pytest.raises(AnalysisError, match="must coincide"):
        evaluate(manifest(CriterionKind.COVERAGE, 1), Accounts(), held_out({tuple(answers): PASSES}))
