"""Clopper-Pearson bounds against SciPy, statsmodels, the published figures and what exactness implies."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.special import betainc
from scipy.stats import beta, binom
from statsmodels.stats.proportion import proportion_confint  # type: ignore[import-untyped]  # ships no types

from simverity_engine.statistics import binomial
from simverity_engine.statistics.binomial import CountsError, lower_limit, two_sided, upper_limit

TRIALS = (1, 2, 3, 5, 10, 16, 17, 59, 240, 1000, 9_999, 100_000)
CONFIDENCES = (0.2, 0.5, 0.9, 0.95, 0.99, 0.999999)


def _grid() -> list[tuple[int, int]]:
    cells = set()
    for n in TRIALS:
        for k in (0, 1, 2, 3, 7, 20, 42, n // 10, n // 3, n // 2):
            cells |= {(min(k, n), n), (n - min(k, n), n)}
    return sorted(cells)


GRID = _grid()

counts = st.integers(1, 100_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
confidences = st.floats(0.01, 0.999999)
rates = st.integers(0, 1_000_000).map(lambda millionths: millionths / 1_000_000)


@pytest.mark.parametrize("confidence", CONFIDENCES)
def test_limits_agree_with_scipy(confidence: float) -> None:
    tail = 1 - confidence
    for k, n in GRID:
        lower = beta.ppf(tail, k, n - k + 1) if k else 0.0
        upper = beta.ppf(confidence, k + 1, n - k) if k < n else 1.0
        assert lower_limit(k, n, confidence) == pytest.approx(lower, rel=1e-9, abs=0), (k, n)
        assert upper_limit(k, n, confidence) == pytest.approx(upper, rel=1e-9, abs=0), (k, n)


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_intervals_agree_with_statsmodels(confidence: float) -> None:
    for k, n in GRID:
        lower, upper = proportion_confint(k, n, alpha=1 - confidence, method="beta")
        interval = two_sided(k, n, confidence)
        assert interval.lower == pytest.approx(lower, rel=1e-9, abs=0), (k, n)
        assert interval.upper == pytest.approx(upper, rel=1e-9, abs=0), (k, n)


@pytest.mark.parametrize(
    ("k", "n", "upper"),
    [(0, 10, 0.2589), (0, 59, 0.0495), (0, 58, 0.0503)],
)
def test_one_sided_limits_that_the_method_quotes(k: int, n: int, upper: float) -> None:
    assert upper_limit(k, n) == pytest.approx(upper, abs=5e-5)


def test_the_default_confidence_is_95_percent() -> None:
    assert two_sided(7, 36) == two_sided(7, 36, 0.95)
    assert upper_limit(7, 36) == upper_limit(7, 36, 0.95)
    assert lower_limit(7, 36) == lower_limit(7, 36, 0.95)


@given(counts, confidences)
def test_a_limit_is_where_the_binomial_tail_has_the_stated_size(cell: tuple[int, int], confidence: float) -> None:
    k, n = cell
    assume(0 < k < n)
    tail = 1 - confidence
    assert betainc(k, n - k + 1, lower_limit(k, n, confidence)) == pytest.approx(tail, rel=1e-7)
    assert binom.cdf(k, n, upper_limit(k, n, confidence)) == pytest.approx(tail, rel=1e-7)


@given(counts, confidences)
def test_the_bounds_of_the_complement_mirror(cell: tuple[int, int], confidence: float) -> None:
    k, n = cell
    assert upper_limit(k, n, confidence) == pytest.approx(1 - lower_limit(n - k, n, confidence), rel=1e-12)


@given(counts, confidences)
def test_more_events_move_both_bounds_up(cell: tuple[int, int], confidence: float) -> None:
    k, n = cell
    assume(k < n)
    fewer, more = two_sided(k, n, confidence), two_sided(k + 1, n, confidence)
    assert fewer.lower < more.lower
    assert fewer.upper < more.upper


@given(counts, confidences, confidences)
def test_more_confidence_widens_the_interval(cell: tuple[int, int], one: float, other: float) -> None:
    assume(abs(one - other) > 1e-6)
    k, n = cell
    narrow, wide = two_sided(k, n, min(one, other)), two_sided(k, n, max(one, other))
    assert wide.lower <= narrow.lower
    assert narrow.upper <= wide.upper


@given(counts, st.floats(0.5, 0.999999))
def test_the_interval_holds_the_observed_rate(cell: tuple[int, int], confidence: float) -> None:
    k, n = cell
    interval = two_sided(k, n, confidence)
    assert 0.0 <= interval.lower <= k / n <= interval.upper <= 1.0


@given(st.integers(1, 40), rates, st.floats(0.5, 0.99))
def test_the_interval_covers_the_true_rate_at_least_as_often_as_it_says(n: int, rate: float, confidence: float) -> None:
    coverage = math.fsum(
        binom.pmf(k, n, rate)
        for k in range(n + 1)
        if (interval := two_sided(k, n, confidence)).lower <= rate <= interval.upper
    )
    assert coverage >= confidence - 1e-9


@pytest.mark.parametrize("k", [2, 30, 50_000, 99_000, 99_999])
@pytest.mark.parametrize("first_guess", [-50.0, -11.0, 0.0, 11.0, 50.0])
def test_a_poor_first_guess_costs_steps_not_the_answer(k: int, first_guess: float) -> None:
    n = 100_000
    logit = binomial._solve(k, n, 0.025, first_guess)
    assert binomial._expit(logit) == pytest.approx(two_sided(k, n).lower, rel=1e-11)


@pytest.mark.parametrize(("k", "n"), [(0, 0), (-1, 10), (11, 10), (0, -1)])
@pytest.mark.parametrize("bound", [two_sided, lower_limit, upper_limit])
def test_counts_that_cannot_be_are_refused(bound: object, k: int, n: int) -> None:
    assert callable(bound)
    with pytest.raises(CountsError):
        bound(k, n)


@pytest.mark.parametrize("confidence", [0.0, 1.0, -0.1, 1.1, math.nan])
@pytest.mark.parametrize("bound", [two_sided, lower_limit, upper_limit])
def test_a_confidence_that_cannot_be_is_refused(bound: object, confidence: float) -> None:
    assert callable(bound)
    with pytest.raises(CountsError):
        bound(1, 10, confidence)
