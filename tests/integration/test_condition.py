"""Conditions in real automations and scripts: what is not known stops the run, whichever way it was asked."""

from __future__ import annotations

from typing import Any

import probatio
import pytest
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import condition as condition_helper
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.simverity.const import DOMAIN
from custom_components.simverity.coordinator import (
    Explanation,
    LedgerState,
    LedgerView,
)
from custom_components.simverity.engine.terms import Disposition
from tests.integration.fake_runtime import FakeRuntime
from tests.integration.guarded import (
    EVIDENCE,
    automation_runs,
    is_cleared,
    is_escalated,
    may_act,
)
from tests.integration.surface import list_for_audit, register

pytest_plugins = ["tests.integration.surface_fixtures", "tests.integration.guarded_fixtures"]


async def test_what_does_not_escalate_may_be_acted_on(
    hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry, done: list[ServiceCall]
) -> None:
    runtime.publish_view(lamp.id, disposition=Disposition.CLEAR, explanation=Explanation.CLEARED)
    assert await automation_runs(hass, done, may_act(lamp.entity_id))


async def test_what_escalates_may_not(
    hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry, done: list[ServiceCall]
) -> None:
    runtime.publish_view(lamp.id, disposition=Disposition.ESCALATE, explanation=Explanation.SEEN_TO_FAIL)
    assert not await automation_runs(hass, done, may_act(lamp.entity_id, on_abstain="allow"))


@pytest.mark.parametrize(("on_abstain", "runs"), [("allow", True), ("refuse", False)])
async def test_what_abstains_is_handled_as_the_option_says(
    hass: HomeAssistant,
    runtime: FakeRuntime,
    lamp: er.RegistryEntry,
    done: list[ServiceCall],
    on_abstain: str,
    runs: bool,
) -> None:
    assert await automation_runs(hass, done, may_act(lamp.entity_id, on_abstain=on_abstain)) is runs


@pytest.mark.parametrize("guard", [may_act, is_cleared, is_escalated])
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
    assert not await automation_runs(hass, done, {"condition": "not", "conditions": [asked]} if negated else asked)
    assert "light.unlisted is not audited" in caplog.text


@pytest.mark.parametrize("state", [state for state in LedgerState if state is not LedgerState.SOUND])
@pytest.mark.parametrize("guard", [may_act, is_cleared, is_escalated])
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
    assert not await automation_runs(hass, done, {"condition": "not", "conditions": [guard(lamp.entity_id)]})
    assert f"the evidence record is not verified ({state.value})" in caplog.text


async def test_behind_a_not_verified_evidence_lets_act(
    hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry, done: list[ServiceCall]
) -> None:
    runtime.publish_view(lamp.id, headline=EVIDENCE)
    guard = {"condition": "not", "conditions": [is_escalated(lamp.entity_id)]}
    assert await automation_runs(hass, done, guard)


@pytest.mark.parametrize("guard", [is_cleared, is_escalated])
async def test_behind_a_not_missing_evidence_lets_nothing_act(
    hass: HomeAssistant,
    runtime: FakeRuntime,
    lamp: er.RegistryEntry,
    done: list[ServiceCall],
    caplog: pytest.LogCaptureFixture,
    guard: Any,
) -> None:
    assert not await automation_runs(hass, done, {"condition": "not", "conditions": [guard(lamp.entity_id)]})
    assert f"there is no evidence about {lamp.entity_id}" in caplog.text


@pytest.mark.parametrize(
    ("guard", "disposition", "runs"),
    [
        (is_cleared, Disposition.CLEAR, True),
        (is_cleared, Disposition.ABSTAIN, False),
        (is_cleared, Disposition.ESCALATE, False),
        (is_escalated, Disposition.CLEAR, False),
        (is_escalated, Disposition.ABSTAIN, False),
        (is_escalated, Disposition.ESCALATE, True),
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
    assert await automation_runs(hass, done, guard(lamp.entity_id)) is runs


async def test_a_known_refusal_stands_while_the_ledger_is_verified(
    hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry, done: list[ServiceCall]
) -> None:
    runtime.publish_view(lamp.id, disposition=Disposition.ESCALATE)
    runtime.publish(ledger=LedgerView(state=LedgerState.VERIFYING))
    assert await automation_runs(hass, done, is_escalated(lamp.entity_id))


async def test_without_the_audit_nothing_acts(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: FakeRuntime, lamp: er.RegistryEntry, done: list[ServiceCall]
) -> None:
    await hass.config_entries.async_unload(entry.entry_id)
    guard = {"condition": "not", "conditions": [is_escalated(lamp.entity_id)]}
    assert not await automation_runs(hass, done, guard)


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
    guard = may_act("") | {"target": {"area_id": area.id}}
    assert not await automation_runs(hass, done, guard)


async def test_an_area_without_devices_stops_the_run(
    hass: HomeAssistant, runtime: FakeRuntime, done: list[ServiceCall], caplog: pytest.LogCaptureFixture
) -> None:
    area = ar.async_get(hass).async_create("Kitchen")
    assert not await automation_runs(hass, done, may_act("") | {"target": {"area_id": area.id}})
    assert "names nothing that could be audited" in caplog.text


async def test_an_entity_that_nobody_knows_stops_the_run(
    hass: HomeAssistant, runtime: FakeRuntime, done: list[ServiceCall], caplog: pytest.LogCaptureFixture
) -> None:
    assert not await automation_runs(hass, done, may_act("light.typo"))
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
    assert await automation_runs(hass, done, may_act("light.group")) is runs


async def test_a_trace_shows_why(
    hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry, done: list[ServiceCall], hass_ws_client: Any
) -> None:
    runtime.publish_view(lamp.id, disposition=Disposition.ESCALATE, explanation=Explanation.CHANGE_DETECTED)
    assert not await automation_runs(hass, done, may_act(lamp.entity_id))
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
        may_act("light.lamp", on_abstain="maybe"),
        may_act("light.lamp", actor="robot"),
        is_cleared("light.lamp") | {"options": {"on_abstain": "allow"}},
    ],
)
async def test_what_makes_no_sense_is_refused(hass: HomeAssistant, runtime: FakeRuntime, config: Any) -> None:
    with pytest.raises(probatio.Invalid):
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
