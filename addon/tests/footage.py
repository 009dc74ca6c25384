"""A camera and its lamps as numbers, with the true capture times beside them: what the pure parts are tested on."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from simverity_witness.freshness import Scenery
from simverity_witness.qualification.judgement import Footage, Watched
from simverity_witness.qualification.series import LampSeries, Strobe
from simverity_witness.regions import Region
from simverity_witness.terms import State

REGION = Region(x=0.1, y=0.1, width=0.1, height=0.1)
PATCH = Region(x=0.5, y=0.5, width=0.1, height=0.1)
BOUNDARIES = (0.05, 0.1, 0.25, 0.5, 1.0, 3.0)
REFERENCE_HOLD = 5.7

type Numbers = NDArray[np.float64]


@dataclass(slots=True)
class LampModel:
    """A lamp: how long it takes to cross the midpoint, the levels that it settles at, its obedience."""

    name: str
    on_delay: float = 0.04
    off_delay: float = 0.35
    off: float = 20.0
    on: float = 140.0
    noise: float = 0.4
    disobeys: frozenset[int] = frozenset()
    reference_gain: float = 0.01
    clipped: float = 0.0
    cross: dict[str, float] = field(default_factory=dict)
    colour: tuple[float, float, float] | None = None
    """Contrast in red, green and blue as parts of luma's; None: all alike."""


@dataclass(slots=True)
class CameraModel:
    """A camera: its rate, how late frames arrive, and how its clock runs."""

    fps: float = 60.0
    late: tuple[float, float] = (0.003, 0.009)
    clock_rate: float = 1.0
    clock_zero: float = 500.0
    stamped: bool = True
    wobble: Numbers | None = None
    """Levels added to every region in turn."""


@dataclass(slots=True, kw_only=True)
class Simulated:
    """What a qualification saw, and when each frame was really captured."""

    footage: Footage
    captured: Numbers
    crossed: dict[tuple[str, int], float]


def plan(lamp: LampModel, chance: random.Random, strobes: int, references: int) -> tuple[Strobe, ...]:
    """Return alternating strobes with random holds, some of them references."""
    long = {state: set(chance.sample(range(strobes), references)) for state in State}
    found: list[Strobe] = []
    at = 1001.0 + chance.uniform(0.0, 2.0)
    for number in range(strobes):
        for state in (State.ON, State.OFF):
            reference = number in long[state]
            hold = REFERENCE_HOLD if reference else chance.uniform(2.0, 2.4)
            found.append(
                Strobe(
                    lamp=lamp.name,
                    index=len(found),
                    state=state,
                    commanded_at=at,
                    observe_until=at + hold,
                    reference=reference,
                )
            )
            at += hold + 0.05
    return tuple(found)


def simulate(
    lamps: list[LampModel],
    camera: CameraModel | None = None,
    *,
    strobes: int = 20,
    references: int = 5,
    min_strobes: int = 20,
    seed: int = 1,
    clock_jumps: int = 0,
) -> Simulated:
    """Film a whole qualification."""
    camera = camera or CameraModel()
    chance, noise = random.Random(seed), np.random.default_rng(seed)
    plans = {lamp.name: plan(lamp, chance, strobes, references) for lamp in lamps}
    end = max(strobe.observe_until for planned in plans.values() for strobe in planned) + 0.5
    captured = np.arange(1000.0, end, 1 / camera.fps) + chance.uniform(0.0, 1 / camera.fps)
    # Order is kept: no frame overtakes another.
    arrival = np.maximum.accumulate(captured + noise.uniform(*camera.late, captured.size))
    stamp = (captured - camera.clock_zero) * camera.clock_rate if camera.stamped else np.full(captured.size, np.nan)
    crossed: dict[tuple[str, int], float] = {}
    lit = {lamp.name: _lit(lamp, plans[lamp.name], captured, crossed) for lamp in lamps}
    watched = tuple(
        Watched(
            lamp=lamp.name,
            region=REGION,
            reference_region=PATCH,
            series=_series(lamp, lit, camera, stamp, arrival, noise),
            strobes=plans[lamp.name],
        )
        for lamp in lamps
    )
    footage = Footage(
        qualification="q-1",
        camera="living",
        epoch=1,
        boot_id="boot",
        made_at=end,
        valid_for=3600.0,
        boundaries=BOUNDARIES,
        lamps=watched,
        longest_stale=0.0,
        scenery=Scenery(darkest=50.0, brightest=60.0, palest=5.0, most_colourful=8.0),
        clock_jumps=clock_jumps,
        min_strobes=min_strobes,
    )
    return Simulated(footage=footage, captured=captured, crossed=crossed)


def _lit(
    lamp: LampModel, strobes: tuple[Strobe, ...], captured: Numbers, crossed: dict[tuple[str, int], float]
) -> Numbers:
    """Return whether the lamp is on in each frame, 0 or 1."""
    lit = np.zeros(captured.size)
    for strobe in strobes:
        if strobe.index in lamp.disobeys:
            continue
        at = strobe.commanded_at + (lamp.on_delay if strobe.state is State.ON else lamp.off_delay)
        crossed[lamp.name, strobe.index] = at
        lit[captured >= at] = 1.0 if strobe.state is State.ON else 0.0
    return lit


def _series(
    lamp: LampModel,
    lit: dict[str, Numbers],
    camera: CameraModel,
    stamp: Numbers,
    arrival: Numbers,
    noise: np.random.Generator,
) -> LampSeries:
    size = arrival.size
    own = lit[lamp.name] * (lamp.on - lamp.off)
    others = sum((lit[other] * gain for other, gain in lamp.cross.items()), np.zeros(size))
    wobble = np.zeros(size) if camera.wobble is None else np.resize(camera.wobble, size)
    parts = (1.0, *(lamp.colour or (1.0, 1.0, 1.0)))
    columns = [lamp.off + own * part + others + wobble + noise.normal(0, lamp.noise, size) for part in parts]
    reference = 30.0 + own * lamp.reference_gain + noise.normal(0, 0.1, size)
    return LampSeries(
        stamp=stamp,
        arrival=arrival,
        levels=np.column_stack(columns),
        reference=reference,
        clipped=np.full(size, lamp.clipped),
    )
