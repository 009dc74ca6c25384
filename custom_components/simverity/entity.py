"""What all entities of the integration have in common: they show the last snapshot and nothing else."""

from __future__ import annotations

from abc import abstractmethod

from homeassistant.core import CALLBACK_TYPE, Event, HomeAssistant, callback
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.device_registry import DeviceEntryType, DeviceInfo
from homeassistant.helpers.entity import Entity, EntityDescription
from homeassistant.helpers.event import async_track_entity_registry_updated_event

from .const import DOMAIN
from .coordinator import SimverityCoordinator, Snapshot, SubjectView
from .engine.terms import SubjectId
from .entry import SimverityConfigEntry


class SnapshotEntity(Entity):
    """An entity that is written whenever its part of the snapshot changed."""

    _attr_has_entity_name = True
    _attr_should_poll = False

    def __init__(self, coordinator: SimverityCoordinator, description: EntityDescription) -> None:
        """Show one figure of the coordinator's snapshot."""
        self.coordinator = coordinator
        self.entity_description = description

    async def async_added_to_hass(self) -> None:
        """Follow the coordinator for as long as the entity exists."""
        self.async_on_remove(self.coordinator.async_add_listener(self._handle_snapshot))

    @callback
    def _handle_snapshot(self, previous: Snapshot, current: Snapshot) -> None:
        if self._part(previous) != self._part(current):
            self.async_write_ha_state()

    @abstractmethod
    def _part(self, snapshot: Snapshot) -> object:
        """Return the part of a snapshot that this entity shows."""


class AuditEntity(SnapshotEntity):
    """An entity about the audit as a whole."""

    def __init__(self, entry: SimverityConfigEntry, description: EntityDescription) -> None:
        """Belong to the integration's own service device."""
        super().__init__(entry.runtime_data.coordinator, description)
        self._attr_unique_id = f"{entry.entry_id}_{description.key}"
        self._attr_device_info = DeviceInfo(
            identifiers={(DOMAIN, entry.entry_id)}, name="SimVerity", entry_type=DeviceEntryType.SERVICE
        )

    def _part(self, snapshot: Snapshot) -> object:
        return (snapshot.session, snapshot.ledger, snapshot.clearance, len(snapshot.subjects))


class SubjectEntity(SnapshotEntity):
    """An entity about one audited entity, on the page of the device that is audited."""

    def __init__(
        self, hass: HomeAssistant, entry: SimverityConfigEntry, subject: SubjectId, description: EntityDescription
    ) -> None:
        """Find the audited entity's device, or stand in for it where there is none."""
        super().__init__(entry.runtime_data.coordinator, description)
        self.subject = subject
        self._attr_unique_id = f"{subject}_{description.key}"
        source = er.async_get(hass).entities.get_entry(subject)
        device = dr.async_get(hass).async_get(source.device_id) if source and source.device_id else None
        label = _source_label(hass, source)
        if device is None:
            self._attr_device_info = DeviceInfo(
                identifiers={(DOMAIN, subject)}, name=label or subject, entry_type=DeviceEntryType.SERVICE
            )
            return
        self.device_entry = device
        if (part := _part_of_device(label, device.name_by_user or device.name)) is not None:
            self._attr_translation_key = f"{description.translation_key or description.key}_of"
            self._attr_translation_placeholders = {"source": part}

    @property
    def view(self) -> SubjectView | None:
        """What the snapshot says about the audited entity."""
        return self.coordinator.snapshot.subjects.get(self.subject)

    @property
    def available(self) -> bool:
        """Whether the audited entity is still listed."""
        return self.view is not None

    def _part(self, snapshot: Snapshot) -> object:
        return snapshot.subjects.get(self.subject)

    async def async_added_to_hass(self) -> None:
        """Follow the audited entity over renames and from device to device."""
        await super().async_added_to_hass()
        self.async_on_remove(self._untrack)
        self._track()

    _stop_tracking: CALLBACK_TYPE | None = None

    @callback
    def _track(self) -> None:
        source = er.async_get(self.hass).entities.get_entry(self.subject)
        if source is not None:
            self._stop_tracking = async_track_entity_registry_updated_event(
                self.hass, source.entity_id, self._handle_source_change
            )

    @callback
    def _untrack(self) -> None:
        if self._stop_tracking is not None:
            self._stop_tracking()
            self._stop_tracking = None

    @callback
    def _handle_source_change(self, event: Event[er.EventEntityRegistryUpdatedData]) -> None:
        if event.data["action"] != "update":
            return
        if "entity_id" in event.data["changes"]:
            self._untrack()
            self._track()
        source = er.async_get(self.hass).entities.get_entry(self.subject)
        if "device_id" in event.data["changes"] and source is not None and source.device_id is not None:
            er.async_get(self.hass).async_update_entity(self.entity_id, device_id=source.device_id)


def _source_label(hass: HomeAssistant, source: er.RegistryEntry | None) -> str | None:
    """Return what a person calls the audited entity itself, None for the main entity of its device."""
    if source is None:
        return None
    if source.device_id is None:
        state = hass.states.get(source.entity_id)
        return (state.name if state else None) or source.name or source.original_name or source.entity_id
    return source.name or source.original_name


def _part_of_device(label: str | None, device_name: str | None) -> str | None:
    """Return what tells an entity from its device's others: its label without the device's name in front."""
    if label is None or device_name is None:
        return label
    return label.removeprefix(device_name).strip() or None
