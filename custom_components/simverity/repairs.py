"""The repair flows that a person may walk through."""

from __future__ import annotations

from typing import TYPE_CHECKING

import probatio
from homeassistant.components.repairs import ConfirmRepairFlow, RepairsFlow
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError

from .const import DOMAIN
from .entry import loaded_runtime
from .errors import translated_errors
from .issues import LEDGER_BEHIND

if TYPE_CHECKING:
    from homeassistant.components.repairs.models import RepairsFlowResult


class RestoredBackupFlow(RepairsFlow):
    """Asks whether a backup was restored, and lets the evidence go on from there."""

    async def async_step_init(self, user_input: dict[str, str] | None = None) -> RepairsFlowResult:  # noqa: ARG002 - the flow's signature
        """Begin."""
        return await self.async_step_confirm()

    async def async_step_confirm(self, user_input: dict[str, str] | None = None) -> RepairsFlowResult:
        """Ask, then append to the ledger that it was restored."""
        errors: dict[str, str] = {}
        if user_input is not None:
            try:
                with translated_errors():
                    await loaded_runtime(self.hass).async_go_on_from_backup()
            except HomeAssistantError:
                errors["base"] = "not_restored"
            else:
                return self.async_create_entry(data={})
        return self.async_show_form(
            step_id="confirm",
            data_schema=probatio.Schema({}),
            errors=errors,
            description_placeholders={"path": self.hass.config.path(DOMAIN)},
        )


async def async_create_fix_flow(
    hass: HomeAssistant,  # noqa: ARG001 - Home Assistant's signature
    issue_id: str,
    data: dict[str, str | int | float | None] | None,  # noqa: ARG001 - no issue of ours carries any
) -> RepairsFlow:
    """Return the flow of an issue: most only want to be read."""
    return RestoredBackupFlow() if issue_id == LEDGER_BEHIND else ConfirmRepairFlow()
