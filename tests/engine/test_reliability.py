"""Expected risk beside what the other trials showed, with SciPy as the oracle of the exact bars."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from simverity_engine.reliability import reliability_point


def test_the_rest_of_the_trials_is_compared_with_what_was_expected() -> None:
    point = reliability_point(seen=(10, 10), every=(17, 18))
    assert point is not None
    assert point.expected == pytest.approx(10.5 / 11)
    assert (point.failures, point.decided) == (7, 8)
    assert point.interval.lower == pytest.approx(beta.ppf(0.025, 7, 2))
    assert point.interval.upper == pytest.approx(beta.ppf(0.975, 8, 1))


@pytest.mark.parametrize(("seen", "every"), [((0, 0), (1, 5)), ((0, 5), (0, 5)), ((3, 5), (2, 9)), ((0, 5), (7, 9))])
def test_without_trials_on_both_sides_there_is_no_point(seen: tuple[int, int], every: tuple[int, int]) -> None:
    assert reliability_point(seen=seen, every=every) is None


@given(st.integers(1, 50), st.integers(1, 50), st.data())
def test_a_point_counts_every_trial_once(first: int, others: int, data: st.DataObject) -> None:
    seen = (data.draw(st.integers(0, first)), first)
    failures = data.draw(st.integers(0, others))
    point = reliability_point(seen=seen, every=(seen[0] + failures, first + others))
    assert point is not None
    assert (point.failures, point.decided) == (failures, others)
    assert 0 < point.expected < 1
    assert point.interval.lower <= failures / others <= point.interval.upper
