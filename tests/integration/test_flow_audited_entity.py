"""Listing entities for the audit, and the consent to switch them."""

from __future__ import annotations

from typing import Any

import pytest
from homeassistant.config_entries import SOURCE_USER
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import label_registry as lr
from pytest_homeassistant_custom_component.common import MockConfigEntry

from tests.integration.fake_runtime import FakeRuntime
from tests.integration.surface import list_for_audit, register, set_up

pytest_plugins = ["tests.integration.surface_fixtures"]

type Flow = dict[str, Any]


@pytest.fixture
async def runtime(hass: HomeAssistant, entry: MockConfigEntry) -> FakeRuntime:
    """Set the entry up."""
    return await set_up(hass, entry)


async def _form(hass: HomeAssistant, entry: MockConfigEntry) -> Flow:
    flow: Any = await hass.config_entries.subentries.async_init(
        (entry.entry_id, "audited_entity"), context={"source": SOURCE_USER}
    )
    assert flow["type"] is FlowResultType.FORM
    return dict(flow)


async def _answered(hass: HomeAssistant, flow: Flow, answer: Flow) -> Flow:
    result: Any = await hass.config_entries.subentries.async_configure(flow["flow_id"], answer)
    await hass.async_block_till_done()
    return dict(result)


def _listed(entry: MockConfigEntry) -> dict[str, bool]:
    return {
        subentry.data["subject"]: subentry.data["may_be_switched"]
        for subentry in entry.subentries.values()
        if subentry.subentry_type == "audited_entity"
    }


async def test_listing_is_no_consent(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: FakeRuntime, lamp: er.RegistryEntry
) -> None:
    result = await _answered(hass, await _form(hass, entry), {"entities": [lamp.entity_id]})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["title"] == "Lamp"
    assert result["unique_id"] == lamp.id
    assert _listed(entry) == {lamp.id: False}


async def test_consent_is_kept_for_lights_and_switches_only(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: FakeRuntime, lamp: er.RegistryEntry
) -> None:
    lock = register(hass, "door", domain="lock")
    picked = {"entities": [lamp.entity_id, lock.entity_id], "may_be_switched": True}
    await _answered(hass, await _form(hass, entry), picked)
    assert _listed(entry) == {lamp.id: True, lock.id: False}


async def test_an_area_gives_what_can_be_audited_in_it(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: FakeRuntime
) -> None:
    area = ar.async_get(hass).async_create("Kitchen")
    lamp = register(hass, "porch")
    sensor = register(hass, "power", domain="sensor")
    off_the_list = register(hass, "dead", disabled_by=er.RegistryEntryDisabler.USER)
    for source in (lamp, sensor, off_the_list):
        er.async_get(hass).async_update_entity(source.entity_id, area_id=area.id)
    await _answered(hass, await _form(hass, entry), {"areas": [area.id]})
    assert set(_listed(entry)) == {lamp.id}


async def test_a_label_gives_what_carries_it(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: FakeRuntime, lamp: er.RegistryEntry
) -> None:
    label = lr.async_get(hass).async_create("audit")
    er.async_get(hass).async_update_entity(lamp.entity_id, labels={label.label_id})
    register(hass, "unlabelled")
    await _answered(hass, await _form(hass, entry), {"labels": [label.label_id]})
    assert set(_listed(entry)) == {lamp.id}


async def test_two_hundred_entities_are_listed_at_once_and_applied_together(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: FakeRuntime
) -> None:
    lamps = [register(hass, f"lamp_{number}") for number in range(200)]
    await _answered(hass, await _form(hass, entry), {"entities": [lamp.entity_id for lamp in lamps]})
    assert set(_listed(entry)) == {lamp.id for lamp in lamps}
    assert runtime.coordinator.snapshot.subjects.keys() == _listed(entry).keys()
    assert entry.runtime_data is runtime


async def test_what_is_listed_already_is_left_alone(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: FakeRuntime, lamp: er.RegistryEntry
) -> None:
    list_for_audit(hass, entry, lamp, may_be_switched=True)
    second = register(hass, "second")
    await _answered(hass, await _form(hass, entry), {"entities": [lamp.entity_id, second.entity_id]})
    assert _listed(entry) == {lamp.id: True, second.id: False}


@pytest.mark.parametrize(
    ("reason", "named"),
    [
        ("nothing_selected", ""),
        ("already_audited", ""),
        ("not_registered", "light.yaml"),
        ("own_entities", "light.ours"),
        ("nothing_listable", ""),
    ],
)
async def test_what_cannot_be_listed_is_explained_and_can_be_corrected(
    hass: HomeAssistant,
    entry: MockConfigEntry,
    runtime: FakeRuntime,
    lamp: er.RegistryEntry,
    reason: str,
    named: str,
) -> None:
    list_for_audit(hass, entry, lamp)
    er.async_get(hass).async_get_or_create("light", "simverity", "ours", suggested_object_id="ours")
    hass.states.async_set("light.yaml", "on")
    empty = ar.async_get(hass).async_create("Empty")
    answers: dict[str, Flow] = {
        "nothing_selected": {"areas": []},
        "already_audited": {"entities": [lamp.entity_id]},
        "not_registered": {"entities": ["light.yaml"]},
        "own_entities": {"entities": ["light.ours"]},
        "nothing_listable": {"areas": [empty.id]},
    }
    register_in(hass, empty.id)
    form = await _answered(hass, await _form(hass, entry), answers[reason])
    assert form["errors"] == {"base": reason}
    assert form["description_placeholders"] == {"entities": named}
    result = await _answered(hass, form, {"entities": [register(hass, "good").entity_id], "areas": []})
    assert result["type"] is FlowResultType.CREATE_ENTRY


def register_in(hass: HomeAssistant, area_id: str) -> None:
    """Put something into the area that nobody can audit."""
    sensor = register(hass, "humidity", domain="sensor")
    er.async_get(hass).async_update_entity(sensor.entity_id, area_id=area_id)


async def test_a_named_entity_of_another_kind_is_explained(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: FakeRuntime
) -> None:
    sensor = register(hass, "humidity", domain="sensor")
    form = await _answered(hass, await _form(hass, entry), {"entities": [sensor.id]})
    assert form["errors"] == {"base": "unsupported_domain"}
    assert form["description_placeholders"] == {"entities": "Humidity"}


async def test_consent_can_be_withdrawn(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: FakeRuntime, lamp: er.RegistryEntry
) -> None:
    subentry = list_for_audit(hass, entry, lamp, may_be_switched=True)
    form = await entry.start_subentry_reconfigure_flow(hass, subentry.subentry_id)
    assert form["description_placeholders"] == {"entity": "Lamp"}
    result = await _answered(hass, form, {"may_be_switched": False})
    assert result["reason"] == "reconfigure_successful"
    assert _listed(entry) == {lamp.id: False}


async def test_nobody_can_consent_for_a_lock(hass: HomeAssistant, entry: MockConfigEntry, runtime: FakeRuntime) -> None:
    subentry = list_for_audit(hass, entry, register(hass, "door", domain="lock"), may_be_switched=False)
    result = await entry.start_subentry_reconfigure_flow(hass, subentry.subentry_id)
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "only_observed")


async def test_an_entity_that_is_gone_has_no_consent_to_change(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: FakeRuntime, lamp: er.RegistryEntry
) -> None:
    subentry = list_for_audit(hass, entry, lamp)
    er.async_get(hass).async_remove(lamp.entity_id)
    await hass.async_block_till_done()
    result = await entry.start_subentry_reconfigure_flow(hass, subentry.subentry_id)
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "entity_gone")
