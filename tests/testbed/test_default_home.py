"""The default lamps reproduce the paper's pattern, whatever the draw."""

import pytest

from testbed.declaration import DeviceKind, Home
from testbed.house import House

PAIRS = 30
LAMPS = ("desk_lamp", "shelf_lamp", "gated_lamp", "lying_lamp", "ceiling_a", "ceiling_b")


def latencies(home: Home, device: str, *, on: bool) -> list[float]:
    """Return the effect latencies of alternating commands, from the command's arrival at the device."""
    house = House(home)
    model, view = house.devices[device], house.views["living"]
    found = []
    for i in range(2 * PAIRS):
        arrival = 10.0 * (i + 1)
        model.command(arrival, on=i % 2 == 0)
        crossed_at = view.crossing(model.changes[-1], arrival + home.settled_s).crossed_at
        assert crossed_at is not None
        if (i % 2 == 0) == on:
            found.append(crossed_at - arrival)
    return found


def test_the_list_of_lamps_is_complete(home: Home) -> None:
    lamps = {key for key, device in home.switchables.items() if device.kind is DeviceKind.LAMP}

    assert lamps == set(LAMPS)


@pytest.mark.parametrize("device", LAMPS)
def test_off_crosses_between_0_36_and_0_38_seconds(home: Home, device: str) -> None:
    found = latencies(home, device, on=False)

    assert 0.36 <= min(found) < max(found) <= 0.38


@pytest.mark.parametrize("device", LAMPS)
def test_on_crosses_within_0_04_seconds(home: Home, device: str) -> None:
    found = latencies(home, device, on=True)

    assert 0 < min(found) < max(found) <= 0.04


@pytest.mark.parametrize("device", LAMPS)
@pytest.mark.parametrize("on", [True, False])
def test_light_rests_before_the_declared_settled_time(home: Home, device: str, on: bool) -> None:
    model = House(home).devices[device]
    model.command(100.0, on=not on)
    model.command(200.0, on=on)

    assert model.light.settles_at <= 200.0 + home.settled_s


def test_two_houses_with_one_seed_live_the_same_day(home: Home) -> None:
    days = [latencies(home, "desk_lamp", on=False) for _ in range(2)]

    assert days[0] == days[1]
