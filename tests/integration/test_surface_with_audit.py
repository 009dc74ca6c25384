"""The surface over the real audit: what a person meets in a home without a camera."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from homeassistant.config_entries import SOURCE_USER, ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.simverity.const import DOMAIN
from custom_components.simverity.coordinator import LedgerState, Snapshot
from tests.integration.surface import entity_id_of, list_for_audit

pytest_plugins = ["tests.integration.surface_fixtures"]


@pytest.fixture
async def home(hass: HomeAssistant) -> Any:
    """Return an entry that was set up as a person does, without a camera; unload it at the end."""
    menu: Any = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER})
    created: Any = await hass.config_entries.flow.async_configure(menu["flow_id"], {"next_step_id": "without_camera"})
    await hass.async_block_till_done()
    yield created["result"]
    await hass.config_entries.async_unload(created["result"].entry_id)


async def _until(entry: MockConfigEntry, reached: Callable[[Snapshot], bool]) -> None:
    """Wait for a snapshot; a hang is ended after half a minute."""
    coordinator = entry.runtime_data.coordinator
    seen = asyncio.Event()

    def look(_: Snapshot, current: Snapshot) -> None:
        if reached(current):
            seen.set()

    remove = coordinator.async_add_listener(look)
    look(coordinator.snapshot, coordinator.snapshot)
    async with asyncio.timeout(30):
        await seen.wait()
    remove()


def _is_sound(snapshot: Snapshot) -> bool:
    return snapshot.ledger.state is LedgerState.SOUND


def _shown(hass: HomeAssistant, unique_id: str) -> str:
    state = hass.states.get(entity_id_of(hass, "sensor", unique_id))
    assert state is not None
    return state.state


async def test_a_home_without_a_camera_is_audited(
    hass: HomeAssistant, home: MockConfigEntry, lamp: er.RegistryEntry
) -> None:
    assert home.state is ConfigEntryState.LOADED
    await _until(home, _is_sound)
    assert _shown(hass, f"{home.entry_id}_ledger") == "sound"
    list_for_audit(hass, home, lamp)
    await _until(home, lambda snapshot: lamp.id in snapshot.subjects)
    await hass.async_block_till_done()
    assert _shown(hass, f"{lamp.id}_disposition") == "abstain"
    assert _shown(hass, f"{lamp.id}_false_clearance_risk") == "unknown"


async def test_a_session_without_consent_is_refused_in_a_sentence(
    hass: HomeAssistant, home: MockConfigEntry, lamp: er.RegistryEntry
) -> None:
    list_for_audit(hass, home, lamp, may_be_switched=False)
    await hass.async_block_till_done()
    with pytest.raises(ServiceValidationError) as refused:
        await hass.services.async_call(DOMAIN, "run_session", {"entity_id": lamp.entity_id}, blocking=True)
    assert refused.value.translation_key == "may_not_be_switched"


async def test_an_unlisted_entity_is_refused_in_a_sentence(
    hass: HomeAssistant, home: MockConfigEntry, lamp: er.RegistryEntry
) -> None:
    with pytest.raises(ServiceValidationError) as refused:
        await hass.services.async_call(DOMAIN, "run_session", {"entity_id": lamp.entity_id}, blocking=True)
    assert refused.value.translation_key == "entity_not_audited"


async def test_there_is_no_session_to_stop(hass: HomeAssistant, home: MockConfigEntry) -> None:
    with pytest.raises(ServiceValidationError) as refused:
        await hass.services.async_call(DOMAIN, "cancel_session", {}, blocking=True)
    assert refused.value.translation_key == "no_session"


async def test_what_was_recorded_survives_a_reload(hass: HomeAssistant, home: MockConfigEntry) -> None:
    assert await hass.config_entries.async_reload(home.entry_id)
    assert home.state is ConfigEntryState.LOADED
    await _until(home, _is_sound)
