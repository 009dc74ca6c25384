"""How many devices are clear together: a claim about all needs more evidence than a claim about each."""

from __future__ import annotations

from dataclasses import replace

import pytest
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.simverity.engine.terms import Disposition, SubjectId
from custom_components.simverity.engine.trace.trace import Feedback
from custom_components.simverity.runtime import Runtime
from tests.integration.audit_fixtures import audit_entry, registry_id, set_up
from tests.integration.failing_trials import ignored
from tests.integration.lamps import PhysicalLamp, add_devices
from tests.integration.waiting import verified

pytest_plugins = ["tests.integration.audit_fixtures"]
ALONE, OF_TWO = 74, 90
"""Clean hours until E reaches 1/5 %, and until it reaches 2/5 %, which the first of two devices needs."""


@pytest.fixture
async def entry(hass: HomeAssistant, physical_lamp: PhysicalLamp) -> MockConfigEntry:
    """Return an entry that lists two lamps."""
    shelf = PhysicalLamp("shelf")
    await add_devices(hass, shelf)
    return audit_entry(hass, [physical_lamp, shelf])


@pytest.fixture
async def runtime(hass: HomeAssistant, entry: MockConfigEntry) -> Runtime:
    runtime = await set_up(hass, entry)
    await verified(runtime)
    return runtime


async def _obeyed(hass: HomeAssistant, runtime: Runtime, name: str, hours: range) -> Disposition:
    subject = SubjectId(registry_id(hass, name))
    for hour in hours:
        shown = (Feedback(subject=subject, at=0.05, state="on"),)
        await runtime._async_take_passive(replace(ignored(subject, 60 * hour), feedback=shown))
    await hass.async_block_till_done()
    return runtime.coordinator.snapshot.subjects[subject].disposition


def _together(hass: HomeAssistant) -> tuple[str, int]:
    state = hass.states.get("sensor.simverity_devices_cleared_together")
    assert state is not None
    return state.state, state.attributes["audited"]


async def test_one_of_two_that_is_clear_by_itself_is_not_yet_clear_together(
    hass: HomeAssistant, runtime: Runtime
) -> None:
    assert _together(hass) == ("0", 2)
    assert await _obeyed(hass, runtime, "light.desk", range(ALONE)) is Disposition.CLEAR
    assert _together(hass) == ("0", 2)
    await _obeyed(hass, runtime, "light.desk", range(ALONE, OF_TWO - 1))
    assert _together(hass) == ("0", 2)
    await _obeyed(hass, runtime, "light.desk", range(OF_TWO - 1, OF_TWO))
    assert _together(hass) == ("1", 2)


async def test_two_that_are_clear_are_clear_together(hass: HomeAssistant, runtime: Runtime) -> None:
    for name in ("light.desk", "light.shelf"):
        assert await _obeyed(hass, runtime, name, range(ALONE)) is Disposition.CLEAR
    assert _together(hass) == ("2", 2)
    state = hass.states.get("sensor.simverity_devices_cleared_together")
    assert state is not None
    assert (state.attributes["tolerance"], state.attributes["confidence"]) == (5.0, 95.0)


async def test_a_device_says_when_it_is_expected_to_be_clear_and_whom_the_evidence_speaks_against(
    hass: HomeAssistant, runtime: Runtime
) -> None:
    await _obeyed(hass, runtime, "light.desk", range(5))
    state = hass.states.get("sensor.desk_disposition")
    assert state is not None
    assert state.attributes["clean_audits_to_clear"] == ALONE - 5
    assert state.attributes["expected_clear"] is not None
    assert state.attributes["suspect"] is None
    await runtime._async_take_passive(ignored(registry_id(hass, "light.desk"), 600))
    await hass.async_block_till_done()
    state = hass.states.get("sensor.desk_disposition")
    assert state is not None
    assert state.attributes["suspect"] == "device_or_feedback"
