"""Keeps the evidence ledger's file whole in a backup: while it is copied, new entries go to the log beside it."""

from __future__ import annotations

from homeassistant.core import HomeAssistant

from .const import DOMAIN
from .entry import SimverityConfigEntry


async def async_pre_backup(hass: HomeAssistant) -> None:
    """Bring the file up to date and leave it alone from here on."""
    await _async_hold_still(hass, hold=True)


async def async_post_backup(hass: HomeAssistant) -> None:
    """Let the file grow again."""
    await _async_hold_still(hass, hold=False)


async def _async_hold_still(hass: HomeAssistant, *, hold: bool) -> None:
    entries: list[SimverityConfigEntry] = hass.config_entries.async_loaded_entries(DOMAIN)
    for entry in entries:
        await entry.runtime_data.records.async_hold_still(hold=hold)
