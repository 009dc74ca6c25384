"""Commands that somebody else gives: which become passive trials, which join or supersede one, and what they count."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from homeassistant.core import Context, HomeAssistant

from custom_components.simverity.audit.evidence import read_trial
from custom_components.simverity.audit.watching import Settling
from custom_components.simverity.engine.ledger.entry import EntryKind
from custom_components.simverity.engine.terms import Direction, Path, Reason, SubjectId
from custom_components.simverity.engine.trace.samples import NoChannel, SampledChannel
from custom_components.simverity.engine.trace.trace import Trace
from custom_components.simverity.runtime import Runtime
from tests.integration.audit_fixtures import audit_entry, registry_id, set_up
from tests.integration.lamps import PhysicalLamp, add_devices
from tests.integration.scripted_witness import ScriptedWitness
from tests.integration.waiting import connected, until, verified

pytest_plugins = ["tests.integration.audit_fixtures"]


@pytest.fixture(autouse=True)
def quick_settling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what nobody waits 10 s for settle at once."""
    monkeypatch.setattr(
        "custom_components.simverity.audit.listing.Settling", lambda **_: Settling(start=0.2, until=0.5)
    )


@pytest.fixture
async def lamps(hass: HomeAssistant, physical_lamp: PhysicalLamp) -> list[PhysicalLamp]:
    other = PhysicalLamp("shelf")
    await add_devices(hass, other)
    return [physical_lamp, other]


@pytest.fixture
async def runtime(hass: HomeAssistant, lamps: list[PhysicalLamp]) -> Runtime:
    runtime = await set_up(hass, audit_entry(hass, lamps))
    await verified(runtime)
    return runtime


async def _command(hass: HomeAssistant, service: str, entity_id: Any, context: Context | None = None) -> None:
    domain, _, name = service.partition(".")
    await hass.services.async_call(domain, name, {"entity_id": entity_id}, blocking=True, context=context)


async def _traces(runtime: Runtime, count: int) -> list[Trace]:
    """Wait until so many trials are in the ledger and counted, and return them."""
    await until(lambda: runtime.coordinator.snapshot.ledger.entries >= count and not runtime._passive._closing)
    entries = await runtime._store.async_read(kinds=[EntryKind.TRIAL])
    trials = [read_trial(entry) for entry in entries]
    return [trial.trace for trial in trials if trial is not None]


async def test_a_command_becomes_a_trial_that_counts(hass: HomeAssistant, runtime: Runtime) -> None:
    await _command(hass, "light.turn_on", "light.desk")
    [trace] = await _traces(runtime, 1)
    subject = SubjectId(registry_id(hass, "light.desk"))
    assert (trace.subject, trace.direction, trace.path, trace.void) == (
        subject,
        Direction.ON,
        Path.SINGLE_LIGHT,
        None,
    )
    assert trace.channels == (NoChannel(subject=subject, reason=Reason.NO_WITNESS),)
    assert [report.state for report in trace.feedback] == ["on"]
    [cell] = runtime.cells(subject)
    assert (cell["source"], cell["boundary"], cell["decided"], cell["failures"]) == ("accepted_call", "settled", 1, 0)


async def test_a_lamp_that_never_reports_is_a_failure_of_the_accepted_call(
    hass: HomeAssistant, runtime: Runtime, physical_lamp: PhysicalLamp
) -> None:
    physical_lamp.silent = True
    await _command(hass, "light.turn_on", "light.desk")
    await _traces(runtime, 1)
    [cell] = runtime.cells(registry_id(hass, "light.desk"))
    assert (cell["decided"], cell["failures"]) == (1, 1)


async def test_the_second_call_of_an_intent_joins_the_first(hass: HomeAssistant, runtime: Runtime) -> None:
    await _command(hass, "homeassistant.turn_on", "light.desk")
    traces = await _traces(runtime, 1)
    assert [trace.void for trace in traces] == [None]


async def test_a_retry_and_a_child_call_join_too(hass: HomeAssistant, runtime: Runtime) -> None:
    parent = Context()
    await _command(hass, "light.turn_on", "light.desk", parent)
    await _command(hass, "light.turn_on", "light.desk", parent)
    await _command(hass, "light.turn_on", "light.desk", Context(parent_id=parent.id))
    await _command(hass, "light.turn_on", "light.shelf", Context())
    assert len(await _traces(runtime, 2)) == 2


async def test_a_later_command_supersedes_an_open_trial(hass: HomeAssistant, runtime: Runtime) -> None:
    context = Context()
    await _command(hass, "light.turn_on", "light.desk", context)
    await hass.async_block_till_done()
    await _command(hass, "light.turn_off", "light.desk", context)
    traces = await _traces(runtime, 2)
    assert [(trace.direction, trace.void) for trace in traces] == [
        (Direction.ON, Reason.SUPERSEDED),
        (Direction.OFF, None),
    ]


async def test_a_lamp_that_already_stands_there_is_no_trial(hass: HomeAssistant, runtime: Runtime) -> None:
    await _command(hass, "light.turn_off", "light.desk")
    [trace] = await _traces(runtime, 1)
    assert trace.void is Reason.ALREADY_IN_TARGET_STATE


async def test_an_unavailable_lamp_is_void(hass: HomeAssistant, runtime: Runtime, physical_lamp: PhysicalLamp) -> None:
    physical_lamp.set_available(False)
    await _command(hass, "light.turn_on", "light.desk")
    [trace] = await _traces(runtime, 1)
    assert trace.void is Reason.NOT_DISPATCHED
    assert runtime.cells(registry_id(hass, "light.desk")) == []


async def test_a_lamp_that_goes_away_in_the_window_is_void(
    hass: HomeAssistant, runtime: Runtime, physical_lamp: PhysicalLamp
) -> None:
    await _command(hass, "light.turn_on", "light.desk")
    physical_lamp.set_available(False)
    [trace] = await _traces(runtime, 1)
    assert trace.void is Reason.UNAVAILABLE_IN_WINDOW


async def test_several_targets_make_one_trial_with_a_goal_each(hass: HomeAssistant, runtime: Runtime) -> None:
    hass.states.async_set("light.both", "off", {"entity_id": ["light.shelf", "light.desk"]})
    hass.services.async_register("light", "turn_on", lambda _call: None)
    await _command(hass, "light.turn_on", "light.both")
    [trace] = await _traces(runtime, 1)
    assert trace.path is Path.MULTI_TARGET
    assert [goal.subject for goal in trace.goals] == [
        registry_id(hass, "light.shelf"),
        registry_id(hass, "light.desk"),
    ]


async def test_what_is_not_listed_makes_no_trial(hass: HomeAssistant, lamps: list[PhysicalLamp]) -> None:
    runtime = await set_up(hass, audit_entry(hass, lamps[:1]))
    await verified(runtime)
    await _command(hass, "light.turn_on", "light.shelf")
    await _command(hass, "light.turn_on", "light.desk")
    [trace] = await _traces(runtime, 1)
    assert trace.subject == registry_id(hass, "light.desk")


async def test_counts_survive_a_restart(hass: HomeAssistant, lamps: list[PhysicalLamp]) -> None:
    entry = audit_entry(hass, lamps)
    runtime = await set_up(hass, entry)
    await verified(runtime)
    await _command(hass, "light.turn_on", "light.desk")
    await _traces(runtime, 1)
    before = runtime.cells()
    assert await hass.config_entries.async_reload(entry.entry_id)
    assert entry.runtime_data is not runtime
    assert entry.runtime_data.cells() == before


async def test_counts_are_found_again_in_the_ledger_without_a_checkpoint(
    hass: HomeAssistant, lamps: list[PhysicalLamp]
) -> None:
    entry = audit_entry(hass, lamps)
    runtime = await set_up(hass, entry)
    await verified(runtime)
    await _command(hass, "light.turn_on", "light.desk")
    await _traces(runtime, 1)
    before = runtime.cells()
    await hass.config_entries.async_unload(entry.entry_id)
    (runtime._store._checkpoint_file).unlink()
    await hass.config_entries.async_setup(entry.entry_id)
    assert entry.runtime_data.cells() == before


async def test_a_qualified_witness_testifies_on_other_peoples_commands(
    hass: HomeAssistant, physical_lamp: PhysicalLamp, witness: ScriptedWitness, quick_strobes: None
) -> None:
    runtime = await set_up(hass, audit_entry(hass, [physical_lamp], witness=witness))
    await connected(runtime)
    subject = registry_id(hass, "light.desk")
    await runtime.async_requalify((subject,))
    await asyncio.sleep(0.6)  # as it was put back, so it stands: that is seen in the half second before the command
    entries = runtime.coordinator.snapshot.ledger.entries
    physical_lamp.stays_dark = True
    await _command(hass, "light.turn_on", "light.desk")
    [trace] = await _traces(runtime, entries + 1)
    assert isinstance(trace.channels[0], SampledChannel)
    settled = {cell["source"]: cell for cell in runtime.cells(subject) if cell["boundary"] == "settled"}
    assert (settled["reported_claim"]["failures"], settled["reported_claim"]["decided"]) == (1, 1)


async def test_a_return_that_only_its_maker_saw_is_part_of_the_trial(hass: HomeAssistant, runtime: Runtime) -> None:
    context = Context()
    await _command(hass, "light.turn_on", "light.desk", context)
    runtime.note_return("somebody else's", None)
    runtime.note_return(context.id, "TimeoutError")
    [trace] = await _traces(runtime, 1)
    assert trace.returned is not None
    assert (trace.returned.error, trace.returned.states) == (
        "TimeoutError",
        ((registry_id(hass, "light.desk"), "off"),),
    )
    assert trace.returned.at >= trace.dispatched_at
