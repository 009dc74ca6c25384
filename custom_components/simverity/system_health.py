"""What the system page shows about the audit."""

from __future__ import annotations

from typing import Any

from homeassistant.components.system_health import SystemHealthRegistration
from homeassistant.core import HomeAssistant, callback

from .entry import loaded_entry


@callback
def async_register(
    hass: HomeAssistant,  # noqa: ARG001 - Home Assistant's signature
    register: SystemHealthRegistration,
) -> None:
    """Register the callback that answers."""
    register.async_register_info(_health)


async def _health(hass: HomeAssistant) -> dict[str, Any]:
    if (entry := loaded_entry(hass)) is None:
        return {"loaded": False}
    snapshot = entry.runtime_data.coordinator.snapshot
    return {
        "loaded": True,
        "ledger": snapshot.ledger.state.value,
        "ledger_entries": snapshot.ledger.entries,
        "audited_entities": len(snapshot.subjects),
        "witness": snapshot.witness.value,
        "session_phase": snapshot.session.phase.value,
    }
