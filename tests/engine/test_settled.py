"""The settled reading and stillness, worked by hand. The window is 10 to 12 s after dispatch."""

from __future__ import annotations

import pytest

from simverity_engine.terms import Direction, Reason, Verdict
from simverity_engine.trace.samples import EffectChannel, NoChannel
from simverity_engine.witness.settled import Window, kept_still, settled_reading, settled_state
from tests.engine.examples import LAMP, OFF, ON, T0, film, frame, logged, sampled, steps

WINDOW = Window(start=T0 + 10.0, end=T0 + 12.0)
SPACED = (10.1, 10.5, 10.9, 11.3, 11.7)


def stood(*levels: float) -> Direction | Reason:
    """Up to five frames inside the window, the commanded state being on."""
    return settled_state(sampled(film(zip(SPACED[: len(levels)], levels, strict=True))), direction=ON, window=WINDOW)


@pytest.mark.parametrize(
    ("levels", "state"),
    [
        ((120, 120, 120), ON),
        ((95, 145, 120), ON),
        ((94.9, 120, 120), Reason.OUTSIDE_LEVELS),
        ((120, 120, 145.1), Reason.OUTSIDE_LEVELS),
        ((20, 20, 20), OFF),
        ((45, -5, 20), OFF),
        ((45.1, 45.1, 45.1), Reason.OUTSIDE_LEVELS),
        ((120, 120), Reason.NO_SAMPLE),
        ((120, 20, 20, 120), OFF),
        ((120, 20, 120, 120), ON),
        ((120, 70, 20, 120), Reason.OUTSIDE_LEVELS),
        ((120, 120, 120, 20), Reason.OUTSIDE_LEVELS),
        ((20, 120, 120, 120), Reason.OUTSIDE_LEVELS),
        ((120, 20, 120), Reason.OUTSIDE_LEVELS),
        ((120, 70, 70, 120, 120), Reason.OUTSIDE_LEVELS),
        ((120, 70, 120, 70, 120), ON),
        ((120, 20, 45, 120), OFF),
        ((120, 45, 20, 120), OFF),
    ],
)
def test_three_frames_within_a_quarter_settle_it(levels: tuple[float, ...], state: Direction | Reason) -> None:
    assert stood(*levels) is state


@pytest.mark.parametrize(
    ("earliest", "latest", "inside"),
    [
        (10.0, 10.1, True),
        (9.99, 10.1, False),
        (12.0, 12.3, True),
        (12.01, 12.3, False),
    ],
)
def test_a_frame_may_be_in_the_window(earliest: float, latest: float, *, inside: bool) -> None:
    assert WINDOW.may_contain(frame(earliest, latest, 0.0)) is inside


def test_the_old_state_at_the_very_end_of_the_window_convicts() -> None:
    lit = film([(10.5, 120.0), (11.0, 120.0), (11.5, 120.0)])
    frames = (*lit, frame(11.9, 12.0, 20.0), frame(11.95, 12.15, 20.0))
    assert settled_state(sampled(frames), direction=ON, window=WINDOW) is OFF


def test_only_frames_that_are_certainly_in_or_after_the_window_count() -> None:
    early = frame(9.9, 10.1, 20.0)
    late = frame(12.1, 12.3, 20.0)
    inside = film([(10.2, 120.0), (11.0, 120.0), (12.1, 120.0)], width=0.2)
    assert settled_state(sampled((early, *inside, late)), direction=ON, window=WINDOW) is ON


def test_the_old_state_after_the_window_does_not_convict_it() -> None:
    frames = (*film([(10.5, 120.0), (11.0, 120.0), (11.5, 120.0)]), frame(11.9, 12.1, 20.0), frame(11.95, 12.15, 20.0))
    assert settled_state(sampled(frames), direction=ON, window=WINDOW) is Reason.OUTSIDE_LEVELS


def test_a_fault_or_no_witness_leaves_the_settled_state_open() -> None:
    faulty = sampled(film([(10.5, 120.0)]), faults=(Reason.STREAM_RESTARTED,))
    silent = NoChannel(subject=LAMP, reason=Reason.UNQUALIFIED)
    assert settled_state(faulty, direction=ON, window=WINDOW) is Reason.STREAM_RESTARTED
    assert settled_state(silent, direction=ON, window=WINDOW) is Reason.UNQUALIFIED


@pytest.mark.parametrize(
    ("channel", "state"),
    [
        (logged((0.1, ON)), ON),
        (logged(), OFF),
        (logged((0.1, ON), (11.0, OFF)), OFF),
        (logged((10.5, ON)), OFF),
        (logged((0.1, ON), (12.5, OFF), until=13.0), ON),
        (logged((0.1, ON), until=11.9), Reason.NO_SAMPLE),
        (logged((10.0, ON)), ON),
        (logged((0.1, ON), (12.0, OFF)), OFF),
    ],
)
def test_a_log_must_show_the_state_over_the_whole_window(channel: EffectChannel, state: Direction | Reason) -> None:
    assert settled_state(channel, direction=ON, window=WINDOW) is state


@pytest.mark.parametrize(
    ("levels", "reading"),
    [
        ((120, 121, 119), ON),
        ((95, 95, 200), ON),
        ((20, 20, 120), OFF),
        ((70, 70, 70), Reason.OUTSIDE_LEVELS),
        ((200, 200, 200), Reason.OUTSIDE_LEVELS),
        ((120, 120), Reason.NO_SAMPLE),
    ],
)
def test_the_control_reads_the_median_of_the_window(levels: tuple[float, ...], reading: Direction | Reason) -> None:
    channel = sampled(film(zip(SPACED[: len(levels)], levels, strict=True)))
    assert settled_reading(channel, WINDOW) is reading


def still(channel: EffectChannel) -> Verdict | Reason:
    return kept_still(channel, dispatched_at=T0, window=WINDOW)


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ([(-1.0, 120.0)], Verdict.PASS),
        ([(-1.0, 50.0)], Verdict.PASS),
        ([(-1.0, 120.0), (3.0, 95.0)], Verdict.PASS),
        ([(-1.0, 120.0), (3.0, 94.9)], Verdict.FAIL),
        ([(-1.0, 120.0), (3.0, 20.0), (3.15, 120.0)], Verdict.FAIL),
        ([(-1.0, 120.0), (3.0, 20.0), (3.05, 120.0)], Verdict.PASS),
        ([(-1.0, 120.0), (12.0, 20.0)], Reason.BELOW_RESOLUTION),
    ],
    ids=["still", "off its levels", "a quarter", "moved", "two frames", "a spike", "at the very end"],
)
def test_a_quiet_device_stays_within_a_quarter_of_where_it_stood(
    changes: list[tuple[float, float]], verdict: Verdict | Reason
) -> None:
    assert still(sampled(film(steps(*changes)))) is verdict


@pytest.mark.parametrize(
    ("frames", "verdict"),
    [
        ([(0.0, 20.0), (10.5, 20.0), (11.0, 20.0), (11.5, 20.0)], Verdict.PASS),
        ([(-0.3, 20.0), (0.0, 20.0), (10.5, 20.0), (11.0, 20.0)], Reason.NO_SAMPLE),
        (
            [(-0.3, 20.0), (-0.2, 20.0), (0.0, 120.0), (0.1, 120.0), (10.5, 20.0), (11, 20.0), (11.5, 20.0)],
            Verdict.PASS,
        ),
        (
            [
                *((-1 + n / 9, 120.0 if n in (3, 4) else 20.0) for n in range(10)),
                *((10.1 + n / 2, 20.0) for n in range(3)),
            ],
            Verdict.PASS,
        ),
        ([(-0.1, 20.0), (10.5, 20.0), (11.0, 20.0), (11.5, 20.0), (12.5, 120.0), (12.6, 120.0)], Verdict.PASS),
        ([(-0.1, 20.0), (10.5, 20.0), (11.0, 20.0), (11.9, 120.0), (12.02, 120.0)], Verdict.FAIL),
    ],
    ids=["three", "two", "one frame after", "before the command", "after the window", "on the window's edge"],
)
def test_a_quiet_device_is_watched_from_the_command_to_the_windows_end(
    frames: list[tuple[float, float]], verdict: Verdict | Reason
) -> None:
    assert still(sampled(film(frames))) is verdict


@pytest.mark.parametrize(
    ("channel", "reason"),
    [
        (sampled(film(steps((-1.0, 20.0), until=10.0))), Reason.NO_SAMPLE),
        (sampled(film([(0.1, 20.0), (11.0, 20.0)])), Reason.INITIAL_STATE),
        (sampled((), faults=(Reason.LATE_REPLY,)), Reason.LATE_REPLY),
        (NoChannel(subject=LAMP, reason=Reason.NO_WITNESS), Reason.NO_WITNESS),
        (logged(until=11.0), Reason.NO_SAMPLE),
    ],
)
def test_stillness_needs_a_witness_from_before_to_the_end(channel: EffectChannel, reason: Reason) -> None:
    assert still(channel) is reason


@pytest.mark.parametrize(
    ("channel", "verdict"),
    [
        (logged(), Verdict.PASS),
        (logged((-1.0, ON), (3.0, ON)), Verdict.PASS),
        (logged((3.0, ON)), Verdict.FAIL),
        (logged((12.5, ON), until=13.0), Verdict.PASS),
        (logged((0.0, ON)), Verdict.FAIL),
        (logged((12.0, ON)), Verdict.FAIL),
    ],
)
def test_a_log_of_a_quiet_device_has_no_change(channel: EffectChannel, verdict: Verdict) -> None:
    assert still(channel) is verdict
