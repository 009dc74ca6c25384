"""The repair flows that a person may walk through."""

from __future__ import annotations

from homeassistant.components.repairs import ConfirmRepairFlow, RepairsFlow
from homeassistant.core import HomeAssistant


async def async_create_fix_flow(
    hass: HomeAssistant,  # noqa: ARG001 - Home Assistant's signature
    issue_id: str,  # noqa: ARG001 - the one fixable issue asks to be read
    data: dict[str, str | int | float | None] | None,  # noqa: ARG001 - it carries none
) -> RepairsFlow:
    """Let a person confirm that an interrupted session has been noticed."""
    return ConfirmRepairFlow()
