"""Loading, editing and unloading the entry."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.simverity import async_remove_config_entry_device
from custom_components.simverity.const import DOMAIN
from custom_components.simverity.coordinator import Phase, SessionView, SimverityCoordinator, Snapshot
from tests.integration.fake_runtime import FakeRuntime
from tests.integration.surface import list_for_audit, own_device, register, set_up

pytest_plugins = ["tests.integration.surface_fixtures"]

RUNNING = SessionView(phase=Phase.RUNNING, done=1, total=10)


async def test_an_entry_without_a_camera_loads_and_unloads(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    runtime = await set_up(hass, entry)
    assert entry.state is ConfigEntryState.LOADED
    assert runtime.started
    assert await hass.config_entries.async_unload(entry.entry_id)
    assert entry.state.value == "not_loaded"
    assert runtime.stopped


async def test_an_audit_that_cannot_start_is_stopped(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    stopped: list[FakeRuntime] = []

    async def fail(runtime: FakeRuntime) -> None:
        raise RuntimeError

    async def stop(runtime: FakeRuntime) -> None:
        stopped.append(runtime)

    with patch.object(FakeRuntime, "async_start", fail), patch.object(FakeRuntime, "async_stop", stop):
        assert not await hass.config_entries.async_setup(entry.entry_id)
    assert len(stopped) == 1
    assert entry.state is ConfigEntryState.SETUP_ERROR


async def test_a_platform_that_does_not_unload_keeps_the_audit(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    runtime = await set_up(hass, entry)
    with patch.object(hass.config_entries, "async_unload_platforms", return_value=False):
        assert not await hass.config_entries.async_unload(entry.entry_id)
    assert not runtime.stopped


async def test_a_new_subentry_is_applied_without_a_reload(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry
) -> None:
    runtime = await set_up(hass, entry)
    list_for_audit(hass, entry, lamp)
    await hass.async_block_till_done()
    assert runtime.applied == 1
    assert not runtime.stopped


async def test_a_subentry_added_while_another_is_applied_is_not_forgotten(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry
) -> None:
    runtime = await set_up(hass, entry)
    second = register(hass, "second")
    apply = FakeRuntime.async_apply_subentries

    async def apply_slowly(self: FakeRuntime) -> None:
        await apply(self)
        if self.applied == 1:
            list_for_audit(hass, entry, second)

    with patch.object(FakeRuntime, "async_apply_subentries", apply_slowly):
        list_for_audit(hass, entry, lamp)
        await hass.async_block_till_done()
    assert set(runtime.coordinator.snapshot.subjects) == {lamp.id, second.id}
    assert runtime.applied == 2


async def test_changed_options_reload_the_entry(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    runtime = await set_up(hass, entry)
    hass.config_entries.async_update_entry(entry, options={"settle_from": 4.0, "settle_window": 1.0})
    await hass.async_block_till_done()
    assert runtime.stopped
    assert entry.runtime_data is not runtime


async def test_a_reload_waits_for_the_end_of_the_session(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    runtime = await set_up(hass, entry)
    runtime.publish(session=RUNNING)
    hass.config_entries.async_update_entry(entry, options={"settle_from": 4.0, "settle_window": 1.0})
    await hass.async_block_till_done()
    hass.config_entries.async_update_entry(entry, options={"settle_from": 5.0, "settle_window": 1.0})
    await hass.async_block_till_done()
    assert not runtime.stopped
    runtime.publish(session=SessionView(phase=Phase.FINISHING, done=10, total=10))
    await hass.async_block_till_done()
    assert not runtime.stopped
    runtime.publish(session=SessionView())
    await hass.async_block_till_done()
    assert runtime.stopped
    assert entry.state is ConfigEntryState.LOADED


async def test_unloading_forgets_a_reload_that_waits(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    runtime = await set_up(hass, entry)
    runtime.publish(session=RUNNING)
    hass.config_entries.async_update_entry(entry, options={"settle_from": 4.0, "settle_window": 1.0})
    await hass.async_block_till_done()
    await hass.config_entries.async_unload(entry.entry_id)
    runtime.publish(session=SessionView())
    await hass.async_block_till_done()
    assert entry.state is ConfigEntryState.NOT_LOADED


async def test_only_devices_that_stand_for_nothing_may_be_deleted(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    listed = list_for_audit(hass, entry, register(hass, "porch"))
    await set_up(hass, entry)
    own = own_device(hass, entry, entry.entry_id)
    stand_in = own_device(hass, entry, listed.data["subject"])
    stale = dr.async_get(hass).async_get_or_create(config_entry_id=entry.entry_id, identifiers={(DOMAIN, "long gone")})
    assert not await async_remove_config_entry_device(hass, entry, own)
    assert not await async_remove_config_entry_device(hass, entry, stand_in)
    assert await async_remove_config_entry_device(hass, entry, stale)


def test_a_listener_that_fails_does_not_silence_the_others(caplog: pytest.LogCaptureFixture) -> None:
    coordinator = SimverityCoordinator()
    heard: list[Snapshot] = []

    def fail(previous: Snapshot, current: Snapshot) -> None:
        raise RuntimeError

    coordinator.async_add_listener(fail)
    remove = coordinator.async_add_listener(lambda _, current: heard.append(current))
    coordinator.publish(Snapshot(session=RUNNING))
    assert len(heard) == 1
    assert "A listener of the snapshot failed" in caplog.text
    remove()
    coordinator.publish(Snapshot())
    assert len(heard) == 1


def test_an_equal_snapshot_is_no_news() -> None:
    coordinator = SimverityCoordinator()
    heard: list[Snapshot] = []
    coordinator.async_add_listener(lambda _, current: heard.append(current))
    coordinator.publish(Snapshot())
    assert heard == []
