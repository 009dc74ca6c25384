"""SimVerity: measures how often a green check survives in the room."""

from __future__ import annotations

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.device_registry import AnyDeviceEntry
from homeassistant.helpers.typing import ConfigType

from .actors import async_watch_callers
from .announcing import async_announce
from .const import DOMAIN
from .entry import SimverityConfigEntry
from .entry_changes import EntryChanges
from .frontend import async_register_card
from .issues import async_watch_issues
from .llm_api import async_offer_api
from .record_services import async_register_record_services
from .runtime import Runtime
from .services import async_register_services
from .standing_services import async_register_standing_services
from .websocket_api import async_end_subscriptions, async_register_commands
from .websocket_evidence import async_register_evidence_commands

CONFIG_SCHEMA = cv.config_entry_only_config_schema(DOMAIN)

PLATFORMS = (
    Platform.BINARY_SENSOR,
    Platform.BUTTON,
    Platform.EVENT,
    Platform.LIGHT,
    Platform.SENSOR,
    Platform.SWITCH,
)


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:  # noqa: ARG001 - Home Assistant's signature
    """Register actions, commands and the dashboard card; they answer even while no entry is loaded."""
    async_register_services(hass)
    async_register_standing_services(hass)
    async_register_record_services(hass)
    async_register_commands(hass)
    async_register_evidence_commands(hass)
    await async_register_card(hass)
    await async_watch_callers(hass)
    return True


async def async_setup_entry(hass: HomeAssistant, entry: SimverityConfigEntry) -> bool:
    """Build the audit and start watching."""
    entry.runtime_data = runtime = await Runtime.async_build(hass, entry)
    try:
        await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
        await runtime.async_start()
    except BaseException:
        await runtime.async_stop()
        raise
    async_watch_issues(hass, entry)
    async_announce(hass, entry)
    async_offer_api(hass, entry)
    entry.async_on_unload(entry.add_update_listener(EntryChanges(entry).async_entry_updated))
    return True


async def async_unload_entry(hass: HomeAssistant, entry: SimverityConfigEntry) -> bool:
    """Stop the audit; a running session ends and restores the devices."""
    if not await hass.config_entries.async_unload_platforms(entry, PLATFORMS):
        return False
    async_end_subscriptions(hass)
    await entry.runtime_data.async_stop()
    return True


async def async_remove_config_entry_device(
    hass: HomeAssistant,  # noqa: ARG001 - Home Assistant's signature
    entry: ConfigEntry,
    device: AnyDeviceEntry,
) -> bool:
    """Let a person delete a device of ours that no longer stands for anything."""
    ours = {entry.entry_id, *(subentry.unique_id for subentry in entry.subentries.values())}
    return not any(domain == DOMAIN and identifier in ours for domain, identifier in device.identifiers)
