"""What an admin may do with the evidence: take traces out, go on after a restored backup, back it up."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError, Unauthorized
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser

from custom_components.simverity import backup
from custom_components.simverity.const import DOMAIN
from custom_components.simverity.coordinator import LedgerState
from custom_components.simverity.engine.ledger.entry import EntryKind
from custom_components.simverity.engine.terms import Disposition, SubjectId
from custom_components.simverity.runtime import Runtime
from tests.integration.audit_fixtures import audit_entry, ledger_folder, registry_id, set_up
from tests.integration.failing_trials import escalate, ignored
from tests.integration.lamps import PhysicalLamp
from tests.integration.waiting import verified

pytest_plugins = ["tests.integration.audit_fixtures"]


@pytest.fixture
def entry(hass: HomeAssistant, physical_lamp: PhysicalLamp) -> MockConfigEntry:
    return audit_entry(hass, [physical_lamp])


@pytest.fixture
async def runtime(hass: HomeAssistant, entry: MockConfigEntry) -> Runtime:
    runtime = await set_up(hass, entry)
    await verified(runtime)
    return runtime


async def _redact(hass: HomeAssistant, user: MockUser | None = None, **fields: Any) -> Any:
    return await hass.services.async_call(
        DOMAIN,
        "redact",
        {"entity_id": ["light.desk"], "reason": "the guest asked", **fields},
        blocking=True,
        return_response=True,
        context=None if user is None else Context(user_id=user.id),
    )


async def _again(hass: HomeAssistant, entry: MockConfigEntry) -> Runtime:
    await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    runtime: Runtime = entry.runtime_data
    await verified(runtime)
    return runtime


def _disposition(hass: HomeAssistant, runtime: Runtime) -> Disposition:
    return runtime.coordinator.snapshot.subjects[SubjectId(registry_id(hass, "light.desk"))].disposition


def _counts(runtime: Runtime) -> list[Any]:
    return [(cell["cell"], cell["failures"], cell["decided"]) for cell in runtime.cells()]


async def test_a_redaction_takes_the_traces_out_and_leaves_the_chain_whole(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime
) -> None:
    await escalate(hass, runtime, registry_id(hass, "light.desk"))
    assert await _redact(hass) == {"trials": 3}
    trials = await runtime._store.async_read(kinds=(EntryKind.TRIAL,))
    assert [one.content for one in trials] == [None] * 3
    [notice] = await runtime._store.async_read(kinds=(EntryKind.REDACTION,))
    assert isinstance(notice.payload, dict)
    assert notice.payload["sequences"] == [one.sequence for one in trials]
    assert notice.payload["reason"] == "the guest asked"
    await hass.config_entries.async_unload(entry.entry_id)
    runtime = await _again(hass, entry)
    assert runtime.coordinator.snapshot.ledger.state is LedgerState.SOUND
    assert await _redact(hass) == {"trials": 0}


async def test_nothing_of_a_redacted_trace_is_left_in_the_files(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime
) -> None:
    await runtime._async_take_passive(ignored(registry_id(hass, "light.desk"), 0))
    [trial] = await runtime._store.async_read(kinds=(EntryKind.TRIAL,))
    assert trial.content is not None
    content = trial.content[40:140]
    assert any(content in file for file in await hass.async_add_executor_job(_files, ledger_folder(hass)))
    await _redact(hass)
    await hass.config_entries.async_unload(entry.entry_id)
    assert not any(content in file for file in await hass.async_add_executor_job(_files, ledger_folder(hass)))


def _files(folder: Path) -> list[bytes]:
    return [file.read_bytes() for file in folder.iterdir()]


async def test_a_warning_outlives_the_traces_that_it_came_from(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime
) -> None:
    await escalate(hass, runtime, registry_id(hass, "light.desk"))
    before = _counts(runtime)
    await _redact(hass)
    await hass.config_entries.async_unload(entry.entry_id)
    (ledger_folder(hass) / "checkpoint.json").unlink()
    runtime = await _again(hass, entry)
    assert _disposition(hass, runtime) is Disposition.ESCALATE
    assert _counts(runtime) == before


async def test_a_redaction_spares_what_was_recorded_later(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime
) -> None:
    await escalate(hass, runtime, registry_id(hass, "light.desk"))
    assert await _redact(hass, until="2020-01-01T00:00:00+00:00") == {"trials": 0}
    assert await runtime._store.async_read(kinds=(EntryKind.REDACTION,)) == []


async def test_a_redaction_spares_other_devices(hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime) -> None:
    er.async_get(hass).async_get_or_create("light", "demo", "other", suggested_object_id="other")
    await escalate(hass, runtime, registry_id(hass, "light.desk"))
    assert await _redact(hass, entity_id=["light.other"]) == {"trials": 0}


async def test_a_redaction_of_nobody_and_by_nobody_is_refused(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime, hass_read_only_user: MockUser
) -> None:
    with pytest.raises(ServiceValidationError) as unknown:
        await _redact(hass, entity_id=["light.nowhere"])
    assert unknown.value.translation_key == "unknown_entity"
    with pytest.raises(Unauthorized):
        await _redact(hass, hass_read_only_user)


async def test_a_redaction_that_the_ledger_cannot_take_removes_nothing(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime
) -> None:
    await escalate(hass, runtime, registry_id(hass, "light.desk"))
    runtime._store._set(runtime._store.state.__class__.READ_ONLY)
    with pytest.raises(HomeAssistantError) as refused:
        await _redact(hass)
    assert refused.value.translation_key == "ledger_refuses"
    trials = await runtime._store.async_read(kinds=(EntryKind.TRIAL,))
    assert None not in [one.content for one in trials]


async def _restored_backup(hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime, kept: Path) -> Runtime:
    """Fail once, back the ledger up, fail until refused; put only the ledger's file back, and start again."""
    subject = registry_id(hass, "light.desk")
    await runtime._async_take_passive(ignored(subject, 30))
    await backup.async_pre_backup(hass)
    shutil.copy(ledger_folder(hass) / "ledger.db", kept)
    await escalate(hass, runtime, subject)
    await backup.async_post_backup(hass)
    await hass.config_entries.async_unload(entry.entry_id)
    for file in ledger_folder(hass).glob("ledger.db*"):
        file.unlink()
    shutil.copy(kept, ledger_folder(hass) / "ledger.db")
    return await _again(hass, entry)


async def test_a_restored_backup_is_noticed_and_nothing_is_written(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime, tmp_path: Path
) -> None:
    runtime = await _restored_backup(hass, entry, runtime, tmp_path / "kept.db")
    assert runtime.coordinator.snapshot.ledger.state is LedgerState.BEHIND
    assert ir.async_get(hass).async_get_issue(DOMAIN, "ledger_behind") is not None
    assert not runtime._store.takes_entries
    assert _disposition(hass, runtime) is Disposition.ESCALATE


async def test_a_person_lets_the_evidence_go_on_from_a_restored_backup(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime, tmp_path: Path, hass_client: Any
) -> None:
    assert await async_setup_component(hass, "repairs", {})
    runtime = await _restored_backup(hass, entry, runtime, tmp_path / "kept.db")
    published = json.loads((ledger_folder(hass) / "head.json").read_text())
    found = runtime._store.head
    client = await hass_client()
    await hass.async_block_till_done()
    begun = await client.post("/api/repairs/issues/fix", json={"handler": DOMAIN, "issue_id": "ledger_behind"})
    form = await begun.json()
    assert form["step_id"] == "confirm"
    assert form["description_placeholders"] == {"path": hass.config.path(DOMAIN)}
    ended = await client.post(f"/api/repairs/issues/fix/{form['flow_id']}", json={})
    assert (await ended.json())["type"] == "create_entry"
    [restored] = await runtime._store.async_read(kinds=(EntryKind.RESTORED,))
    assert restored.payload == {
        "found": {"sequence": found.sequence, "digest": found.digest},
        "published": published,
    }
    assert runtime.coordinator.snapshot.ledger.state is LedgerState.SOUND
    assert ir.async_get(hass).async_get_issue(DOMAIN, "ledger_behind") is None
    await hass.config_entries.async_unload(entry.entry_id)
    runtime = await _again(hass, entry)
    assert runtime.coordinator.snapshot.ledger.state is LedgerState.SOUND
    assert _disposition(hass, runtime) is Disposition.ESCALATE
    assert {(k, n) for _, k, n in _counts(runtime)} == {(1, 1)}


async def test_a_restored_backup_that_is_damaged_too_does_not_go_on(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime, tmp_path: Path, hass_client: Any
) -> None:
    assert await async_setup_component(hass, "repairs", {})
    runtime = await _restored_backup(hass, entry, runtime, tmp_path / "kept.db")
    await runtime._store._in_writer(
        lambda: runtime._store._connection.executescript(
            "DROP TRIGGER payloads_no_update; UPDATE payloads SET content = x'7b7d' WHERE sequence = 1;"
        )
    )
    client = await hass_client()
    await hass.async_block_till_done()
    begun = await client.post("/api/repairs/issues/fix", json={"handler": DOMAIN, "issue_id": "ledger_behind"})
    form = await begun.json()
    answer = await (await client.post(f"/api/repairs/issues/fix/{form['flow_id']}", json={})).json()
    assert answer["errors"] == {"base": "not_restored"}
    assert runtime.coordinator.snapshot.ledger.state is LedgerState.DAMAGED
    assert await runtime._store.async_read(kinds=(EntryKind.RESTORED,)) == []


async def test_a_ledger_that_is_in_order_is_no_restored_backup(runtime: Runtime) -> None:
    with pytest.raises(Exception, match="ledger_refuses"):
        await runtime.async_go_on_from_backup()


async def test_entries_made_during_a_backup_are_there_afterwards(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime
) -> None:
    file = ledger_folder(hass) / "ledger.db"
    await backup.async_pre_backup(hass)
    before = file.read_bytes()
    for minute in range(40):
        await runtime._async_take_passive(ignored(registry_id(hass, "light.desk"), minute))
    assert file.read_bytes() == before
    await backup.async_post_backup(hass)
    assert len(await runtime._store.async_read(kinds=(EntryKind.TRIAL,))) == 40
