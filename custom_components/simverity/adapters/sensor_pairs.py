"""Which sensors of a home could witness a device, and whether one would only repeat what the device claims."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from homeassistant.const import ATTR_ASSUMED_STATE, STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er

from ..const import DOMAIN
from ..engine.terms import SubjectId
from ..engine.witness.scale import Quantity, speaks

SENSOR_DOMAINS: Final = ("sensor", "binary_sensor")
_TELLING = ("power", "current", "illuminance", "apparent_power", "energy")
_TELLING_BINARY = ("light", "power", "opening", "door", "garage_door", "window", "lock", "running")
_ESTIMATED = frozenset({"powercalc"})
"""Integrations that make a power value out of the state of the very device."""
_CALCULATED = frozenset(
    {
        "derivative",
        "filter",
        "group",
        "history_stats",
        "input_number",
        "integration",
        "min_max",
        "mqtt_statestream",
        "statistics",
        "template",
        "threshold",
        "trend",
        "utility_meter",
    }
)
_MOST = 12
"""Suggestions that a person can still overlook."""


class Independence(StrEnum):
    """What is known about how far a sensor's word depends on the device that it shall witness."""

    OTHER_DEVICE = "other_device"
    SAME_DEVICE = "same_device"
    """Another channel of the device: another circuit, but one firmware and one radio."""
    CALCULATED = "calculated"
    """Computed by Home Assistant from something that cannot be told."""
    DERIVED = "derived"
    """Computed from the device's own state: its word once more, and no witness."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A sensor that is likely to feel a device. ``reading`` is what it says now."""

    sensor: SubjectId
    name: str
    reading: str
    independence: Independence


def independence_of(hass: HomeAssistant, subject: er.RegistryEntry, sensor: er.RegistryEntry) -> Independence:
    """Return how far a sensor depends on a device, as far as the registries tell."""
    state = hass.states.get(sensor.entity_id)
    assumed = state is not None and bool(state.attributes.get(ATTR_ASSUMED_STATE))
    if subject.id == sensor.id or sensor.platform in _ESTIMATED or assumed or _mentions(hass, sensor, subject):
        return Independence.DERIVED
    if sensor.platform in _CALCULATED:
        return Independence.CALCULATED
    same = sensor.device_id is not None and sensor.device_id == subject.device_id
    return Independence.SAME_DEVICE if same else Independence.OTHER_DEVICE


def measures(state: State | None) -> bool | None:
    """Return whether a sensor states a number, or on or off; None while it states nothing at all."""
    if state is None or state.state in (STATE_UNAVAILABLE, STATE_UNKNOWN):
        return None
    return speaks(state.state, Quantity.BINARY if state.domain == "binary_sensor" else Quantity.VALUE)


def suggestions(hass: HomeAssistant, subject: er.RegistryEntry) -> tuple[Suggestion, ...]:
    """Return the sensors of the same device, and then of the same area, that are likely to feel a device."""
    area = _area(hass, subject)
    found: list[tuple[int, int, str, Suggestion]] = []
    for sensor in er.async_get(hass).entities.values():
        rank = _rank(sensor)
        if rank is None or sensor.platform == DOMAIN or sensor.disabled_by is not None or sensor.hidden_by is not None:
            continue
        near = sensor.device_id is not None and sensor.device_id == subject.device_id
        if not near and (area is None or _area(hass, sensor) != area):
            continue
        independence = independence_of(hass, subject, sensor)
        state = hass.states.get(sensor.entity_id)
        if independence is Independence.DERIVED or state is None or measures(state) is False:
            continue
        reading = " ".join(part for part in (state.state, str(state.attributes.get("unit_of_measurement", ""))) if part)
        suggestion = Suggestion(
            sensor=SubjectId(sensor.id), name=state.name, reading=reading, independence=independence
        )
        found.append((0 if near else 1, rank, state.name, suggestion))
    return tuple(one for *_, one in sorted(found, key=lambda one: one[:3])[:_MOST])


def _rank(sensor: er.RegistryEntry) -> int | None:
    telling = {"sensor": _TELLING, "binary_sensor": _TELLING_BINARY}.get(sensor.domain, ())
    kind = sensor.device_class or sensor.original_device_class
    return telling.index(kind) if kind in telling else None


def _area(hass: HomeAssistant, entry: er.RegistryEntry) -> str | None:
    if entry.area_id is not None or entry.device_id is None:
        return entry.area_id
    device = dr.async_get(hass).async_get(entry.device_id)
    return device.area_id if isinstance(device, dr.DeviceEntry) else None


def _mentions(hass: HomeAssistant, sensor: er.RegistryEntry, subject: er.RegistryEntry) -> bool:
    """Whether the helper that makes a sensor is set up with the device itself as a source."""
    if sensor.platform not in _CALCULATED or sensor.config_entry_id is None:
        return False
    helper = hass.config_entries.async_get_entry(sensor.config_entry_id)
    if helper is None:
        return False
    written = json.dumps([dict(helper.options), dict(helper.data)], default=str)
    return subject.entity_id in written or subject.id in written
