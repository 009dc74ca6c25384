"""Reports of sensors in levels: whole steps of their own unit, rates of counters, and readings of contacts."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simverity_engine.witness.scale import (
    FULL_SCALE,
    Quantity,
    Scale,
    SensorReport,
    numeric,
    own_step,
    readings,
    reread,
    scale_of,
    speaks,
)


def reports(*told: tuple[float, str]) -> tuple[SensorReport, ...]:
    return tuple(SensorReport(at=at, text=text) for at, text in told)


@pytest.mark.parametrize(
    ("texts", "unit", "step"),
    [
        (("60.0", "59"), "W", 0.1),
        (("60", "59"), "W", 1.0),
        (("60.1234567",), "W", 0.1),
        (("0.30000000000000004",), "m", 0.001),
        (("6E+1",), "lx", 10.0),
        (("on", "nonsense", "nan"), "lx", 1.0),
        (("nan",), "lx", 1.0),
        ((), "A", 1.0),
    ],
)
def test_a_level_is_the_smallest_step_that_such_a_sensor_can_measure(
    texts: tuple[str, ...], unit: str, step: float
) -> None:
    assert own_step(texts, unit) == pytest.approx(step)


@pytest.mark.parametrize(("text", "value"), [("1.5", 1.5), ("-2", -2.0), ("nan", None), ("inf", None), ("on", None)])
def test_only_a_finite_number_is_a_number(text: str, value: float | None) -> None:
    assert numeric(text) == value


@pytest.mark.parametrize(
    ("text", "quantity", "says"),
    [
        ("on", Quantity.BINARY, True),
        ("1", Quantity.BINARY, False),
        ("1", Quantity.VALUE, True),
        ("unavailable", Quantity.VALUE, False),
        ("unknown", Quantity.RATE, False),
    ],
)
def test_what_states_no_value_says_nothing(text: str, quantity: Quantity, says: bool) -> None:
    assert speaks(text, quantity) is says


@given(st.lists(st.integers(-9_999, 9_999), min_size=1), st.integers(0, 1))
def test_levels_are_whole_steps_and_give_the_values_back(values: list[int], decimals: int) -> None:
    told = reports(*((float(at), f"{value / 10**decimals:.{decimals}f}") for at, value in enumerate(values)))
    scale = scale_of(told, Quantity.VALUE, "lx")
    found = readings(told, scale)
    assert all(math.isclose(one.level, round(one.level), abs_tol=1e-6) for one in found)
    back = [one.level * scale.step for one in found]
    assert back == pytest.approx([float(one.text) for one in told])


def test_the_two_states_of_a_contact_are_the_whole_scale() -> None:
    told = reports((1.0, "off"), (2.0, "on"), (3.0, "unavailable"))
    found = readings(told, scale_of(told, Quantity.BINARY, ""))
    assert [(one.at, one.level) for one in found] == [(1.0, 0.0), (2.0, FULL_SCALE)]


def test_a_counter_gives_the_steps_that_it_grew_by_in_an_ordinary_interval() -> None:
    told = reports((0.0, "5.00"), (10.0, "5.10"), (20.0, "5.10"), (40.0, "5.50"))
    scale = scale_of(told, Quantity.RATE, "Wh")
    assert scale == Scale(quantity=Quantity.RATE, unit="Wh", step=pytest.approx(0.001))
    found = readings(told, scale)
    assert [(one.since, one.at) for one in found] == [(0.0, 10.0), (10.0, 20.0), (20.0, 40.0)]
    assert [one.level for one in found] == pytest.approx([10.0, 0.0, 20.0])


def test_a_counter_that_was_set_back_or_repeated_makes_no_rate() -> None:
    told = reports((0.0, "5.0"), (10.0, "0.0"), (10.0, "0.1"), (20.0, "0.2"))
    scale = Scale(quantity=Quantity.RATE, unit="Wh", step=0.01)
    assert [(one.since, one.at) for one in readings(told, scale)] == [(10.0, 20.0)]


def test_a_single_report_of_a_counter_has_no_interval() -> None:
    assert scale_of(reports((0.0, "5.1")), Quantity.RATE, "Wh").step == pytest.approx(0.1)


def test_a_contact_is_read_again_behind_its_reports_and_only_behind_those() -> None:
    told = reports((0.0, "off"), (10.0, "on"), (12.5, "off"))
    again = reread(told, after=5.0, until=14.0)
    assert [(one.at, one.text) for one in again] == [
        (0.0, "off"),
        (10.0, "on"),
        (11.0, "on"),
        (12.0, "on"),
        (12.5, "off"),
        (13.5, "off"),
    ]
    assert reread(told[:1], after=5.0, until=14.0) == told[:1]
