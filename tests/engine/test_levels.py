"""Levels beyond on and off: what a call asks for, and which reports show it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simverity_engine.levels import Level, asked_levels, claim

type Attributes = dict[str, object]


def _claim(domain: str, service: str, arguments: Attributes, said: str, attributes: Attributes) -> str:
    return claim(said, asked_levels(domain, service, arguments), attributes)


@pytest.mark.parametrize(
    ("domain", "service", "arguments", "shown", "claimed"),
    [
        ("light", "turn_on", {"brightness": 191}, {"brightness": 184}, "on"),
        ("light", "turn_on", {"brightness": 191}, {"brightness": 182}, "brightness=182"),
        ("light", "turn_on", {"brightness_pct": 50}, {"brightness": 128}, "on"),
        ("light", "turn_on", {"brightness_pct": 50}, {"brightness": None}, "unknown"),
        ("light", "turn_on", {"color_temp_kelvin": 2700}, {"color_temp_kelvin": 2710}, "on"),
        ("light", "turn_on", {"color_temp_kelvin": 2700}, {"color_temp_kelvin": 4000}, "color_temp_kelvin=4000"),
        ("light", "turn_on", {"hs_color": [355, 90]}, {"hs_color": (3, 88)}, "on"),
        ("light", "turn_on", {"hs_color": [355, 90]}, {"hs_color": (20, 88)}, "hs_color=20,88"),
        ("light", "turn_on", {"rgb_color": (128, 0, 0)}, {"hs_color": (0, 100)}, "on"),
        ("light", "turn_on", {"rgb_color": (0, 0, 255)}, {"hs_color": (0, 100)}, "hs_color=0,100"),
        ("light", "turn_on", {"hs_color": [1, 2]}, {"hs_color": (1.0,)}, "hs_color=1"),
        ("light", "turn_on", {"brightness": 200, "hs_color": [9, 9]}, {"brightness": 200, "hs_color": (9, 9)}, "on"),
        ("light", "turn_on", {"brightness": True}, {}, "on"),
        ("light", "turn_on", {"brightness": "200"}, {"brightness": 100}, "brightness=100"),
        ("light", "turn_on", {"brightness": "bright"}, {}, "on"),
        ("light", "turn_on", {"brightness": float("nan")}, {}, "on"),
        ("light", "turn_on", {"brightness": 10**400}, {}, "on"),
        ("light", "turn_on", {"rgb_color": (1, 2)}, {}, "on"),
        ("light", "turn_on", {"rgb_color": (0, -5, -9)}, {}, "on"),
        ("light", "turn_on", {"rgb_color": [1, 2, "x"]}, {}, "on"),
        ("light", "turn_on", {}, {"brightness": 3}, "on"),
        ("light", "turn_off", {"brightness": 9}, {"brightness": 3}, "on"),
        ("fan", "set_percentage", {"percentage": 50}, {"percentage": 66}, "on"),
        ("cover", "set_cover_position", {"position": 40}, {"current_position": 60}, "current_position=60"),
        ("valve", "set_valve_position", {"position": 40}, {"current_position": 42}, "on"),
        ("climate", "set_temperature", {"temperature": 21.5}, {"temperature": 21.5}, "on"),
        ("climate", "set_temperature", {"target_temp_high": 24}, {"target_temp_high": 22}, "target_temp_high=22"),
        ("switch", "turn_on", {"brightness": 9}, {}, "on"),
    ],
)
def test_a_report_claims_what_was_asked_within_the_tolerance(
    domain: str, service: str, arguments: Attributes, shown: Attributes, claimed: str
) -> None:
    assert _claim(domain, service, arguments, "on", shown) == claimed


@pytest.mark.parametrize("said", ["off", "unknown", "unavailable"])
def test_a_brightness_is_only_there_while_the_light_is_on(said: str) -> None:
    assert _claim("light", "turn_on", {"brightness": 9}, said, {"brightness": 9}) == said


@pytest.mark.parametrize(("said", "claimed"), [("off", "on"), ("on", "on"), ("unavailable", "unavailable")])
def test_a_set_point_is_there_even_while_the_heating_is_off(said: str, claimed: str) -> None:
    assert _claim("climate", "set_temperature", {"temperature": 19}, said, {"temperature": 19}) == claimed


def test_a_level_is_kept_as_text() -> None:
    [level] = asked_levels("light", "turn_on", {"brightness_pct": 75})
    assert level.text == "brightness=191.2±8"


@pytest.mark.parametrize(
    ("limits", "asked"),
    [
        ({}, 1800),
        ({"min_color_temp_kelvin": 2200}, 2200),
        ({"max_color_temp_kelvin": 1500}, 1500),
        ({"min_color_temp_kelvin": None, "max_color_temp_kelvin": 6500}, 1800),
    ],
)
def test_a_device_is_asked_for_no_more_than_it_can_take(limits: Attributes, asked: float) -> None:
    [level] = asked_levels("light", "turn_on", {"color_temp_kelvin": 1800})
    assert level.within(limits).values == (asked,)
    [brightness] = asked_levels("light", "turn_on", {"brightness": 300})
    assert brightness.within(limits) is brightness


@given(hue=st.floats(0, 360), other=st.floats(0, 360))
def test_a_hue_is_as_far_from_another_as_the_other_from_it(hue: float, other: float) -> None:
    def level(value: float) -> Level:
        return Level(attribute="hs_color", values=(value, 50.0), tolerance=10.0, turn=360.0)

    assert level(hue).met_by((other, 50.0)) is level(other).met_by((hue, 50.0))
    assert level(hue).met_by((hue, 50.0))
