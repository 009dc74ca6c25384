"""Setting up with and without a witness, changing it, and the settings of the home."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from homeassistant.config_entries import SOURCE_USER
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.simverity.audit.listing import read_listing
from custom_components.simverity.const import DOMAIN
from custom_components.simverity.engine.standing.policy import StandingPolicy
from tests.integration.surface import set_up
from tests.integration.witness_app import GREETING, TOKEN, WitnessApp

pytest_plugins = ["tests.integration.surface_fixtures"]

type Flow = dict[str, Any]


@pytest.fixture(autouse=True)
def _surface_only(without_audit: None) -> None:
    """Set entries up without an audit."""


@pytest.fixture
def witnessed(hass: HomeAssistant, witness_app: WitnessApp) -> MockConfigEntry:
    """Return an entry whose witness app runs."""
    entry = MockConfigEntry(domain=DOMAIN, data={"witness": {"url": witness_app.url, "token": TOKEN}})
    entry.add_to_hass(hass)
    return entry


async def _chosen(hass: HomeAssistant, option: str) -> Flow:
    flow: Any = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER})
    assert flow["type"] is FlowResultType.MENU
    return await _answered(hass, flow, {"next_step_id": option})


async def _answered(hass: HomeAssistant, flow: Flow, answer: Flow) -> Flow:
    result: Any = await hass.config_entries.flow.async_configure(flow["flow_id"], answer)
    await hass.async_block_till_done()
    return dict(result)


async def test_without_a_camera_nothing_is_asked(hass: HomeAssistant) -> None:
    result = await _chosen(hass, "without_camera")
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["data"] == {}


async def test_a_witness_that_answers_is_stored(hass: HomeAssistant, witness_app: WitnessApp) -> None:
    form = await _chosen(hass, "with_witness")
    assert form["step_id"] == "with_witness"
    result = await _answered(hass, form, {"url": f" {witness_app.url}/ ", "token": TOKEN})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["data"] == {"witness": {"url": witness_app.url, "token": TOKEN}}
    assert [question["type"] for question in witness_app.asked] == ["hello"]


async def test_an_address_without_a_scheme_means_http(hass: HomeAssistant, witness_app: WitnessApp) -> None:
    form = await _chosen(hass, "with_witness")
    result = await _answered(hass, form, {"url": witness_app.url.removeprefix("http://"), "token": TOKEN})
    assert result["data"]["witness"]["url"] == witness_app.url


@pytest.mark.parametrize("address", ["ftp://here", "http://", "http://here:99999", "::"])
async def test_what_is_no_address_is_refused_and_can_be_corrected(
    hass: HomeAssistant, witness_app: WitnessApp, address: str
) -> None:
    form = await _chosen(hass, "with_witness")
    form = await _answered(hass, form, {"url": address, "token": TOKEN})
    assert form["errors"] == {"url": "invalid_url"}
    result = await _answered(hass, form, {"url": witness_app.url, "token": TOKEN})
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_a_wrong_token_is_refused_and_can_be_corrected(hass: HomeAssistant, witness_app: WitnessApp) -> None:
    form = await _chosen(hass, "with_witness")
    form = await _answered(hass, form, {"url": witness_app.url, "token": "wrong"})
    assert form["errors"] == {"token": "invalid_auth"}
    result = await _answered(hass, form, {"url": witness_app.url, "token": TOKEN})
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_an_app_of_another_version_is_refused_until_updated(hass: HomeAssistant, witness_app: WitnessApp) -> None:
    witness_app.refusals["hello"] = "unsupported_version"
    form = await _chosen(hass, "with_witness")
    form = await _answered(hass, form, {"url": witness_app.url, "token": TOKEN})
    assert form["errors"] == {"base": "unsupported_version"}
    witness_app.refusals.clear()
    result = await _answered(hass, form, {"url": witness_app.url, "token": TOKEN})
    assert result["type"] is FlowResultType.CREATE_ENTRY


@pytest.mark.parametrize(
    ("fault", "errors"),
    [
        ("nobody listens", {"base": "cannot_connect"}),
        ("not a witness", {"url": "not_a_witness"}),
        ("strange words", {"url": "not_a_witness"}),
        ("strange refusal", {"base": "cannot_connect"}),
    ],
)
async def test_an_app_that_does_not_answer_as_one_is_refused_until_it_does(
    hass: HomeAssistant, witness_app: WitnessApp, fault: str, errors: dict[str, str]
) -> None:
    address = witness_app.url
    if fault == "nobody listens":
        address = "http://127.0.0.1:1"
    elif fault == "not a witness":
        witness_app.status = 404
    elif fault == "strange words":
        witness_app.greeting = {"api": 1}
    else:
        witness_app.refusals["hello"] = "bad_request"
    form = await _chosen(hass, "with_witness")
    form = await _answered(hass, form, {"url": address, "token": TOKEN})
    assert form["errors"] == errors
    witness_app.status, witness_app.greeting = None, GREETING
    witness_app.refusals.clear()
    result = await _answered(hass, form, {"url": witness_app.url, "token": TOKEN})
    assert result["type"] is FlowResultType.CREATE_ENTRY


async def test_one_entry_is_enough_for_a_home(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    result: Any = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER})
    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "single_instance_allowed"


async def test_a_witness_can_be_added_later(
    hass: HomeAssistant, entry: MockConfigEntry, witness_app: WitnessApp
) -> None:
    await set_up(hass, entry)
    form = await entry.start_reconfigure_flow(hass)
    assert form["step_id"] == "set_witness"
    result = await _answered(hass, form, {"url": witness_app.url, "token": TOKEN})
    assert result["reason"] == "reconfigure_successful"
    assert entry.data == {"witness": {"url": witness_app.url, "token": TOKEN}}


async def test_the_old_witness_stays_until_the_new_one_works(
    hass: HomeAssistant, witnessed: MockConfigEntry, witness_app: WitnessApp
) -> None:
    before = dict(witnessed.data)
    menu = await witnessed.start_reconfigure_flow(hass)
    assert menu["type"] is FlowResultType.MENU
    form = await _answered(hass, menu, {"next_step_id": "set_witness"})
    form = await _answered(hass, form, {"url": witness_app.url, "token": "wrong"})
    assert form["errors"] == {"token": "invalid_auth"}
    assert witnessed.data == before


async def test_the_witness_is_forgotten_once_confirmed(hass: HomeAssistant, witnessed: MockConfigEntry) -> None:
    menu = await witnessed.start_reconfigure_flow(hass)
    form = await _answered(hass, menu, {"next_step_id": "remove_witness"})
    assert form["type"] is FlowResultType.FORM
    assert "witness" in witnessed.data
    result = await _answered(hass, form, {})
    assert result["reason"] == "reconfigure_successful"
    assert witnessed.data == {}


async def test_a_new_token_is_tried_at_the_known_address(
    hass: HomeAssistant, entry: MockConfigEntry, witness_app: WitnessApp
) -> None:
    hass.config_entries.async_update_entry(entry, data={"witness": {"url": witness_app.url, "token": "old"}})
    form = await entry.start_reauth_flow(hass)
    assert form["step_id"] == "reauth_confirm"
    form = await _answered(hass, form, {"token": "wrong"})
    assert form["errors"] == {"token": "invalid_auth"}
    result = await _answered(hass, form, {"token": TOKEN})
    assert result["reason"] == "reauth_successful"
    assert entry.data["witness"]["token"] == TOKEN


async def test_the_settled_boundary_of_the_home_can_be_changed(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    form: Any = await hass.config_entries.options.async_init(entry.entry_id)
    assert form["step_id"] == "init"
    result: Any = await hass.config_entries.options.async_configure(
        form["flow_id"], {"settle_from": 4.0, "settle_window": 1.0}
    )
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert entry.options == {"settle_from": 4.0, "settle_window": 1.0}


async def test_what_a_clearance_takes_can_be_chosen(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    form: Any = await hass.config_entries.options.async_init(entry.entry_id)
    chosen = {"tolerance": 2.0, "confidence": 99.0, "strict": True, "counting": "drawn", "block": 30.0, "one_in": 3.0}
    given = {"settle_from": 10.0, "settle_window": 2.0, "clearance": chosen}
    result: Any = await hass.config_entries.options.async_configure(form["flow_id"], given)
    assert result["type"] is FlowResultType.CREATE_ENTRY
    policy = read_listing(entry).policy
    assert (policy.tolerance, policy.error, policy.strict, policy.one_in) == (0.02, 0.01, True, 3)
    assert policy.block == timedelta(minutes=30)


async def test_a_home_that_chose_nothing_has_the_default_policy(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    assert read_listing(entry).policy == StandingPolicy()


async def test_users_can_be_named_as_agents(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    agent = await hass.auth.async_create_user("Assistant")
    system = await hass.auth.async_create_system_user("Supervisor")
    hass.config_entries.async_update_entry(entry, options={"agents": ["gone"]})
    form: Any = await hass.config_entries.options.async_init(entry.entry_id)
    selector = form["data_schema"].schema["agents"]
    offered = {option["value"]: option["label"] for option in selector.config["options"]}
    assert offered[agent.id] == "Assistant"
    assert "gone" in offered
    assert system.id not in offered
    settled = {"settle_from": 4.0, "settle_window": 1.0}
    result: Any = await hass.config_entries.options.async_configure(form["flow_id"], settled | {"agents": [agent.id]})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert entry.options == settled | {"agents": [agent.id]}
