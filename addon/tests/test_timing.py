"""METHOD 1, by hand."""

from __future__ import annotations

import pytest

from simverity_witness.terms import State, Tier
from simverity_witness.timing import (
    Lag,
    StreamOffsets,
    Timing,
    arrival_bound,
    captured_between,
    lateness,
    offset_lo,
    offsets_now,
)

BY_STAMP = Timing(
    tier=Tier.STREAM_CLOCK,
    offset_hi=100.02,
    offset_lo=99.99,
    frame_interval=0.02,
    arrival_bound=None,
    arrival_gap_limit=0.05,
)
BY_ARRIVAL = Timing(
    tier=Tier.ARRIVAL,
    offset_hi=None,
    offset_lo=None,
    frame_interval=0.1,
    arrival_bound=0.3,
    arrival_gap_limit=0.2,
)


def lag(lamp: str, direction: State, commanded_at: float, took: float, stamp: float | None = None) -> Lag:
    return Lag(
        lamp=lamp,
        direction=direction,
        commanded_at=commanded_at,
        first_new_stamp=stamp,
        first_new_arrival=commanded_at + took,
    )


def test_by_stamp_a_capture_lies_between_both_offsets_less_one_frame() -> None:
    span = captured_between(BY_STAMP, StreamOffsets(hi=100.02, lo=99.99), stamp=7.0, arrival=108.0)
    assert span == pytest.approx((106.97, 107.02))


def test_no_capture_is_later_than_its_arrival() -> None:
    span = captured_between(BY_STAMP, StreamOffsets(hi=100.02, lo=99.99), stamp=7.0, arrival=106.9)
    assert span == (106.9, 106.9)


def test_by_arrival_a_capture_lies_within_twice_the_bound() -> None:
    assert captured_between(BY_ARRIVAL, None, stamp=None, arrival=50.0) == pytest.approx((49.4, 50.0))


def test_without_a_stamp_a_stamp_tier_says_nothing() -> None:
    assert captured_between(BY_STAMP, StreamOffsets(hi=1.0, lo=0.0), stamp=None, arrival=1.0) is None
    assert captured_between(BY_STAMP, None, stamp=1.0, arrival=1.0) is None


def test_the_lower_offset_is_the_largest_of_all_strobes() -> None:
    lags = [
        lag("a", State.ON, 10.0, 0.05, 0.04),
        lag("b", State.ON, 20.0, 0.05, 10.01),
        lag("b", State.OFF, 30.0, 0.5, 20.4),
    ]
    assert offset_lo(lags) == pytest.approx(9.99)
    assert offset_lo([lag("a", State.ON, 1.0, 0.1)]) is None


def test_the_arrival_bound_is_the_smallest_of_the_classes_longest() -> None:
    # A slow *off* must not make the camera look slow: its own class's longest is 0.9 s, the quick *on*'s 0.25 s.
    lags = [lag("a", State.ON, n, 0.05 + 0.01 * n) for n in range(21)]
    lags += [lag("a", State.OFF, n, 0.7 + 0.01 * n) for n in range(21)]
    assert arrival_bound(lags) == pytest.approx(0.25)


def test_a_class_with_too_few_strobes_does_not_count() -> None:
    few = [lag("a", State.ON, n, 0.05) for n in range(19)]
    assert arrival_bound(few) is None
    assert arrival_bound(few, min_strobes=19) == pytest.approx(0.05)
    many = [lag("a", State.OFF, n, 0.5) for n in range(20)]
    assert arrival_bound(few + many) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("current", "expected"),
    [
        (100.02, (100.02, 99.99)),
        (100.05, (100.05, 99.99)),
        (99.92, (99.92, 99.89)),
    ],
)
def test_offsets_follow_a_drifting_clock_to_the_safe_side(current: float, expected: tuple[float, float]) -> None:
    offsets = offsets_now(BY_STAMP, current)
    assert offsets is not None
    assert (offsets.hi, offsets.lo) == pytest.approx(expected)


def test_offsets_that_are_not_known_are_none() -> None:
    assert offsets_now(BY_STAMP, None) is None
    assert offsets_now(BY_ARRIVAL, 5.0) is None


def test_how_long_a_window_waits_for_its_last_frame() -> None:
    assert lateness(BY_ARRIVAL) == pytest.approx(0.6)
    assert lateness(BY_STAMP) == pytest.approx(0.09)
