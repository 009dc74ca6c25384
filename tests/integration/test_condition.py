"""Conditions in real automations and scripts: what is not known stops the run, whichever way it was asked."""

from __future__ import annotations

from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.core import Context, HomeAssistant, ServiceCall
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import condition as condition_helper
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser, async_mock_service

from custom_components.simverity.actors import mark_tool
from custom_components.simverity.const import DOMAIN
from custom_components.simverity.coordinator import (
    Basis,
    Explanation,
    HeadlineView,
    LedgerState,
    LedgerView,
)
from custom_components.simverity.engine.terms import Direction, Disposition, PropertyId, Source
from tests.integration.fake_runtime import FakeRuntime
from tests.integration.surface import list_for_audit, register, set_up

pytest_plugins = ["tests.integration.surface_fixtures"]

EVIDENCE = HeadlineView(
    property_id=PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE,
    boundary="1",
    direction=Direction.OFF,
    source=Source.REPORTED_CLAIM,
    basis=Basis.STANDING,
    failures=0,
    decided=12,
    abstained=0,
)
SOUND = LedgerView(state=LedgerState.SOUND)
DONE = {"action": "test.done"}


@pytest.fixture
async def runtime(hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry) -> FakeRuntime:
    """Set the entry up with one listed lamp, about which nothing is known, and a verified ledger."""
    list_for_audit(hass, entry, lamp)
    made = await set_up(hass, entry)
    made.publish(ledger=SOUND)
    return made


@pytest.fixture
def done(hass: HomeAssistant) -> list[ServiceCall]:
    """Collect the calls of the action that the conditions guard."""
    return async_mock_service(hass, "test", "done")


def _may_act(entity_id: str, **options: str) -> dict[str, Any]:
    return {"condition": "simverity.may_act", "target": {"entity_id": entity_id}, "options": options}


def _is_escalated(entity_id: str) -> dict[str, Any]:
    return {"condition": "simverity.is_escalated", "target": {"entity_id": entity_id}}


def _is_cleared(entity_id: str) -> dict[str, Any]:
    return {"condition": "simverity.is_cleared", "target": {"entity_id": entity_id}}


async def _automation_runs(hass: HomeAssistant, done: list[ServiceCall], *conditions: dict[str, Any]) -> bool:
    """Run an automation with these conditions and say whether its action ran."""
    automation = {
        "id": "guarded",
        "alias": "guarded",
        "triggers": {"trigger": "event", "event_type": "go"},
        "conditions": list(conditions),
        "actions": DONE,
    }
    assert await async_setup_component(hass, "automation", {"automation": automation})
    await hass.async_block_till_done()
    state = hass.states.get("automation.guarded")
    assert state is not None
    assert state.state == "on"
    hass.bus.async_fire("go")
    await hass.async_block_till_done()
    return bool(done)


async def _set_up_script(hass: HomeAssistant, *steps: dict[str, Any]) -> None:
    assert await async_setup_component(hass, "script", {"script": {"guarded": {"sequence": [*steps, DONE]}}})
    await hass.async_block_till_done()


async def _script_runs(hass: HomeAssistant, done: list[ServiceCall], context: Context | None = None) -> bool:
    """Call the script in a context and say whether it came to its last step."""
    await hass.services.async_call("script", "guarded", {}, blocking=True, context=context)
    await hass.async_block_till_done()
    return bool(done)


async def test_what_does_not_escalate_may_be_acted_on(
    hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry, done: list[ServiceCall]
) -> None:
    runtime.publish_view(lamp.id, disposition=Disposition.CLEAR, explanation=Explanation.CLEARED)
    assert await _automation_runs(hass, done, _may_act(lamp.entity_id))


async def test_what_escalates_may_not(
    hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry, done: list[ServiceCall]
) -> None:
    runtime.publish_view(lamp.id, disposition=Disposition.ESCALATE, explanation=Explanation.SEEN_TO_FAIL)
    assert not await _automation_runs(hass, done, _may_act(lamp.entity_id, on_abstain="allow"))


@pytest.mark.parametrize(("on_abstain", "runs"), [("allow", True), ("refuse", False)])
async def test_what_abstains_is_handled_as_the_option_says(
    hass: HomeAssistant,
    runtime: FakeRuntime,
    lamp: er.RegistryEntry,
    done: list[ServiceCall],
    on_abstain: str,
    runs: bool,
) -> None:
    assert await _automation_runs(hass, done, _may_act(lamp.entity_id, on_abstain=on_abstain)) is runs


@pytest.mark.parametrize("guard", [_may_act, _is_cleared, _is_escalated])
@pytest.mark.parametrize("negated", [False, True])
async def test_an_entity_that_is_not_audited_stops_the_run(
    hass: HomeAssistant,
    runtime: FakeRuntime,
    done: list[ServiceCall],
    caplog: pytest.LogCaptureFixture,
    guard: Any,
    negated: bool,
) -> None:
    unlisted = register(hass, "unlisted")
    asked = guard(unlisted.entity_id)
    assert not await _automation_runs(hass, done, {"condition": "not", "conditions": [asked]} if negated else asked)
    assert "light.unlisted is not audited" in caplog.text


@pytest.mark.parametrize("state", [state for state in LedgerState if state is not LedgerState.SOUND])
@pytest.mark.parametrize("guard", [_may_act, _is_cleared, _is_escalated])
async def test_behind_a_not_an_unverified_ledger_lets_nothing_act(
    hass: HomeAssistant,
    runtime: FakeRuntime,
    lamp: er.RegistryEntry,
    done: list[ServiceCall],
    caplog: pytest.LogCaptureFixture,
    guard: Any,
    state: LedgerState,
) -> None:
    runtime.publish_view(lamp.id, headline=EVIDENCE)
    runtime.publish(ledger=LedgerView(state=state))
    assert not await _automation_runs(hass, done, {"condition": "not", "conditions": [guard(lamp.entity_id)]})
    assert f"the evidence record is not verified ({state.value})" in caplog.text


async def test_behind_a_not_verified_evidence_lets_act(
    hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry, done: list[ServiceCall]
) -> None:
    runtime.publish_view(lamp.id, headline=EVIDENCE)
    guard = {"condition": "not", "conditions": [_is_escalated(lamp.entity_id)]}
    assert await _automation_runs(hass, done, guard)


@pytest.mark.parametrize("guard", [_is_cleared, _is_escalated])
async def test_behind_a_not_missing_evidence_lets_nothing_act(
    hass: HomeAssistant,
    runtime: FakeRuntime,
    lamp: er.RegistryEntry,
    done: list[ServiceCall],
    caplog: pytest.LogCaptureFixture,
    guard: Any,
) -> None:
    assert not await _automation_runs(hass, done, {"condition": "not", "conditions": [guard(lamp.entity_id)]})
    assert f"there is no evidence about {lamp.entity_id}" in caplog.text


@pytest.mark.parametrize(
    ("guard", "disposition", "runs"),
    [
        (_is_cleared, Disposition.CLEAR, True),
        (_is_cleared, Disposition.ABSTAIN, False),
        (_is_cleared, Disposition.ESCALATE, False),
        (_is_escalated, Disposition.CLEAR, False),
        (_is_escalated, Disposition.ABSTAIN, False),
        (_is_escalated, Disposition.ESCALATE, True),
    ],
)
async def test_a_disposition_is_what_it_is(
    hass: HomeAssistant,
    runtime: FakeRuntime,
    lamp: er.RegistryEntry,
    done: list[ServiceCall],
    guard: Any,
    disposition: Disposition,
    runs: bool,
) -> None:
    runtime.publish_view(lamp.id, disposition=disposition, headline=EVIDENCE)
    assert await _automation_runs(hass, done, guard(lamp.entity_id)) is runs


async def test_a_known_refusal_stands_while_the_ledger_is_verified(
    hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry, done: list[ServiceCall]
) -> None:
    runtime.publish_view(lamp.id, disposition=Disposition.ESCALATE)
    runtime.publish(ledger=LedgerView(state=LedgerState.VERIFYING))
    assert await _automation_runs(hass, done, _is_escalated(lamp.entity_id))


async def test_without_the_audit_nothing_acts(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: FakeRuntime, lamp: er.RegistryEntry, done: list[ServiceCall]
) -> None:
    await hass.config_entries.async_unload(entry.entry_id)
    guard = {"condition": "not", "conditions": [_is_escalated(lamp.entity_id)]}
    assert not await _automation_runs(hass, done, guard)


async def test_one_device_of_an_area_that_is_not_audited_stops_the_run(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: FakeRuntime, done: list[ServiceCall]
) -> None:
    area = ar.async_get(hass).async_create("Kitchen")
    listed, unlisted = register(hass, "listed"), register(hass, "unlisted")
    for source in (listed, unlisted):
        er.async_get(hass).async_update_entity(source.entity_id, area_id=area.id)
    list_for_audit(hass, entry, listed)
    await hass.async_block_till_done()
    runtime.publish_view(listed.id, disposition=Disposition.CLEAR)
    guard = _may_act("") | {"target": {"area_id": area.id}}
    assert not await _automation_runs(hass, done, guard)


async def test_an_area_without_devices_stops_the_run(
    hass: HomeAssistant, runtime: FakeRuntime, done: list[ServiceCall], caplog: pytest.LogCaptureFixture
) -> None:
    area = ar.async_get(hass).async_create("Kitchen")
    assert not await _automation_runs(hass, done, _may_act("") | {"target": {"area_id": area.id}})
    assert "names nothing that could be audited" in caplog.text


async def test_an_entity_that_nobody_knows_stops_the_run(
    hass: HomeAssistant, runtime: FakeRuntime, done: list[ServiceCall], caplog: pytest.LogCaptureFixture
) -> None:
    assert not await _automation_runs(hass, done, _may_act("light.typo"))
    assert "there is no record of light.typo" in caplog.text


@pytest.mark.parametrize(
    ("listed", "runs"), [(("group", "porch"), False), (("group",), True), (("porch",), False), ((), False)]
)
async def test_a_group_is_as_good_as_its_audited_members(
    hass: HomeAssistant,
    entry: MockConfigEntry,
    runtime: FakeRuntime,
    lamp: er.RegistryEntry,
    done: list[ServiceCall],
    listed: tuple[str, ...],
    runs: bool,
) -> None:
    sources = {"porch": register(hass, "porch"), "group": register(hass, "group")}
    hass.states.async_set("light.group", "on", {"entity_id": [lamp.entity_id, "light.porch"]})
    for name in listed:
        list_for_audit(hass, entry, sources[name])
    await hass.async_block_till_done()
    runtime.publish_view(lamp.id, disposition=Disposition.CLEAR)
    if "group" in listed:
        runtime.publish_view(sources["group"].id, disposition=Disposition.CLEAR)
    if "porch" in listed:
        runtime.publish_view(sources["porch"].id, disposition=Disposition.ESCALATE)
    assert await _automation_runs(hass, done, _may_act("light.group")) is runs


async def test_a_person_is_let_through_and_an_agent_is_not(
    hass: HomeAssistant,
    entry: MockConfigEntry,
    runtime: FakeRuntime,
    lamp: er.RegistryEntry,
    hass_admin_user: MockUser,
    done: list[ServiceCall],
) -> None:
    agent = await hass.auth.async_create_user("Assistant")
    await hass.async_block_till_done()
    hass.config_entries.async_update_entry(entry, options={"agents": [agent.id]})
    await hass.async_block_till_done()
    await _relearn(entry, lamp)
    await _set_up_script(hass, _may_act(lamp.entity_id))
    assert not await _script_runs(hass, done, Context(user_id=agent.id))
    assert await _script_runs(hass, done, await _person(hass))


async def _relearn(entry: MockConfigEntry, lamp: er.RegistryEntry) -> None:
    """Publish a refusal after the options have reloaded the entry."""
    entry.runtime_data.publish(ledger=SOUND)
    entry.runtime_data.publish_view(lamp.id, disposition=Disposition.ESCALATE)


async def _person(hass: HomeAssistant) -> Context:
    user: User = await hass.auth.async_create_user("Resident")
    await hass.async_block_till_done()
    return Context(user_id=user.id)


@pytest.mark.parametrize("known", ["nobody", "unknown user", "unknown parent", "system", "tool"])
async def test_whoever_cannot_be_attributed_is_an_agent(
    hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry, done: list[ServiceCall], known: str
) -> None:
    runtime.publish_view(lamp.id, disposition=Disposition.ESCALATE)
    person = await _person(hass)
    system = await hass.auth.async_create_system_user("Supervisor")
    tool = Context(user_id=person.user_id)
    mark_tool(hass, tool)
    context = {
        "nobody": Context(),
        "unknown user": Context(user_id="gone"),
        "unknown parent": Context(user_id=person.user_id, parent_id="forgotten"),
        "system": Context(user_id=system.id),
        "tool": tool,
    }[known]
    await _set_up_script(hass, _may_act(lamp.entity_id))
    assert not await _script_runs(hass, done, context)


@pytest.mark.parametrize(("through_tool", "runs"), [(False, True), (True, False)])
async def test_an_automation_acts_for_whoever_set_it_off(
    hass: HomeAssistant,
    runtime: FakeRuntime,
    lamp: er.RegistryEntry,
    done: list[ServiceCall],
    through_tool: bool,
    runs: bool,
) -> None:
    runtime.publish_view(lamp.id, disposition=Disposition.ESCALATE)
    assert await async_setup_component(hass, "input_boolean", {"input_boolean": {"go": {}}})
    automation = {
        "alias": "guarded",
        "triggers": {"trigger": "state", "entity_id": "input_boolean.go", "to": "on"},
        "actions": [_may_act(lamp.entity_id), DONE],
    }
    assert await async_setup_component(hass, "automation", {"automation": automation})
    context = await _person(hass)
    if through_tool:
        mark_tool(hass, context)
    await hass.services.async_call("input_boolean", "turn_on", {"entity_id": "input_boolean.go"}, True, context)
    await hass.async_block_till_done()
    assert bool(done) is runs


async def test_with_any_actor_a_person_is_judged_too(
    hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry, done: list[ServiceCall]
) -> None:
    runtime.publish_view(lamp.id, disposition=Disposition.ESCALATE)
    await _set_up_script(hass, _may_act(lamp.entity_id, actor="any"))
    assert not await _script_runs(hass, done, await _person(hass))


async def test_a_trace_shows_why(
    hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry, done: list[ServiceCall], hass_ws_client: Any
) -> None:
    runtime.publish_view(lamp.id, disposition=Disposition.ESCALATE, explanation=Explanation.CHANGE_DETECTED)
    assert not await _automation_runs(hass, done, _may_act(lamp.entity_id))
    client = await hass_ws_client(hass)
    listed = await _answer(client, {"type": "trace/list", "domain": "automation", "item_id": "guarded"})
    run = {"domain": "automation", "item_id": "guarded", "run_id": listed[0]["run_id"]}
    trace = await _answer(client, {"type": "trace/get", **run})
    assert trace["trace"]["condition/0"][0]["result"] == {
        "result": False,
        "actor": "agent",
        "refused": [lamp.entity_id],
        "targets": {lamp.entity_id: {"disposition": "escalate", "why": "change_detected"}},
    }


async def _answer(client: Any, message: dict[str, Any]) -> Any:
    await client.send_json_auto_id(message)
    return (await client.receive_json())["result"]


@pytest.mark.parametrize(
    "config",
    [
        {"condition": "simverity.may_act"},
        {"condition": "simverity.may_act", "target": {}},
        _may_act("light.lamp", on_abstain="maybe"),
        _may_act("light.lamp", actor="robot"),
        _is_cleared("light.lamp") | {"options": {"on_abstain": "allow"}},
    ],
)
async def test_what_makes_no_sense_is_refused(hass: HomeAssistant, runtime: FakeRuntime, config: Any) -> None:
    with pytest.raises(Exception, match=r"key|value|not|required|expected"):
        await condition_helper.async_validate_condition_config(hass, config)


async def test_the_editor_is_told_of_the_conditions(
    hass: HomeAssistant, runtime: FakeRuntime, hass_ws_client: Any
) -> None:
    client = await hass_ws_client(hass)
    await client.send_json_auto_id({"type": "condition_platforms/subscribe"})
    assert (await client.receive_json())["success"]
    described: dict[str, Any] = {}
    while f"{DOMAIN}.may_act" not in described:
        described |= (await client.receive_json())["event"]
    assert set(described[f"{DOMAIN}.may_act"]["fields"]) == {"actor", "on_abstain"}
    assert {f"{DOMAIN}.is_cleared", f"{DOMAIN}.is_escalated"} <= described.keys()
