"""Meters of the emulated home: what they measure, how they announce themselves, what a declaration may say."""

import json
import statistics
from dataclasses import replace

import pytest

from testbed import discovery
from testbed.declaration import Home, Meter, MeterKind, Span
from testbed.home_file import parse_home
from testbed.house import House
from testbed.table import DeclarationError

POWER = Meter(
    id="plug_power",
    kind=MeterKind.POWER,
    name="Plug power",
    object_id="plug_power",
    devices=("plug",),
    gain=60.0,
    base=0.4,
    noise=0.5,
    decimals=1,
    interval_s=0.2,
    report_delay=Span(low=0.01, high=0.03),
)
LIGHT = replace(
    POWER,
    id="hall",
    kind=MeterKind.ILLUMINANCE,
    name="Hall",
    object_id="hall",
    devices=("desk_lamp", "shelf_lamp"),
    base=500.0,
)


@pytest.fixture
def house(home: Home) -> House:
    return House(replace(home, meters={"plug_power": POWER, "hall": LIGHT}))


def test_a_power_meter_measures_its_device_and_nothing_else(house: House) -> None:
    meter = house.meters["plug_power"]
    house.devices["desk_lamp"].command(0.0, on=True)
    off = [meter.measure(9.0) for _ in range(200)]
    house.devices["plug"].command(10.0, on=True)
    on = [meter.measure(19.0) for _ in range(200)]
    assert (statistics.mean(off), statistics.mean(on)) == (pytest.approx(0.5, abs=0.2), pytest.approx(60.4, abs=0.2))
    assert statistics.stdev(on) == pytest.approx(0.5, abs=0.1)
    assert all(value == round(value, 1) and value >= 0 for value in (*off, *on))


def test_a_light_sensor_sees_all_its_lamps_and_the_daylight(house: House) -> None:
    meter = house.meters["hall"]
    for lamp in ("desk_lamp", "shelf_lamp"):
        house.devices[lamp].command(0.0, on=True)
    assert meter.measure(9.0) == pytest.approx(120 + 500 * house.home.ambient, abs=3)


def test_the_same_seed_gives_the_same_measurements(home: Home) -> None:
    metered = replace(home, meters={"plug_power": POWER})
    one, other = (House(metered).meters["plug_power"] for _ in range(2))
    assert [one.measure(0.0) for _ in range(9)] == [other.measure(0.0) for _ in range(9)]
    assert POWER.report_delay.low <= one.delay() <= POWER.report_delay.high


@pytest.mark.parametrize(("meter", "device"), [(POWER, "testbed_plug"), (LIGHT, "testbed_hall")])
def test_a_power_meter_belongs_to_its_device_and_a_light_sensor_to_itself(meter: Meter, device: str) -> None:
    config = json.loads(discovery.meter_announcement(meter).payload)
    assert config["device"]["identifiers"] == [device]
    assert config["device_class"] == meter.kind.value


@pytest.mark.parametrize("devices", [[], ["nothing"]])
def test_a_meter_measures_declared_devices(devices: list[str]) -> None:
    meter = {
        "kind": "power",
        "name": "M",
        "devices": devices,
        "gain": 1.0,
        "interval_s": 1.0,
        "report_delay": [0.0, 0.1],
    }
    plain: dict[str, object] = {"seed": 1, "settled_s": 1.0, "ambient": 0.0, "network": {}, "device_defaults": {}}
    with pytest.raises(DeclarationError, match=r"meter\.m\.devices"):
        parse_home({**plain, "meter": {"m": meter}})  # type: ignore[dict-item]
