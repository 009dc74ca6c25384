"""What leaves the home with a bug report, and what the system page shows."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import Any

from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry, get_system_health_info

from custom_components.simverity.const import DOMAIN
from custom_components.simverity.coordinator import LedgerState, LedgerView
from custom_components.simverity.diagnostics import async_get_config_entry_diagnostics
from tests.integration.surface import list_for_audit, register, set_up

pytest_plugins = ["tests.integration.surface_fixtures"]


async def test_diagnostics_carry_no_secret_and_no_name(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry
) -> None:
    witness = {"url": "http://secret-host:8099", "token": "secret-token"}
    hass.config_entries.async_update_entry(entry, data={"witness": witness})
    private = register(hass, "secret_room")
    list_for_audit(hass, entry, private)
    view: dict[str, Any] = {
        "subject": private.id,
        "camera": "secret-camera",
        "kind": "rtsp",
        "url": "rtsp://secret-user:secret-word@camera",
        "region": [0, 0, 1, 1],
        "reference": None,
    }
    hass.config_entries.async_add_subentry(
        entry,
        ConfigSubentry(
            data=MappingProxyType(view), subentry_type="witness", title="secret title", unique_id=f"{private.id}:c"
        ),
    )
    await set_up(hass, entry)
    report = await async_get_config_entry_diagnostics(hass, entry)
    text = json.dumps(report)
    assert "secret" not in text
    assert report["subjects"][private.id]["entity_id"] == "light.**REDACTED**"
    assert report["subjects"][private.id]["disposition"] == "abstain"
    assert report["subentries"][1]["data"]["region"] == [0, 0, 1, 1]
    assert report["cells"] == [{"subject": "all"}]


async def test_the_system_page_shows_the_audit(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry
) -> None:
    assert await async_setup_component(hass, "system_health", {})
    list_for_audit(hass, entry, lamp)
    runtime = await set_up(hass, entry)
    runtime.publish(ledger=LedgerView(state=LedgerState.SOUND, entries=3))
    assert await get_system_health_info(hass, DOMAIN) == {
        "loaded": True,
        "ledger": "sound",
        "ledger_entries": 3,
        "audited_entities": 1,
        "witness": "not_configured",
        "session_phase": "idle",
    }


async def test_the_system_page_says_when_nothing_is_set_up(hass: HomeAssistant) -> None:
    assert await async_setup_component(hass, "system_health", {})
    assert await async_setup_component(hass, DOMAIN, {})
    await hass.async_block_till_done()
    assert await get_system_health_info(hass, DOMAIN) == {"loaded": False}
