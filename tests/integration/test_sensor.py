"""What the entities show, and on whose device."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from homeassistant.const import STATE_UNKNOWN
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.simverity.audit.errors import NoSessionError
from custom_components.simverity.const import DOMAIN
from custom_components.simverity.coordinator import (
    Basis,
    Explanation,
    HeadlineView,
    LastSession,
    LedgerState,
    LedgerView,
    Phase,
    SessionView,
)
from custom_components.simverity.engine.terms import (
    Digest,
    Direction,
    Disposition,
    PropertyId,
    Reason,
    SessionId,
    Source,
)
from tests.integration.surface import entity_id_of, list_for_audit, own_device, register, set_up

pytest_plugins = ["tests.integration.surface_fixtures"]

HEADLINE = HeadlineView(
    property_id=PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE,
    boundary="1",
    direction=Direction.OFF,
    source=Source.REPORTED_CLAIM,
    basis=Basis.STANDING,
    failures=3,
    decided=40,
    abstained=2,
    interval=(0.0157, 0.2039),
    upper_limit=0.18,
)


def _shown(hass: HomeAssistant, source: er.RegistryEntry, key: str) -> Any:
    state = hass.states.get(entity_id_of(hass, "sensor", f"{source.id}_{key}"))
    assert state is not None
    return state


async def test_a_new_device_is_unknown_not_good(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry
) -> None:
    list_for_audit(hass, entry, lamp)
    await set_up(hass, entry)
    assert _shown(hass, lamp, "false_clearance_risk").state == STATE_UNKNOWN
    assert _shown(hass, lamp, "disposition").state == "abstain"


async def test_the_risk_comes_with_its_evidence(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry
) -> None:
    list_for_audit(hass, entry, lamp)
    runtime = await set_up(hass, entry)
    runtime.publish_view(
        lamp.id, disposition=Disposition.ESCALATE, headline=HEADLINE, explanation=Explanation.SEEN_TO_FAIL
    )
    shown = _shown(hass, lamp, "false_clearance_risk")
    assert float(shown.state) == 7.5
    assert shown.attributes["unit_of_measurement"] == "%"
    assert shown.attributes["state_class"] == "measurement"
    expected = {
        "k": 3,
        "n": 40,
        "abstentions": 2,
        "interval": [1.57, 20.39],
        "upper_limit": 18.0,
        "basis": "standing",
        "source": "reported_claim",
        "boundary": "1",
        "direction": "off",
        "property": "observable_effect_after_write",
        "meaning": "seen_to_fail",
    }
    assert {key: shown.attributes[key] for key in expected} == expected


async def test_no_failure_in_a_clear_cell_is_zero(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry
) -> None:
    list_for_audit(hass, entry, lamp)
    runtime = await set_up(hass, entry)
    clean = HeadlineView(
        property_id=PropertyId.SETTLED_POSTCONDITION,
        boundary="settled",
        direction=None,
        source=Source.ACCEPTED_CALL,
        basis=Basis.ONE_LOOK,
        failures=0,
        decided=74,
        abstained=0,
    )
    runtime.publish_view(lamp.id, disposition=Disposition.CLEAR, headline=clean)
    shown = _shown(hass, lamp, "false_clearance_risk")
    assert float(shown.state) == 0.0
    assert (shown.attributes["interval"], shown.attributes["upper_limit"]) == (None, None)
    assert shown.attributes["direction"] is None


@pytest.mark.parametrize("decided", [0, 40])
async def test_an_abstaining_cell_shows_counts_but_no_risk(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry, decided: int
) -> None:
    list_for_audit(hass, entry, lamp)
    runtime = await set_up(hass, entry)
    headline = HeadlineView(
        property_id=PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE,
        boundary="1",
        direction=Direction.ON,
        source=Source.REPORTED_CLAIM,
        basis=Basis.STANDING,
        failures=0,
        decided=decided,
        abstained=5,
    )
    runtime.publish_view(lamp.id, disposition=Disposition.ABSTAIN, headline=headline)
    shown = _shown(hass, lamp, "false_clearance_risk")
    assert shown.state == STATE_UNKNOWN
    assert (shown.attributes["n"], shown.attributes["abstentions"]) == (decided, 5)


async def test_a_refusal_without_any_decided_trial_shows_no_risk(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry
) -> None:
    list_for_audit(hass, entry, lamp)
    runtime = await set_up(hass, entry)
    runtime.publish_view(lamp.id, disposition=Disposition.ESCALATE, carried_over=True, headline=None)
    assert _shown(hass, lamp, "false_clearance_risk").state == STATE_UNKNOWN
    assert _shown(hass, lamp, "disposition").attributes["carried_over"] is True


async def test_the_disposition_says_when_it_was_last_wrong(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry
) -> None:
    list_for_audit(hass, entry, lamp)
    runtime = await set_up(hass, entry)
    runtime.publish_view(
        lamp.id,
        disposition=Disposition.ESCALATE,
        last_false_clearance=datetime(2026, 11, 30, 12, tzinfo=UTC),
        clean_audits_to_clear=74,
    )
    shown = _shown(hass, lamp, "disposition")
    assert shown.state == "escalate"
    assert shown.attributes["last_false_clearance"] == "2026-11-30T12:00:00+00:00"
    assert shown.attributes["clean_audits_to_clear"] == 74


async def test_trials_are_there_for_whoever_enables_them(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry
) -> None:
    er.async_get(hass).async_get_or_create(
        "sensor", DOMAIN, f"{lamp.id}_trials", config_entry=entry, disabled_by=None, suggested_object_id="t"
    )
    list_for_audit(hass, entry, lamp)
    runtime = await set_up(hass, entry)
    runtime.publish_view(lamp.id, trials=12, abstentions=((Reason.NO_SAMPLE, 2),))
    shown = _shown(hass, lamp, "trials")
    assert shown.state == "12"
    assert shown.attributes["abstentions"] == {"no_sample": 2}


async def test_trials_are_disabled_by_default(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry
) -> None:
    list_for_audit(hass, entry, lamp)
    await set_up(hass, entry)
    trials = er.async_get(hass).async_get(entity_id_of(hass, "sensor", f"{lamp.id}_trials"))
    assert trials is not None
    assert trials.disabled_by is er.RegistryEntryDisabler.INTEGRATION


async def test_only_the_device_that_changed_is_written(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry
) -> None:
    second = register(hass, "second", device="Second")
    list_for_audit(hass, entry, lamp)
    list_for_audit(hass, entry, second)
    runtime = await set_up(hass, entry)
    before = _shown(hass, second, "disposition").last_reported
    runtime.publish_view(lamp.id, disposition=Disposition.ESCALATE)
    assert _shown(hass, second, "disposition").last_reported == before


async def test_entities_are_on_the_audited_device(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry
) -> None:
    subentry = list_for_audit(hass, entry, lamp)
    await set_up(hass, entry)
    ours = er.async_get(hass).async_get(entity_id_of(hass, "sensor", f"{lamp.id}_disposition"))
    assert ours is not None
    assert ours.device_id == lamp.device_id
    assert ours.config_subentry_id == subentry.subentry_id
    assert _shown(hass, lamp, "disposition").name == "Lamp Disposition"


async def test_a_part_of_a_device_is_named(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    left = register(hass, "left", device="Lamp", original_name="Lamp left")
    list_for_audit(hass, entry, left)
    await set_up(hass, entry)
    assert _shown(hass, left, "disposition").name == "Lamp left disposition"


async def test_an_entity_without_a_device_gets_one_that_stands_for_it(
    hass: HomeAssistant, entry: MockConfigEntry
) -> None:
    porch = register(hass, "porch")
    list_for_audit(hass, entry, porch)
    await set_up(hass, entry)
    assert own_device(hass, entry, porch.id).name == "Porch"
    assert _shown(hass, porch, "disposition").name == "Porch Disposition"


async def test_entities_follow_the_audited_entity(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry
) -> None:
    list_for_audit(hass, entry, lamp)
    await set_up(hass, entry)
    elsewhere = register(hass, "elsewhere", device="Elsewhere")
    registry = er.async_get(hass)
    registry.async_update_entity(lamp.entity_id, new_entity_id="light.renamed")
    await hass.async_block_till_done()
    registry.async_update_entity("light.renamed", device_id=elsewhere.device_id)
    await hass.async_block_till_done()
    ours = registry.async_get(entity_id_of(hass, "sensor", f"{lamp.id}_disposition"))
    assert ours is not None
    assert ours.device_id == elsewhere.device_id


async def test_entities_outlive_a_removed_audited_entity(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry
) -> None:
    list_for_audit(hass, entry, lamp)
    runtime = await set_up(hass, entry)
    er.async_get(hass).async_remove(lamp.entity_id)
    await hass.async_block_till_done()
    runtime.publish_view(lamp.id, disposition=Disposition.ESCALATE)
    assert _shown(hass, lamp, "disposition").state == "escalate"
    await hass.config_entries.async_reload(entry.entry_id)
    assert _shown(hass, lamp, "disposition").state == "abstain"


async def test_entities_wait_for_an_audited_entity_that_comes_back(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry, caplog: pytest.LogCaptureFixture
) -> None:
    list_for_audit(hass, entry, lamp)
    runtime = await set_up(hass, entry)
    listed = runtime.coordinator.snapshot.subjects
    runtime.publish(subjects={})
    assert _shown(hass, lamp, "disposition").state == "unavailable"
    runtime.publish(subjects=listed)
    await hass.async_block_till_done()
    assert _shown(hass, lamp, "disposition").state == "abstain"
    assert "unique IDs" not in caplog.text


async def test_entities_come_and_go_with_the_list(
    hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry
) -> None:
    await set_up(hass, entry)
    for _ in range(2):
        subentry = list_for_audit(hass, entry, lamp)
        await hass.async_block_till_done()
        assert _shown(hass, lamp, "disposition").state == "abstain"
        hass.config_entries.async_remove_subentry(entry, subentry.subentry_id)
        await hass.async_block_till_done()
        assert er.async_get(hass).async_get_entity_id("sensor", DOMAIN, f"{lamp.id}_disposition") is None
    assert dr.async_get(hass).async_get(str(lamp.device_id)) is not None


def _audit_state(hass: HomeAssistant, entry: MockConfigEntry, key: str, platform: str = "sensor") -> Any:
    state = hass.states.get(entity_id_of(hass, platform, f"{entry.entry_id}_{key}"))
    assert state is not None
    return state


async def test_no_session_is_unknown_not_valid(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    await set_up(hass, entry)
    assert _audit_state(hass, entry, "session_validity").state == STATE_UNKNOWN
    assert _audit_state(hass, entry, "session_progress").state == STATE_UNKNOWN
    assert _audit_state(hass, entry, "session_running", "binary_sensor").state == "off"


@pytest.mark.parametrize(("valid", "state", "reasons"), [(True, "valid", ()), (False, "invalid", ("incomplete",))])
async def test_the_last_session_is_valid_or_says_why_not(
    hass: HomeAssistant, entry: MockConfigEntry, valid: bool, state: str, reasons: tuple[str, ...]
) -> None:
    runtime = await set_up(hass, entry)
    last = LastSession(
        session=SessionId("s-1"), valid=valid, reasons=reasons, ended_at=datetime(2026, 12, 1, tzinfo=UTC)
    )
    runtime.publish(session=SessionView(last=last))
    shown = _audit_state(hass, entry, "session_validity")
    assert shown.state == state
    assert shown.attributes["reasons"] == list(reasons)
    assert shown.attributes["session_id"] == "s-1"


async def test_progress_is_shown_while_a_session_runs(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    runtime = await set_up(hass, entry)
    runtime.publish(session=SessionView(phase=Phase.RUNNING, done=5, total=20, seconds_left=61.6))
    shown = _audit_state(hass, entry, "session_progress")
    assert float(shown.state) == 25.0
    assert shown.attributes["seconds_left"] == 62
    assert shown.attributes["phase"] == "running"
    assert _audit_state(hass, entry, "session_running", "binary_sensor").state == "on"


async def test_the_ledger_is_shown_as_it_is(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    runtime = await set_up(hass, entry)
    assert _audit_state(hass, entry, "ledger").state == "verifying"
    runtime.publish(ledger=LedgerView(state=LedgerState.DAMAGED, entries=7, head=Digest("ab")))
    shown = _audit_state(hass, entry, "ledger")
    assert (shown.state, shown.attributes["entries"], shown.attributes["head"]) == ("damaged", 7, "ab")


async def test_the_button_stops_a_session(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    runtime = await set_up(hass, entry)
    button = entity_id_of(hass, "button", f"{entry.entry_id}_cancel_session")
    assert _audit_state(hass, entry, "cancel_session", "button").state == "unavailable"
    runtime.publish(session=SessionView(phase=Phase.RUNNING))
    await hass.services.async_call("button", "press", {"entity_id": button}, blocking=True)
    assert runtime.cancelled == 1


async def test_a_session_that_is_over_cannot_be_stopped(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    runtime = await set_up(hass, entry)
    button = entity_id_of(hass, "button", f"{entry.entry_id}_cancel_session")
    runtime.publish(session=SessionView(phase=Phase.FINISHING))
    runtime.refusal = NoSessionError(session="s-1")
    with pytest.raises(ServiceValidationError) as refused:
        await hass.services.async_call("button", "press", {"entity_id": button}, blocking=True)
    assert refused.value.translation_key == "no_session"
