"""Triggers and events: a person hears of what changed, once, and not of a restart."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import probatio
import pytest
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import trigger as trigger_helper
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_mock_service

from custom_components.simverity.const import DOMAIN
from custom_components.simverity.coordinator import Explanation, FalseClearance, LedgerState, LedgerView
from custom_components.simverity.engine.terms import Direction, Disposition, PropertyId, Source
from tests.integration.fake_runtime import FakeRuntime
from tests.integration.surface import entity_id_of, list_for_audit, register, set_up

pytest_plugins = ["tests.integration.surface_fixtures"]

SOUND = LedgerView(state=LedgerState.SOUND)
SEEN_AT = datetime(2026, 11, 30, 12, tzinfo=UTC)
FAILED = FalseClearance(
    at=SEEN_AT,
    direction=Direction.OFF,
    source=Source.REPORTED_CLAIM,
    property_id=PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE,
    boundary="1",
)
LATER = FalseClearance(
    at=SEEN_AT + timedelta(minutes=1),
    direction=Direction.ON,
    source=Source.ACCEPTED_CALL,
    property_id=PropertyId.SETTLED_POSTCONDITION,
    boundary="settled",
)


@pytest.fixture
async def runtime(hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry) -> FakeRuntime:
    """Set the entry up with one listed lamp and a verified ledger."""
    list_for_audit(hass, entry, lamp)
    made = await set_up(hass, entry)
    made.publish(ledger=SOUND)
    return made


@pytest.fixture
def told(hass: HomeAssistant) -> list[ServiceCall]:
    """Collect what the automation was told."""
    calls: list[ServiceCall] = async_mock_service(hass, "test", "told")
    return calls


async def _listen(hass: HomeAssistant, **trigger: Any) -> None:
    automation = {
        "alias": "listening",
        "mode": "parallel",
        "triggers": trigger,
        "actions": {"action": "test.told", "data": {"trigger": "{{ trigger }}", "entity": "{{ trigger.entity_id }}"}},
    }
    assert await async_setup_component(hass, "automation", {"automation": automation})
    await hass.async_block_till_done()


async def test_a_changed_disposition_is_told_with_its_reason(
    hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry, told: list[ServiceCall]
) -> None:
    await _listen(hass, trigger="simverity.disposition_changed", target={"entity_id": lamp.entity_id})
    runtime.publish_view(lamp.id, disposition=Disposition.ESCALATE, explanation=Explanation.SEEN_TO_FAIL)
    await hass.async_block_till_done()
    trigger = told[0].data["trigger"]
    assert (trigger["from_disposition"], trigger["to_disposition"]) == ("abstain", "escalate")
    assert (trigger["entity_id"], trigger["why"]) == (lamp.entity_id, "seen_to_fail")
    assert trigger["meaning"] == "It was reported as done and was not"
    runtime.publish_view(lamp.id, trials=5)
    await hass.async_block_till_done()
    assert len(told) == 1


@pytest.mark.parametrize(
    ("options", "count"),
    [
        ({}, 2),
        ({"to": "escalate"}, 1),
        ({"from": ["escalate"]}, 1),
        ({"from": ["clear"]}, 0),
        ({"from": ["abstain"], "to": ["clear"]}, 0),
    ],
)
async def test_options_choose_among_the_changes(
    hass: HomeAssistant,
    runtime: FakeRuntime,
    lamp: er.RegistryEntry,
    told: list[ServiceCall],
    options: dict[str, Any],
    count: int,
) -> None:
    await _listen(hass, trigger="simverity.disposition_changed", options=options)
    runtime.publish_view(lamp.id, disposition=Disposition.ESCALATE)
    runtime.publish_view(lamp.id, disposition=Disposition.CLEAR)
    await hass.async_block_till_done()
    assert len(told) == count


async def test_a_reload_is_no_news_but_what_changed_over_it_is(
    hass: HomeAssistant,
    entry: MockConfigEntry,
    runtime: FakeRuntime,
    lamp: er.RegistryEntry,
    told: list[ServiceCall],
) -> None:
    runtime.publish_view(lamp.id, disposition=Disposition.CLEAR, false_clearance=FAILED)
    await _listen(hass, trigger="simverity.disposition_changed")
    assert await hass.config_entries.async_reload(entry.entry_id)
    reloaded: FakeRuntime = entry.runtime_data
    reloaded.publish_view(lamp.id, disposition=Disposition.CLEAR)
    reloaded.publish(ledger=SOUND)
    await hass.async_block_till_done()
    assert told == []
    assert await hass.config_entries.async_reload(entry.entry_id)
    entry.runtime_data.publish_view(lamp.id, disposition=Disposition.ESCALATE)
    entry.runtime_data.publish(ledger=SOUND)
    await hass.async_block_till_done()
    assert told[0].data["trigger"]["from_disposition"] == "clear"


async def test_a_damaged_ledger_takes_a_clearance_away_and_that_is_news(
    hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry, told: list[ServiceCall]
) -> None:
    runtime.publish_view(lamp.id, disposition=Disposition.CLEAR)
    await _listen(hass, trigger="simverity.disposition_changed", options={"to": "abstain"})
    runtime.publish(ledger=LedgerView(state=LedgerState.DAMAGED))
    runtime.publish_view(lamp.id, disposition=Disposition.ABSTAIN)
    await hass.async_block_till_done()
    assert len(told) == 1


async def test_a_false_clearance_is_told_with_what_was_asked_and_seen(
    hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry, told: list[ServiceCall]
) -> None:
    await _listen(hass, trigger="simverity.false_clearance", target={"entity_id": lamp.entity_id})
    runtime.publish_view(lamp.id, false_clearance=FAILED)
    runtime.publish_view(lamp.id, trials=2)
    runtime.publish_view(lamp.id, false_clearance=LATER)
    await hass.async_block_till_done()
    first, second = (call.data["trigger"] for call in told)
    assert (first["asked"], first["seen"], first["claimed_by"]) == ("off", "on", "reported_claim")
    assert (first["property"], first["boundary"]) == ("observable_effect_after_write", "1")
    assert (second["asked"], second["seen"], second["claimed_by"]) == ("on", "off", "accepted_call")


async def test_only_the_targeted_device_is_told_of(
    hass: HomeAssistant,
    entry: MockConfigEntry,
    runtime: FakeRuntime,
    lamp: er.RegistryEntry,
    told: list[ServiceCall],
) -> None:
    porch = register(hass, "porch")
    list_for_audit(hass, entry, porch)
    await hass.async_block_till_done()
    await _listen(hass, trigger="simverity.false_clearance", target={"entity_id": porch.entity_id})
    runtime.publish_view(lamp.id, false_clearance=FAILED)
    runtime.publish_view(porch.id, false_clearance=FAILED)
    await hass.async_block_till_done()
    assert [call.data["entity"] for call in told] == [porch.entity_id]


async def test_a_trigger_that_is_switched_off_is_told_nothing(
    hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry, told: list[ServiceCall]
) -> None:
    await _listen(hass, trigger="simverity.false_clearance")
    await hass.services.async_call("automation", "turn_off", {"entity_id": "automation.listening"}, blocking=True)
    runtime.publish_view(lamp.id, false_clearance=FAILED)
    await hass.async_block_till_done()
    assert told == []


async def test_the_event_entity_shows_what_was_seen(
    hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry
) -> None:
    entity_id = entity_id_of(hass, "event", f"{lamp.id}_false_clearance")
    assert entity_id == "event.lamp_false_clearance"
    before = hass.states.get(entity_id)
    assert before is not None
    assert before.state == "unknown"
    runtime.publish_view(lamp.id, false_clearance=FAILED)
    first = hass.states.get(entity_id)
    assert first is not None
    shown = {key: first.attributes[key] for key in ("event_type", "asked", "seen", "source", "property", "boundary")}
    assert shown == {
        "event_type": "false_clearance",
        "asked": "off",
        "seen": "on",
        "source": "reported_claim",
        "property": "observable_effect_after_write",
        "boundary": "1",
    }
    runtime.publish_view(lamp.id, trials=9)
    assert hass.states.get(entity_id) is first


async def test_what_a_device_brings_along_when_it_is_listed_is_no_event(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: FakeRuntime, lamp: er.RegistryEntry
) -> None:
    runtime.publish(subjects={})
    entity_id = entity_id_of(hass, "event", f"{lamp.id}_false_clearance")
    gone = hass.states.get(entity_id)
    assert gone is not None
    assert gone.state == "unavailable"
    runtime.publish_listed()
    back = hass.states.get(entity_id)
    assert back is not None
    assert back.state == "unknown"


@pytest.mark.parametrize(
    "config",
    [
        {"trigger": "simverity.disposition_changed", "options": {"to": "perfect"}},
        {"trigger": "simverity.false_clearance", "options": {"to": "clear"}},
        {"trigger": "simverity.false_clearance", "target": {"room": "kitchen"}},
    ],
)
async def test_what_makes_no_sense_is_refused(hass: HomeAssistant, runtime: FakeRuntime, config: Any) -> None:
    with pytest.raises(probatio.Invalid):
        await trigger_helper.async_validate_trigger_config(hass, cv.TRIGGER_SCHEMA([config]))


async def test_the_editor_is_told_of_the_triggers(
    hass: HomeAssistant, runtime: FakeRuntime, hass_ws_client: Any
) -> None:
    client = await hass_ws_client(hass)
    await client.send_json_auto_id({"type": "trigger_platforms/subscribe"})
    assert (await client.receive_json())["success"]
    described: dict[str, Any] = {}
    while f"{DOMAIN}.false_clearance" not in described:
        described |= (await client.receive_json())["event"]
    assert set(described[f"{DOMAIN}.disposition_changed"]["fields"]) == {"from", "to"}
