"""From the reports of a sensor to levels: its own unit, scaled so that the rules for cameras hold word for word.

A camera's level is its smallest step, one of 255. A sensor's level is its own smallest step, so that the floor of ten
levels asks for an effect of at least ten of the steps that the sensor can tell apart (docs/decisions/006).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from itertools import pairwise
from math import isfinite
from statistics import median

FULL_SCALE = 255.0
"""Levels between the two states of a binary sensor: it knows only these, so that they are the whole scale."""
REREAD_EVERY = 1.0
"""Seconds between two readings of a binary sensor that has reported and then keeps still."""
SMALLEST_STEP = 0.001
"""Units: finer decimals are arithmetic, not measurement."""
LEAST_STEPS = {"W": 0.1, "kW": 0.0001, "VA": 0.1, "A": 0.001, "mA": 1.0, "V": 0.1, "lx": 0.1, "°C": 0.05, "°F": 0.1}
"""Units: steps below these are noise in sensors of a home, whatever decimals they print."""
_BINARY = {"on": FULL_SCALE, "off": 0.0}


class Quantity(StrEnum):
    """What of a sensor's reports testifies: one of two states, the value itself, or the rate at which it grows."""

    BINARY = "binary"
    VALUE = "value"
    RATE = "rate"


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorReport:
    """A report as it came in: ``at`` is its ingestion (monotonic seconds), ``text`` what it said."""

    at: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How reports become levels. ``step`` is one level, in ``unit``; of a rate, in ``unit`` per second."""

    quantity: Quantity
    unit: str
    step: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A report in levels. It came in at ``at``; what it says may reach back to ``since`` (a rate: the one before)."""

    since: float
    at: float
    level: float


def numeric(text: str) -> float | None:
    """Return the finite number that a report states, None if it states none."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if isfinite(value) else None


def speaks(text: str, quantity: Quantity) -> bool:
    """Whether a report states a value at all: not ``unavailable``, not ``unknown``."""
    return text in _BINARY if quantity is Quantity.BINARY else numeric(text) is not None


def own_step(texts: Iterable[str], unit: str) -> float:
    """Return the smallest step that reports show by their decimals, and not less than what such sensors can measure."""
    finest = min((step for text in texts if (step := _decimal_step(text)) is not None), default=1.0)
    return max(finest, LEAST_STEPS.get(unit, SMALLEST_STEP))


def scale_of(reports: Iterable[SensorReport], quantity: Quantity, unit: str) -> Scale:
    """Return the scale that a qualification's reports give."""
    kept = tuple(reports)
    if quantity is Quantity.BINARY:
        return Scale(quantity=quantity, unit=unit, step=1 / FULL_SCALE)
    if quantity is Quantity.VALUE:
        return Scale(quantity=quantity, unit=unit, step=own_step((report.text for report in kept), unit))
    gaps = [after.at - before.at for before, after in pairwise(kept) if after.at > before.at]
    step = min((step for one in kept if (step := _decimal_step(one.text)) is not None), default=1.0)
    return Scale(quantity=quantity, unit=unit, step=step / median(gaps) if gaps else step)


def readings(reports: Iterable[SensorReport], scale: Scale) -> tuple[Reading, ...]:
    """Return what reports say, in their order. Two reports make one rate; a counter that was set back makes none."""
    if scale.quantity is Quantity.BINARY:
        return tuple(Reading(since=r.at, at=r.at, level=_BINARY[r.text]) for r in reports if r.text in _BINARY)
    valued = [(report.at, value) for report in reports if (value := numeric(report.text)) is not None]
    if scale.quantity is Quantity.VALUE:
        return tuple(Reading(since=at, at=at, level=value / scale.step) for at, value in valued)
    return tuple(
        Reading(since=since, at=at, level=(value - before) / (at - since) / scale.step)
        for (since, before), (at, value) in pairwise(valued)
        if at > since and value >= before
    )


def reread(reports: Iterable[SensorReport], *, after: float, until: float) -> tuple[SensorReport, ...]:
    """Return a binary sensor's reports with readings of its state each second behind every report since ``after``.

    A sensor that reports only changes has shown by its report that it is alive; one that has not keeps silent, and
    silence is no reading.
    """
    kept = tuple(reports)
    ends = (*(report.at for report in kept[1:]), until)
    found: list[SensorReport] = []
    for report, end in zip(kept, ends, strict=False):
        found.append(report)
        if report.at > after:
            times = int(max(0.0, min(end, until) - report.at) / REREAD_EVERY)
            found += [SensorReport(at=report.at + REREAD_EVERY * n, text=report.text) for n in range(1, times + 1)]
    return tuple(found)


def _decimal_step(text: str) -> float | None:
    try:
        exponent = Decimal(text).as_tuple().exponent
    except InvalidOperation:
        return None
    return float(Decimal(1).scaleb(exponent)) if isinstance(exponent, int) else None
