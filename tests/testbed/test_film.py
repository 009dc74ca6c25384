from dataclasses import replace

import numpy as np
import pytest

from testbed.declaration import Home
from testbed.film import Film
from testbed.light import Curve
from testbed.view import View


def view_of(home: Home, *, noise_levels: float = 1.0, auto_exposure: bool = False) -> View:
    camera = home.cameras["living"]
    optics = replace(camera.optics, noise_levels=noise_levels, auto_exposure=auto_exposure)
    declared = replace(camera, optics=optics)
    return View(declared, home.switchables, {key: Curve(0.0) for key in home.switchables}, Curve(home.ambient))


def test_without_noise_a_frame_is_the_rounded_scene(home: Home) -> None:
    view = view_of(home, noise_levels=0.0)
    film = Film(view, np.random.default_rng(1))

    luminance = film.expose(1.0)

    expected = np.rint(view.scene.frame.picture(view.at(1.0)))
    assert np.abs(luminance - expected).max() == 0


def test_noise_has_the_declared_spread_and_no_bias(home: Home) -> None:
    view = view_of(home, noise_levels=2.0)
    film = Film(view, np.random.default_rng(1))

    errors = np.stack([film.expose(1.0 + i) for i in range(50)]) - view.scene.frame.picture(view.at(1.0))

    # Rounding to whole levels adds a twelfth to the variance.
    assert errors.std() == pytest.approx((4.0 + 1 / 12) ** 0.5, rel=0.01)
    assert errors.mean() == pytest.approx(0.0, abs=0.02)


def test_a_bright_scene_clips_instead_of_wrapping(home: Home) -> None:
    lights = {key: Curve(1.0) for key in home.switchables}
    camera = home.cameras["living"]
    film = Film(View(camera, home.switchables, lights, Curve(1.0)), np.random.default_rng(1))

    # The walls reflect at least 85 % of full light: 237 levels before noise.
    assert film.expose(1.0).min() > 230


def test_a_moving_light_is_seen_at_once(home: Home) -> None:
    lights = {key: Curve(0.0) for key in home.switchables}
    lights["desk_lamp"].move(starts_at=10.0, level=1.0, duration_s=0.0)
    film = Film(View(home.cameras["living"], home.switchables, lights, Curve(home.ambient)), np.random.default_rng(1))

    before, after = (float(film.expose(instant)[132:168, 20:60].mean()) for instant in (9.999, 10.0))

    assert after - before > 90


def test_auto_exposure_moves_only_where_it_is_switched_on(home: Home) -> None:
    gains = []
    for automatic in (False, True):
        view = view_of(home, auto_exposure=automatic)
        film = Film(view, np.random.default_rng(1))
        for i in range(120):
            film.expose(10.0 + i / 60)
        gains.append(view.exposure.at(99.0))

    assert gains[0] == 1.0
    assert gains[1] > 1.5
