"""The commands for the dashboard."""

from __future__ import annotations

from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser

from custom_components.simverity.const import DOMAIN
from custom_components.simverity.coordinator import (
    Basis,
    HeadlineView,
    LedgerState,
    LedgerView,
    Phase,
    SessionView,
    WitnessLink,
)
from custom_components.simverity.engine.terms import Direction, Disposition, PropertyId, SessionId, Source
from tests.integration.fake_runtime import FakeRuntime
from tests.integration.surface import list_for_audit, register, set_up

pytest_plugins = ["tests.integration.surface_fixtures"]

SNAPSHOT, SESSION, CELLS = (f"{DOMAIN}/{name}" for name in ("snapshot/subscribe", "session/subscribe", "cells"))
IDLE = {"phase": "idle", "session_id": None, "done": 0, "total": 0, "seconds_left": None, "last": None}


@pytest.fixture
async def runtime(hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry) -> FakeRuntime:
    """Set the entry up with one listed lamp."""
    list_for_audit(hass, entry, lamp)
    return await set_up(hass, entry)


async def _subscribed(client: Any, command: str) -> dict[str, Any]:
    await client.send_json_auto_id({"type": command})
    assert (await client.receive_json())["success"]
    return await _event(client)


async def _event(client: Any) -> dict[str, Any]:
    message = await client.receive_json()
    event = message["event"]
    assert isinstance(event, dict)
    return event


async def test_the_whole_snapshot_comes_first(
    hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry, hass_ws_client: Any
) -> None:
    event = await _subscribed(await hass_ws_client(hass), SNAPSHOT)
    assert event == {
        "type": "snapshot",
        "schema": 1,
        "version": "0.1.0",
        "subjects": {
            lamp.id: {
                "entity_id": "light.lamp",
                "disposition": "abstain",
                "explanation": "no_trials_yet",
                "carried_over": False,
                "headline": None,
                "trials": 0,
                "abstentions": {},
                "last_false_clearance": None,
                "clean_audits_to_clear": None,
                "witness": "none",
                "expected_clear": None,
                "suspect": None,
                "before": None,
                "predicted": None,
                "sensors": {
                    "disposition": "sensor.lamp_disposition",
                    "false_clearance_risk": "sensor.lamp_false_clearance_risk",
                },
            }
        },
        "hidden": 0,
        "session": IDLE,
        "ledger": {"state": "verifying", "entries": 0, "head": None},
        "witness": "not_configured",
        "clearance": {"tolerance": 0.05, "error": 0.05, "together": 0},
    }


async def test_then_only_what_changed_comes(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: FakeRuntime, lamp: er.RegistryEntry, hass_ws_client: Any
) -> None:
    second = register(hass, "second")
    subentry = list_for_audit(hass, entry, second)
    await hass.async_block_till_done()
    client = await hass_ws_client(hass)
    await _subscribed(client, SNAPSHOT)
    headline = HeadlineView(
        property_id=PropertyId.SETTLED_POSTCONDITION,
        boundary="settled",
        direction=Direction.ON,
        source=Source.ACCEPTED_CALL,
        basis=Basis.STANDING,
        failures=1,
        decided=2,
        abstained=3,
        interval=(0.1, 0.9),
        upper_limit=0.8,
    )
    runtime.publish_view(lamp.id, disposition=Disposition.ESCALATE, headline=headline)
    event = await _event(client)
    assert event.keys() == {"type", "subjects"}
    assert event["type"] == "change"
    assert event["subjects"].keys() == {lamp.id}
    assert event["subjects"][lamp.id]["headline"] == {
        "property": "settled_postcondition",
        "boundary": "settled",
        "direction": "on",
        "source": "accepted_call",
        "basis": "standing",
        "k": 1,
        "n": 2,
        "abstained": 3,
        "interval": [0.1, 0.9],
        "upper_limit": 0.8,
    }
    hass.config_entries.async_remove_subentry(entry, subentry.subentry_id)
    await hass.async_block_till_done()
    assert await _event(client) == {"type": "change", "removed": [second.id]}
    runtime.publish(ledger=LedgerView(state=LedgerState.SOUND, entries=1), witness=WitnessLink.CONNECTED)
    assert await _event(client) == {
        "type": "change",
        "ledger": {"state": "sound", "entries": 1, "head": None},
        "witness": "connected",
    }
    runtime.publish(session=SessionView(phase=Phase.STROBING))
    assert await _event(client) == {"type": "change", "session": IDLE | {"phase": "strobing"}}


async def test_progress_comes_as_it_is_made(hass: HomeAssistant, runtime: FakeRuntime, hass_ws_client: Any) -> None:
    client = await hass_ws_client(hass)
    assert await _subscribed(client, SESSION) == {"type": "session", **IDLE}
    runtime.publish(ledger=LedgerView(state=LedgerState.SOUND))
    running = SessionView(phase=Phase.RUNNING, session=SessionId("s-1"), done=1, total=4, seconds_left=30.0)
    runtime.publish(session=running)
    event = await _event(client)
    assert (event["phase"], event["session_id"], event["done"], event["total"]) == ("running", "s-1", 1, 4)


@pytest.mark.parametrize("command", [SNAPSHOT, SESSION])
async def test_unloading_ends_a_subscription(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: FakeRuntime, hass_ws_client: Any, command: str
) -> None:
    client = await hass_ws_client(hass)
    await _subscribed(client, command)
    await hass.config_entries.async_unload(entry.entry_id)
    assert await _event(client) == {"type": "unloaded"}
    await client.send_json_auto_id({"type": command})
    answer = await client.receive_json()
    assert answer["error"]["code"] == "not_loaded"


async def test_whoever_unsubscribes_hears_no_more(
    hass: HomeAssistant, runtime: FakeRuntime, hass_ws_client: Any
) -> None:
    client = await hass_ws_client(hass)
    await client.send_json({"id": 1, "type": SESSION})
    await client.receive_json()
    await client.receive_json()
    await client.send_json({"id": 2, "type": "unsubscribe_events", "subscription": 1})
    assert (await client.receive_json())["success"]
    runtime.publish(session=SessionView(phase=Phase.RUNNING))
    await client.send_json({"id": 3, "type": "ping"})
    assert (await client.receive_json())["type"] == "pong"


async def test_cells_come_by_subject_and_all_together(
    hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry, hass_ws_client: Any
) -> None:
    client = await hass_ws_client(hass)
    for question in ({}, {"subject": lamp.id}):
        await client.send_json_auto_id({"type": CELLS, **question})
        assert (await client.receive_json())["result"] == {"cells": {lamp.id: [{"subject": lamp.id}]}}


async def test_an_unknown_subject_has_no_cells(hass: HomeAssistant, runtime: FakeRuntime, hass_ws_client: Any) -> None:
    client = await hass_ws_client(hass)
    await client.send_json_auto_id({"type": CELLS, "subject": "nobody"})
    assert (await client.receive_json())["error"]["code"] == "not_found"


async def test_cells_need_a_running_audit(hass: HomeAssistant, hass_ws_client: Any) -> None:
    assert await async_setup_component(hass, DOMAIN, {})
    client = await hass_ws_client(hass)
    await client.send_json_auto_id({"type": CELLS})
    answer = await client.receive_json()
    assert answer["error"]["code"] == "not_loaded"
    assert answer["error"]["translation_key"] == "not_loaded"


async def test_a_user_sees_only_what_the_user_may_read(
    hass: HomeAssistant,
    entry: MockConfigEntry,
    runtime: FakeRuntime,
    lamp: er.RegistryEntry,
    hass_ws_client: Any,
    hass_admin_user: MockUser,
) -> None:
    second = register(hass, "second")
    list_for_audit(hass, entry, second)
    await hass.async_block_till_done()
    hass_admin_user.groups = []
    hass_admin_user.mock_policy({"entities": {"entity_ids": {"light.second": True}}})
    client = await hass_ws_client(hass)
    event = await _subscribed(client, SNAPSHOT)
    assert event["subjects"].keys() == {second.id}
    assert event["hidden"] == 1
    runtime.publish_view(lamp.id, disposition=Disposition.ESCALATE)
    runtime.publish_view(second.id, disposition=Disposition.ESCALATE)
    assert (await _event(client))["subjects"].keys() == {second.id}
    await client.send_json_auto_id({"type": CELLS, "subject": lamp.id})
    assert (await client.receive_json())["error"]["code"] == "not_found"
