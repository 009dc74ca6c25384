"""Events: a command to an audited entity was reported as done and was not."""

from __future__ import annotations

from homeassistant.components.event import EventEntity, EventEntityDescription
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .announcing import new_false_clearances
from .coordinator import Snapshot
from .entity import SubjectEntity
from .entry import SimverityConfigEntry, audited_subentries

PARALLEL_UPDATES = 0

FALSE_CLEARANCE = EventEntityDescription(
    key="false_clearance", translation_key="false_clearance", event_types=["false_clearance"]
)


async def async_setup_entry(
    hass: HomeAssistant, entry: SimverityConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add the event of each audited entity as it is listed."""
    coordinator = entry.runtime_data.coordinator
    added: set[str] = set()

    @callback
    def add_new(previous: Snapshot, current: Snapshot) -> None:
        subentries = audited_subentries(entry)
        for subject in current.subjects.keys() - previous.subjects.keys():
            # A subject comes back when its entity does; then its event is there already.
            if (subentry_id := subentries.get(subject)) is not None and subentry_id not in added:
                added.add(subentry_id)
                async_add_entities(
                    [FalseClearanceEvent(hass, entry, subject, FALSE_CLEARANCE)], config_subentry_id=subentry_id
                )

    add_new(Snapshot(), coordinator.snapshot)
    entry.async_on_unload(coordinator.async_add_listener(add_new))


class FalseClearanceEvent(SubjectEntity, EventEntity):
    """The last false clearance of one audited entity, as an event."""

    entity_description: EventEntityDescription

    @callback
    def _handle_snapshot(self, previous: Snapshot, current: Snapshot) -> None:
        for seen in new_false_clearances(previous, current):
            if seen.view.subject == self.subject:
                failure = seen.failure
                self._trigger_event(
                    "false_clearance",
                    {
                        "asked": failure.direction.value,
                        "seen": failure.direction.opposite.value,
                        "source": failure.source.value,
                        "property": failure.property_id.value,
                        "boundary": failure.boundary,
                        "at": failure.at.isoformat(),
                    },
                )
                self.async_write_ha_state()
                return
        if (self.subject in previous.subjects) is not (self.subject in current.subjects):
            self.async_write_ha_state()
