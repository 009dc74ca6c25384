"""A button that stops the running session: whoever sits in the room must be able to."""

from __future__ import annotations

from homeassistant.components.button import ButtonEntity, ButtonEntityDescription
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .coordinator import Phase, Snapshot
from .entity import AuditEntity
from .entry import SimverityConfigEntry
from .errors import translated_errors

PARALLEL_UPDATES = 1

CANCEL_SESSION = ButtonEntityDescription(key="cancel_session", translation_key="cancel_session")


async def async_setup_entry(
    hass: HomeAssistant,  # noqa: ARG001 - Home Assistant's signature
    entry: SimverityConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add the one button of the audit."""
    async_add_entities([CancelSession(entry, CANCEL_SESSION)])


class CancelSession(AuditEntity, ButtonEntity):
    """Stops the running session and restores the devices."""

    def __init__(self, entry: SimverityConfigEntry, description: ButtonEntityDescription) -> None:
        """Act on the entry's audit."""
        super().__init__(entry, description)
        self._runtime = entry.runtime_data

    @property
    def available(self) -> bool:
        """Whether there is a session to stop."""
        return self._part(self.coordinator.snapshot)

    async def async_press(self) -> None:
        """Stop it."""
        with translated_errors():
            await self._runtime.async_cancel_session()

    def _part(self, snapshot: Snapshot) -> bool:
        return snapshot.session.phase is not Phase.IDLE
