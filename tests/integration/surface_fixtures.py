"""Fixtures of the surface's tests; a test module takes them with ``pytest_plugins``."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from unittest.mock import patch

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.simverity.const import DOMAIN
from tests.integration.fake_runtime import FakeRuntime
from tests.integration.surface import register
from tests.integration.witness_app import WitnessApp


@pytest.fixture
def without_audit() -> Iterator[None]:
    """Put a runtime without an audit behind the surface."""
    with patch("custom_components.simverity.Runtime", FakeRuntime):
        yield


@pytest.fixture
def lamp(hass: HomeAssistant) -> er.RegistryEntry:
    """Return a registered light on a device of another integration."""
    return register(hass, "lamp", device="Lamp")


@pytest.fixture
def entry(hass: HomeAssistant, without_audit: None) -> MockConfigEntry:
    """Return an entry without a camera, not yet set up, that will run without an audit."""
    entry = MockConfigEntry(domain=DOMAIN, title="SimVerity", data={})
    entry.add_to_hass(hass)
    return entry


@pytest.fixture
async def witness_app(socket_enabled: None) -> AsyncIterator[WitnessApp]:
    """Run a witness app on this machine."""
    app = WitnessApp()
    application = web.Application()
    application.router.add_get("/v1/ws", app.answer)
    server = TestServer(application)
    await server.start_server()
    app.url = str(server.make_url("")).rstrip("/")
    yield app
    await server.close()
