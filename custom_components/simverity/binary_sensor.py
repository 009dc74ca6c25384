"""Whether a session is running, so that automations can leave the lamps alone meanwhile."""

from __future__ import annotations

from homeassistant.components.binary_sensor import (
    BinarySensorDeviceClass,
    BinarySensorEntity,
    BinarySensorEntityDescription,
)
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .coordinator import Phase, Snapshot
from .entity import AuditEntity
from .entry import SimverityConfigEntry

PARALLEL_UPDATES = 0

SESSION_RUNNING = BinarySensorEntityDescription(
    key="session_running", translation_key="session_running", device_class=BinarySensorDeviceClass.RUNNING
)


async def async_setup_entry(
    hass: HomeAssistant,  # noqa: ARG001 - Home Assistant's signature
    entry: SimverityConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add the one binary sensor of the audit."""
    async_add_entities([SessionRunning(entry, SESSION_RUNNING)])


class SessionRunning(AuditEntity, BinarySensorEntity):
    """On while a session or a qualification may switch devices."""

    @property
    def is_on(self) -> bool:
        """Whether any phase but idle is on."""
        return self._part(self.coordinator.snapshot)

    def _part(self, snapshot: Snapshot) -> bool:
        return snapshot.session.phase is not Phase.IDLE
