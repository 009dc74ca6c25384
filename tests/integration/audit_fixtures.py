"""Fixtures of the audit's tests: a home of physical devices, a scripted witness, and the integration over both."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.simverity.adapters.clocks import read_boot_id
from custom_components.simverity.adapters.witness import client
from custom_components.simverity.audit import positioning, qualification, session_plan
from custom_components.simverity.const import DOMAIN
from custom_components.simverity.runtime import Runtime
from tests.integration.lamps import PhysicalLamp, add_devices
from tests.integration.scripted_witness import ScriptedWitness

CAMERA = "living"
SETTLING = {"settle_from": 3.1, "settle_window": 0.3}
"""As soon after the grid's last boundary as a session can settle."""


@pytest.fixture
async def witness(socket_enabled: None) -> AsyncIterator[ScriptedWitness]:
    """Run a scripted witness that believes to be on this machine."""
    scripted = ScriptedWitness(boot_id=read_boot_id() or "")
    application = web.Application()
    application.router.add_get("/v1/ws", scripted.answer)
    server = TestServer(application)
    await server.start_server()
    scripted.url = str(server.make_url("")).rstrip("/")
    yield scripted
    await scripted.close()
    await server.close()


@pytest.fixture
def quick_strobes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold strobes and preparations only as long as scripted frames need."""
    for name, seconds in (
        ("SHORTEST_HOLD", 0.03),
        ("LONGEST_HOLD", 0.04),
        ("REFERENCE_HOLD", 0.04),
        ("_SETTLING", -9.0),
    ):
        monkeypatch.setattr(qualification, name, seconds)
    monkeypatch.setattr(positioning, "PREPARATION_HOLDS", (0.3, 0.3))
    monkeypatch.setattr(session_plan, "_EARLIEST_SETTLING", 3.1)
    monkeypatch.setattr(session_plan, "_SHORTEST_WINDOW", 0.3)
    monkeypatch.setattr(client, "_LATE", 0.3)
    monkeypatch.setattr("custom_components.simverity.audit.session.STROBE_HOLD", 0.3)


@pytest.fixture
async def physical_lamp(hass: HomeAssistant) -> PhysicalLamp:
    """Return a lamp in the home."""
    await async_setup_component(hass, "homeassistant", {})
    made = PhysicalLamp("desk")
    await add_devices(hass, made)
    return made


def registry_id(hass: HomeAssistant, entity_id: str) -> str:
    """Return the registry id of an entity."""
    entry = er.async_get(hass).async_get(entity_id)
    assert entry is not None
    return entry.id


def audit_entry(
    hass: HomeAssistant,
    lamps: list[PhysicalLamp],
    *,
    witness: ScriptedWitness | None = None,
    may_be_switched: bool = True,
    options: dict[str, Any] | None = None,
) -> MockConfigEntry:
    """Return a config entry that lists these lamps, filmed by the witness if there is one."""
    subentries: list[dict[str, Any]] = []
    for lamp in lamps:
        subject = registry_id(hass, lamp.entity_id)
        subentries.append(
            {
                "subentry_type": "audited_entity",
                "title": lamp.entity_id,
                "unique_id": subject,
                "data": {"subject": subject, "may_be_switched": may_be_switched},
            }
        )
        if witness is None:
            continue
        witness.filmed[f"{subject}:{CAMERA}"] = lamp
        place = {"subject": subject, "camera": CAMERA, "kind": "mpegts", "url": "tcp://127.0.0.1:1"}
        subentries.append(
            {
                "subentry_type": "witness",
                "title": lamp.entity_id,
                "unique_id": f"{subject}:{CAMERA}",
                "data": place | {"region": [0.1, 0.1, 0.2, 0.2], "reference": None},
            }
        )
    data = {} if witness is None else {"witness": {"url": witness.url, "token": witness.token}}
    entry = MockConfigEntry(
        domain=DOMAIN,
        title="SimVerity",
        data=data,
        options=SETTLING if options is None else options,
        subentries_data=subentries,
    )
    entry.add_to_hass(hass)
    return entry


async def set_up(hass: HomeAssistant, entry: MockConfigEntry) -> Runtime:
    """Set the integration up and return its runtime, verified and connected if it has a witness."""
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    runtime: Runtime = entry.runtime_data
    return runtime


def ledger_folder(hass: HomeAssistant) -> Path:
    """Return where the ledger lies."""
    return Path(hass.config.path(DOMAIN))
