"""A simulated sensor beside a device that is strobed: what it felt, when it measured, and when that came in."""

from __future__ import annotations

import random
from collections.abc import Callable

from simverity_engine.terms import Direction, SubjectId
from simverity_engine.witness.scale import Quantity, SensorReport
from simverity_engine.witness.sensor import Observed, SensorStrobe, pace_for

type Feel = Callable[[float, bool, random.Random], str]


def watts(_at: float, lit: bool, chance: random.Random) -> str:
    """A meter in steps of 0.1 W."""
    return f"{(60.0 if lit else 0.4) + chance.uniform(-0.2, 0.2):.1f}"


def strobes(interval: float | None, chance: random.Random, start: float = 100.0) -> tuple[SensorStrobe, ...]:
    """Twenty strobes each way at the pace of a sensor, every fourth a reference."""
    pace = pace_for(interval)
    found = []
    at = start
    for number in range(40):
        reference = number % 8 < 2
        hold = pace.reference if reference else chance.uniform(pace.shortest, pace.longest)
        state = Direction.OFF if number % 2 else Direction.ON
        found.append(SensorStrobe(state=state, at=at, until=at + hold, reference=reference))
        at += hold
    return tuple(found)


def lit(at: float, planned: tuple[SensorStrobe, ...], delay: float) -> bool:
    """Whether the device gives light at an instant: it follows each strobe after a delay."""
    last = [one for one in planned if one.at + delay <= at][-1:]
    return bool(last) and last[0].state is Direction.ON


def observed(
    *,
    interval: float | None = 1.0,
    feel: Feel = watts,
    latency: float = 0.1,
    delay: float = 0.1,
    quantity: Quantity = Quantity.VALUE,
    unit: str = "W",
    seed: int = 1,
) -> Observed:
    """A qualification beside a sensor that measures every ``interval`` seconds and reports ``latency`` later.

    None makes a contact that reports changes only.
    """
    chance = random.Random(seed)  # noqa: S311 - a simulation, no secret
    planned = strobes(interval, chance)
    end = planned[-1].until
    if interval is None:
        told = [(one.at + delay, one.state.value) for one in planned]
        told.insert(0, (planned[0].at - 50.0, "off"))
    else:
        phase = 90.0 + chance.random() * interval
        times = [phase + number * interval for number in range(int((end - phase) / interval))]
        told = [(at, feel(at, lit(at, planned, delay), chance)) for at in times]
    return Observed(
        qualification="q-1",
        lamp="plug:meter",
        name="meter",
        sensor=SubjectId("meter"),
        unit=unit,
        quantity=quantity,
        same_device=True,
        boot_id="boot",
        made_at=end,
        valid_for=86_400.0,
        reports=tuple(SensorReport(at=at + latency, text=text) for at, text in told),
        strobes=planned,
    )
