"""Who acts: a person only if all of the chain is known, an agent otherwise."""

from __future__ import annotations

import pytest
from homeassistant.auth.models import User
from homeassistant.core import Context, HomeAssistant, ServiceCall
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser

from custom_components.simverity.actors import mark_tool
from custom_components.simverity.adapters import callers
from custom_components.simverity.adapters.source_digests import async_integration_version
from custom_components.simverity.engine.terms import Disposition
from tests.integration.fake_runtime import FakeRuntime
from tests.integration.guarded import (
    DONE,
    SOUND,
    may_act,
    script_runs,
    set_up_script,
)

pytest_plugins = ["tests.integration.surface_fixtures", "tests.integration.guarded_fixtures"]


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
    await set_up_script(hass, may_act(lamp.entity_id))
    assert not await script_runs(hass, done, Context(user_id=agent.id))
    assert await script_runs(hass, done, await _person(hass))


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
    await set_up_script(hass, may_act(lamp.entity_id))
    assert not await script_runs(hass, done, context)


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
        "actions": [may_act(lamp.entity_id), DONE],
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
    await set_up_script(hass, may_act(lamp.entity_id, actor="any"))
    assert not await script_runs(hass, done, await _person(hass))


async def test_what_was_long_ago_is_forgotten_and_then_nobodys(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(callers, "_KEPT", 2)
    known = callers.Callers(hass)
    await known.async_listen()
    resident = await hass.auth.async_create_user("Resident")
    await hass.async_block_till_done()
    first, tool = Context(user_id=resident.id), Context(user_id=resident.id)
    for context in (first, Context(), Context()):
        hass.bus.async_fire("call_service", {}, context=context)
    assert known.people_behind(Context(parent_id=first.id)) is None
    assert known.people_behind(first) == {resident.id}
    known.mark_tool(tool)
    assert known.people_behind(tool) is None
    for _ in range(2):
        known.mark_tool(Context())
    assert known.people_behind(tool) == {resident.id}


async def test_a_chain_without_an_end_is_nobodys(hass: HomeAssistant) -> None:
    known = callers.Callers(hass)
    await known.async_listen()
    links = [Context(id=str(number), parent_id=str((number + 1) % 3)) for number in range(3)]
    for context in links:
        hass.bus.async_fire("call_service", {}, context=context)
    assert known.people_behind(links[0]) is None


async def test_the_version_of_an_integration_is_its_own_or_what_its_files_and_pins_say(
    hass: HomeAssistant, runtime: FakeRuntime
) -> None:
    assert await async_integration_version(hass, "simverity") == "0.1.0"
    assert await async_integration_version(hass, "no_such_integration") is None
    found = [await async_integration_version(hass, domain) for domain in ("mqtt", "mqtt", "light")]
    assert found[0] == found[1] != found[2]
