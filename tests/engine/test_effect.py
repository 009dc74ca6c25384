"""When the effect happened, worked by hand (METHOD 2): A, B, and every reason for not knowing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from simverity_engine.terms import Reason, Verdict
from simverity_engine.trace.samples import EffectChannel, FrozenLevels, NoChannel, Sample
from simverity_engine.witness.effect import Crossing, crossing
from tests.engine.examples import LAMP, LEVELS, OFF, ON, T0, film, frame, logged, sampled

BEFORE = film([(-0.2, 20.0), (-0.1, 20.0)])


def cross(*samples: Sample, direction: str = "on", levels: FrozenLevels = LEVELS) -> Crossing | Reason:
    return crossing(
        sampled((*BEFORE, *samples), levels=levels), direction=ON if direction == "on" else OFF, dispatched_at=T0
    )


def bounds(found: Crossing | Reason) -> tuple[float, float | None]:
    assert isinstance(found, Crossing)
    return round(found.last_old - T0, 6), None if found.first_new is None else round(found.first_new - T0, 6)


def test_the_effect_lies_between_the_last_old_and_the_first_new_frame() -> None:
    found = cross(frame(0.08, 0.10, 20), frame(0.18, 0.20, 120), frame(0.28, 0.30, 120))
    assert bounds(found) == (0.08, 0.20)
    assert isinstance(found, Crossing)
    assert found.watched_until == T0 + 0.30


def test_off_is_the_mirror_image() -> None:
    lit = film([(-0.1, 120.0), (0.1, 119.0), (0.2, 21.0), (0.3, 20.0)])
    assert bounds(crossing(sampled(lit), direction=OFF, dispatched_at=T0)) == (0.08, 0.20)


def test_an_inverted_camera_reads_the_same() -> None:
    negative = replace(LEVELS, on=20.0, off=120.0)
    dark_means_on = film([(-0.1, 120.0), (0.1, 119.0), (0.2, 21.0), (0.3, 20.0)])
    assert bounds(crossing(sampled(dark_means_on, levels=negative), direction=ON, dispatched_at=T0)) == (0.08, 0.20)


def test_a_frame_in_the_guard_band_is_neither_old_nor_new() -> None:
    found = cross(
        frame(0.08, 0.10, 20),
        frame(0.18, 0.20, 70),
        frame(0.28, 0.30, 71.9),
        frame(0.38, 0.4, 120),
        frame(0.48, 0.5, 120),
    )
    assert bounds(found) == (0.08, 0.40)


@pytest.mark.parametrize(("level", "last_old"), [(68.0, 0.18), (68.1, 0.08)])
def test_the_old_side_ends_at_the_midpoint_less_the_guard(level: float, last_old: float) -> None:
    found = cross(frame(0.08, 0.1, 20), frame(0.18, 0.2, level), frame(0.28, 0.3, 120), frame(0.38, 0.4, 120))
    assert bounds(found) == (last_old, 0.3)


@pytest.mark.parametrize(("level", "first_new"), [(72.0, 0.2), (71.9, 0.3)])
def test_the_new_side_begins_at_the_midpoint_and_the_guard(level: float, first_new: float) -> None:
    found = cross(frame(0.08, 0.1, 20), frame(0.18, 0.2, level), frame(0.28, 0.3, 120), frame(0.38, 0.4, 120))
    assert bounds(found) == (0.08, first_new)


def test_a_lone_bright_frame_is_a_spike() -> None:
    found = cross(frame(0.08, 0.1, 120), frame(0.18, 0.2, 25), frame(0.28, 0.3, 120), frame(0.38, 0.4, 120))
    assert bounds(found) == (0.18, 0.3)


def test_a_bright_frame_in_the_band_does_not_confirm_the_one_before() -> None:
    found = cross(frame(0.08, 0.1, 120), frame(0.18, 0.2, 70), frame(0.28, 0.3, 120), frame(0.38, 0.4, 120))
    assert bounds(found) == (-0.12, 0.3)


def test_a_last_frame_alone_proves_nothing_new() -> None:
    assert bounds(cross(frame(0.08, 0.1, 20), frame(0.18, 0.2, 120))) == (0.08, None)


def test_a_device_that_never_reacts_is_old_as_late_as_it_was_seen() -> None:
    assert bounds(cross(frame(0.5, 0.52, 20), frame(2.98, 3.0, 20))) == (2.98, None)


def test_two_spikes_in_a_row_followed_by_the_old_level_are_not_one_way() -> None:
    found = cross(frame(0.08, 0.1, 120), frame(0.18, 0.2, 120), frame(0.28, 0.3, 20), frame(0.38, 0.4, 120))
    assert found is Reason.NOT_ONE_WAY


def test_a_late_fall_back_is_not_one_way() -> None:
    found = cross(frame(0.08, 0.1, 120), frame(0.18, 0.2, 120), frame(9.98, 10.0, 20))
    assert found is Reason.NOT_ONE_WAY


def test_a_fall_back_inside_one_wide_interval_is_seen_by_the_order_of_frames() -> None:
    found = cross(frame(-0.7, 0.3, 120), frame(-0.6, 0.4, 120), frame(-0.5, 0.5, 20))
    assert found is Reason.NOT_ONE_WAY


def test_an_old_and_a_new_frame_at_one_instant_contradict_each_other() -> None:
    found = cross(frame(0.2, 0.2, 20), frame(0.2, 0.2, 120), frame(0.3, 0.3, 120))
    assert found is Reason.NOT_ONE_WAY


def test_frames_are_taken_in_the_order_of_their_capture() -> None:
    found = cross(frame(0.28, 0.3, 120), frame(0.08, 0.1, 20), frame(0.18, 0.2, 120))
    assert bounds(found) == (0.08, 0.2)


@pytest.mark.parametrize("levels", [(20, 120), (120, 20)])
def test_of_two_frames_with_one_interval_the_older_looking_comes_first(levels: tuple[float, float]) -> None:
    found = cross(frame(0.08, 0.2, levels[0]), frame(0.08, 0.2, levels[1]), frame(0.28, 0.3, 120))
    assert bounds(found) == (0.08, 0.2)


def test_an_earlier_change_before_the_dispatch_is_no_effect_of_it() -> None:
    """The lamp was on a second ago and was switched off; that bright past is not the effect."""
    past = film([(-1.0, 120.0), (-0.9, 120.0), (-0.5, 20.0), (-0.1, 20.0), (0.1, 20.0), (0.2, 120.0), (0.3, 120.0)])
    assert bounds(crossing(sampled(past), direction=ON, dispatched_at=T0)) == (0.08, 0.2)


@pytest.mark.parametrize(
    "before",
    [
        (),
        film([(-0.1, 120.0)]),
        film([(-0.1, 70.0)]),
        film([(-0.2, 20.0), (-0.1, 120.0)]),
        (frame(-0.01, 0.001, 20.0),),
    ],
    ids=["no frame", "already new", "in the band", "new at last", "not certainly before"],
)
def test_the_initial_state_must_be_seen_old(before: tuple[Sample, ...]) -> None:
    after = film([(0.1, 120.0), (0.2, 120.0)])
    assert crossing(sampled((*before, *after)), direction=ON, dispatched_at=T0) is Reason.INITIAL_STATE


def test_a_frame_that_arrives_with_the_dispatch_is_from_before_it() -> None:
    found = crossing(
        sampled((frame(-0.02, 0.0, 20), *film([(0.1, 120.0), (0.2, 120.0)]))), direction=ON, dispatched_at=T0
    )
    assert bounds(found) == (-0.02, 0.1)


@pytest.mark.parametrize(
    "samples",
    [(), BEFORE, (*BEFORE, frame(-0.02, 0.0, 20))],
    ids=["none at all", "none after dispatch", "the last with the dispatch"],
)
def test_without_a_frame_after_dispatch_there_is_no_sample(samples: tuple[Sample, ...]) -> None:
    assert crossing(sampled(samples), direction=ON, dispatched_at=T0) is Reason.NO_SAMPLE


def test_a_fault_silences_the_whole_window() -> None:
    faults = (Reason.NIGHT_SWITCH, Reason.ARRIVAL_GAP)
    channel = sampled((*BEFORE, *film([(0.1, 120.0), (0.2, 120.0)])), faults=faults)
    assert crossing(channel, direction=ON, dispatched_at=T0) is Reason.NIGHT_SWITCH


def test_levels_without_contrast_qualify_nothing() -> None:
    assert cross(frame(0.1, 0.2, 20), levels=replace(LEVELS, on=20.0)) is Reason.UNQUALIFIED


def test_no_channel_says_why() -> None:
    silent = NoChannel(subject=LAMP, reason=Reason.WITNESS_OFFLINE)
    assert crossing(silent, direction=ON, dispatched_at=T0) is Reason.WITNESS_OFFLINE


PATCHED = replace(LEVELS, reference_on=34.0, reference_off=30.0, reference_spread=0.5)


def patched(*references: float | None, levels: FrozenLevels = PATCHED) -> EffectChannel:
    times = (-0.1, 0.1, 0.2, 0.3)
    frames = (
        frame(at - 0.02, at, level, reference)
        for at, level, reference in zip(times, (20.0, 20.0, 120.0, 120.0), references, strict=True)
    )
    return sampled(frames, levels=levels)


def test_a_reference_patch_in_its_range_and_three_levels_around_it_holds() -> None:
    channel = patched(27.0, 30.0, 34.0, 37.0)
    assert bounds(crossing(channel, direction=ON, dispatched_at=T0)) == (0.08, 0.2)


def test_a_patch_that_was_not_frozen_in_both_states_is_not_checked() -> None:
    channel = patched(30.0, 30.0, 200.0, None, levels=replace(PATCHED, reference_off=None))
    assert bounds(crossing(channel, direction=ON, dispatched_at=T0)) == (0.08, 0.2)


@pytest.mark.parametrize("last", [26.9, 37.1, None])
def test_a_reference_patch_outside_it_has_moved(last: float | None) -> None:
    channel = patched(30.0, 30.0, 34.0, last)
    assert crossing(channel, direction=ON, dispatched_at=T0) is Reason.REFERENCE_MOVED


@pytest.mark.parametrize(("last", "holds"), [(39.9, True), (40.1, False)])
def test_a_restless_reference_patch_gets_three_times_its_spread(last: float, *, holds: bool) -> None:
    channel = patched(30.0, 30.0, 34.0, last, levels=replace(PATCHED, reference_spread=2.0))
    assert isinstance(crossing(channel, direction=ON, dispatched_at=T0), Crossing) is holds


def test_a_log_gives_the_instant_itself() -> None:
    assert bounds(crossing(logged((0.03, ON)), direction=ON, dispatched_at=T0)) == (0.03, 0.03)


def test_an_effect_at_the_instant_of_dispatch_is_an_effect_of_it() -> None:
    assert bounds(crossing(logged((0.0, ON)), direction=ON, dispatched_at=T0)) == (0.0, 0.0)


def test_a_log_without_the_effect_is_old_to_its_end() -> None:
    assert bounds(crossing(logged(), direction=ON, dispatched_at=T0)) == (12.0, None)


def test_a_log_before_dispatch_only_tells_the_initial_state() -> None:
    switched_off = logged((-5.0, OFF), (0.1, ON), initial=ON)
    assert bounds(crossing(switched_off, direction=ON, dispatched_at=T0)) == (0.1, 0.1)


@pytest.mark.parametrize("channel", [logged((0.1, ON), initial=ON), logged((-1.0, ON))])
def test_a_log_that_starts_in_the_goal_state_shows_no_effect(channel: EffectChannel) -> None:
    assert crossing(channel, direction=ON, dispatched_at=T0) is Reason.INITIAL_STATE


def test_a_log_that_repeats_the_new_state_is_one_way() -> None:
    assert bounds(crossing(logged((0.1, ON), (0.4, ON)), direction=ON, dispatched_at=T0)) == (0.1, 0.1)


def test_a_log_that_falls_back_is_not_one_way() -> None:
    assert crossing(logged((0.1, ON), (0.4, OFF)), direction=ON, dispatched_at=T0) is Reason.NOT_ONE_WAY


def test_a_repeated_old_state_in_a_log_is_no_effect() -> None:
    assert bounds(crossing(logged((0.1, OFF), (0.4, ON)), direction=ON, dispatched_at=T0)) == (0.4, 0.4)


@pytest.mark.parametrize(
    ("last_old", "first_new", "deadline", "verdict"),
    [
        (0.1, 0.2, 0.2, Verdict.PASS),
        (0.1, 0.2, 0.19, Verdict.ABSTAIN),
        (0.1, 0.2, 0.11, Verdict.ABSTAIN),
        (0.1, 0.2, 0.1, Verdict.FAIL),
        (0.1, None, 0.1, Verdict.FAIL),
        (0.1, None, 0.2, Verdict.ABSTAIN),
        (0.1, 0.1, 0.1, Verdict.PASS),
    ],
)
def test_a_verdict_needs_proof(last_old: float, first_new: float | None, deadline: float, verdict: Verdict) -> None:
    found = Crossing(last_old=last_old, first_new=first_new, watched_until=9.0)
    assert found.verdict_by(deadline) is verdict
