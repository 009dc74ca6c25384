"""Qualifying lamps as their own strobes: the plan, what is granted, and what is refused."""

from __future__ import annotations

import random

import pytest
from homeassistant.core import HomeAssistant

from custom_components.simverity.audit.errors import WitnessFailedError
from custom_components.simverity.audit.qualification import (
    LONGEST_HOLD,
    REFERENCE_HOLD,
    SHORTEST_HOLD,
    Strobe,
    plan_strobes,
    reference_hold,
    seconds_needed,
)
from custom_components.simverity.coordinator import WitnessLink, WitnessState
from custom_components.simverity.engine.ledger.entry import EntryKind
from custom_components.simverity.engine.terms import Direction, SubjectId
from custom_components.simverity.runtime import Runtime, SessionRequest
from tests.integration.audit_fixtures import audit_entry, registry_id, set_up
from tests.integration.lamps import PhysicalLamp, add_devices
from tests.integration.scripted_witness import ScriptedWitness
from tests.integration.waiting import connected, until, verified

pytest_plugins = ["tests.integration.audit_fixtures"]
SEEDS = range(20)


def _plan(seed: int, first: Direction) -> tuple[Strobe, ...]:
    return plan_strobes(random.Random(seed), first)  # noqa: S311 - a plan, no secret


@pytest.fixture
async def runtime(
    hass: HomeAssistant, physical_lamp: PhysicalLamp, witness: ScriptedWitness, quick_strobes: None
) -> Runtime:
    runtime = await set_up(hass, audit_entry(hass, [physical_lamp], witness=witness))
    await connected(runtime)
    return runtime


def _subject(hass: HomeAssistant, entity_id: str = "light.desk") -> SubjectId:
    return SubjectId(registry_id(hass, entity_id))


def _witness_state(runtime: Runtime, subject: SubjectId) -> WitnessState:
    return runtime.coordinator.snapshot.subjects[subject].witness


@pytest.mark.parametrize("seed", SEEDS)
def test_every_plan_has_twenty_of_each_and_five_references_of_each(seed: int) -> None:
    strobes = _plan(seed, Direction.ON)
    assert [strobe.state for strobe in strobes] == [Direction.ON, Direction.OFF] * 20
    for state in Direction:
        assert sum(strobe.reference for strobe in strobes if strobe.state is state) == 5
    assert {strobe.hold for strobe in strobes if strobe.reference} == {REFERENCE_HOLD}
    assert all(SHORTEST_HOLD <= strobe.hold <= LONGEST_HOLD for strobe in strobes if not strobe.reference)


def test_plans_differ_with_their_seed_and_only_with_it() -> None:
    plans = {_plan(seed, Direction.OFF) for seed in (*SEEDS, *SEEDS)}
    assert len(plans) == len(SEEDS)


@pytest.mark.parametrize(
    ("fps", "seconds"), [(None, 5.6), (0.0, 5.6), (60.0, 5.6), (30.0, 5.6), (12.0, 5.9), (2.0, 8.4)]
)
def test_a_slow_camera_gets_longer_references(fps: float | None, seconds: float) -> None:
    assert reference_hold(fps) == pytest.approx(seconds)


def test_a_qualification_takes_about_two_minutes() -> None:
    assert seconds_needed() == pytest.approx(126.4)


async def test_a_lamp_that_follows_is_qualified_and_put_back(
    hass: HomeAssistant, runtime: Runtime, physical_lamp: PhysicalLamp
) -> None:
    subject = _subject(hass)
    assert _witness_state(runtime, subject) is WitnessState.UNQUALIFIED
    physical_lamp.report(True)
    await runtime.async_requalify((subject,))
    await hass.async_block_till_done()
    assert _witness_state(runtime, subject) is WitnessState.QUALIFIED
    assert physical_lamp.commands[-1] is True
    [entry] = await runtime._store.async_read(kinds=[EntryKind.QUALIFICATION])
    assert isinstance(entry.payload, dict)
    assert entry.payload["refusals"] == []


async def test_a_lamp_that_does_not_follow_is_refused_after_three_attempts(
    hass: HomeAssistant, runtime: Runtime, physical_lamp: PhysicalLamp
) -> None:
    physical_lamp.stays_dark = True
    await runtime.async_requalify((_subject(hass),))
    await hass.async_block_till_done()
    assert _witness_state(runtime, _subject(hass)) is WitnessState.UNQUALIFIED
    assert physical_lamp.commands == [True, False, True, False, True, False]


async def test_a_record_whose_numbers_do_not_follow_from_its_readings_is_refused(
    hass: HomeAssistant, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.integration.scripted_witness.OFF_LEVEL", 20.0)
    original = ScriptedWitness._record

    def flattering(self: ScriptedWitness, *arguments: object) -> dict[str, object]:
        record = original(self, *arguments)  # type: ignore[arg-type]
        return record | {"levels": record["levels"] | {"guard": 0.1}}

    monkeypatch.setattr(ScriptedWitness, "_record", flattering)
    await runtime.async_requalify((_subject(hass),))
    await hass.async_block_till_done()
    assert _witness_state(runtime, _subject(hass)) is WitnessState.UNQUALIFIED
    [entry] = await runtime._store.async_read(kinds=[EntryKind.QUALIFICATION])
    assert isinstance(entry.payload, dict)
    assert entry.payload["refusals"] == ["witness_and_engine_disagree"]


async def test_a_witness_that_gives_up_is_an_error_that_says_so(
    hass: HomeAssistant, runtime: Runtime, witness: ScriptedWitness, physical_lamp: PhysicalLamp
) -> None:
    witness.refusals["begin_qualification"] = "camera_unreachable"
    with pytest.raises(WitnessFailedError) as caught:
        await runtime.async_requalify((_subject(hass),))
    assert caught.value.placeholders["code"] == "camera_unreachable"
    assert not runtime._sessions.busy


async def test_a_region_that_the_witness_never_took_is_an_error_that_says_so(
    hass: HomeAssistant, physical_lamp: PhysicalLamp, witness: ScriptedWitness, quick_strobes: None
) -> None:
    witness.refusals["register_lamp"] = "region_outside_frame"
    runtime = await set_up(hass, audit_entry(hass, [physical_lamp], witness=witness))
    await connected(runtime)
    with pytest.raises(WitnessFailedError) as caught:
        await runtime.async_requalify((_subject(hass),))
    assert caught.value.placeholders["code"] == "region_outside_frame"
    assert physical_lamp.commands == [False]


async def test_a_session_beside_a_witness_out_of_reach_is_refused_at_once(
    hass: HomeAssistant, physical_lamp: PhysicalLamp, witness: ScriptedWitness, quick_strobes: None
) -> None:
    entry = audit_entry(hass, [physical_lamp], witness=witness)
    witness.token = "changed since"
    runtime = await set_up(hass, entry)
    await until(lambda: runtime.coordinator.snapshot.witness is WitnessLink.UNAUTHORIZED)
    await verified(runtime)
    with pytest.raises(WitnessFailedError) as caught:
        await runtime.async_run_session(SessionRequest(subjects=("light.desk",)))
    assert caught.value.placeholders["code"] == "unauthorized"


async def test_lamps_of_one_camera_are_strobed_together(
    hass: HomeAssistant, physical_lamp: PhysicalLamp, witness: ScriptedWitness, quick_strobes: None
) -> None:
    other = PhysicalLamp("shelf")
    await add_devices(hass, other)
    runtime = await set_up(hass, audit_entry(hass, [physical_lamp, other], witness=witness))
    await connected(runtime)
    subjects = (_subject(hass), _subject(hass, "light.shelf"))
    await runtime.async_requalify(subjects)
    await hass.async_block_till_done()
    assert [_witness_state(runtime, subject) for subject in subjects] == [WitnessState.QUALIFIED] * 2
    strobed = [question["lamp"] for question in witness.asked if question["type"] == "strobe"]
    halfway = strobed[: len(strobed) // 2]
    assert 10 < halfway.count(strobed[0]) < 30


async def test_a_qualification_survives_a_restart_of_home_assistant(
    hass: HomeAssistant, physical_lamp: PhysicalLamp, witness: ScriptedWitness, quick_strobes: None
) -> None:
    entry = audit_entry(hass, [physical_lamp], witness=witness)
    runtime = await set_up(hass, entry)
    await connected(runtime)
    await runtime.async_requalify((_subject(hass),))
    await hass.config_entries.async_reload(entry.entry_id)
    await connected(entry.runtime_data)
    await until(lambda: _witness_state(entry.runtime_data, _subject(hass)) is WitnessState.QUALIFIED)


async def test_a_witness_that_restarted_must_be_qualified_again(
    hass: HomeAssistant, runtime: Runtime, witness: ScriptedWitness
) -> None:
    await runtime.async_requalify((_subject(hass),))
    witness.live.clear()
    await witness.hang_up()
    await until(lambda: _witness_state(runtime, _subject(hass)) is WitnessState.UNQUALIFIED)


async def test_a_lamp_that_was_listed_a_moment_ago_is_strobed_with_the_others(
    hass: HomeAssistant, physical_lamp: PhysicalLamp, witness: ScriptedWitness, quick_strobes: None
) -> None:
    shelf = PhysicalLamp("shelf")
    await add_devices(hass, shelf)
    both = audit_entry(hass, [physical_lamp, shelf], witness=witness)
    later = [subentry for subentry in both.subentries.values() if "light.shelf" in subentry.title]
    assert {subentry.subentry_type for subentry in later} == {"audited_entity", "witness"}
    for subentry in later:
        hass.config_entries.async_remove_subentry(both, subentry.subentry_id)
    runtime = await set_up(hass, both)
    await connected(runtime)
    for subentry in later:
        hass.config_entries.async_add_subentry(both, subentry)
    await runtime.async_requalify((_subject(hass), _subject(hass, "light.shelf")))
    await hass.async_block_till_done()
    assert _witness_state(runtime, _subject(hass, "light.shelf")) is WitnessState.QUALIFIED


async def test_how_fast_a_camera_is_is_asked_when_it_is_strobed(runtime: Runtime, witness: ScriptedWitness) -> None:
    """A camera without a declared rate is still being measured when it begins to deliver."""
    client = runtime._witnesses.client
    assert client is not None
    witness.fps = 2.0
    assert await client.async_frame_rate("living") == 2.0
    assert await client.async_frame_rate("no such camera") is None
