"""Loading, editing and unloading the entry."""

from __future__ import annotations

from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry

from tests.integration.surface import set_up

pytest_plugins = ["tests.integration.surface_fixtures"]


async def test_an_entry_without_a_camera_loads_and_unloads(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    runtime = await set_up(hass, entry)
    assert entry.state is ConfigEntryState.LOADED
    assert runtime.started
    assert await hass.config_entries.async_unload(entry.entry_id)
    assert entry.state is ConfigEntryState.NOT_LOADED
    assert runtime.stopped
