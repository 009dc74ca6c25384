"""The blueprints: Home Assistant takes them as they are, and they do what their texts say."""

from __future__ import annotations

import asyncio
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from homeassistant.components.automation.config import AUTOMATION_BLUEPRINT_SCHEMA
from homeassistant.components.blueprint.models import Blueprint
from homeassistant.components.blueprint.schemas import BLUEPRINT_SCHEMA
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from homeassistant.util.yaml import load_yaml_dict
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    async_fire_time_changed,
    async_mock_service,
)

from custom_components.simverity.coordinator import Explanation, FalseClearance
from custom_components.simverity.engine.terms import Direction, Disposition, PropertyId, Source
from tests.integration.fake_runtime import FakeRuntime
from tests.integration.guarded import SOUND
from tests.integration.surface import list_for_audit, set_up

pytest_plugins = ["tests.integration.surface_fixtures"]

BLUEPRINTS = Path(__file__).parents[2] / "blueprints"
FILES = sorted(BLUEPRINTS.rglob("*.yaml"))
HERE = "https://github.com/simverity/simverity-home-assistant/blob/main/blueprints/"


@pytest.fixture
def hass_config_dir(tmp_path: Path) -> str:
    """Return a configuration folder into which the blueprints were imported."""
    shutil.copytree(BLUEPRINTS, tmp_path / "blueprints")
    return str(tmp_path)


@pytest.fixture
async def runtime(hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry) -> FakeRuntime:
    """Set the entry up with one listed lamp and a verified ledger."""
    list_for_audit(hass, entry, lamp)
    made = await set_up(hass, entry)
    made.publish(ledger=SOUND)
    return made


@pytest.fixture
def asked(hass: HomeAssistant) -> list[ServiceCall]:
    """Collect what was sent to the phone."""
    calls: list[ServiceCall] = async_mock_service(hass, "notify", "phone")
    return calls


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_home_assistant_takes_it(file: Path) -> None:
    domain = file.relative_to(BLUEPRINTS).parts[0]
    schema = AUTOMATION_BLUEPRINT_SCHEMA if domain == "automation" else BLUEPRINT_SCHEMA
    blueprint = Blueprint(load_yaml_dict(str(file)), path=str(file), expected_domain=domain, schema=schema)
    assert blueprint.validate() is None
    assert blueprint.metadata["source_url"] == f"{HERE}{file.relative_to(BLUEPRINTS).as_posix()}"
    described = {key for key, value in blueprint.inputs.items() if value and value.get("name")}
    assert described == set(blueprint.inputs)


def test_there_are_three() -> None:
    assert [file.stem for file in FILES] == ["night_session", "notify_false_clearance", "act_or_ask"]


def test_the_script_says_what_to_expose() -> None:
    text = load_yaml_dict(str(BLUEPRINTS / "script/simverity/act_or_ask.yaml"))["blueprint"]["description"]
    assert "Expose the script to your assistant, not the devices" in text
    assert "cannot veto a call" in text


async def _set_up(hass: HomeAssistant, domain: str, blueprint: str, **inputs: Any) -> None:
    config: dict[str, Any] = {"use_blueprint": {"path": f"simverity/{blueprint}.yaml", "input": inputs}}
    under: Any = {"tested": config} if domain == "script" else config | {"alias": "tested"}
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, domain, {domain: under})
    await hass.async_block_till_done()
    state = hass.states.get(f"{domain}.tested")
    assert state is not None
    assert state.state in {"on", "off"}


@pytest.fixture
async def switched(hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry, asked: Any) -> list[ServiceCall]:
    """Set the script up for the lamp and collect what it does."""
    await _set_up(
        hass,
        "script",
        "act_or_ask",
        devices={"entity_id": [lamp.entity_id]},
        notify_action="notify.phone",
        patience={"seconds": 5},
    )
    calls: list[ServiceCall] = []

    async def record(call: ServiceCall) -> None:
        calls.append(call)

    for action in ("turn_on", "turn_off"):
        hass.services.async_register("homeassistant", action, record)
    return calls


async def test_the_script_acts_on_what_is_cleared_without_asking(
    hass: HomeAssistant,
    runtime: FakeRuntime,
    lamp: er.RegistryEntry,
    asked: list[ServiceCall],
    switched: list[ServiceCall],
) -> None:
    runtime.publish_view(lamp.id, disposition=Disposition.CLEAR, explanation=Explanation.CLEARED)
    assert await _run(hass, turn_on=True) == {"asked": False, "sent": True}
    assert [(call.service, call.data["entity_id"]) for call in switched] == [("turn_on", [lamp.entity_id])]
    assert asked == []


@pytest.mark.parametrize(("button", "acts"), [(0, True), (1, False)])
async def test_the_script_asks_about_what_it_does_not_trust(
    hass: HomeAssistant,
    runtime: FakeRuntime,
    lamp: er.RegistryEntry,
    asked: list[ServiceCall],
    switched: list[ServiceCall],
    button: int,
    acts: bool,
) -> None:
    runtime.publish_view(lamp.id, disposition=Disposition.ESCALATE)
    run = hass.async_create_task(_run(hass, turn_on=False))
    await _until_asked(hass, asked)
    assert switched == []
    pressed = asked[0].data["data"]["actions"][button]["action"]
    hass.bus.async_fire("mobile_app_notification_action", {"action": pressed})
    answer = await run
    assert (answer["asked"], answer["sent"]) == (True, acts)
    assert [call.service for call in switched] == (["turn_off"] if acts else [])


async def test_the_script_asks_while_the_evidence_cannot_be_used(
    hass: HomeAssistant,
    entry: MockConfigEntry,
    runtime: FakeRuntime,
    asked: list[ServiceCall],
    switched: list[ServiceCall],
) -> None:
    await hass.config_entries.async_unload(entry.entry_id)
    run = hass.async_create_task(_run(hass, turn_on=True))
    await _until_asked(hass, asked)
    async_fire_time_changed(hass, dt_util.utcnow().replace(year=2100))
    assert await run == {"asked": True, "sent": False, "why": "Nothing was done, because nobody agreed"}
    assert switched == []


async def _run(hass: HomeAssistant, *, turn_on: bool) -> Any:
    return await hass.services.async_call("script", "tested", {"turn_on": turn_on}, blocking=True, return_response=True)


async def _until_asked(hass: HomeAssistant, asked: list[ServiceCall]) -> None:
    """Let the script go on until it waits for both answers."""
    for _ in range(10_000):
        if hass.bus.async_listeners().get("mobile_app_notification_action") == 2:
            break
        await asyncio.sleep(0)
    assert len(asked) == 1


async def test_a_person_is_told_what_was_asked_and_seen(
    hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry, asked: list[ServiceCall]
) -> None:
    await _set_up(hass, "automation", "notify_false_clearance", notify_action="notify.phone")
    seen = FalseClearance(
        at=datetime(2026, 11, 30, 12, tzinfo=UTC),
        direction=Direction.OFF,
        source=Source.REPORTED_CLAIM,
        property_id=PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE,
        boundary="1",
    )
    runtime.publish_view(lamp.id, false_clearance=seen, explanation=Explanation.SEEN_TO_FAIL)
    await hass.async_block_till_done()
    assert asked[0].data["title"] == "Lamp was not as reported"
    message = asked[0].data["message"]
    assert "Lamp was told to turn off" in message
    assert "It was reported as off, but 1 s after the command it was still on." in message


async def test_a_session_runs_at_night_and_ends_with_the_quiet_hours(
    hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry, freezer: Any
) -> None:
    await hass.config.async_set_time_zone("UTC")
    freezer.move_to("2026-12-06 01:00:00+00:00")
    await _set_up(hass, "automation", "night_session", devices={"entity_id": [lamp.entity_id]}, repetitions=12)
    await _pass_to(hass, freezer, "2026-12-06 02:00:00+00:00")
    assert [request.repetitions for request in runtime.requests] == [12]
    assert runtime.requests[0].subjects == (lamp.id,)
    hass.states.async_set("binary_sensor.simverity_session_running", "on")
    await _pass_to(hass, freezer, "2026-12-06 05:00:00+00:00")
    assert runtime.cancelled == 1
    hass.states.async_set("binary_sensor.simverity_session_running", "off")
    await _pass_to(hass, freezer, "2026-12-07 02:00:00+00:00")
    assert len(runtime.requests) == 1, "Monday is none of the chosen nights"
    await hass.services.async_call("automation", "turn_off", {"entity_id": "automation.tested"}, blocking=True)


async def _pass_to(hass: HomeAssistant, freezer: Any, when: str) -> None:
    freezer.move_to(when)
    async_fire_time_changed(hass, dt_util.utcnow())
    await hass.async_block_till_done()
