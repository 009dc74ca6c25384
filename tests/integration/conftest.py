"""Fixtures of the tests that run inside a Home Assistant of the test harness."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import custom_components.simverity  # noqa: F401 - before the harness: its own custom_components would win otherwise
from tests.integration.leaping_time import leaping


@pytest.fixture(autouse=True)
def _custom_integrations(enable_custom_integrations: None) -> None:
    """Let every test load the integration under test."""


@pytest.fixture
def hass_config_dir(tmp_path: Path) -> str:
    """Return a configuration folder of the test's own: the ledger writes below it."""
    return str(tmp_path)


@pytest.fixture(autouse=True)
async def _leaping_time(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """Let time leap where nothing happens, unless a test moves it itself."""
    if "freezer" in request.fixturenames:
        yield
        return
    with leaping(monkeypatch):
        yield
