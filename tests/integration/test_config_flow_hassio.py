"""The witness app that Supervisor found: asked about once, then kept up to date without a question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from homeassistant.config_entries import SOURCE_HASSIO, SOURCE_IGNORE, SOURCE_USER, ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers.service_info.hassio import HassioServiceInfo
from pytest_homeassistant_custom_component.common import MockConfigEntry
from yarl import URL

from custom_components.simverity.const import DOMAIN
from tests.integration.surface import set_up
from tests.integration.witness_app import TOKEN, WitnessApp

pytest_plugins = ["tests.integration.surface_fixtures"]

type Flow = dict[str, Any]
APP = "0f" * 16


@pytest.fixture(autouse=True)
def _surface_only(without_audit: None) -> None:
    """Set entries up without an audit."""


def _announced(app: WitnessApp, **changes: object) -> dict[str, Any]:
    """Return what the app tells Supervisor."""
    url = URL(app.url)
    return {"host": url.host, "port": url.port, "token": TOKEN, "addon": "SimVerity Witness", **changes}


async def _found(hass: HomeAssistant, config: dict[str, Any], uuid: str = APP) -> Flow:
    """Pass an announcement on, as Home Assistant's own Supervisor integration does."""
    found = HassioServiceInfo(config=config, name="SimVerity Witness", slug="abc_simverity_witness", uuid=uuid)
    result: Any = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_HASSIO}, data=found)
    await hass.async_block_till_done()
    return dict(result)


async def _confirmed(hass: HomeAssistant, flow: Flow) -> Flow:
    result: Any = await hass.config_entries.flow.async_configure(flow["flow_id"], {})
    await hass.async_block_till_done()
    return dict(result)


def _pending(hass: HomeAssistant) -> list[Mapping[str, Any]]:
    return list(hass.config_entries.flow.async_progress_by_handler(DOMAIN))


def _connected(app: WitnessApp) -> dict[str, Any]:
    return {"url": app.url, "token": TOKEN, "app": APP}


async def test_a_witness_that_was_found_is_asked_about_and_connected(
    hass: HomeAssistant, witness_app: WitnessApp
) -> None:
    form = await _found(hass, _announced(witness_app))
    assert form["type"] is FlowResultType.FORM
    assert form["step_id"] == "hassio_confirm"
    assert form["description_placeholders"]["app"] == "SimVerity Witness"
    assert witness_app.asked == []
    result = await _confirmed(hass, form)
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["data"] == {"witness": _connected(witness_app)}
    assert [question["type"] for question in witness_app.asked] == ["hello"]


async def test_the_card_of_the_discovery_names_the_app_and_leads_to_it(
    hass: HomeAssistant, witness_app: WitnessApp
) -> None:
    await _found(hass, _announced(witness_app))
    context = _pending(hass)[0]["context"]
    assert context["title_placeholders"] == {"name": "SimVerity Witness"}
    assert context["configuration_url"] == "homeassistant://config/app/abc_simverity_witness/info"


async def test_an_entry_without_a_camera_gets_the_witness(
    hass: HomeAssistant, entry: MockConfigEntry, witness_app: WitnessApp
) -> None:
    await set_up(hass, entry)
    form = await _found(hass, _announced(witness_app))
    assert form["step_id"] == "hassio_confirm"
    result = await _confirmed(hass, form)
    assert result["reason"] == "witness_connected"
    assert entry.data == {"witness": _connected(witness_app)}
    assert entry.state is ConfigEntryState.LOADED
    assert hass.config_entries.async_entries(DOMAIN) == [entry]


@pytest.mark.parametrize("changes", [{"token": "a newer token"}, {"host": "elsewhere"}, {"port": 9000}])
async def test_a_new_place_or_token_of_a_known_app_is_taken_over_without_a_question(
    hass: HomeAssistant, entry: MockConfigEntry, witness_app: WitnessApp, changes: dict[str, Any]
) -> None:
    hass.config_entries.async_update_entry(entry, data={"kept": 1, "witness": _connected(witness_app)})
    config = _announced(witness_app, **changes)
    result = await _found(hass, config)
    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "already_configured"
    url = f"http://{config['host']}:{config['port']}"
    assert entry.data == {"kept": 1, "witness": {"url": url, "token": config["token"], "app": APP}}
    assert _pending(hass) == []


async def test_a_loaded_entry_takes_the_new_token_into_use_and_asks_for_it_no_more(
    hass: HomeAssistant, entry: MockConfigEntry, witness_app: WitnessApp
) -> None:
    hass.config_entries.async_update_entry(entry, data={"witness": {**_connected(witness_app), "token": "old"}})
    await set_up(hass, entry)
    before = entry.runtime_data
    await entry.start_reauth_flow(hass)
    await _found(hass, _announced(witness_app))
    assert entry.state is ConfigEntryState.LOADED
    assert entry.runtime_data is not before
    assert _pending(hass) == []


async def test_an_app_that_was_connected_by_hand_is_recognised_by_its_address(
    hass: HomeAssistant, entry: MockConfigEntry, witness_app: WitnessApp
) -> None:
    hass.config_entries.async_update_entry(entry, data={"witness": {"url": witness_app.url, "token": "typed"}})
    result = await _found(hass, _announced(witness_app))
    assert result["reason"] == "already_configured"
    assert entry.data == {"witness": _connected(witness_app)}


async def test_another_witness_is_replaced_only_if_a_person_agrees(
    hass: HomeAssistant, entry: MockConfigEntry, witness_app: WitnessApp
) -> None:
    by_hand = {"witness": {"url": "http://192.0.2.7:8127", "token": "typed"}}
    hass.config_entries.async_update_entry(entry, data=by_hand)
    form = await _found(hass, _announced(witness_app))
    assert form["step_id"] == "hassio_replace"
    assert form["description_placeholders"]["current"] == "http://192.0.2.7:8127"
    assert entry.data == by_hand
    result = await _confirmed(hass, form)
    assert result["reason"] == "witness_connected"
    assert entry.data == {"witness": _connected(witness_app)}


async def test_the_newest_token_is_asked_about_once(hass: HomeAssistant, witness_app: WitnessApp) -> None:
    await _found(hass, _announced(witness_app, token="an older token"))
    form = await _found(hass, _announced(witness_app))
    assert [flow["flow_id"] for flow in _pending(hass)] == [form["flow_id"]]
    result = await _confirmed(hass, form)
    assert result["data"]["witness"]["token"] == TOKEN


@pytest.mark.parametrize(
    ("fault", "error"),
    [("wrong token", "invalid_auth"), ("not a witness", "not_a_witness"), ("other version", "unsupported_version")],
)
async def test_an_app_that_does_not_work_is_named_until_it_does(
    hass: HomeAssistant, witness_app: WitnessApp, fault: str, error: str
) -> None:
    if fault == "not a witness":
        witness_app.status = 404
    elif fault == "other version":
        witness_app.refusals["hello"] = "unsupported_version"
    form = await _found(hass, _announced(witness_app, **({"token": "wrong"} if fault == "wrong token" else {})))
    form = await _confirmed(hass, form)
    assert form["type"] is FlowResultType.FORM
    assert form["errors"] == {"base": error}
    assert hass.config_entries.async_entries(DOMAIN) == []
    witness_app.status = None
    witness_app.refusals.clear()
    if fault == "wrong token":
        form = await _found(hass, _announced(witness_app))
    result = await _confirmed(hass, form)
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_an_app_that_is_not_there_yet_can_be_tried_again(hass: HomeAssistant, witness_app: WitnessApp) -> None:
    form = await _found(hass, _announced(witness_app, port=1))
    form = await _confirmed(hass, form)
    assert form["errors"] == {"base": "cannot_connect"}


@pytest.mark.parametrize(
    "changes",
    [
        {"host": None},
        {"host": ""},
        {"host": "a b/c"},
        {"host": 5},
        {"port": None},
        {"port": "8127"},
        {"port": True},
        {"port": 0},
        {"port": 70000},
        {"token": None},
        {"token": ""},
    ],
)
async def test_what_is_no_place_and_token_is_refused(
    hass: HomeAssistant, entry: MockConfigEntry, witness_app: WitnessApp, changes: dict[str, Any]
) -> None:
    before = dict(entry.data)
    result = await _found(hass, _announced(witness_app, **changes))
    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "not_a_witness"
    assert entry.data == before


async def test_a_discovery_that_was_ignored_does_not_come_back(
    hass: HomeAssistant, entry: MockConfigEntry, witness_app: WitnessApp
) -> None:
    await _found(hass, _announced(witness_app))
    await hass.config_entries.flow.async_init(
        DOMAIN, context={"source": SOURCE_IGNORE}, data={"unique_id": APP, "title": "SimVerity Witness"}
    )
    assert entry in hass.config_entries.async_entries(DOMAIN), "ignoring the app has replaced the entry"
    result = await _found(hass, _announced(witness_app, token="a newer token"))
    assert result["reason"] == "already_configured"
    assert entry.data == {}
    assert _pending(hass) == []


async def test_the_entry_outlives_the_app(hass: HomeAssistant, witness_app: WitnessApp) -> None:
    """Home Assistant removes an entry with its app where their ids are equal; ours lists the home's devices."""
    result = await _confirmed(hass, await _found(hass, _announced(witness_app)))
    assert result["result"].unique_id == DOMAIN


async def test_setting_up_by_hand_meanwhile_does_not_make_a_second_entry(
    hass: HomeAssistant, witness_app: WitnessApp
) -> None:
    form = await _found(hass, _announced(witness_app))
    menus: list[Any] = [
        await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER}) for _ in range(2)
    ]
    chosen = {"next_step_id": "without_camera"}
    first: Any = await hass.config_entries.flow.async_configure(menus[0]["flow_id"], chosen)
    second: Any = await hass.config_entries.flow.async_configure(menus[1]["flow_id"], chosen)
    assert first["type"] is FlowResultType.CREATE_ENTRY
    assert second["reason"] == "single_instance_allowed"
    result = await _confirmed(hass, form)
    assert result["reason"] == "witness_connected"
    assert [one.data for one in hass.config_entries.async_entries(DOMAIN)] == [{"witness": _connected(witness_app)}]


async def test_a_new_token_that_is_typed_does_not_make_the_app_a_stranger(
    hass: HomeAssistant, entry: MockConfigEntry, witness_app: WitnessApp
) -> None:
    hass.config_entries.async_update_entry(entry, data={"witness": {**_connected(witness_app), "token": "old"}})
    form = await entry.start_reauth_flow(hass)
    await hass.config_entries.flow.async_configure(form["flow_id"], {"token": TOKEN})
    await hass.async_block_till_done()
    assert entry.data == {"witness": _connected(witness_app)}


async def test_the_manual_path_works_while_nothing_is_discovered(hass: HomeAssistant, witness_app: WitnessApp) -> None:
    """Field case I9: Supervisor does not pass the announcement on, or the integration was not installed then."""
    assert _pending(hass) == []
    menu: Any = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER})
    form: Any = await hass.config_entries.flow.async_configure(menu["flow_id"], {"next_step_id": "with_witness"})
    result: Any = await hass.config_entries.flow.async_configure(
        form["flow_id"], {"url": witness_app.url, "token": TOKEN}
    )
    await hass.async_block_till_done()
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["data"] == {"witness": {"url": witness_app.url, "token": TOKEN}}
    later = await _found(hass, _announced(witness_app))
    assert later["reason"] == "already_configured"
