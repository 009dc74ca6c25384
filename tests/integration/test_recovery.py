"""What a killed process leaves behind, and what the next start makes of it."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.simverity.audit.errors import LedgerRefusesError
from custom_components.simverity.audit.evidence import ClosedSession, OpenedSession, read_closed
from custom_components.simverity.audit.recovery import Recovery
from custom_components.simverity.audit.watching import Settling
from custom_components.simverity.coordinator import LedgerState, Phase
from custom_components.simverity.engine.ledger.entry import EntryKind
from custom_components.simverity.engine.terms import Disposition, SessionId, SubjectId
from custom_components.simverity.runtime import Runtime, SessionRequest
from tests.integration.audit_fixtures import audit_entry, ledger_folder, registry_id, set_up
from tests.integration.lamps import PhysicalLamp
from tests.integration.scripted_witness import ScriptedWitness
from tests.integration.waiting import connected, until, verified

pytest_plugins = ["tests.integration.audit_fixtures"]


@pytest.fixture
def entry(
    hass: HomeAssistant, physical_lamp: PhysicalLamp, witness: ScriptedWitness, quick_strobes: None
) -> MockConfigEntry:
    return audit_entry(hass, [physical_lamp], witness=witness)


async def _killed_in_mid_session(hass: HomeAssistant, entry: MockConfigEntry, tmp_path: Path) -> str:
    """Leave the ledger's folder as a process killed in the middle of a session leaves it; return the session."""
    runtime = await set_up(hass, entry)
    await connected(runtime)
    session = await runtime.async_run_session(SessionRequest(subjects=("light.desk",), repetitions=1, seed=1))
    await until(lambda: runtime.coordinator.snapshot.session.phase is Phase.RUNNING)
    await runtime._store._in_writer(lambda: shutil.copytree(ledger_folder(hass), tmp_path / "killed"))
    await hass.config_entries.async_unload(entry.entry_id)
    shutil.rmtree(ledger_folder(hass))
    shutil.copytree(tmp_path / "killed", ledger_folder(hass))
    return session


async def test_an_interrupted_session_is_recorded_as_invalid_and_the_devices_are_restored(
    hass: HomeAssistant, entry: MockConfigEntry, physical_lamp: PhysicalLamp, tmp_path: Path
) -> None:
    physical_lamp.report(True)
    session = await _killed_in_mid_session(hass, entry, tmp_path)
    physical_lamp.report(False)
    physical_lamp.commands.clear()
    runtime = await set_up(hass, entry)
    await until(lambda: runtime.coordinator.snapshot.interrupted == session)
    await until(lambda: physical_lamp.commands == [True])
    entries = await runtime._store.async_read()
    closed = read_closed(entries[-1])
    assert closed is not None
    assert (closed.session, closed.valid, closed.reasons) == (session, False, ("interrupted",))
    report = await runtime._store.async_verify()
    assert report is not None
    assert report.intact
    assert [entry.sequence for entry in entries] == list(range(1, len(entries) + 1))
    await until(lambda: runtime._conclusions.to_restore == ())


async def test_it_is_recorded_once(hass: HomeAssistant, entry: MockConfigEntry, tmp_path: Path) -> None:
    session = await _killed_in_mid_session(hass, entry, tmp_path)
    runtime = await set_up(hass, entry)
    await until(lambda: runtime.coordinator.snapshot.interrupted == session)
    await hass.config_entries.async_reload(entry.entry_id)
    runtime = entry.runtime_data
    await verified(runtime)
    closed = await runtime._store.async_read(kinds=[EntryKind.SESSION_CLOSED])
    assert len(closed) == 1
    assert runtime.coordinator.snapshot.interrupted is None


async def test_a_qualification_cut_off_restores_the_devices_too(
    hass: HomeAssistant, entry: MockConfigEntry, physical_lamp: PhysicalLamp, tmp_path: Path
) -> None:
    runtime = await set_up(hass, entry)
    await connected(runtime)
    physical_lamp.report(True)
    [state] = [hass.states.get("light.desk")]
    assert state is not None
    await runtime._store.async_save_checkpoint(
        {
            "version": 1,
            "sequence": 0,
            "standing": {},
            "found": [{"entity_id": "light.desk", "state": "on", "attributes": {}}],
        }
    )
    shutil.copy(ledger_folder(hass) / "checkpoint.json", tmp_path)
    await hass.config_entries.async_unload(entry.entry_id)
    shutil.copy(tmp_path / "checkpoint.json", ledger_folder(hass))
    physical_lamp.report(False)
    physical_lamp.commands.clear()
    await set_up(hass, entry)
    await until(lambda: physical_lamp.commands == [True])


async def _refusing(hass: HomeAssistant, entry: MockConfigEntry, lamp: PhysicalLamp) -> Runtime:
    """Return an audit whose lamp has been refused, after commands that it took and never carried out."""
    runtime = await set_up(hass, entry)
    await verified(runtime)
    subject = SubjectId(registry_id(hass, "light.desk"))
    lamp.silent = True
    for number in range(6):
        await hass.services.async_call("light", "turn_on", {"entity_id": "light.desk"}, blocking=True)
        await until(lambda: not runtime._passive._closing)
        await hass.async_block_till_done()
        if runtime.coordinator.snapshot.subjects[subject].disposition is Disposition.ESCALATE:
            return runtime
        assert number < 5
    return runtime


@pytest.fixture
def quick_settling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "custom_components.simverity.audit.listing.Settling", lambda **_: Settling(start=0.1, until=0.15)
    )


@pytest.mark.usefixtures("quick_settling")
@pytest.mark.parametrize("damage", ["missing", "tampered", "garbage"])
async def test_a_refusal_outlives_the_ledger(hass: HomeAssistant, physical_lamp: PhysicalLamp, damage: str) -> None:
    entry = audit_entry(hass, [physical_lamp])
    await _refusing(hass, entry, physical_lamp)
    await hass.config_entries.async_unload(entry.entry_id)
    _damage(ledger_folder(hass), damage)
    runtime = await set_up(hass, entry)
    await verified(runtime)
    view = runtime.coordinator.snapshot.subjects[SubjectId(registry_id(hass, "light.desk"))]
    assert view.disposition is Disposition.ESCALATE
    expected = LedgerState.MISSING if damage == "missing" else LedgerState.DAMAGED
    assert runtime.coordinator.snapshot.ledger.state is expected


def _damage(folder: Path, damage: str) -> None:
    file = folder / "ledger.db"
    if damage == "missing":
        for found in folder.glob("ledger.db*"):
            found.unlink()
    elif damage == "garbage":
        for found in folder.glob("ledger.db-*"):
            found.unlink()
        file.write_bytes(b"garbage" * 1000)
    else:
        with closing(sqlite3.connect(file)) as database:
            database.execute("DROP TRIGGER payloads_no_update")
            database.execute("UPDATE payloads SET content = x'7b7d' WHERE sequence = 1")
            database.commit()


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("session_closed", b'{"session": "s", "valid": true, "ended_at": "never"}'),
        ("session_closed", b'{"session": "s", "valid": true, "ended_at": "2026-12-01T00:00:00+00:00", "card": "~"}'),
        ("session_opened", b'{"manifest": {"session": "s"}, "found": [7, {"entity_id": 3}]}'),
        ("trial", b'{"trace": "nothing"}'),
        ("qualification", b'{"record": {"lamp": "x"}}'),
    ],
)
async def test_home_assistant_starts_beside_any_damage_and_the_record_is_said_to_be_damaged(
    hass: HomeAssistant, entry: MockConfigEntry, kind: str, content: bytes
) -> None:
    runtime = await set_up(hass, entry)
    await connected(runtime)
    await runtime.async_wait_session(
        await runtime.async_run_session(SessionRequest(subjects=("light.desk",), repetitions=1, seed=1))
    )
    await hass.config_entries.async_unload(entry.entry_id)
    with closing(sqlite3.connect(ledger_folder(hass) / "ledger.db")) as database:
        database.execute("DROP TRIGGER payloads_no_update")
        changed = database.execute(
            "UPDATE payloads SET content = ? WHERE sequence IN (SELECT sequence FROM entries WHERE kind = ?)",
            (content, kind),
        )
        assert changed.rowcount > 0
        database.commit()
    (ledger_folder(hass) / "checkpoint.json").unlink()
    again = await set_up(hass, entry)
    await verified(again)
    assert again.coordinator.snapshot.ledger.state is LedgerState.DAMAGED
    assert again.coordinator.snapshot.subjects[SubjectId(registry_id(hass, "light.desk"))].disposition is not (
        Disposition.CLEAR
    )


@dataclass
class _Refusing:
    """Stands for the ledger's evidence while it can take nothing."""

    asked: int = 0

    async def async_session_closed(self, closed: ClosedSession) -> ClosedSession:
        assert not closed.valid
        self.asked += 1
        raise LedgerRefusesError(status="full")


@pytest.mark.parametrize(("takes_entries", "asked"), [(True, 1), (False, 0)])
async def test_an_interrupted_session_stays_open_while_the_ledger_takes_nothing(
    takes_entries: bool, asked: int
) -> None:
    evidence = _Refusing()
    opened = tuple(OpenedSession(session=SessionId(name), found=()) for name in ("one", "two"))
    recovery = Recovery(
        cast("Any", SimpleNamespace(evidence=evidence)),
        cast("Any", SimpleNamespace(unclosed=opened)),
        cast("Any", SimpleNamespace(takes_entries=takes_entries)),
    )
    assert await recovery.async_close_interrupted() == ()
    assert evidence.asked == asked


async def test_a_device_that_comes_back_late_is_still_put_back(
    hass: HomeAssistant, entry: MockConfigEntry, physical_lamp: PhysicalLamp, tmp_path: Path
) -> None:
    physical_lamp.report(True)
    await _killed_in_mid_session(hass, entry, tmp_path)
    physical_lamp.report(False)
    physical_lamp.set_available(False)
    physical_lamp.commands.clear()
    await set_up(hass, entry)
    await asyncio.sleep(3)
    assert physical_lamp.commands == []
    physical_lamp.set_available(True)
    await until(lambda: physical_lamp.commands == [True])
