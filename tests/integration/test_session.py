"""A session over real services, virtual edges and a scripted witness, from the request to the card."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta
from typing import Any

import pytest
from homeassistant.core import Event, HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.simverity.adapters.virtual_edges import UNIQUE_ID_PREFIX
from custom_components.simverity.audit.errors import AuditError
from custom_components.simverity.audit.evidence import read_closed, read_trial
from custom_components.simverity.coordinator import Phase
from custom_components.simverity.engine.ledger.entry import EntryKind
from custom_components.simverity.engine.terms import Direction, Disposition, Path, Reason, Rung, SubjectId
from custom_components.simverity.runtime import Runtime, SessionRequest
from tests.integration.audit_fixtures import audit_entry, registry_id, set_up
from tests.integration.lamps import PhysicalLamp, add_devices
from tests.integration.scripted_witness import ScriptedWitness
from tests.integration.waiting import connected, until

pytest_plugins = ["tests.integration.audit_fixtures"]
pytestmark = pytest.mark.usefixtures("quick_strobes")


@pytest.fixture
def entry(hass: HomeAssistant, physical_lamp: PhysicalLamp, witness: ScriptedWitness) -> MockConfigEntry:
    return audit_entry(hass, [physical_lamp], witness=witness)


@pytest.fixture
async def runtime(hass: HomeAssistant, entry: MockConfigEntry) -> Runtime:
    runtime = await set_up(hass, entry)
    await connected(runtime)
    return runtime


def _request(*names: str, **fields: Any) -> SessionRequest:
    return SessionRequest(subjects=names or ("light.desk",), **({"repetitions": 1, "seed": 1} | fields))


async def _run(runtime: Runtime, request: SessionRequest | None = None) -> dict[str, Any]:
    session = await runtime.async_run_session(request or _request())
    return await runtime.async_wait_session(session)


async def _phase(runtime: Runtime, phase: Phase) -> None:
    await until(lambda: runtime.coordinator.snapshot.session.phase is phase)


def _edges(hass: HomeAssistant) -> list[str]:
    registry = er.async_get(hass).entities.values()
    return [entry.entity_id for entry in registry if entry.unique_id.startswith(UNIQUE_ID_PREFIX)]


def _cells(card: dict[str, Any], property_id: str, source: str) -> dict[tuple[str, str], tuple[int, int]]:
    """Return failures and decided trials by boundary and direction."""
    return {
        (cell["key"]["boundary"], cell["key"]["direction"]): (cell["failures"], cell["decided"])
        for cell in card["cells"]
        if cell["key"]["property_id"] == property_id and cell["key"]["source"] == source
    }


def _late(cells: dict[tuple[str, str], tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the counts at boundaries that a busy test machine meets too."""
    return {counts for (boundary, _), counts in cells.items() if boundary in ("1", "3", "settled")}


async def test_a_session_ends_in_a_valid_card_and_leaves_nothing_behind(
    hass: HomeAssistant, runtime: Runtime, physical_lamp: PhysicalLamp
) -> None:
    finished: list[dict[str, Any]] = []
    phases: list[str] = []
    hass.bus.async_listen("simverity_session_finished", lambda event: finished.append(dict(event.data)))
    hass.bus.async_listen("simverity_session_progress", lambda event: phases.append(event.data["phase"]))
    card = await _run(runtime)
    await hass.async_block_till_done()
    assert (card["validity"]["valid"], card["validity"]["reasons"]) == (True, [])
    assert _cells(card, "reported_completion", "twin") == {("return", "on"): (1, 1), ("return", "off"): (1, 1)}
    effect = _cells(card, "observable_effect_after_write", "twin")
    assert _late(effect) == {(0, 1)}
    assert _edges(hass) == []
    assert physical_lamp.lit_at(asyncio.get_running_loop().time()) is False
    assert list(dict.fromkeys(phases)) == ["qualifying", "strobing", "running", "finishing"]
    assert finished == [{"session_id": card["session"], "valid": True, "reasons": []}]
    kinds = [entry.kind for entry in await runtime._store.async_read()]
    assert [kind for kind in kinds if kind != EntryKind.COORDINATES] == [
        EntryKind.QUALIFICATION,
        EntryKind.SESSION_OPENED,
        *[EntryKind.TRIAL] * 4,
        EntryKind.SESSION_CLOSED,
    ]
    trials = [read_trial(entry) for entry in await runtime._store.async_read(kinds=[EntryKind.TRIAL])]
    keys = {rung: {trial.key for trial in trials if trial and trial.trace.rung is rung} for rung in Rung}
    assert len(keys[Rung.SOFTWARE]) == 2
    assert keys[Rung.SOFTWARE] == keys[Rung.PHYSICAL]
    assert runtime.card() == card


async def test_a_lamp_that_lies_is_caught_while_the_session_stays_valid(
    hass: HomeAssistant, runtime: Runtime, physical_lamp: PhysicalLamp
) -> None:
    subject = registry_id(hass, "light.desk")
    await runtime.async_requalify((subject,))
    after_the_strobes = len(physical_lamp.commands) + 4
    physical_lamp.lies_at = range(after_the_strobes, after_the_strobes + 4)
    card = await _run(runtime)
    assert _cells(card, "observable_effect_after_write", "twin")["settled", "on"] == (1, 1)
    assert _cells(card, "reported_read_after_write", "twin")["settled", "on"] == (0, 1)
    assert (card["validity"]["valid"], card["validity"]["reasons"]) == (True, [])
    assert runtime.coordinator.snapshot.subjects[SubjectId(subject)].disposition is Disposition.ESCALATE


async def test_what_a_session_saw_can_be_set_aside_until_the_next_one_sees_it_again(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: Runtime, physical_lamp: PhysicalLamp
) -> None:
    subject = SubjectId(registry_id(hass, "light.desk"))
    await runtime.async_requalify((subject,))
    liar = len(physical_lamp.commands) + 4
    physical_lamp.lies_at = range(liar, liar + 4)
    await _run(runtime)
    await runtime.async_acknowledge(subject, reason="a new bulb", lasts=timedelta(hours=1))
    await hass.async_block_till_done()
    assert runtime.coordinator.snapshot.subjects[subject].disposition is Disposition.ABSTAIN
    await hass.config_entries.async_reload(entry.entry_id)
    again: Runtime = entry.runtime_data
    await connected(again)
    assert again.coordinator.snapshot.subjects[subject].disposition is Disposition.ABSTAIN
    await again._async_checkpoint(dt_util.utcnow() + timedelta(minutes=61))
    await hass.async_block_till_done()
    assert again.coordinator.snapshot.subjects[subject].disposition is Disposition.ESCALATE
    await again.async_acknowledge(subject, reason="a new bulb", lasts=timedelta(hours=1))
    await again.async_requalify((subject,))
    liar = len(physical_lamp.commands) + 4
    physical_lamp.lies_at = range(liar, liar + 4)
    assert (await _run(again))["validity"]["valid"]
    assert again.coordinator.snapshot.subjects[subject].disposition is Disposition.ESCALATE


async def _start_then(runtime: Runtime, change: Any) -> None:
    """Start a session, and change something once its first trial runs."""
    await runtime.async_run_session(_request())
    await _phase(runtime, Phase.RUNNING)
    change()


async def test_somebody_elses_command_voids_the_trial_that_it_meets(
    hass: HomeAssistant, runtime: Runtime, physical_lamp: PhysicalLamp
) -> None:
    session = await runtime.async_run_session(_request())
    await _phase(runtime, Phase.RUNNING)
    await until(lambda: runtime._sessions._session._open is not None)  # type: ignore[union-attr]
    await hass.services.async_call("light", "toggle", {"entity_id": "light.desk"}, blocking=True)
    card = await runtime.async_wait_session(session)
    assert card["accounting"]["voids"] == [{"count": 1, "reason": "superseded"}]
    assert card["validity"]["reasons"] == ["incomplete"]


async def test_a_cancelled_session_restores_the_devices_and_is_a_record(
    hass: HomeAssistant, runtime: Runtime, physical_lamp: PhysicalLamp
) -> None:
    physical_lamp.report(True)
    physical_lamp.light.append((0.0, True))
    session = await runtime.async_run_session(_request())
    await _phase(runtime, Phase.RUNNING)
    await runtime.async_cancel_session()
    await hass.async_block_till_done()
    assert physical_lamp.commands[-1] is True
    assert _edges(hass) == []
    assert (await runtime.async_wait_session(session))["validity"] == {"valid": False, "reasons": ["cancelled"]}
    [closed] = [read_closed(entry) for entry in await runtime._store.async_read(kinds=[EntryKind.SESSION_CLOSED])]
    assert closed is not None
    assert (closed.session, closed.valid, closed.reasons) == (session, False, ("cancelled",))
    assert runtime.cells() == []


async def test_unloading_in_mid_session_restores_the_devices(
    hass: HomeAssistant, runtime: Runtime, entry: MockConfigEntry, physical_lamp: PhysicalLamp
) -> None:
    physical_lamp.report(True)
    await runtime.async_run_session(_request())
    await _phase(runtime, Phase.RUNNING)
    assert await hass.config_entries.async_unload(entry.entry_id)
    assert physical_lamp.commands[-1] is True
    assert _edges(hass) == []


async def test_a_device_that_goes_away_makes_its_trials_void(runtime: Runtime, physical_lamp: PhysicalLamp) -> None:
    await _start_then(runtime, lambda: physical_lamp.set_available(False))
    session = runtime.coordinator.snapshot.session.session
    assert session is not None
    card = await runtime.async_wait_session(session)
    assert {void["reason"] for void in card["accounting"]["voids"]} <= {
        Reason.NOT_DISPATCHED,
        Reason.UNAVAILABLE_IN_WINDOW,
    }
    assert card["validity"]["valid"] is False


async def test_a_witness_that_goes_away_leaves_an_invalid_session_not_a_pass(
    runtime: Runtime, witness: ScriptedWitness
) -> None:
    session = await runtime.async_run_session(_request())
    await _phase(runtime, Phase.RUNNING)
    witness.mute_windows = True
    card = await runtime.async_wait_session(session)
    assert card["validity"]["valid"] is False
    assert {decided for _, decided in _cells(card, "observable_effect_after_write", "twin").values()} == {0}


async def test_a_ledger_that_refuses_ends_the_session_and_the_devices_are_restored(
    hass: HomeAssistant, runtime: Runtime, physical_lamp: PhysicalLamp
) -> None:
    session = await runtime.async_run_session(_request())
    await _phase(runtime, Phase.RUNNING)
    store = runtime._store
    await store._in_writer(lambda: store._connection.execute("PRAGMA query_only = ON").fetchone())
    card = await runtime.async_wait_session(session)
    assert card["validity"] == {"valid": False, "reasons": ["ledger_refuses"]}
    assert physical_lamp.commands[-1] is False
    assert _edges(hass) == []


async def test_only_one_session_runs_and_subentries_wait_for_its_end(
    hass: HomeAssistant, runtime: Runtime, entry: MockConfigEntry
) -> None:
    await runtime.async_run_session(_request())
    with pytest.raises(Exception, match="session_running"):
        await runtime.async_run_session(_request())
    [subentry_id] = [one for one, sub in entry.subentries.items() if sub.subentry_type == "audited_entity"]
    hass.config_entries.async_remove_subentry(entry, subentry_id)
    await asyncio.sleep(0)
    assert registry_id(hass, "light.desk") in runtime.coordinator.snapshot.subjects
    await runtime.async_cancel_session()
    await until(lambda: not runtime.coordinator.snapshot.subjects)


async def test_a_group_is_one_trial_of_several_targets(hass: HomeAssistant, witness: ScriptedWitness) -> None:
    await async_setup_component(hass, "homeassistant", {})
    lamps = [PhysicalLamp("left"), PhysicalLamp("right")]
    await add_devices(hass, *lamps)
    group = MockConfigEntry(
        domain="group",
        title="Both",
        options={
            "group_type": "light",
            "name": "Both",
            "entities": ["light.left", "light.right"],
            "hide_members": False,
        },
    )
    group.add_to_hass(hass)
    assert await hass.config_entries.async_setup(group.entry_id)
    runtime = await set_up(hass, audit_entry(hass, lamps, witness=witness))
    await connected(runtime)
    card = await _run(runtime, _request("light.both"))
    assert (card["validity"]["valid"], card["validity"]["reasons"]) == (True, [])
    assert card["accounting"]["paths"] == ["multi_target"]
    assert _late(_cells(card, "fanout_completion", "twin")) == {(0, 1)}


async def test_progress_is_seen_by_whoever_listens(hass: HomeAssistant, runtime: Runtime) -> None:
    seen: list[Event] = []
    hass.bus.async_listen("simverity_session_progress", seen.append)
    await runtime.async_run_session(_request())
    await _phase(runtime, Phase.RUNNING)
    await runtime.async_cancel_session()
    steps = [event.data for event in seen if event.data["phase"] == "qualifying"]
    assert (steps[-1]["done"], steps[-1]["total"]) == (40, 40)
    assert all(step["seconds_left"] > 0 for step in steps)


async def test_a_device_that_must_not_react_is_watched_in_trials_across_devices(
    hass: HomeAssistant, physical_lamp: PhysicalLamp, witness: ScriptedWitness
) -> None:
    shelf = PhysicalLamp("shelf")
    await add_devices(hass, shelf)
    runtime = await set_up(hass, audit_entry(hass, [physical_lamp, shelf], witness=witness))
    await connected(runtime)
    paths = frozenset({Path.CROSS_DEVICE})
    card = await _run(runtime, _request(quiet=("light.shelf",), paths=paths))
    assert card["validity"]["valid"], card["validity"]
    still = _cells(card, "cross_device_quiet", "twin")
    assert still == {("settled", "on"): (0, 1), ("settled", "off"): (0, 1)}
    assert {cell["key"]["path"] for cell in card["cells"]} == {"cross_device"}
    assert {cell["key"]["subject"] for cell in card["cells"] if cell["key"]["property_id"] == "cross_device_quiet"} == {
        registry_id(hass, "light.shelf")
    }


async def test_a_lamp_that_reacts_to_another_is_caught(
    hass: HomeAssistant, physical_lamp: PhysicalLamp, witness: ScriptedWitness
) -> None:
    shelf = PhysicalLamp("shelf")
    await add_devices(hass, shelf)
    runtime = await set_up(hass, audit_entry(hass, [physical_lamp, shelf], witness=witness))
    await connected(runtime)
    await runtime.async_requalify(tuple(registry_id(hass, name) for name in ("light.desk", "light.shelf")))
    take, after_the_strobes = physical_lamp._take, len(physical_lamp.commands) + 4

    async def and_the_other(*, on: bool) -> None:
        await take(on=on)
        if len(physical_lamp.commands) == after_the_strobes + 1:
            shelf.light.append((time.monotonic() + 0.5, on))

    physical_lamp._take = and_the_other  # type: ignore[method-assign]
    paths = frozenset({Path.CROSS_DEVICE})
    card = await _run(runtime, _request(quiet=("light.shelf",), paths=paths, directions=frozenset({Direction.ON})))
    assert _cells(card, "cross_device_quiet", "twin") == {("settled", "on"): (1, 1)}


@pytest.mark.parametrize(
    ("quiet", "error"),
    [("light.nothing", "unknown_entity"), ("sensor.simverity_evidence_record", "unsupported_entity")],
)
async def test_what_cannot_be_watched_cannot_be_asked_to_keep_quiet(runtime: Runtime, quiet: str, error: str) -> None:
    with pytest.raises(AuditError) as refused:
        await runtime.async_run_session(_request(quiet=(quiet,)))
    assert refused.value.translation_key == error
