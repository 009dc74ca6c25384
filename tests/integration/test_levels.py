"""Commands for a brightness or a set-point in a real test instance: what becomes a trial, and what it shows."""

from __future__ import annotations

import asyncio

import pytest
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.simverity.audit.evidence import read_trial
from custom_components.simverity.const import DOMAIN
from custom_components.simverity.engine.ledger.entry import EntryKind
from custom_components.simverity.engine.trace.trace import Trace
from custom_components.simverity.runtime import Runtime
from tests.integration.audit_fixtures import registry_id, set_up
from tests.integration.waiting import until, verified

pytest_plugins = ["tests.integration.audit_fixtures"]
LAMP, HEATING, PLAIN = "light.shelf", "climate.study", "light.closet"


@pytest.fixture
async def runtime(hass: HomeAssistant) -> Runtime:
    """Audit a lamp and a heating whose services do nothing by themselves."""

    async def nothing(call: ServiceCall) -> None:
        """The test says what is reported."""

    listed = []
    for name, state, shown in ((LAMP, "off", "brightness"), (HEATING, "heat", "temperature"), (PLAIN, "off", None)):
        domain, _, key = name.partition(".")
        subject = er.async_get(hass).async_get_or_create(domain, "test", key, suggested_object_id=key).id
        hass.states.async_set(name, state, {} if shown is None else {shown: None})
        data = {"subject": subject, "may_be_switched": False}
        listed.append({"subentry_type": "audited_entity", "title": name, "unique_id": subject, "data": data})
    for domain, service in (("light", "turn_on"), ("light", "turn_off"), ("climate", "set_temperature")):
        hass.services.async_register(domain, service, nothing)
    entry = MockConfigEntry(domain=DOMAIN, title="SimVerity", subentries_data=listed)
    entry.add_to_hass(hass)
    runtime = await set_up(hass, entry)
    await verified(runtime)
    return runtime


async def _ask(hass: HomeAssistant, name: str, service: str, **arguments: object) -> None:
    await hass.services.async_call(name.partition(".")[0], service, {"entity_id": name, **arguments}, blocking=True)


async def _closed(runtime: Runtime) -> list[Trace]:
    await until(lambda: not runtime._passive._closing)
    found = [read_trial(entry) for entry in await runtime._store.async_read(kinds=[EntryKind.TRIAL])]
    return [one.trace for one in found if one is not None]


def _counts(runtime: Runtime, hass: HomeAssistant, name: str) -> list[tuple[int, int]]:
    return [(cell["failures"], cell["decided"]) for cell in runtime.cells(registry_id(hass, name))]


async def test_a_lamp_that_stays_too_dark_has_failed_and_the_record_says_what_was_asked_and_shown(
    hass: HomeAssistant, runtime: Runtime
) -> None:
    await _ask(hass, LAMP, "turn_on", brightness=200)
    hass.states.async_set(LAMP, "on", {"brightness": 120})
    [trace] = await _closed(runtime)
    assert _counts(runtime, hass, LAMP) == [(1, 1)]
    assert [goal.asked for goal in trace.goals] == ["brightness=200±8"]
    assert [report.state for report in trace.feedback] == ["brightness=120"]


async def test_another_brightness_of_a_lamp_that_is_on_is_a_trial_and_the_same_is_none(
    hass: HomeAssistant, runtime: Runtime
) -> None:
    hass.states.async_set(LAMP, "on", {"brightness": 40})
    await hass.async_block_till_done()
    await _ask(hass, LAMP, "turn_on", brightness=200)
    hass.states.async_set(LAMP, "on", {"brightness": 203})
    assert [trace.void for trace in await _closed(runtime)] == [None]
    assert _counts(runtime, hass, LAMP) == [(0, 1)]
    await _ask(hass, LAMP, "turn_on", brightness=200)
    assert [trace.void for trace in await _closed(runtime)][1:] == ["already_in_target_state"]


async def test_another_brightness_takes_the_place_of_one_that_is_awaited_and_a_plain_command_joins_it(
    hass: HomeAssistant, runtime: Runtime
) -> None:
    await _ask(hass, LAMP, "turn_on", brightness=200)
    await _ask(hass, LAMP, "turn_on", brightness=200)
    await _ask(hass, LAMP, "turn_on")
    await asyncio.sleep(1)
    await _ask(hass, LAMP, "turn_on", brightness=90)
    hass.states.async_set(LAMP, "on", {"brightness": 90})
    assert [trace.void for trace in await _closed(runtime)] == ["superseded", None]
    assert _counts(runtime, hass, LAMP) == [(0, 1)]


async def test_a_set_point_is_confirmed_by_the_set_point(hass: HomeAssistant, runtime: Runtime) -> None:
    hass.states.async_set(HEATING, "heat", {"temperature": 19.0})
    await hass.async_block_till_done()
    await _ask(hass, HEATING, "set_temperature", temperature=21.0)
    hass.states.async_set(HEATING, "heat", {"temperature": 21.0})
    await _closed(runtime)
    assert _counts(runtime, hass, HEATING) == [(0, 1)]
    await _ask(hass, HEATING, "set_temperature", temperature=17.0)
    await _closed(runtime)
    assert _counts(runtime, hass, HEATING) == [(1, 2)]


async def test_a_set_point_that_is_taken_back_is_appended(hass: HomeAssistant, runtime: Runtime) -> None:
    await _ask(hass, HEATING, "set_temperature", temperature=21.0)
    hass.states.async_set(HEATING, "heat", {"temperature": 21.0})
    await _closed(runtime)
    hass.states.async_set(HEATING, "heat", {})
    hass.states.async_set(HEATING, "heat", {"temperature": 17.0})
    await hass.async_block_till_done()
    amended = await runtime._store.async_read(kinds=[EntryKind.TRIAL_AMENDED])
    assert [entry.payload["kind"] for entry in amended if isinstance(entry.payload, dict)] == ["revert"]


async def test_a_lamp_that_cannot_be_dimmed_is_only_asked_to_be_on(hass: HomeAssistant, runtime: Runtime) -> None:
    await _ask(hass, PLAIN, "turn_on", brightness=40)
    hass.states.async_set(PLAIN, "on", {})
    [trace] = await _closed(runtime)
    assert [goal.asked for goal in trace.goals] == [None]
    assert _counts(runtime, hass, PLAIN) == [(0, 1)]


@pytest.mark.parametrize("brightness", [0, "0", 0.0])
async def test_no_brightness_is_off_however_it_is_written(
    hass: HomeAssistant, runtime: Runtime, brightness: object
) -> None:
    hass.states.async_set(LAMP, "on", {"brightness": 40})
    await hass.async_block_till_done()
    await _ask(hass, LAMP, "turn_on", brightness=brightness)
    hass.states.async_set(LAMP, "off", {"brightness": None})
    [trace] = await _closed(runtime)
    assert [goal.state.value for goal in trace.goals] == ["off"]
    assert _counts(runtime, hass, LAMP) == [(0, 1)]


async def test_a_lamp_that_is_dimmed_just_after_it_was_turned_on_has_two_trials(
    hass: HomeAssistant, runtime: Runtime
) -> None:
    """Something that follows the daylight dims every lamp as soon as it is on."""
    await _ask(hass, LAMP, "turn_on")
    hass.states.async_set(LAMP, "on", {"brightness": 255})
    await asyncio.sleep(1)
    await _ask(hass, LAMP, "turn_on", brightness=60)
    hass.states.async_set(LAMP, "on", {"brightness": 60})
    assert [trace.void for trace in await _closed(runtime)] == [None, None]
    assert _counts(runtime, hass, LAMP) == [(0, 2)]
