"""Which views speak for an entity: its own, and those of the members of a group."""

from __future__ import annotations

from collections.abc import Mapping

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er

from .adapters.registry import Registry
from .coordinator import SubjectView
from .engine.terms import SubjectId


@callback
def views_of(
    hass: HomeAssistant, entry: er.RegistryEntry, subjects: Mapping[SubjectId, SubjectView]
) -> list[SubjectView]:
    """Return what speaks for an entity: its own view and its members'; nothing unless that covers all of it."""
    registry = Registry(hass)
    own = subjects.get(SubjectId(entry.id))
    members = [registry.subject_of(name) for name in registry.members_of(entry.entity_id)]
    known = [subjects[member] for member in members if member is not None and member in subjects]
    if own is not None:
        return [own, *known]
    return known if len(known) == len(members) else []
