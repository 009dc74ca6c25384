"""Scores from counts, against the plain definitions over single trials."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from analysis.scoring import reliability, score, totals
from simverity_engine.profile.counts import Tally

RISKS = st.sampled_from([0.01, 0.1, 0.25, 0.5, 0.9, 0.99])
TALLIES = st.tuples(st.integers(min_value=0, max_value=6), st.integers(min_value=0, max_value=6)).map(
    lambda counts: Tally(trials=sum(counts), failures=counts[0])
)
FORECASTS = st.dictionaries(RISKS, TALLIES, max_size=6)


def trials_of(forecasts: dict[float, Tally]) -> tuple[np.ndarray, np.ndarray]:
    """Every trial by itself: its risk, and whether it failed."""
    risks = [risk for risk, tally in forecasts.items() for _ in range(tally.trials)]
    failed = [n < tally.failures for tally in forecasts.values() for n in range(tally.trials)]
    return np.array(risks), np.array(failed, dtype=float)


@given(FORECASTS)
def test_brier_and_log_loss_are_means_over_trials(forecasts: dict[float, Tally]) -> None:
    risks, failed = trials_of(forecasts)
    found = score(forecasts)
    if len(risks) == 0:
        assert found is None
        return
    assert found is not None
    assert (found.trials, found.failures) == (len(risks), failed.sum())
    assert math.isclose(found.brier, float(np.mean((risks - failed) ** 2)), rel_tol=1e-12)
    likelihood = np.where(failed == 1, risks, 1 - risks)
    assert math.isclose(found.log_loss, float(-np.mean(np.log(likelihood))), rel_tol=1e-12)


@given(FORECASTS)
def test_auroc_is_the_rank_statistic_of_scipy(forecasts: dict[float, Tally]) -> None:
    risks, failed = trials_of(forecasts)
    assume(0 < failed.sum() < len(risks))
    found = score(forecasts)
    pairs = failed.sum() * (len(risks) - failed.sum())
    expected = stats.mannwhitneyu(risks[failed == 1], risks[failed == 0]).statistic / pairs
    assert found is not None
    assert found.auroc is not None
    assert math.isclose(found.auroc, float(expected), rel_tol=1e-12)


@pytest.mark.parametrize("failures", [0, 3])
def test_there_is_no_auroc_where_all_trials_ended_alike(failures: int) -> None:
    found = score({0.5: Tally(trials=3, failures=failures)})
    assert found is not None
    assert found.auroc is None


def test_certainty_that_was_wrong_costs_everything() -> None:
    found = score({0.0: Tally(trials=2, failures=1)})
    assert found is not None
    assert found.log_loss == math.inf


@given(FORECASTS)
def test_reliability_has_scipys_exact_bars(forecasts: dict[float, Tally]) -> None:
    kept = {risk: tally for risk, tally in forecasts.items() if tally.trials}
    bins = reliability(kept, 0.95)
    assert [one.risk for one in bins] == sorted(kept)
    for one in bins:
        expected = stats.binomtest(one.failures, one.trials).proportion_ci(method="exact")
        assert one.observed == one.failures / one.trials
        assert math.isclose(one.interval.lower, expected.low, rel_tol=1e-9, abs_tol=1e-15)
        assert math.isclose(one.interval.upper, expected.high, rel_tol=1e-9)


def test_many_risks_are_pooled_by_tenths() -> None:
    forecasts = {n / 100: Tally(trials=2, failures=n % 2) for n in range(1, 100)}
    bins = reliability(forecasts, 0.95)
    assert len(bins) == 10
    assert sum(one.trials for one in bins) == totals(forecasts)[0]
    assert sum(one.failures for one in bins) == totals(forecasts)[1]
    assert all(place / 10 <= one.risk < (place + 1) / 10 for place, one in enumerate(bins))
