"""Tickets of false clearances, and what repeating them shows."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError, Unauthorized
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser

from custom_components.simverity.adapters.ledger.store import LedgerUnavailableError, StoreState
from custom_components.simverity.const import DOMAIN
from custom_components.simverity.engine.ledger.entry import EntryKind
from custom_components.simverity.engine.trace.codec import decode
from custom_components.simverity.runtime import Runtime
from tests.integration.audit_fixtures import audit_entry, registry_id, set_up
from tests.integration.failing_trials import escalate, ignored
from tests.integration.lamps import PhysicalLamp
from tests.integration.waiting import verified

pytest_plugins = ["tests.integration.audit_fixtures"]


@pytest.fixture
def entry(hass: HomeAssistant, physical_lamp: PhysicalLamp) -> MockConfigEntry:
    return audit_entry(hass, [physical_lamp])


@pytest.fixture
async def runtime(hass: HomeAssistant, entry: MockConfigEntry, quick_strobes: None) -> Runtime:
    runtime = await set_up(hass, entry)
    await verified(runtime)
    return runtime


async def _fail_once(hass: HomeAssistant, runtime: Runtime, minute: int = 0) -> None:
    trace = ignored(registry_id(hass, "light.desk"), minute)
    await runtime._async_take_passive(replace(trace, settle_from=3.1, settle_until=3.4))


async def _tickets(hass: HomeAssistant, user: MockUser | None = None, entity_id: str = "light.desk") -> Any:
    context = None if user is None else Context(user_id=user.id)
    fields = {"entity_id": entity_id}
    answer = await hass.services.async_call(
        DOMAIN, "get_tickets", fields, blocking=True, return_response=True, context=context
    )
    assert answer is not None
    return answer["tickets"]


async def _replay(hass: HomeAssistant, user: MockUser | None = None, **fields: Any) -> Any:
    context = None if user is None else Context(user_id=user.id)
    given = {"entity_id": "light.desk", "direction": "on", "wait": True, **fields}
    return await hass.services.async_call(DOMAIN, "replay", given, blocking=True, return_response=True, context=context)


async def test_failures_of_one_cell_are_one_ticket_with_all_that_was_recorded(
    hass: HomeAssistant, runtime: Runtime
) -> None:
    subject = registry_id(hass, "light.desk")
    await escalate(hass, runtime, subject)
    [shown] = await _tickets(hass)
    newest = ignored(subject, 2)
    assert (shown["trial"], shown["direction"], shown["settled"]) == (newest.trial, "on", [4.0, 4.6])
    [ticket] = shown["cells"]
    assert (ticket["property"], ticket["boundary"], ticket["source"]) == (
        "reported_read_after_write",
        "settled",
        "accepted_call",
    )
    assert (ticket["failures"], ticket["decided"], ticket["status"], ticket["replays"]) == (3, 3, "open", [])
    trace = decode(base64.b64decode(shown["trace"]))
    assert trace.trial == newest.trial
    assert [one["stage"] for one in shown["stages"]][-1] == "observable_effect"


async def test_a_device_without_a_false_clearance_has_no_ticket(hass: HomeAssistant, runtime: Runtime) -> None:
    assert await _tickets(hass) == []
    with pytest.raises(ServiceValidationError) as refused:
        await _replay(hass)
    assert refused.value.translation_key == "nothing_to_replay"


async def test_a_ticket_outlives_the_traces_that_it_came_from_but_cannot_be_replayed(
    hass: HomeAssistant, runtime: Runtime
) -> None:
    await _fail_once(hass, runtime)
    await runtime.async_redact(frozenset({registry_id(hass, "light.desk")}), until=None, reason="asked", author="me")
    [shown] = await _tickets(hass)
    assert (shown["trial"], shown["digest"], shown["stages"], shown["channel"]) == (None, None, [], None)
    assert shown["cells"][0]["failures"] == 1
    with pytest.raises(ServiceValidationError) as refused:
        await _replay(hass)
    assert refused.value.translation_key == "nothing_to_replay"


async def test_a_fix_is_credited_after_the_failure_was_reproduced(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime, physical_lamp: PhysicalLamp
) -> None:
    await _fail_once(hass, runtime)
    physical_lamp.silent = True
    [shown] = (await _replay(hass))["tickets"]
    assert shown["cells"][0]["status"] == "reproduced"
    assert physical_lamp.commands.count(True) == 3
    physical_lamp.silent = False
    [shown] = (await _replay(hass))["tickets"]
    [ticket] = shown["cells"]
    assert ticket["status"] == "fixed"
    assert [(one["failures"], one["decided"]) for one in ticket["replays"]] == [(3, 3), (0, 3)]
    kept = await runtime._store.async_read(kinds=(EntryKind.REPLAYED,))
    assert [isinstance(one.payload, dict) and one.payload["replayed"] for one in kept] == ["t/0", "t/0"]
    await hass.config_entries.async_unload(entry.entry_id)
    await set_up(hass, entry)
    [shown] = await _tickets(hass)
    assert shown["cells"][0]["status"] == "fixed"
    await _fail_once(hass, entry.runtime_data, minute=180)
    [shown] = await _tickets(hass)
    assert shown["cells"][0]["status"] == "open"


async def test_the_ticket_that_is_named_is_replayed_and_no_other(
    hass: HomeAssistant, runtime: Runtime, physical_lamp: PhysicalLamp
) -> None:
    await _fail_once(hass, runtime)
    with pytest.raises(ServiceValidationError) as refused:
        await _replay(hass, at="2026-01-01T00:00:00+00:00")
    assert refused.value.translation_key == "nothing_to_replay"
    assert physical_lamp.commands == []
    [shown] = await _tickets(hass)
    [after] = (await _replay(hass, at=shown["at"]))["tickets"]
    assert after["cells"][0]["status"] == "not_reproduced"
    assert physical_lamp.commands.count(True) == 3


async def test_a_replay_switches_nothing_without_consent(hass: HomeAssistant, physical_lamp: PhysicalLamp) -> None:
    runtime = await set_up(hass, audit_entry(hass, [physical_lamp], may_be_switched=False))
    await verified(runtime)
    await _fail_once(hass, runtime)
    with pytest.raises(ServiceValidationError) as refused:
        await _replay(hass)
    assert refused.value.translation_key == "may_not_be_switched"
    assert physical_lamp.commands == []


async def test_only_administrators_replay_and_only_readers_see_tickets(
    hass: HomeAssistant, runtime: Runtime, hass_read_only_user: MockUser
) -> None:
    with pytest.raises(Unauthorized):
        await _replay(hass, hass_read_only_user)
    assert await _tickets(hass, hass_read_only_user) == []
    hass_read_only_user.mock_policy({})
    with pytest.raises(Unauthorized):
        await _tickets(hass, hass_read_only_user)


@pytest.mark.parametrize("ask", [_tickets, _replay])
async def test_a_ledger_that_cannot_be_read_is_said(
    hass: HomeAssistant, runtime: Runtime, monkeypatch: pytest.MonkeyPatch, ask: Callable[..., Any]
) -> None:
    await _fail_once(hass, runtime)

    async def unreadable(**_: Any) -> Any:
        raise LedgerUnavailableError(StoreState.DAMAGED)

    monkeypatch.setattr(runtime._store, "async_read", unreadable)
    with pytest.raises(HomeAssistantError) as refused:
        await ask(hass)
    assert refused.value.translation_key == "ledger_refuses"


async def test_an_entity_that_is_not_audited_has_no_tickets(hass: HomeAssistant, runtime: Runtime) -> None:
    with pytest.raises(ServiceValidationError) as refused:
        await _tickets(hass, entity_id="light.elsewhere")
    assert refused.value.translation_key == "entity_not_audited"
