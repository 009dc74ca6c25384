"""Asking what is known, setting a warning aside, and giving the evidence away."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import probatio
import pytest
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError, Unauthorized
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser

from custom_components.simverity.adapters.ledger.store import LedgerUnavailableError, StoreState
from custom_components.simverity.audit.exporting import Pseudonyms
from custom_components.simverity.audit.standing import Standing
from custom_components.simverity.const import DOMAIN
from custom_components.simverity.coordinator import Clearance, LedgerState, SubjectView
from custom_components.simverity.engine.ledger.entry import EntryKind
from custom_components.simverity.engine.standing.policy import StandingPolicy
from custom_components.simverity.engine.terms import (
    Direction,
    Disposition,
    SubjectId,
)
from custom_components.simverity.engine.trace.trace import Feedback
from custom_components.simverity.runtime import Runtime
from tests.integration.audit_fixtures import audit_entry, ledger_folder, registry_id, set_up
from tests.integration.failing_trials import escalate, ignored
from tests.integration.lamps import PhysicalLamp

pytest_plugins = ["tests.integration.audit_fixtures"]


@pytest.fixture
def entry(hass: HomeAssistant, physical_lamp: PhysicalLamp) -> MockConfigEntry:
    """Return an entry that lists one lamp without a camera."""
    return audit_entry(hass, [physical_lamp])


@pytest.fixture
async def runtime(hass: HomeAssistant, entry: MockConfigEntry) -> Any:
    """Run the real audit; unload it at the end."""
    yield await set_up(hass, entry)
    await hass.config_entries.async_unload(entry.entry_id)


def _view(entry: MockConfigEntry, subject: str) -> SubjectView:
    view: SubjectView = entry.runtime_data.coordinator.snapshot.subjects[SubjectId(subject)]
    return view


async def _acknowledge(hass: HomeAssistant, lamp: PhysicalLamp, user: MockUser | None = None, **fields: Any) -> None:
    await hass.services.async_call(
        DOMAIN,
        "acknowledge",
        {"entity_id": lamp.entity_id, "reason": "new bulb", "lasts": {"hours": 1}, **fields},
        blocking=True,
        context=None if user is None else Context(user_id=user.id),
    )
    await hass.async_block_till_done()


async def _check(hass: HomeAssistant, user: MockUser | None = None, **target: Any) -> Any:
    context = None if user is None else Context(user_id=user.id)
    return await hass.services.async_call(DOMAIN, "check", target, blocking=True, return_response=True, context=context)


async def test_a_device_that_fails_is_answered_with_its_numbers(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime, physical_lamp: PhysicalLamp
) -> None:
    await escalate(hass, runtime, registry_id(hass, physical_lamp.entity_id))
    answer = (await _check(hass, entity_id=physical_lamp.entity_id))["targets"][physical_lamp.entity_id]
    assert (answer["disposition"], answer["why"]) == ("escalate", "change_detected")
    assert answer["meaning"] == "It has begun to fail more often than before"
    assert (answer["headline"]["k"], answer["headline"]["n"]) == (3, 3)
    assert answer["headline"]["source"] == "accepted_call"


async def test_a_false_clearance_is_known_with_what_was_asked(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime, physical_lamp: PhysicalLamp
) -> None:
    subject = registry_id(hass, physical_lamp.entity_id)
    await runtime._async_take_passive(trace := ignored(subject, 0))
    await hass.async_block_till_done()
    seen = _view(entry, subject).false_clearance
    assert seen is not None
    assert (seen.at.isoformat(), seen.direction, seen.boundary) == (trace.wall_dispatched, Direction.ON, "settled")
    shown = hass.states.get("event.desk_false_clearance")
    assert shown is not None
    assert (shown.attributes["asked"], shown.attributes["seen"]) == ("on", "off")


async def test_a_warning_is_set_aside_and_comes_back_when_the_time_is_over(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime, physical_lamp: PhysicalLamp
) -> None:
    subject = registry_id(hass, physical_lamp.entity_id)
    await escalate(hass, runtime, subject)
    assert _view(entry, subject).disposition is Disposition.ESCALATE
    await _acknowledge(hass, physical_lamp)
    view = _view(entry, subject)
    assert (view.disposition, view.explanation.value) == (Disposition.ABSTAIN, "acknowledged")
    await runtime._async_checkpoint(dt_util.utcnow() + timedelta(minutes=59))
    await hass.async_block_till_done()
    assert _view(entry, subject).disposition is Disposition.ABSTAIN
    await runtime._async_checkpoint(dt_util.utcnow() + timedelta(minutes=61))
    await hass.async_block_till_done()
    assert _view(entry, subject).disposition is Disposition.ESCALATE


@pytest.mark.parametrize("with_checkpoint", [True, False])
async def test_an_acknowledgement_survives_a_restart(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime, physical_lamp: PhysicalLamp, with_checkpoint: bool
) -> None:
    subject = registry_id(hass, physical_lamp.entity_id)
    await escalate(hass, runtime, subject)
    await _acknowledge(hass, physical_lamp)
    assert await hass.config_entries.async_unload(entry.entry_id)
    if not with_checkpoint:
        (ledger_folder(hass) / "checkpoint.json").unlink()
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    assert _view(entry, subject).disposition is Disposition.ABSTAIN
    await entry.runtime_data._async_checkpoint(dt_util.utcnow() + timedelta(minutes=61))
    await hass.async_block_till_done()
    assert _view(entry, subject).disposition is Disposition.ESCALATE


async def test_an_acknowledgement_is_an_entry_with_its_reason(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime, physical_lamp: PhysicalLamp
) -> None:
    subject = registry_id(hass, physical_lamp.entity_id)
    await escalate(hass, runtime, subject)
    await _acknowledge(hass, physical_lamp)
    kept = await runtime._store.async_read(kinds=(EntryKind.ACKNOWLEDGED,))
    payload = kept[0].payload
    assert isinstance(payload, dict)
    assert (payload["subject"], payload["reason"]) == (subject, "new bulb")


async def test_where_nothing_stands_against_a_device_nothing_is_set_aside(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime, physical_lamp: PhysicalLamp
) -> None:
    with pytest.raises(ServiceValidationError) as refused:
        await _acknowledge(hass, physical_lamp)
    assert refused.value.translation_key == "nothing_to_acknowledge"
    assert refused.value.translation_placeholders == {"entity": physical_lamp.entity_id}


@pytest.mark.parametrize(
    "fields", [{"reason": ""}, {"lasts": {"seconds": 1}}, {"lasts": {"days": 91}}, {"lasts": {"hours": -1}}]
)
async def test_an_acknowledgement_needs_a_reason_and_an_end(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime, physical_lamp: PhysicalLamp, fields: dict[str, Any]
) -> None:
    await escalate(hass, runtime, registry_id(hass, physical_lamp.entity_id))
    with pytest.raises(probatio.Invalid):
        await _acknowledge(hass, physical_lamp, **fields)
    assert await runtime._store.async_read(kinds=(EntryKind.ACKNOWLEDGED,)) == []


async def test_an_export_has_every_entry_and_no_name(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime, physical_lamp: PhysicalLamp
) -> None:
    subject = registry_id(hass, physical_lamp.entity_id)
    await escalate(hass, runtime, subject)
    await _acknowledge(
        hass, physical_lamp, reason="the bulb of Anna in light.desk, see http://anna.example/x?token=abc"
    )
    answer: Any = await hass.services.async_call(DOMAIN, "export", {}, blocking=True, return_response=True)
    path = Path(answer["path"])
    assert path.parent == ledger_folder(hass)
    content = await hass.async_add_executor_job(path.read_bytes)
    archive = zipfile.ZipFile(io.BytesIO(content))
    text = archive.read("ledger.jsonl").decode()
    entries = [json.loads(line) for line in text.splitlines()]
    assert [one["sequence"] for one in entries] == list(range(1, runtime._store.head.sequence + 1))
    assert entries[-1]["digest"] == runtime._store.head.digest
    for hidden in (subject, "desk", "Anna", "anna", "http", "token", "bulb"):
        assert hidden not in text
    trials = [one["payload"]["trace"] for one in entries if one["kind"] == "trial"]
    assert {trial["subject"] for trial in trials} == {trials[0]["goals"][0]["subject"]}
    assert trials[0]["feedback"][0]["state"] == "off"


async def test_an_export_that_cannot_be_made_says_so(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unreadable(**_: Any) -> Any:
        raise LedgerUnavailableError(StoreState.DAMAGED)

    monkeypatch.setattr(runtime._store, "async_read", unreadable)
    with pytest.raises(HomeAssistantError) as refused:
        await hass.services.async_call(DOMAIN, "export", {}, blocking=True)
    assert refused.value.translation_key == "export_failed"


def test_the_same_thing_keeps_its_pseudonym_and_a_secret_never_passes() -> None:
    secret = "f" * 64
    clean = Pseudonyms(frozenset({secret})).clean
    assert clean({"subject": "abc", "lamp": "abc:living"}) == {"subject": "x1", "lamp": "x1:x2"}
    assert clean([secret, "e" * 64, "pass", "0.25", True, None, 3]) == ["x3", "e" * 64, "pass", "0.25", True, None, 3]
    assert clean({"light.desk": 1, secret: 2}) == {"x4": 1, "x3": 2}
    assert clean("2026-12-01T04:00:00.5+00:00") == "2026-12-01T04:00:00.5+00:00"


@pytest.mark.parametrize("action", ["acknowledge", "export"])
async def test_only_administrators_may(
    hass: HomeAssistant,
    entry: MockConfigEntry,
    runtime: Runtime,
    physical_lamp: PhysicalLamp,
    hass_read_only_user: MockUser,
    action: str,
) -> None:
    context = Context(user_id=hass_read_only_user.id)
    fields = (
        {} if action == "export" else {"entity_id": physical_lamp.entity_id, "reason": "because", "lasts": {"hours": 1}}
    )
    with pytest.raises(Unauthorized):
        await hass.services.async_call(DOMAIN, action, fields, blocking=True, context=context)


async def test_a_reader_may_ask_and_a_stranger_may_not(
    hass: HomeAssistant,
    entry: MockConfigEntry,
    runtime: Runtime,
    physical_lamp: PhysicalLamp,
    hass_read_only_user: MockUser,
) -> None:
    answer = await _check(hass, hass_read_only_user, entity_id=physical_lamp.entity_id)
    assert answer["targets"][physical_lamp.entity_id]["disposition"] == "abstain"
    assert answer["ledger"]["state"] in {LedgerState.SOUND.value, LedgerState.VERIFYING.value}
    with pytest.raises(Unauthorized):
        await _check(hass, MockUser(groups=[]).add_to_hass(hass), entity_id=physical_lamp.entity_id)


@pytest.mark.parametrize(
    ("entity_id", "key"), [("light.typo", "unknown_entity"), ("sensor.desk_disposition", "entity_not_audited")]
)
async def test_what_is_not_audited_is_refused(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime, entity_id: str, key: str
) -> None:
    with pytest.raises(ServiceValidationError) as refused:
        await _check(hass, entity_id=entity_id)
    assert refused.value.translation_key == key


async def test_nothing_is_no_answer(hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime) -> None:
    with pytest.raises(ServiceValidationError) as refused:
        await _check(hass)
    assert refused.value.translation_key == "nothing_to_do"


async def test_another_policy_enters_the_ledger_and_holds_after_a_restart(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime, physical_lamp: PhysicalLamp
) -> None:
    subject = registry_id(hass, physical_lamp.entity_id)
    await escalate(hass, runtime, subject)
    hass.config_entries.async_update_entry(entry, options={"clearance": {"tolerance": 2.0, "confidence": 99.0}})
    await hass.async_block_till_done()
    again: Runtime = entry.runtime_data
    assert again is not runtime
    [kept] = await again._store.async_read(kinds=(EntryKind.POLICY,))
    assert isinstance(kept.payload, dict)
    assert (kept.payload["tolerance"], kept.payload["error"]) == (0.02, 0.01)
    assert again.coordinator.snapshot.clearance == Clearance(tolerance=0.02, error=0.01)
    for minute in (180, 240, 300):
        trace = ignored(subject, minute)
        shown = (Feedback(subject=SubjectId(subject), at=0.05, state="on"),)
        await again._async_take_passive(replace(trace, feedback=shown))
    live = again._conclusions.standing.to_json()
    again._conclusions.standing = Standing(StandingPolicy())
    await again._conclusions._replay(0)
    assert again._conclusions.standing.policy == again._listing.policy
    assert again._conclusions.standing.to_json() == live
    again._publishing.changed()
    await hass.async_block_till_done()
    assert _view(entry, subject).disposition is Disposition.ESCALATE
    await hass.config_entries.async_reload(entry.entry_id)
    assert len(await entry.runtime_data._store.async_read(kinds=(EntryKind.POLICY,))) == 1
