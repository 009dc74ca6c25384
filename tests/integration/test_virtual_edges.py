"""The software rung's edges: what they log, how hidden they are, and that none stays behind."""

from __future__ import annotations

import pytest
from homeassistant.components.homeassistant.exposed_entities import KNOWN_ASSISTANTS, async_should_expose
from homeassistant.const import EntityCategory
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import entity_registry as er

from custom_components.simverity.adapters.virtual_edges import UNIQUE_ID_PREFIX, Edge, EdgesUnavailableError
from custom_components.simverity.engine.terms import Direction, SubjectId
from custom_components.simverity.runtime import Runtime
from tests.integration.audit_fixtures import audit_entry, registry_id, set_up
from tests.integration.lamps import PhysicalLamp, PhysicalPlug, add_devices

pytest_plugins = ["tests.integration.audit_fixtures"]


@pytest.fixture
async def runtime(hass: HomeAssistant, physical_lamp: PhysicalLamp) -> Runtime:
    return await set_up(hass, audit_entry(hass, [physical_lamp]))


async def _edge(hass: HomeAssistant, runtime: Runtime, entity_id: str = "light.desk") -> Edge:
    subject = SubjectId(registry_id(hass, entity_id))
    twin = hass.states.get(entity_id)
    assert twin is not None
    return (await runtime.edges.async_create({subject: twin}))[subject]


async def test_an_edge_logs_what_reached_it_before_it_shows_it(hass: HomeAssistant, runtime: Runtime) -> None:
    edge = await _edge(hass, runtime)
    edge.prepare(Direction.OFF)
    start = edge.monotonic()
    context = Context()
    await hass.services.async_call("light", "turn_on", {"entity_id": edge.entity_id}, blocking=True, context=context)
    [(at, state)] = edge.effects
    assert state is Direction.ON
    assert start <= at <= edge.monotonic()
    assert hass.states.get(edge.entity_id).state == "on"  # type: ignore[union-attr]
    assert edge.contexts == {context.id}


async def test_a_foreign_command_leaves_its_context_in_the_log(hass: HomeAssistant, runtime: Runtime) -> None:
    edge = await _edge(hass, runtime)
    ours, theirs = Context(), Context()
    for context in (ours, theirs):
        await hass.services.async_call(
            "light", "turn_on", {"entity_id": edge.entity_id}, blocking=True, context=context
        )
    assert edge.contexts - {ours.id} == {theirs.id}


async def test_an_edge_is_hidden_diagnostic_and_nobody_can_ask_for_it(hass: HomeAssistant, runtime: Runtime) -> None:
    edge = await _edge(hass, runtime)
    entry = er.async_get(hass).async_get(edge.entity_id)
    assert entry is not None
    assert (entry.hidden_by, entry.entity_category) == (er.RegistryEntryHider.INTEGRATION, EntityCategory.DIAGNOSTIC)
    assert (entry.area_id, entry.device_id, entry.config_subentry_id) == (None, None, None)
    assert [async_should_expose(hass, assistant, edge.entity_id) for assistant in KNOWN_ASSISTANTS] == [False] * 3


async def test_nothing_of_an_edge_stays_behind(hass: HomeAssistant, runtime: Runtime) -> None:
    edge = await _edge(hass, runtime)
    await runtime.edges.async_remove_all()
    await hass.async_block_till_done()
    registry = er.async_get(hass)
    assert registry.async_get(edge.entity_id) is None
    assert hass.states.get(edge.entity_id) is None
    assert [key for key in registry.deleted_entities if key[2].startswith(UNIQUE_ID_PREFIX)] == []


async def test_leftovers_of_a_killed_process_are_deleted_at_the_next_start(
    hass: HomeAssistant, physical_lamp: PhysicalLamp
) -> None:
    entry = audit_entry(hass, [physical_lamp])
    registry = er.async_get(hass)
    left = registry.async_get_or_create("light", "simverity", f"{UNIQUE_ID_PREFIX}gone", config_entry=entry)
    await set_up(hass, entry)
    assert registry.async_get(left.entity_id) is None


async def test_an_edge_has_the_capabilities_of_its_twin(hass: HomeAssistant, runtime: Runtime) -> None:
    hass.states.async_set(
        "light.desk",
        "on",
        {"supported_color_modes": ["color_temp", "hs"], "supported_features": 32, "color_mode": "hs"},
    )
    edge = await _edge(hass, runtime)
    await hass.services.async_call("light", "turn_on", {"entity_id": edge.entity_id, "brightness": 77}, blocking=True)
    state = hass.states.get(edge.entity_id)
    assert state is not None
    assert set(state.attributes["supported_color_modes"]) == {"color_temp", "hs"}
    assert (state.attributes["supported_features"], state.attributes["brightness"]) == (32, 77)


async def test_a_plug_gets_a_switch(hass: HomeAssistant, runtime: Runtime) -> None:
    await add_devices(hass, PhysicalPlug("kettle"))
    edge = await _edge(hass, runtime, "switch.kettle")
    await hass.services.async_call("switch", "turn_on", {"entity_id": edge.entity_id}, blocking=True)
    assert edge.entity_id.startswith("switch.")
    assert [state for _, state in edge.effects] == [Direction.ON]


async def test_a_domain_without_edges_is_refused_and_leaves_nothing(hass: HomeAssistant, runtime: Runtime) -> None:
    hass.states.async_set("fan.desk", "off")
    twin = hass.states.get("fan.desk")
    assert twin is not None
    with pytest.raises(EdgesUnavailableError):
        await runtime.edges.async_create({SubjectId("fan"): twin})
    assert hass.states.async_entity_ids("fan") == ["fan.desk"]


async def test_the_log_is_cut_to_the_trial(hass: HomeAssistant, runtime: Runtime) -> None:
    edge = await _edge(hass, runtime)
    edge.effects = [(1.0, Direction.ON), (2.0, Direction.OFF), (3.0, Direction.ON)]
    channel = edge.channel(1.5, 2.5, Direction.ON)
    assert (channel.effects, channel.watched_until, channel.initial) == (((2.0, Direction.OFF),), 2.5, Direction.ON)
