"""Home Assistant's registries: which entity a subject is, what a group holds, and what its values depend on."""

from __future__ import annotations

from dataclasses import dataclass

from homeassistant.const import ATTR_ENTITY_ID, ATTR_GROUP_ENTITIES, STATE_OFF, STATE_ON
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er

from ..engine.terms import Direction, SubjectId

_STATES = {STATE_ON: Direction.ON, STATE_OFF: Direction.OFF}
_MAX_NESTING = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceFacts:
    """What a subject's values depend on besides path, camera and policy (METHOD: coordinates)."""

    subject: SubjectId
    platform: str
    manufacturer: str | None
    model: str | None
    hardware: str | None
    firmware: str | None


def on_or_off(state: State | None) -> Direction | None:
    """Return what a state claims, or None where it is neither on nor off."""
    return None if state is None else _STATES.get(state.state)


def _members(hass: HomeAssistant, entity_id: str, nesting: int = 0) -> tuple[str, ...]:
    """Return the entities that a group stands for, in its order, nested groups resolved; empty if it is no group."""
    state = hass.states.get(entity_id)
    if state is None or nesting > _MAX_NESTING:
        return ()
    named = state.attributes.get(ATTR_ENTITY_ID) or state.attributes.get(ATTR_GROUP_ENTITIES)
    if not isinstance(named, (list, tuple)):
        return ()
    found: dict[str, None] = {}
    for member in named:
        if isinstance(member, str) and member != entity_id:
            found.update(dict.fromkeys(_members(hass, member, nesting + 1) or (member,)))
    return tuple(found)


class Registry:
    """Subjects are entity registry ids; commands and states speak of entity ids."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Keep the way to the registries."""
        self._hass = hass

    def subject_of(self, name: str) -> SubjectId | None:
        """Return the subject that a registry id or an entity id names."""
        entities = er.async_get(self._hass)
        if entities.entities.get_entry(name) is not None:
            return SubjectId(name)
        entry = entities.async_get(name.lower())
        return None if entry is None else SubjectId(entry.id)

    def entity_of(self, subject: str) -> str | None:
        """Return the entity id of a subject, None once it was deleted."""
        entry = er.async_get(self._hass).entities.get_entry(subject)
        return None if entry is None else entry.entity_id

    def members_of(self, entity_id: str) -> tuple[str, ...]:
        """Return the entity ids that a group stands for, in its order; empty if the entity is no group."""
        return _members(self._hass, entity_id)

    def state_of(self, subject: SubjectId) -> State | None:
        """Return the current state object of a subject."""
        entity_id = self.entity_of(subject)
        return None if entity_id is None else self._hass.states.get(entity_id)

    def name_of(self, subject: SubjectId) -> str:
        """Return what a person calls a subject."""
        state = self.state_of(subject)
        return subject if state is None else state.name

    def facts_of(self, subject: SubjectId) -> DeviceFacts | None:
        """Return the device's part of the coordinates."""
        entry = er.async_get(self._hass).entities.get_entry(subject)
        if entry is None:
            return None
        found = None if entry.device_id is None else dr.async_get(self._hass).async_get(entry.device_id)
        device = found if isinstance(found, dr.DeviceEntry) else None
        return DeviceFacts(
            subject=subject,
            platform=entry.platform,
            manufacturer=None if device is None else device.manufacturer,
            model=None if device is None else device.model,
            hardware=None if device is None else device.hw_version,
            firmware=None if device is None else device.sw_version,
        )
