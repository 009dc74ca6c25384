"""The guarded tools: an assistant acts where nothing speaks against it, and is told why where something does."""

from __future__ import annotations

from typing import Any

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.light import DOMAIN as LIGHT
from homeassistant.core import Context, HomeAssistant, ServiceCall
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_mock_service

from custom_components.simverity.actors import Actor, actor_of
from custom_components.simverity.coordinator import LedgerState, LedgerView
from custom_components.simverity.engine.terms import Disposition
from custom_components.simverity.llm_api import API_ID, REFUSED
from tests.integration.fake_runtime import FakeRuntime
from tests.integration.guarded import SOUND
from tests.integration.surface import register

pytest_plugins = ["tests.integration.guarded_fixtures", "tests.integration.surface_fixtures"]
TURN_ON = "intent__HassTurnOn"


@pytest.fixture
async def calls(hass: HomeAssistant) -> list[ServiceCall]:
    """Bring up what an assistant needs; the lights themselves are mocked."""
    for component in ("homeassistant", "conversation", "intent", "llm", "light"):
        assert await async_setup_component(hass, component, {})
    return async_mock_service(hass, LIGHT, "turn_on")


def _expose(hass: HomeAssistant, entry: er.RegistryEntry) -> str:
    hass.states.async_set(entry.entity_id, "off", {"friendly_name": entry.entity_id.partition(".")[2]})
    async_expose_entity(hass, "conversation", entry.entity_id, True)
    return entry.entity_id.partition(".")[2]


async def _ask(hass: HomeAssistant, tool: str, context: Context | None = None, **given: Any) -> llm.ToolResult:
    asked = llm.LLMContext(
        platform="test",
        context=context or Context(),
        language="en",
        assistant="conversation",
        device_id=None,
    )
    api = await llm.async_get_api(hass, API_ID, asked)
    return await api.async_call_tool(llm.ToolInput(tool_name=tool, tool_args=given))


async def test_a_device_that_escalates_is_not_switched_and_the_assistant_is_told(
    hass: HomeAssistant, calls: list[ServiceCall], runtime: FakeRuntime, lamp: er.RegistryEntry
) -> None:
    name = _expose(hass, lamp)
    runtime.publish_view(lamp.id, disposition=Disposition.ESCALATE)
    answer = await _ask(hass, TURN_ON, name=name)
    assert answer.error
    assert answer.data["error"] == REFUSED
    assert name in str(answer.data["error_text"])
    assert calls == []


@pytest.mark.parametrize("disposition", [Disposition.CLEAR, Disposition.ABSTAIN])
async def test_a_device_that_nothing_speaks_against_is_switched(
    hass: HomeAssistant,
    calls: list[ServiceCall],
    runtime: FakeRuntime,
    lamp: er.RegistryEntry,
    disposition: Disposition,
) -> None:
    name = _expose(hass, lamp)
    runtime.publish_view(lamp.id, disposition=disposition)
    answer = await _ask(hass, TURN_ON, name=name)
    assert not answer.error
    assert [call.data["entity_id"] for call in calls] == [[lamp.entity_id]]


async def test_an_area_is_refused_for_one_of_its_devices(
    hass: HomeAssistant, calls: list[ServiceCall], runtime: FakeRuntime, lamp: er.RegistryEntry
) -> None:
    other = register(hass, "other", original_name="other")
    _, name = (_expose(hass, entry) for entry in (lamp, other))
    runtime.publish_view(lamp.id, disposition=Disposition.ESCALATE)
    assert (await _ask(hass, TURN_ON, domain=["light"])).error
    assert not (await _ask(hass, TURN_ON, name=name)).error
    assert len(calls) == 1


async def test_a_ledger_that_is_not_verified_refuses_what_is_audited(
    hass: HomeAssistant, calls: list[ServiceCall], runtime: FakeRuntime, lamp: er.RegistryEntry
) -> None:
    name = _expose(hass, lamp)
    runtime.publish(ledger=LedgerView(state=LedgerState.DAMAGED))
    answer = await _ask(hass, TURN_ON, name=name)
    assert "damaged" in str(answer.data["error_text"])
    runtime.publish(ledger=SOUND)
    assert not (await _ask(hass, TURN_ON, name=name)).error


async def test_it_is_judged_at_the_call_not_when_the_tools_were_given(
    hass: HomeAssistant, calls: list[ServiceCall], runtime: FakeRuntime, lamp: er.RegistryEntry
) -> None:
    name = _expose(hass, lamp)
    asked = llm.LLMContext(platform="test", context=Context(), language="en", assistant="conversation", device_id=None)
    api = await llm.async_get_api(hass, API_ID, asked)
    runtime.publish_view(lamp.id, disposition=Disposition.ESCALATE)
    assert (await api.async_call_tool(llm.ToolInput(tool_name=TURN_ON, tool_args={"name": name}))).error


async def test_what_a_tool_does_counts_as_an_agents_doing_and_its_return_is_known(
    hass: HomeAssistant, calls: list[ServiceCall], runtime: FakeRuntime, lamp: er.RegistryEntry
) -> None:
    user = await hass.auth.async_create_user("Anna")
    name = _expose(hass, lamp)
    asked = Context(user_id=user.id)
    await _ask(hass, TURN_ON, asked, name=name)
    context = calls[0].context
    assert (context.user_id, context.parent_id) == (user.id, asked.id)
    assert actor_of(hass, {"context": context}) is Actor.AGENT
    assert runtime.returned == [(context.id, None)]


async def test_a_tool_that_fails_is_known_with_its_error(
    hass: HomeAssistant, calls: list[ServiceCall], runtime: FakeRuntime
) -> None:
    with pytest.raises(HomeAssistantError):
        await _ask(hass, TURN_ON, name="no such lamp")
    [(_, error)] = runtime.returned
    assert error is not None


async def test_a_script_is_refused_for_what_it_names(
    hass: HomeAssistant, calls: list[ServiceCall], runtime: FakeRuntime, lamp: er.RegistryEntry
) -> None:
    step = {"action": "light.turn_on", "target": {"entity_id": lamp.entity_id}}
    assert await async_setup_component(hass, "script", {"script": {"evening": {"sequence": [step]}}})
    await hass.async_block_till_done()
    async_expose_entity(hass, "conversation", "script.evening", True)
    hass.states.async_set(lamp.entity_id, "off")
    runtime.publish_view(lamp.id, disposition=Disposition.ESCALATE)
    assert (await _ask(hass, "script__evening")).error
    runtime.publish_view(lamp.id, disposition=Disposition.CLEAR)
    assert not (await _ask(hass, "script__evening")).error
    assert len(calls) == 1


async def test_tools_that_only_read_are_left_as_they_are(
    hass: HomeAssistant, calls: list[ServiceCall], runtime: FakeRuntime
) -> None:
    asked = llm.LLMContext(platform="test", context=Context(), language="en", assistant="conversation", device_id=None)
    guarded = await llm.async_get_api(hass, API_ID, asked)
    inner = await llm.async_get_api(hass, llm.LLM_API_ASSIST, asked)
    assert [tool.name for tool in guarded.tools] == [tool.name for tool in inner.tools]
    same = {one.name for one, other in zip(guarded.tools, inner.tools, strict=True) if type(one) is type(other)}
    assert same == {tool.name for tool in inner.tools if tool.annotations.read_only}


async def test_it_is_offered_only_while_the_integration_is_loaded(
    hass: HomeAssistant, calls: list[ServiceCall], runtime: FakeRuntime, entry: MockConfigEntry
) -> None:
    assert API_ID in {api.id for api in llm.async_get_apis(hass)}
    await hass.config_entries.async_unload(entry.entry_id)
    assert API_ID not in {api.id for api in llm.async_get_apis(hass)}
