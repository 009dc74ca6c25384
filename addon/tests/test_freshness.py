"""Frozen cameras and infrared switches."""

from __future__ import annotations

import pytest

from simverity_witness.freshness import STALE_AFTER, NightWatch, RepeatedPictures, Scenery, staleness_limit

# Field case G9: the yard camera switches to infrared 1.5 s after the lamp went off.
G9_LEVELS = [130, 20, 18, 18, 60, 112, 115, 115, 115]
G9_SATURATION = [0.4, 0.3, 0.3, 0.3, 0.05, 0.0, 0.0, 0.0, 0.0]
COLOURFUL = Scenery(darkest=15.0, brightest=135.0, palest=30.0, most_colourful=45.0)
GREY = Scenery(darkest=58.0, brightest=62.0, palest=0.0, most_colourful=0.2)


def longest(pictures: list[tuple[int, float, bool]]) -> float:
    watch = RepeatedPictures()
    for fingerprint, arrival, key in pictures:
        watch.take(fingerprint, arrival, key=key)
    return watch.longest


def test_field_case_g4_the_same_still_three_times_is_frozen() -> None:
    assert longest([(0xAA11, 0.0, True), (0xAA11, 2.0, True), (0xAA11, 4.0, True)]) > STALE_AFTER


def test_field_case_g10_one_level_for_ever_is_dead() -> None:
    assert longest([(8721, n * 0.5, True) for n in range(6)]) > STALE_AFTER


def test_a_frozen_camera_that_encodes_anew_repeats_its_group() -> None:
    group = [1, 2, 3, 3, 3]
    assert longest([(group[n % 5], n * 0.2, n % 5 == 0) for n in range(20)]) == pytest.approx(3.4)


def test_different_pictures_are_fresh() -> None:
    assert longest([(n, n * 0.5, True) for n in range(100)]) == 0.0


def test_noise_that_happens_to_recur_is_fresh() -> None:
    assert longest([(n * 7 % 5, n * 0.5, True) for n in range(100)]) == 0.0


def test_a_thrifty_encoder_is_stale_until_its_next_key_frame() -> None:
    assert longest([(n // 30, n * 0.1, n % 30 == 0) for n in range(200)]) == pytest.approx(2.9)


def test_a_pause_without_frames_is_not_staleness() -> None:
    assert longest([(1, 0.0, True), (2, 9.0, True)]) == 0.0


def test_a_window_allows_what_qualification_saw_and_a_little_more() -> None:
    assert staleness_limit(0.0, 0.016) == 0.5
    assert staleness_limit(0.0, 0.5) == 1.5
    assert staleness_limit(1.0, 0.016) == pytest.approx(1.05)


def night(scenery: Scenery, pictures: list[tuple[float, float]]) -> NightWatch:
    watch = NightWatch(scenery)
    for background, saturation in pictures:
        watch.take(background, saturation)
    return watch


def test_field_case_g9_infrared_is_seen_once_colour_has_gone() -> None:
    pictures = [(float(level), sat * 100) for level, sat in zip(G9_LEVELS, G9_SATURATION, strict=True)]
    at_one_second = night(COLOURFUL, pictures[:3])
    assert not at_one_second.by_colour
    at_four_seconds = night(COLOURFUL, pictures)
    assert at_four_seconds.by_colour


def test_the_return_of_colour_is_a_switch_too() -> None:
    assert night(GREY, [(60.0, 25.0)] * 2).by_colour


def test_a_grey_scene_is_judged_by_its_background() -> None:
    switched = night(GREY, [(60.0, 0.1), (98.0, 0.1), (98.0, 0.1)])
    assert switched.by_light
    assert not switched.by_colour


@pytest.mark.parametrize("background", [50.0, 60.0, 70.0])
def test_ordinary_light_is_no_switch(background: float) -> None:
    watch = night(GREY, [(background, 0.1)] * 10)
    assert (watch.by_light, watch.by_colour) == (False, False)


def test_one_odd_picture_is_no_switch() -> None:
    watch = night(GREY, [(60.0, 0.1), (200.0, 40.0), (60.0, 0.1), (200.0, 40.0)])
    assert (watch.by_light, watch.by_colour) == (False, False)
