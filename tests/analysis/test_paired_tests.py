"""The paired tests and the resampling, against SciPy and against enumeration."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from analysis.paired_tests import FEW_SESSIONS, MOST_ENUMERATED, resample_sessions, sign_test, wilcoxon

DIFFERENCES = st.lists(st.integers(min_value=-4, max_value=4).map(lambda n: n / 8), min_size=1, max_size=9)
"""Eighths are exact, so that ties are ties."""


def enumerated(differences: list[float]) -> float | None:
    """The p of Wilcoxon's test by going through every assignment of signs."""
    kept = [one for one in differences if one]
    if not kept:
        return None
    ranks = [Fraction(round(2 * rank), 2) for rank in stats.rankdata([abs(one) for one in kept])]
    observed = sum((rank for rank, one in zip(ranks, kept, strict=True) if one < 0), Fraction(0))
    sums = [
        sum((rank for rank, won in zip(ranks, signs, strict=True) if won), Fraction(0))
        for signs in itertools.product((False, True), repeat=len(kept))
    ]
    return sum(one >= observed for one in sums) / len(sums)


@given(DIFFERENCES)
def test_wilcoxon_counts_every_assignment_of_signs(differences: list[float]) -> None:
    found = wilcoxon(differences)
    assert (None if found is None else found.p) == enumerated(differences)


@given(st.lists(st.floats(min_value=-1, max_value=1), min_size=1, max_size=12, unique_by=abs))
def test_wilcoxon_without_ties_is_scipys_exact_test(differences: list[float]) -> None:
    kept = [one for one in differences if one]
    found = wilcoxon(differences)
    if not kept:
        assert found is None
        return
    expected = stats.wilcoxon(kept, alternative="less", method="exact")
    assert found is not None
    assert found.n == len(kept)
    assert math.isclose(found.p, float(expected.pvalue), rel_tol=1e-9)


@given(DIFFERENCES)
def test_the_sign_test_is_scipys_binomial_test_without_zeros(differences: list[float]) -> None:
    kept = [one for one in differences if one]
    found = sign_test(differences)
    if not kept:
        assert found is None
        return
    wins = sum(one < 0 for one in kept)
    assert found is not None
    assert math.isclose(found.p, stats.binomtest(wins, len(kept), alternative="greater").pvalue, rel_tol=1e-9)


def test_nothing_to_test_gives_no_p() -> None:
    assert sign_test([0.0, 0.0]) is None
    assert wilcoxon([]) is None


def test_too_many_sessions_to_enumerate_give_no_rank_p() -> None:
    assert wilcoxon([-1.0] * MOST_ENUMERATED) is not None
    assert wilcoxon([-1.0] * (MOST_ENUMERATED + 1)) is None


def test_few_sessions_give_their_own_support() -> None:
    found = resample_sessions([-1.5, -0.75, 0.0], [12, 6, 3], resamples=1000, seed=1, confidence=0.95)
    assert found is not None
    assert (found.lower, found.upper, found.label) == (-0.125, 0.0, "resampling support")
    assert math.isclose(found.mean, -2.25 / 21)


def test_enough_sessions_give_scipys_percentile_interval() -> None:
    differences = np.random.default_rng(3).normal(-0.1, 0.2, 12)
    found = resample_sessions(list(differences), [1] * 12, resamples=20_000, seed=5, confidence=0.95)
    expected = stats.bootstrap(
        (differences,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(8)
    ).confidence_interval
    assert found is not None
    assert found.label == "percentile interval"
    assert found.lower == pytest.approx(expected.low, abs=0.005)
    assert found.upper == pytest.approx(expected.high, abs=0.005)


def test_whole_sessions_are_drawn_with_their_weight() -> None:
    totals, weights = [0.0] * (FEW_SESSIONS - 1) + [100.0], [1] * (FEW_SESSIONS - 1) + [100]
    found = resample_sessions(totals, weights, resamples=5000, seed=1, confidence=0.95)
    assert found is not None
    assert found.mean == pytest.approx(100 / 104)
    assert found.lower == 0.0
    assert found.upper > 0.98


def test_the_same_seed_draws_the_same() -> None:
    draws = [
        resample_sessions([float(n) for n in range(8)], [1] * 8, resamples=500, seed=seed, confidence=0.9)
        for seed in (1, 1, 2)
    ]
    assert draws[0] == draws[1] != draws[2]


def test_batches_do_not_change_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    def draw() -> object:
        return resample_sessions([float(n) for n in range(8)], [1] * 8, resamples=500, seed=1, confidence=0.9)

    at_once = draw()
    monkeypatch.setattr("analysis.paired_tests._BATCH", 64)
    assert draw() == at_once


def test_sessions_without_a_row_are_not_drawn() -> None:
    assert resample_sessions([0.0], [0], resamples=10, seed=1, confidence=0.95) is None
    found = resample_sessions([1.0, 0.0], [2, 0], resamples=10, seed=1, confidence=0.95)
    assert found is not None
    assert found.sessions == 1
