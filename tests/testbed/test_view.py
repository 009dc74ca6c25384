from dataclasses import replace
from random import Random

import numpy as np
import pytest

from testbed.declaration import Camera, Home, Optics, Ramp, Region, Span, Switchable
from testbed.device import SwitchModel
from testbed.light import Curve
from testbed.scene import pixel_bounds
from testbed.view import View

AMBIENT = 0.04


class Room:
    """One lamp, seen by one camera, with a region of a single pixel so that a closed form exists."""

    def __init__(self, camera: Camera, lamp: Switchable, optics: Optics | None = None) -> None:
        region = Region(x=0.25, y=0.25, width=1 / camera.width, height=1 / camera.height)
        self.ambient = Curve(AMBIENT)
        self.model = SwitchModel(lamp, Random(1))  # noqa: S311 - reproducible draws, nothing secret
        declared = replace(camera, regions={lamp.id: region}, cross_light=0.0, optics=optics or camera.optics)
        self.view = View(declared, {lamp.id: lamp}, {lamp.id: self.model.light}, self.ambient)
        at_rest = replace(self.view.at(0.0), ambient=np.float64(1.0), lamps=np.array([0.0]))
        self.wall = float(self.view.region(lamp.id).mean_light(at_rest))
        lit = replace(at_rest, ambient=np.float64(0.0), lamps=np.array([1.0]))
        self.glow = float(self.view.region(lamp.id).mean_light(lit))


@pytest.fixture
def steady_lamp(lamp: Switchable) -> Switchable:
    """Return a lamp whose ramps have no chance in them."""
    return replace(
        lamp,
        on=Ramp(delay=Span(low=0.1, high=0.1), duration_s=0.2),
        off=Ramp(delay=Span(low=0.2, high=0.2), duration_s=1.0),
    )


@pytest.fixture
def camera(home: Home) -> Camera:
    return home.cameras["living"]


def level(light: float, gamma: float = 2.2) -> float:
    return float(255 * min(1.0, light) ** (1 / gamma))


def fraction_at_midpoint(room: Room, gamma: float) -> float:
    """Return the share of full light at which the pixel stands midway between its two levels, in closed form."""
    dark, bright = AMBIENT * room.wall, AMBIENT * room.wall + room.glow
    midpoint = (level(dark, gamma) + level(bright, gamma)) / 2
    return float(((midpoint / 255) ** gamma - dark) / room.glow)


@pytest.mark.parametrize("gamma", [1.0, 1.8, 2.2])
def test_off_crosses_where_the_closed_form_says(camera: Camera, steady_lamp: Switchable, gamma: float) -> None:
    room = Room(camera, replace(steady_lamp, starts_on=True), replace(camera.optics, gamma=gamma))
    room.model.command(10.0, on=False)

    crossing = room.view.crossing(room.model.changes[0], until=14.0)

    expected = 10.0 + 0.2 + (1 - fraction_at_midpoint(room, gamma)) * 1.0
    assert crossing.crossed_at == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("gamma", [1.0, 1.8, 2.2])
def test_on_crosses_where_the_closed_form_says(camera: Camera, steady_lamp: Switchable, gamma: float) -> None:
    room = Room(camera, steady_lamp, replace(camera.optics, gamma=gamma))
    room.model.command(10.0, on=True)

    crossing = room.view.crossing(room.model.changes[0], until=14.0)

    assert crossing.crossed_at == pytest.approx(10.1 + fraction_at_midpoint(room, gamma) * 0.2, abs=1e-4)


def test_settled_levels_are_the_gamma_of_the_light(camera: Camera, steady_lamp: Switchable) -> None:
    room = Room(camera, steady_lamp)
    room.model.command(10.0, on=True)

    crossing = room.view.crossing(room.model.changes[0], until=14.0)

    expected = (level(AMBIENT * room.wall), level(AMBIENT * room.wall + room.glow))
    assert (crossing.level_from, crossing.level_to) == pytest.approx(expected, abs=1e-3)


def test_a_light_that_stays_never_crosses(camera: Camera, steady_lamp: Switchable) -> None:
    room = Room(camera, replace(steady_lamp, faults=replace(steady_lamp.faults, command_loss=1.0)))
    room.model.command(10.0, on=True)

    crossing = room.view.crossing(room.model.changes[0], until=14.0)

    assert (crossing.crossed_at, crossing.already_there) == (None, False)


def test_a_command_for_the_present_state_has_nothing_to_cross(camera: Camera, steady_lamp: Switchable) -> None:
    room = Room(camera, replace(steady_lamp, starts_on=True))
    room.model.command(10.0, on=True)

    assert room.view.crossing(room.model.changes[0], until=14.0).already_there


def test_the_search_ends_where_it_is_told(camera: Camera, steady_lamp: Switchable) -> None:
    room = Room(camera, replace(steady_lamp, starts_on=True))
    room.model.command(10.0, on=False)

    assert room.view.crossing(room.model.changes[0], until=10.3).crossed_at is None


def test_a_brighter_room_makes_the_same_ramp_cross_nearer_to_half_light(
    camera: Camera, steady_lamp: Switchable
) -> None:
    dark, bright = (Room(camera, replace(steady_lamp, starts_on=True)) for _ in range(2))
    bright.ambient.move(starts_at=0.0, level=0.3, duration_s=0.0)
    crossings = []
    for room in (dark, bright):
        room.model.command(10.0, on=False)
        crossings.append(room.view.crossing(room.model.changes[0], until=14.0).crossed_at)

    assert crossings[0] is not None
    assert crossings[1] is not None
    assert 10.2 + 0.5 < crossings[1] < crossings[0]


def test_auto_exposure_settles_at_its_target(camera: Camera, steady_lamp: Switchable) -> None:
    room = Room(camera, steady_lamp, replace(camera.optics, auto_exposure=True))
    frame = room.view.scene.frame
    for i in range(300):
        instant = 10.0 + i / 60
        room.view.exposure.meter(instant, float(frame.mean_light(room.view.at(instant))))

    seen = room.view.at(15.0)

    expected = min(4.0, room.view.camera.optics.exposure_target / float(frame.mean_light(seen)))
    assert float(seen.gain) == pytest.approx(expected, rel=1e-4)


def test_exposure_follows_with_its_time_constant(home: Home, camera: Camera, lamp: Switchable) -> None:
    view = Room(camera, lamp, replace(camera.optics, auto_exposure=True)).view
    view.exposure.meter(10.0, 0.12)

    gain = view.exposure.meter(10.4, 0.06)

    assert gain == pytest.approx(1 + (2 - 1) * (1 - np.exp(-1)))


def test_infrared_keeps_only_a_part_of_the_lamp(camera: Camera, steady_lamp: Switchable) -> None:
    room = Room(camera, steady_lamp)
    room.view.night.move(starts_at=10.0, level=1.0, duration_s=1.0)
    lit = [replace(room.view.at(instant), lamps=np.array([1.0])) for instant in (9.0, 10.5, 12.0)]
    dark = [replace(seen, lamps=np.array([0.0])) for seen in lit]
    patch = room.view.region(steady_lamp.id)

    contrast = [float(patch.mean_light(on) - patch.mean_light(off)) for on, off in zip(lit, dark, strict=True)]

    assert contrast == pytest.approx([room.glow, room.glow * (1 + 0.35) / 2, room.glow * 0.35], rel=1e-4)


def test_lamps_of_the_default_home_barely_light_each_other_and_the_reference(home: Home) -> None:
    lights = {key: Curve(0.0) for key in home.switchables}
    view = View(home.cameras["living"], home.switchables, lights, Curve(home.ambient))
    dark = view.at(0.0)
    for index, device in enumerate(view.scene.devices):
        own = view.settled_level(device, on=True, around=dark) - view.settled_level(device, on=False, around=dark)
        others = replace(dark, lamps=np.array([float(i != index) for i in range(len(view.scene.devices))]))
        cross = float(view.region(device).mean_level(others) - view.region(device).mean_level(dark))
        reference = float(view.reference.mean_level(others) - view.reference.mean_level(dark))
        assert abs(cross) < own / 8
        assert abs(reference) < own / 8


@pytest.mark.parametrize(
    ("region", "rows", "columns"),
    [
        (Region(x=0.0, y=0.0, width=1.0, height=1.0), (0, 192), (0, 320)),
        (Region(x=0.0625, y=0.125, width=0.125, height=0.1875), (24, 60), (20, 60)),
        (Region(x=0.999, y=0.999, width=0.001, height=0.001), (191, 192), (319, 320)),
    ],
)
def test_region_fractions_become_whole_pixels(region: Region, rows: tuple[int, int], columns: tuple[int, int]) -> None:
    found_rows, found_columns = pixel_bounds(region, 320, 192)

    assert ((found_rows.start, found_rows.stop), (found_columns.start, found_columns.stop)) == (rows, columns)
