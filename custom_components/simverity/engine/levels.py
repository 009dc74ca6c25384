"""What services ask for beyond on and off (a brightness, colour, position, set-point), and when a report shows it.

A report shows it within a declared tolerance: devices round to steps of their own, and convert between colour spaces.
"""

from __future__ import annotations

import colorsys
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

_UNKNOWN = "unknown"
_PRIMARIES, _FULL = 3, 255
type Values = tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One level that was asked for.

    ``attribute`` is where Home Assistant shows it, ``values`` what was asked in its unit, ``tolerance`` by how much
    each may differ. ``turn`` is after how much the first value is the same again (a hue: 360). ``needs_on``: it is only
    there while the device is on. ``limits`` are the attributes in which a device says the least and most it can take.
    """

    attribute: str
    values: Values
    tolerance: float
    turn: float | None = None
    needs_on: bool = True
    limits: tuple[str, str] | None = None

    def within(self, attributes: Mapping[str, object]) -> Level:
        """Return the nearest level that the device says it can take."""
        if self.limits is None:
            return self
        least, most = (as_number(attributes.get(name)) for name in self.limits)
        values = self.values if least is None else tuple(max(least, value) for value in self.values)
        values = values if most is None else tuple(min(most, value) for value in values)
        return replace(self, values=values)

    @property
    def text(self) -> str:
        """The level as evidence: ``brightness=191±8``."""
        return f"{self.attribute}={_said(self.values)}±{self.tolerance:g}"

    def met_by(self, shown: Values) -> bool:
        """Whether a report shows this level."""
        return len(shown) == len(self.values) and all(
            self._distance(index, one, other) <= self.tolerance
            for index, (one, other) in enumerate(zip(self.values, shown, strict=True))
        )

    def _distance(self, index: int, one: float, other: float) -> float:
        apart = abs(one - other)
        return min(apart, self.turn - apart) if self.turn is not None and index == 0 else apart


@dataclass(frozen=True, slots=True, kw_only=True)
class _Argument:
    """How an argument of a service is shown: ``convert`` turns what is asked into the unit of the attribute."""

    attribute: str
    tolerance: float
    convert: Callable[[Values], Values] = tuple
    turn: float | None = None
    needs_on: bool = True
    limits: tuple[str, str] | None = None


def _hue(rgb: Values) -> Values:
    """Return hue and saturation; nothing for what is no colour."""
    if len(rgb) != _PRIMARIES or not all(0 <= one <= _FULL for one in rgb):
        return ()
    hue, saturation, _ = colorsys.rgb_to_hsv(*(one / _FULL for one in rgb))
    return hue * 360, saturation * 100


_BRIGHTNESS = 8.0
"""Levels of 255: reports of real lamps lie up to 7 beside what was asked."""
_COLOUR = 10.0
"""Degrees of hue, percent of saturation."""
_LIGHT = {
    "brightness": _Argument(attribute="brightness", tolerance=_BRIGHTNESS),
    "brightness_pct": _Argument(
        attribute="brightness", tolerance=_BRIGHTNESS, convert=lambda given: (given[0] * 2.55,)
    ),
    "color_temp_kelvin": _Argument(
        attribute="color_temp_kelvin",
        tolerance=150.0,
        limits=("min_color_temp_kelvin", "max_color_temp_kelvin"),
    ),
    "hs_color": _Argument(attribute="hs_color", tolerance=_COLOUR, turn=360.0),
    "rgb_color": _Argument(attribute="hs_color", tolerance=_COLOUR, convert=_hue, turn=360.0),
}
_SPEED = {"percentage": _Argument(attribute="percentage", tolerance=17.0)}
"""Fans round to speeds; of three speeds each covers 33 %."""
_POSITION = {"position": _Argument(attribute="current_position", tolerance=5.0)}
_SET_POINT = {
    "temperature": _Argument(attribute="temperature", tolerance=0.25, needs_on=False),
    "target_temp_high": _Argument(attribute="target_temp_high", tolerance=0.25, needs_on=False),
    "target_temp_low": _Argument(attribute="target_temp_low", tolerance=0.25, needs_on=False),
}
_ARGUMENTS: Mapping[str, Mapping[str, Mapping[str, _Argument]]] = {
    "light": {"turn_on": _LIGHT},
    "fan": {"turn_on": _SPEED, "set_percentage": _SPEED},
    "cover": {"set_cover_position": _POSITION},
    "valve": {"set_valve_position": _POSITION},
    "climate": {"set_temperature": _SET_POINT},
    "water_heater": {"set_temperature": _SET_POINT},
}
SET_POINTS = "set_temperature"
"""The service that asks for a level and for no state."""


def asked_levels(domain: str, service: str, arguments: Mapping[str, object]) -> tuple[Level, ...]:
    """Return the levels that a call asks a domain for; what is no number asks for none."""
    known = _ARGUMENTS.get(domain, {}).get(service, {})
    found: dict[str, Level] = {}
    for name, argument in known.items():
        given = _numbers(arguments.get(name))
        if given is None or not (values := tuple(argument.convert(given))):
            continue
        found[argument.attribute] = Level(
            attribute=argument.attribute,
            values=values,
            tolerance=argument.tolerance,
            turn=argument.turn,
            needs_on=argument.needs_on,
            limits=argument.limits,
        )
    return tuple(found.values())


def claim(said: str, levels: Iterable[Level], attributes: Mapping[str, object]) -> str:
    """Return what a report claims of what was asked: ``on`` if it is there, otherwise what stands there instead.

    ``said`` is what the state claims in terms of on and off. A device that does not show a level claims nothing.
    """
    for level in levels:
        if said in (_UNKNOWN, "unavailable") or (level.needs_on and said != "on"):
            return said
        shown = _numbers(attributes.get(level.attribute))
        if shown is None:
            return _UNKNOWN
        if not level.met_by(shown):
            return f"{level.attribute}={_said(shown)}"
        said = "on"
    return said


def as_number(given: object) -> float | None:
    """Return a number that somebody gave, as text too, since calls carry what people wrote; None for what is none."""
    if isinstance(given, bool) or not isinstance(given, (int, float, str)):
        return None
    try:
        number = float(given)
    except ValueError, OverflowError:
        return None
    return number if math.isfinite(number) else None


def _numbers(given: object) -> Values | None:
    many = given if isinstance(given, (list, tuple)) else (given,)
    found = tuple(number for one in many if (number := as_number(one)) is not None)
    return found if found and len(found) == len(many) else None


def _said(values: Values) -> str:
    return ",".join(f"{value:.4g}" for value in values)
