"""From what a person picks (entities, devices, areas, floors, labels) to registry entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from homeassistant.core import HomeAssistant, callback, split_entity_id
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.target import TargetSelection, async_extract_referenced_entity_ids


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What was picked. ``named`` one by one, ``implied`` by an area, label, floor or device."""

    named: tuple[er.RegistryEntry, ...]
    implied: tuple[er.RegistryEntry, ...]
    unregistered: tuple[str, ...]


@callback
def async_select(hass: HomeAssistant, picked: Mapping[str, Any]) -> Selection:
    """Resolve a target. Named entities without a registry entry are told apart, implied ones always have one."""
    registry = er.async_get(hass)
    referenced = async_extract_referenced_entity_ids(hass, TargetSelection(dict(picked)), expand_group=False)
    named = [(entity_id, registry.async_get(entity_id)) for entity_id in sorted(referenced.referenced)]
    implied = [registry.async_get(entity_id) for entity_id in sorted(referenced.indirectly_referenced)]
    return Selection(
        named=tuple(entry for _, entry in named if entry is not None),
        implied=tuple(entry for entry in implied if entry is not None and entry.disabled_by is None),
        unregistered=tuple(entity_id for entity_id, entry in named if entry is None),
    )


@callback
def display_name(hass: HomeAssistant, entry: er.RegistryEntry) -> str:
    """Return what Home Assistant shows for an entity."""
    state = hass.states.get(entry.entity_id)
    return (state.name if state else None) or entry.name or entry.original_name or entry.entity_id


@callback
def domain_of(entry: er.RegistryEntry) -> str:
    """Return the entity domain."""
    return split_entity_id(entry.entity_id)[0]
