"""What services ask for and what states say, domain by domain, in terms of *on* and *off*.

*on* is the state that the domain's own name promises: an open cover or valve, a locked lock, a device that runs. Only
strings of Home Assistant's service calls and states are read here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .levels import as_number
from .terms import Direction

ON, OFF = Direction.ON, Direction.OFF
TURN = {"turn_on": ON, "turn_off": OFF}
TOGGLE = "toggle"
MOVING = "unknown"
"""What a device on its way to a state claims."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """One domain. ``services`` ask for a state by themselves; ``by_argument`` by whether an argument is ``off``.

    ``states`` says what each state claims; ``otherwise`` what all others claim, None for themselves. ``settles_in`` is
    the least time, seconds, after which such a device has settled.
    """

    services: Mapping[str, Direction] = field(default_factory=lambda: TURN)
    by_argument: Mapping[str, tuple[str, object]] = field(default_factory=dict)
    states: Mapping[str, str] = field(default_factory=dict)
    otherwise: str | None = None
    settles_in: float = 0.0

    def goal(self, service: str, arguments: Mapping[str, object]) -> Direction | None:
        """Return what a call asks for; None for a toggle and for what is neither on nor off."""
        if service in self.by_argument:
            name, off = self.by_argument[service]
            given = arguments.get(name)
            return None if given is None else OFF if given == off or (off == 0 and as_number(given) == 0) else ON
        asked = self.services.get(service)
        dimmed = asked is ON and any(as_number(arguments.get(name)) == 0 for name in _ZERO_MEANS_OFF)
        return OFF if dimmed else asked

    def says(self, state: str) -> str:
        """Return what a state claims: ``on``, ``off``, or what says neither."""
        if state in _NOTHING:
            return state
        return self.states.get(state, state if self.otherwise is None else self.otherwise)


_NOTHING = frozenset({"unknown", "unavailable"})
_ZERO_MEANS_OFF = ("brightness", "brightness_pct", "white", "percentage")
"""Home Assistant turns a light or a fan off where one of these is 0."""
_RUNS = {"off": "off", "standby": "off"}
_OPENS = {"open": "on", "closed": "off", "opening": MOVING, "closing": MOVING}
_BINARY = Vocabulary()
_OPENING = {f"{what}_{part}": state for part in ("cover", "valve") for what, state in (("open", ON), ("close", OFF))}
_POSITION = {
    "set_cover_position": ("position", 0),
    "set_valve_position": ("position", 0),
}
_OPENABLE = Vocabulary(services=_OPENING, by_argument=_POSITION, states=_OPENS, settles_in=60.0)
_IN_MANY_WAYS = Vocabulary(states=_RUNS, otherwise="on", settles_in=10.0)

VOCABULARIES: Mapping[str, Vocabulary] = {
    **dict.fromkeys(("humidifier", "input_boolean", "light", "remote", "siren", "switch"), _BINARY),
    "fan": Vocabulary(by_argument={"set_percentage": ("percentage", 0)}),
    "cover": _OPENABLE,
    "valve": _OPENABLE,
    "lock": Vocabulary(
        services={"lock": ON, "unlock": OFF, "open": OFF},
        states={"locked": "on", "unlocked": "off", "open": "off", "locking": MOVING, "unlocking": MOVING},
        settles_in=15.0,
    ),
    "climate": Vocabulary(
        by_argument={"set_hvac_mode": ("hvac_mode", "off")}, states=_RUNS, otherwise="on", settles_in=30.0
    ),
    "media_player": _IN_MANY_WAYS,
    "water_heater": _IN_MANY_WAYS,
}
"""Every domain whose commands are audited."""

SERVICES = frozenset({TOGGLE}).union(*({*one.services, *one.by_argument} for one in VOCABULARIES.values()))
"""Every service that may ask for a state."""


LONGEST_FADE = 300.0
"""Seconds; what fades longer than this is judged while it still does."""


def fade_of(arguments: Mapping[str, object]) -> float:
    """Return for how many seconds a call asks the device to be on its way."""
    transition = arguments.get("transition")
    if isinstance(transition, bool) or not isinstance(transition, (int, float)):
        return 0.0
    return min(LONGEST_FADE, max(0.0, float(transition)))


def settles_in(domain: str) -> float:
    """Return the least time, seconds, after which a device of a domain has settled."""
    known = VOCABULARIES.get(domain)
    return 0.0 if known is None else known.settles_in
