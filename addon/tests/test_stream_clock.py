"""The stream's clock against ours: wraps, jumps, drift, and when it is not believed."""

from __future__ import annotations

import random

import numpy as np
import pytest

from simverity_witness.stream_clock import WRAP, StreamClock, follows_our_clock, unwrap


def test_a_wrap_goes_on_as_if_nothing_had_happened() -> None:
    clock = StreamClock()
    unwrapped = [clock.feed((WRAP - 0.5 + n * 0.1) % WRAP, 100 + n * 0.1) for n in range(20)]
    assert np.diff(unwrapped) == pytest.approx([0.1] * 19)
    assert clock.jumps == 0


def test_unwrap_goes_backwards_too() -> None:
    assert unwrap(WRAP - 0.04, near=0.02) == pytest.approx(-0.04)


def test_the_offset_is_the_smallest_of_the_recent_frames() -> None:
    clock, chance = StreamClock(), random.Random(1)
    lates = [chance.uniform(0.01, 0.3) for _ in range(200)]
    for number, late in enumerate(lates):
        clock.feed(number * 0.05, 500 + number * 0.05 + late)
    offset = clock.offset_at(510.0)
    assert offset is not None
    assert offset == pytest.approx(500 + min(lates), abs=2e-3)


@pytest.mark.parametrize("rate", [1 - 5e-5, 1 + 5e-5])
def test_a_drifting_clock_never_makes_the_offset_too_small(rate: float) -> None:
    clock, chance = StreamClock(), random.Random(2)
    for number in range(60_000):
        captured = number / 30
        arrival = 500 + captured + chance.uniform(0.002, 0.05)
        stamp = captured * rate
        clock.feed(stamp, arrival)
        offset = clock.offset_at(arrival)
        assert offset is not None
        assert stamp + offset >= 500 + captured
    assert clock.jumps == 0


@pytest.mark.parametrize("jump", [-3.0, 3.0, 0.8])
def test_a_clock_that_is_set_anew_is_noticed(jump: float) -> None:
    clock = StreamClock()
    for number in range(100):
        clock.feed(number * 0.1, 50 + number * 0.1)
    clock.feed(10.0 + jump, 60.0)
    assert clock.jumps == 1


def test_a_stalled_delivery_is_no_jump() -> None:
    clock = StreamClock()
    for number in range(100):
        clock.feed(number * 0.1, 50 + number * 0.1)
    for number in range(100, 130):
        clock.feed(number * 0.1, 63.0 + number * 0.001)
    assert clock.jumps == 0


def test_reordered_frames_are_no_jump() -> None:
    clock = StreamClock()
    for group in range(50):
        for number in (0, 3, 1, 2):
            clock.feed((4 * group + number) * 0.04, 10 + group * 0.16 + number * 0.01)
    assert clock.jumps == 0


def test_a_backlog_at_the_start_is_no_jump() -> None:
    clock = StreamClock()
    for number in range(60):
        clock.feed(number * 0.1, 50.0 + number * 0.001)
    for number in range(60, 100):
        clock.feed(number * 0.1, 50 + (number - 59) * 0.1)
    assert clock.jumps == 0


def test_field_case_g12_is_not_trusted() -> None:
    assert not follows_our_clock([0, 10.5, 21.0, 31.5], [0, 1, 2, 3])
    times = np.arange(0.0, 60.0, 1.0)
    assert not follows_our_clock(times * 10.5, times)


@pytest.mark.parametrize(
    ("rate", "believed"), [(1.0, True), (1.00005, True), (0.99995, True), (1.01, False), (0.99, False)]
)
def test_a_clock_is_believed_at_crystal_rates_only(rate: float, believed: bool) -> None:
    noise = np.random.default_rng(4)
    captured = np.arange(0.0, 120.0, 1 / 30)
    arrival = np.maximum.accumulate(captured + noise.uniform(0.01, 0.2, captured.size))
    assert follows_our_clock(captured * rate, arrival) is believed


def test_stamps_that_go_back_in_capture_order_are_no_clock() -> None:
    times = np.arange(0.0, 60.0, 0.1)
    swapped = times.copy()
    swapped[[300, 301]] = swapped[[301, 300]]
    assert follows_our_clock(times, times + 0.05)
    assert not follows_our_clock(swapped, times + 0.05)


def test_too_little_is_no_ground_for_belief() -> None:
    times = np.arange(0.0, 1.0, 0.05)
    assert not follows_our_clock(times, times)
    assert not follows_our_clock([], [])
    assert not follows_our_clock(np.full(100, np.nan), np.arange(0.0, 10.0, 0.1))
