"""Frozen cameras and infrared switches."""

from __future__ import annotations

import pytest

from simverity_witness.freshness import NightWatch, RepeatedPictures, Scenery
from simverity_witness.terms import Fault

# Field case G9: the yard camera switches to infrared 1.5 s after the lamp went off.
G9_LEVELS = [130, 20, 18, 18, 60, 112, 115, 115, 115]
G9_SATURATION = [0.4, 0.3, 0.3, 0.3, 0.05, 0.0, 0.0, 0.0, 0.0]
COLOURFUL = Scenery(darkest=15.0, brightest=135.0, palest=30.0, most_colourful=45.0)
GREY = Scenery(darkest=58.0, brightest=62.0, palest=0.0, most_colourful=0.2)


def repeated(pictures: list[tuple[int, float, bool]]) -> bool:
    watch = RepeatedPictures()
    for fingerprint, arrival, key in pictures:
        watch.take(fingerprint, arrival, key=key)
    return watch.frozen


def test_field_case_g4_the_same_still_three_times_is_frozen() -> None:
    assert repeated([(0xAA11, 0.0, True), (0xAA11, 2.0, True), (0xAA11, 4.0, True)])


def test_field_case_g10_one_level_for_ever_is_dead() -> None:
    assert repeated([(8721, n * 0.5, True) for n in range(6)])


def test_a_frozen_camera_that_encodes_anew_repeats_its_group() -> None:
    group = [1, 2, 3, 3, 3]
    assert repeated([(group[n % 5], n * 0.2, n % 5 == 0) for n in range(20)])


def test_different_pictures_are_fresh() -> None:
    assert not repeated([(n, n * 0.5, True) for n in range(100)])


def test_noise_that_happens_to_recur_is_fresh() -> None:
    few_pictures = [(n * 7 % 5, n * 0.5, True) for n in range(100)]
    assert not repeated(few_pictures)


def test_a_thrifty_encoder_that_repeats_until_its_next_key_frame_is_fresh() -> None:
    assert not repeated([(n // 30, n * 0.1, n % 30 == 0) for n in range(200)])


def test_repeating_without_any_key_frame_is_frozen_after_a_longer_time() -> None:
    short = [(1, n * 0.1, n == 0) for n in range(35)]
    assert not repeated(short)
    assert repeated(short + [(1, 3.5 + n * 0.1, False) for n in range(10)])


def test_a_short_repetition_is_not_yet_frozen() -> None:
    assert not repeated([(1, n * 0.1, True) for n in range(15)] + [(2, 1.6, True), (3, 1.7, True)])


def night(scenery: Scenery, pictures: list[tuple[float, float]]) -> NightWatch:
    watch = NightWatch(scenery)
    for background, saturation in pictures:
        watch.take(background, saturation)
    return watch


def test_field_case_g9_infrared_is_seen_once_colour_has_gone() -> None:
    pictures = [(float(level), sat * 100) for level, sat in zip(G9_LEVELS, G9_SATURATION, strict=True)]
    at_one_second = night(COLOURFUL, pictures[:3])
    assert at_one_second.fault is None
    at_four_seconds = night(COLOURFUL, pictures)
    assert at_four_seconds.fault is Fault.NIGHT_SWITCH
    assert at_four_seconds.certain


def test_the_return_of_colour_is_a_switch_too() -> None:
    assert night(GREY, [(60.0, 25.0)] * 2).certain


def test_a_grey_scene_is_judged_by_its_background() -> None:
    switched = night(GREY, [(60.0, 0.1), (98.0, 0.1), (98.0, 0.1)])
    assert switched.fault is Fault.NIGHT_SWITCH
    assert not switched.certain


@pytest.mark.parametrize("background", [50.0, 60.0, 70.0])
def test_ordinary_light_is_no_switch(background: float) -> None:
    assert night(GREY, [(background, 0.1)] * 10).fault is None


def test_one_odd_picture_is_no_switch() -> None:
    assert night(GREY, [(60.0, 0.1), (200.0, 40.0), (60.0, 0.1), (200.0, 40.0)]).fault is None
