"""Nothing of the integration blocks the event loop: Home Assistant's own detector watches a whole life of it."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from homeassistant import block_async_io
from homeassistant.core import HomeAssistant

import custom_components.simverity as integration
from custom_components.simverity.const import DOMAIN
from custom_components.simverity.runtime import SessionRequest
from tests.integration.audit_fixtures import audit_entry, registry_id, set_up
from tests.integration.failing_trials import escalate
from tests.integration.lamps import PhysicalLamp
from tests.integration.scripted_witness import ScriptedWitness
from tests.integration.waiting import connected

pytest_plugins = ["tests.integration.audit_fixtures"]


@pytest.fixture(autouse=True)
def detector(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let Home Assistant look for every kind of blocking call, those too that it leaves out in tests."""
    monkeypatch.setattr(block_async_io, "_IN_TESTS", False)
    monkeypatch.setattr(block_async_io, "_BLOCKED_CALLS", block_async_io.BlockedCalls(set()))
    originals = [(call.object, call.function, call.original_func) for call in block_async_io._BLOCKING_CALLS]
    block_async_io.enable()
    yield
    for owner, name, original in originals:
        setattr(owner, name, original)


def _blocked(caplog: pytest.LogCaptureFixture) -> list[str]:
    messages = [record.getMessage() for record in caplog.records]
    return [message for message in messages if "blocking call" in message and DOMAIN in message]


async def test_a_whole_life_blocks_nothing(
    hass: HomeAssistant,
    physical_lamp: PhysicalLamp,
    witness: ScriptedWitness,
    quick_strobes: None,
    caplog: pytest.LogCaptureFixture,
    tmp_path: Path,
) -> None:
    entry = audit_entry(hass, [physical_lamp], witness=witness)
    runtime = await set_up(hass, entry)
    await connected(runtime)
    card = await runtime.async_wait_session(
        await runtime.async_run_session(SessionRequest(subjects=("light.desk",), repetitions=1, seed=1))
    )
    assert card["validity"]["valid"]
    await escalate(hass, runtime, registry_id(hass, "light.desk"))
    hass.config.allowlist_external_dirs = {str(tmp_path)}
    for service, data in (("get_card", {}), ("get_tickets", {"entity_id": "light.desk"}), ("export", {})):
        answers = hass.services.supports_response(DOMAIN, service) != "none"
        await hass.services.async_call(DOMAIN, service, data, blocking=True, return_response=answers)
    assert await hass.config_entries.async_reload(entry.entry_id)
    await connected(entry.runtime_data)
    assert await hass.config_entries.async_unload(entry.entry_id)
    assert _blocked(caplog) == []


async def test_a_blocking_call_would_be_seen(
    hass: HomeAssistant, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = str(Path(integration.__file__).with_name("made_up.py"))
    source = "def peek():\n    return open('/etc/hostname').read()\n"
    lines = source.splitlines(keepends=True)
    monkeypatch.setitem(linecache.cache, name, (len(source), None, lines, name))
    made_up: dict[str, Any] = {}
    exec(compile(source, name, "exec"), made_up)  # noqa: S102 - code that seems to be the integration's
    made_up["peek"]()
    assert len(_blocked(caplog)) == 1
