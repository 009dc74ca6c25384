"""The arithmetic of the paper, recomputed from its own counts."""

import math

import pytest
from scipy import stats

from analysis.paired_tests import sign_test, wilcoxon
from analysis.scoring import score
from simverity_engine.profile.counts import Tally
from simverity_engine.profile.predictors import SIMULATOR_RISK
from simverity_engine.statistics.fidelity import PairCounts, Rate, RiskBound, risk_bound

LEDGER = [
    *[(240, 240), (20, 240), (42, 240), (0, 240)],
    (16, 90),
    *[(12, 36), (7, 36), (0, 36)],
    *[(32, 32), (4, 32), (12, 32), (0, 32)],
    *[(160, 160), (20, 160), (30, 160), (0, 160)],
    *[(0, 120), (21, 120)],
    *[(31, 96), (41, 96), (0, 96)],
]
"""False clearances of cleared and decided trials, row by row."""
COHORTS = {"cohort 1": (3, 36), "cohort 2": (8, 96)}
"""Sessions and trials."""


@pytest.mark.parametrize(("failures", "trials"), LEDGER)
def test_every_row_of_the_ledger_has_its_risk_and_its_exact_interval(failures: int, trials: int) -> None:
    found = risk_bound(PairCounts(pass_pass=trials - failures, pass_fail=failures))
    assert isinstance(found, RiskBound)
    assert isinstance(found.point, Rate)
    oracle = stats.binomtest(failures, trials)
    expected = oracle.proportion_ci(confidence_level=0.95, method="exact")
    assert found.point.value == failures / trials
    assert math.isclose(found.point.interval.lower, expected.low, rel_tol=1e-9, abs_tol=1e-15)
    assert math.isclose(found.point.interval.upper, expected.high, rel_tol=1e-9)


@pytest.mark.parametrize(("failures", "trials", "brier"), [(7, 36, 0.1907), (31, 96, 0.3166)])
def test_the_simulator_verdict_has_the_brier_score_that_the_paper_prints(
    failures: int, trials: int, brier: float
) -> None:
    found = score({SIMULATOR_RISK: Tally(trials=trials, failures=failures)})
    assert found is not None
    assert round(found.brier, 4) == brier


@pytest.mark.parametrize(("wins", "sessions", "p"), [(3, 3, 0.125), (8, 8, 0.0039), (7, 8, 0.035)])
def test_the_sign_test_has_the_p_that_the_paper_prints(wins: int, sessions: int, p: float) -> None:
    differences = [-1.0] * wins + [1.0] * (sessions - wins)
    found = sign_test(differences)
    assert found is not None
    assert math.isclose(found.p, stats.binomtest(wins, sessions, alternative="greater").pvalue, rel_tol=1e-12)
    assert round(found.p, 4 if p < 0.01 else 3) == p


@pytest.mark.parametrize(("sessions", "p"), [(3, 0.125), (8, 1 / 256)])
def test_winning_every_session_has_the_same_p_in_both_tests(sessions: int, p: float) -> None:
    differences = [-0.01 * size for size in range(1, sessions + 1)]
    signs, ranks = sign_test(differences), wilcoxon(differences)
    assert signs is not None
    assert ranks is not None
    assert signs.p == ranks.p == p


def test_all_held_out_trials_are_accounted_for() -> None:
    assert sum(trials for _, trials in COHORTS.values()) == 132
    assert sum(sessions for sessions, _ in COHORTS.values()) == 11
    assert all(trials % sessions == 0 for sessions, trials in COHORTS.values())
    assert {trials for _, trials in LEDGER} >= {trials for _, trials in COHORTS.values()}
