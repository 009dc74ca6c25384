"""Fixtures of the tests of conditions; a test module takes them with ``pytest_plugins``."""

from __future__ import annotations

import pytest
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_mock_service

from tests.integration.fake_runtime import FakeRuntime
from tests.integration.guarded import SOUND
from tests.integration.surface import list_for_audit, set_up


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
    calls: list[ServiceCall] = async_mock_service(hass, "test", "done")
    return calls
