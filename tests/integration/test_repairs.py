"""Repair issues: when they are raised, when they are withdrawn, and what a person can do."""

from __future__ import annotations

from datetime import timedelta
from types import MappingProxyType
from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_fire_time_changed

from custom_components.simverity.const import DOMAIN
from custom_components.simverity.coordinator import LedgerState, LedgerView, SubjectView, WitnessLink, WitnessState
from custom_components.simverity.device_issues import EXPIRED_GRACE
from custom_components.simverity.engine.terms import SessionId, SubjectId
from custom_components.simverity.issues import UNREACHABLE_GRACE
from tests.integration.fake_runtime import FakeRuntime
from tests.integration.surface import list_for_audit, register, set_up

pytest_plugins = ["tests.integration.surface_fixtures"]


@pytest.fixture
async def runtime(hass: HomeAssistant, entry: MockConfigEntry) -> FakeRuntime:
    """Set the entry up with a witness app."""
    hass.config_entries.async_update_entry(entry, data={"witness": {"url": "http://app:8099", "token": "t"}})
    return await set_up(hass, entry)


def _issues(hass: HomeAssistant) -> set[str]:
    return {issue_id for domain, issue_id in ir.async_get(hass).issues if domain == DOMAIN}


def _pass(hass: HomeAssistant, seconds: float) -> None:
    async_fire_time_changed(hass, dt_util.utcnow() + timedelta(seconds=seconds))


@pytest.mark.parametrize(
    "state", [state for state in LedgerState if state not in (LedgerState.SOUND, LedgerState.VERIFYING)]
)
async def test_a_ledger_in_trouble_is_an_issue_until_it_is_sound(
    hass: HomeAssistant, runtime: FakeRuntime, state: LedgerState
) -> None:
    runtime.publish(ledger=LedgerView(state=state))
    assert _issues(hass) == {f"ledger_{state.value}"}
    issue = ir.async_get(hass).async_get_issue(DOMAIN, f"ledger_{state.value}")
    assert issue is not None
    assert issue.severity is ir.IssueSeverity.ERROR
    assert issue.translation_placeholders == {"path": hass.config.path(DOMAIN)}
    runtime.publish(ledger=LedgerView(state=LedgerState.SOUND))
    assert _issues(hass) == set()


async def test_a_ledger_that_is_being_checked_changes_nothing(hass: HomeAssistant, runtime: FakeRuntime) -> None:
    runtime.publish(ledger=LedgerView(state=LedgerState.DAMAGED))
    runtime.publish(ledger=LedgerView(state=LedgerState.VERIFYING))
    assert _issues(hass) == {"ledger_damaged"}


async def test_a_witness_that_is_away_for_long_is_an_issue_until_it_is_back(
    hass: HomeAssistant, runtime: FakeRuntime
) -> None:
    runtime.publish(witness=WitnessLink.UNREACHABLE)
    assert _issues(hass) == set()
    runtime.publish(witness=WitnessLink.CONNECTING)
    runtime.publish(witness=WitnessLink.UNREACHABLE)
    _pass(hass, UNREACHABLE_GRACE + 1)
    await hass.async_block_till_done()
    issue = ir.async_get(hass).async_get_issue(DOMAIN, "witness_unreachable")
    assert issue is not None
    assert issue.translation_placeholders == {"url": "http://app:8099"}
    runtime.publish(witness=WitnessLink.CONNECTED)
    assert _issues(hass) == set()


async def test_a_witness_that_is_back_soon_is_none(hass: HomeAssistant, runtime: FakeRuntime) -> None:
    runtime.publish(witness=WitnessLink.UNREACHABLE)
    runtime.publish(witness=WitnessLink.CONNECTED)
    _pass(hass, UNREACHABLE_GRACE + 1)
    await hass.async_block_till_done()
    assert _issues(hass) == set()


async def test_unloading_forgets_the_grace(hass: HomeAssistant, entry: MockConfigEntry, runtime: FakeRuntime) -> None:
    runtime.publish(witness=WitnessLink.UNREACHABLE)
    await hass.config_entries.async_unload(entry.entry_id)
    _pass(hass, UNREACHABLE_GRACE + 1)
    await hass.async_block_till_done()
    assert _issues(hass) == set()


async def test_an_app_of_another_version_is_an_issue_until_updated(hass: HomeAssistant, runtime: FakeRuntime) -> None:
    runtime.publish(witness=WitnessLink.UNSUPPORTED)
    assert _issues(hass) == {"witness_unsupported"}
    runtime.publish(witness=WitnessLink.CONNECTED)
    assert _issues(hass) == set()


async def test_a_refused_token_asks_for_a_new_one(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: FakeRuntime
) -> None:
    runtime.publish(witness=WitnessLink.UNAUTHORIZED)
    await hass.async_block_till_done()
    flows = hass.config_entries.flow.async_progress_by_handler(DOMAIN)
    assert [flow["step_id"] for flow in flows] == ["reauth_confirm"]


async def test_an_interrupted_session_is_told_until_it_was_read(
    hass: HomeAssistant, runtime: FakeRuntime, hass_client: Any
) -> None:
    assert await async_setup_component(hass, "repairs", {})
    await hass.async_block_till_done()
    runtime.publish(interrupted=SessionId("s-1"))
    assert _issues(hass) == {"session_interrupted"}
    client = await hass_client()
    begun = await client.post("/api/repairs/issues/fix", json={"handler": DOMAIN, "issue_id": "session_interrupted"})
    form = await begun.json()
    assert form["step_id"] == "confirm"
    assert form["description_placeholders"] == {"session": "s-1"}
    ended = await client.post(f"/api/repairs/issues/fix/{form['flow_id']}", json={})
    assert (await ended.json())["type"] == "create_entry"
    assert _issues(hass) == set()


async def test_a_witness_app_that_comes_and_goes_is_logged_once_each_way(
    hass: HomeAssistant, runtime: FakeRuntime, caplog: pytest.LogCaptureFixture
) -> None:
    for link in (WitnessLink.CONNECTED, WitnessLink.UNREACHABLE, WitnessLink.CONNECTING, WitnessLink.UNREACHABLE):
        runtime.publish(witness=link)
    assert caplog.text.count("The witness app does not answer") == 1
    assert "answers again" not in caplog.text
    runtime.publish(witness=WitnessLink.CONNECTED)
    assert caplog.text.count("The witness app answers again") == 1


@pytest.fixture
def listed(hass: HomeAssistant, entry: MockConfigEntry, runtime: FakeRuntime) -> er.RegistryEntry:
    """Return an audited lamp."""
    lamp = register(hass, "desk")
    list_for_audit(hass, entry, lamp)
    return lamp


def _show(runtime: FakeRuntime, lamp: er.RegistryEntry, witness: WitnessState = WitnessState.NONE) -> None:
    subject = SubjectId(lamp.id)
    view = SubjectView(subject=subject, entity_id=lamp.entity_id, witness=witness)
    runtime.publish(subjects=MappingProxyType({subject: view}))


async def test_an_audited_device_that_is_gone_is_an_issue_until_it_is_taken_off_the_list(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: FakeRuntime, listed: er.RegistryEntry
) -> None:
    _show(runtime, listed)
    runtime.publish(subjects=MappingProxyType({}))
    assert _issues(hass) == set(), "it may only be away"
    er.async_get(hass).async_remove(listed.entity_id)
    runtime.publish(ledger=LedgerView(entries=1))
    assert _issues(hass) == {f"device_gone_{listed.id}"}
    issue = ir.async_get(hass).async_get_issue(DOMAIN, f"device_gone_{listed.id}")
    assert issue is not None
    assert issue.translation_placeholders == {"device": "light.desk"}
    [subentry] = [one for one in entry.subentries.values() if one.unique_id == listed.id]
    hass.config_entries.async_remove_subentry(entry, subentry.subentry_id)
    runtime.publish(ledger=LedgerView(entries=2))
    assert _issues(hass) == set()


async def test_a_proof_that_ran_out_a_day_ago_is_one_issue_until_it_is_renewed(
    hass: HomeAssistant, runtime: FakeRuntime, listed: er.RegistryEntry
) -> None:
    _show(runtime, listed, WitnessState.EXPIRED)
    _pass(hass, EXPIRED_GRACE - 60)
    await hass.async_block_till_done()
    assert _issues(hass) == set()
    _pass(hass, EXPIRED_GRACE + 60)
    await hass.async_block_till_done()
    assert _issues(hass) == {f"witness_expired_{listed.id}"}
    runtime.publish(ledger=LedgerView(entries=1))
    _pass(hass, 3 * EXPIRED_GRACE)
    await hass.async_block_till_done()
    assert _issues(hass) == {f"witness_expired_{listed.id}"}
    _show(runtime, listed, WitnessState.QUALIFIED)
    assert _issues(hass) == set()


async def test_a_proof_that_is_renewed_within_the_day_is_none(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: FakeRuntime, listed: er.RegistryEntry
) -> None:
    _show(runtime, listed, WitnessState.EXPIRED)
    _show(runtime, listed, WitnessState.QUALIFIED)
    _pass(hass, EXPIRED_GRACE + 60)
    await hass.async_block_till_done()
    assert _issues(hass) == set()
    _show(runtime, listed, WitnessState.EXPIRED)
    await hass.config_entries.async_unload(entry.entry_id)
    _pass(hass, EXPIRED_GRACE + 60)
    await hass.async_block_till_done()
    assert _issues(hass) == set()
