"""Pointing a camera at an audited entity."""

from __future__ import annotations

from typing import Any

import pytest
from homeassistant.config_entries import SOURCE_USER
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.simverity.const import DOMAIN
from custom_components.simverity.coordinator import Phase, SessionView
from tests.integration.surface import list_for_audit, set_up
from tests.integration.witness_app import TOKEN, WitnessApp

pytest_plugins = ["tests.integration.surface_fixtures"]

type Flow = dict[str, Any]

REGION = {"region_x": 0.1, "region_y": 0.2, "region_width": 0.3, "region_height": 0.4}
REFERENCE = {"reference_x": 0.5, "reference_y": 0.5, "reference_width": 0.1, "reference_height": 0.1}


@pytest.fixture
def entry(hass: HomeAssistant, without_audit: None, witness_app: WitnessApp) -> MockConfigEntry:
    """Return an entry whose witness app runs."""
    entry = MockConfigEntry(domain=DOMAIN, data={"witness": {"url": witness_app.url, "token": TOKEN}})
    entry.add_to_hass(hass)
    return entry


@pytest.fixture
def view(lamp: er.RegistryEntry) -> Flow:
    """Return a filled form for the lamp."""
    url = "rtsp://camera/stream"
    return {"subject": lamp.id, "camera": "living", "kind": "rtsp", "url": url, "has_reference": False, **REGION}


async def _start(hass: HomeAssistant, entry: MockConfigEntry) -> Flow:
    flow: Any = await hass.config_entries.subentries.async_init(
        (entry.entry_id, "witness"), context={"source": SOURCE_USER}
    )
    if flow["type"] is FlowResultType.MENU:
        flow = await hass.config_entries.subentries.async_configure(flow["flow_id"], {"next_step_id": "camera"})
    return dict(flow)


async def _answered(hass: HomeAssistant, flow: Flow, answer: Flow) -> Flow:
    result: Any = await hass.config_entries.subentries.async_configure(flow["flow_id"], answer)
    await hass.async_block_till_done()
    return dict(result)


async def test_a_view_is_tried_and_stored(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry, witness_app: WitnessApp, view: Flow
) -> None:
    list_for_audit(hass, entry, lamp)
    await set_up(hass, entry)
    result = await _answered(hass, await _start(hass, entry), view | {"has_reference": True, **REFERENCE})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["title"] == "Lamp (living)"
    assert result["unique_id"] == f"{lamp.id}:living"
    assert result["data"] == {
        "subject": lamp.id,
        "camera": "living",
        "kind": "rtsp",
        "url": "rtsp://camera/stream",
        "region": [0.1, 0.2, 0.3, 0.4],
        "reference": [0.5, 0.5, 0.1, 0.1],
    }
    assert [question["type"] for question in witness_app.asked] == ["hello", "register_camera", "register_lamp"]
    assert witness_app.asked[-1]["lamp"] == f"{lamp.id}:living"
    assert witness_app.asked[-1]["region"] == [0.1, 0.2, 0.3, 0.4]


async def test_a_view_needs_no_comparison_area(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry, view: Flow
) -> None:
    list_for_audit(hass, entry, lamp)
    result = await _answered(hass, await _start(hass, entry), view)
    assert result["data"]["reference"] is None


@pytest.mark.parametrize(
    ("asked", "code", "errors"),
    [
        ("register_camera", "camera_unreachable", {"url": "camera_unreachable"}),
        ("register_camera", "camera_unsupported", {"kind": "camera_unsupported"}),
        ("register_camera", "too_many", {"camera": "too_many"}),
        ("register_lamp", "region_outside_frame", {"region_x": "region_outside_frame"}),
        ("register_lamp", "bad_request", {"base": "cannot_connect"}),
        ("hello", "unsupported_version", {"base": "unsupported_version"}),
    ],
)
async def test_what_the_app_has_against_a_view_is_shown_and_can_be_corrected(
    hass: HomeAssistant,
    entry: MockConfigEntry,
    lamp: er.RegistryEntry,
    witness_app: WitnessApp,
    view: Flow,
    asked: str,
    code: str,
    errors: dict[str, str],
) -> None:
    list_for_audit(hass, entry, lamp)
    witness_app.refusals[asked] = code
    form = await _answered(hass, await _start(hass, entry), view)
    assert form["errors"] == errors
    witness_app.refusals.clear()
    result = await _answered(hass, form, view)
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_a_token_that_became_wrong_is_shown(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry, witness_app: WitnessApp, view: Flow
) -> None:
    hass.config_entries.async_update_entry(entry, data={"witness": {"url": witness_app.url, "token": "old"}})
    list_for_audit(hass, entry, lamp)
    form = await _answered(hass, await _start(hass, entry), view)
    assert form["errors"] == {"base": "invalid_auth"}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"region_x": 0.8}, "region_x"),
        ({"region_height": 0.0}, "region_x"),
        ({"has_reference": True, **REFERENCE, "reference_y": 0.95}, "reference_x"),
        ({"has_reference": True}, "reference_x"),
    ],
)
async def test_a_region_outside_the_picture_is_refused_without_asking(
    hass: HomeAssistant,
    entry: MockConfigEntry,
    lamp: er.RegistryEntry,
    witness_app: WitnessApp,
    view: Flow,
    change: Flow,
    field: str,
) -> None:
    list_for_audit(hass, entry, lamp)
    form = await _answered(hass, await _start(hass, entry), view | change)
    assert form["errors"] == {field: "region_outside_frame"}
    assert witness_app.asked == []


async def test_a_camera_looks_at_a_device_once(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry, view: Flow
) -> None:
    list_for_audit(hass, entry, lamp)
    await _answered(hass, await _start(hass, entry), view)
    form = await _answered(hass, await _start(hass, entry), view)
    assert form["errors"] == {"camera": "already_witnessed"}


async def test_a_region_can_be_moved(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry, view: Flow
) -> None:
    list_for_audit(hass, entry, lamp)
    await _answered(hass, await _start(hass, entry), view | {"has_reference": True, **REFERENCE})
    subentry = next(other for other in entry.subentries.values() if other.subentry_type == "witness")
    form = await entry.start_subentry_reconfigure_flow(hass, subentry.subentry_id)
    result = await _answered(hass, form, view | {"region_x": 0.2})
    assert result["reason"] == "reconfigure_successful"
    moved = entry.subentries[subentry.subentry_id].data
    assert (moved["region"], moved["reference"]) == ([0.2, 0.2, 0.3, 0.4], None)


async def test_without_the_witness_app_a_sensor_is_asked_for(hass: HomeAssistant, lamp: er.RegistryEntry) -> None:
    entry = MockConfigEntry(domain=DOMAIN, data={})
    entry.add_to_hass(hass)
    list_for_audit(hass, entry, lamp)
    assert (await _start(hass, entry))["step_id"] == "sensor"


async def test_a_view_cannot_be_moved_once_the_witness_app_is_gone(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry, view: Flow
) -> None:
    list_for_audit(hass, entry, lamp)
    await _answered(hass, await _start(hass, entry), view)
    subentry = next(other for other in entry.subentries.values() if other.subentry_type == "witness")
    hass.config_entries.async_update_entry(entry, data={})
    form: Any = await entry.start_subentry_reconfigure_flow(hass, subentry.subentry_id)
    assert form["reason"] == "no_witness_app"


async def test_without_an_audited_entity_there_is_nothing_to_look_at(
    hass: HomeAssistant, entry: MockConfigEntry
) -> None:
    assert (await _start(hass, entry))["reason"] == "nothing_audited"


async def test_views_are_not_touched_while_a_session_runs(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry
) -> None:
    list_for_audit(hass, entry, lamp)
    runtime = await set_up(hass, entry)
    runtime.publish(session=SessionView(phase=Phase.RUNNING))
    assert (await _start(hass, entry))["reason"] == "session_running"
