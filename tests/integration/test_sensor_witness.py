"""Sensors as witnesses in a real test instance: what qualifies, what testifies, and what keeps its silence."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity import Entity
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.simverity.adapters.witness import sensors
from custom_components.simverity.audit.errors import WitnessFailedError
from custom_components.simverity.audit.evidence import read_trial
from custom_components.simverity.audit.watching import Settling
from custom_components.simverity.const import DOMAIN
from custom_components.simverity.coordinator import WitnessState
from custom_components.simverity.engine.ledger.entry import EntryKind
from custom_components.simverity.engine.properties.table import judge
from custom_components.simverity.engine.terms import Direction, PropertyId, Reason, SubjectId, Verdict
from custom_components.simverity.engine.trace.samples import NoChannel, SampledChannel
from custom_components.simverity.engine.trace.trace import Trace
from custom_components.simverity.engine.witness import qualification, sensor
from custom_components.simverity.engine.witness.sensor import Pace
from custom_components.simverity.runtime import Runtime, SessionRequest
from tests.integration.audit_fixtures import registry_id, set_up
from tests.integration.lamps import PhysicalPlug, add_devices
from tests.integration.meters import Contact, Counter, LightMeter, PowerMeter, add_sensors
from tests.integration.waiting import until, verified

pytest_plugins = ["tests.integration.audit_fixtures"]
INTERVAL = 0.02
"""Seconds between the reports of an ordinary sensor here."""
QUIET = 0.7
"""Seconds after which no report before a command is from before the last one."""
PLUG = "switch.kettle"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, quick_strobes: None) -> None:
    """Let sensors of milliseconds take the place of sensors of seconds."""
    monkeypatch.setattr(sensor, "SETTLING", 0.05)
    monkeypatch.setattr(sensor, "FRAME_SPACING", 0.012)
    monkeypatch.setattr(qualification, "FRAME_SPACING", 0.012)
    monkeypatch.setattr("custom_components.simverity.engine.witness.scale.REREAD_EVERY", 0.02)
    monkeypatch.setattr(sensors, "pace_for", _quick_pace)
    monkeypatch.setattr(
        "custom_components.simverity.audit.listing.Settling", lambda **_: Settling(start=0.6, until=0.9)
    )


def _quick_pace(interval: float | None) -> Pace:
    every = max(INTERVAL, interval or INTERVAL)
    return Pace(shortest=0.04 + 3 * every, longest=0.04 + 4 * every, reference=0.06 + 9 * every)


@pytest.fixture
async def plug(hass: HomeAssistant) -> PhysicalPlug:
    """Return a plug in the home."""
    made = PhysicalPlug("kettle")
    await add_devices(hass, made)
    return made


def listing(hass: HomeAssistant, sensor_id: str, *, same_device: bool = False) -> MockConfigEntry:
    """Return an entry that lists the plug, with a sensor beside it."""
    subject, witness = registry_id(hass, PLUG), registry_id(hass, sensor_id)
    audited = {"subject": subject, "may_be_switched": True}
    pair = {"subject": subject, "sensor": witness, "same_device": same_device}
    entry = MockConfigEntry(
        domain=DOMAIN,
        title="SimVerity",
        data={},
        subentries_data=[
            {"subentry_type": "audited_entity", "title": PLUG, "unique_id": subject, "data": audited},
            {"subentry_type": "witness", "title": PLUG, "unique_id": f"{subject}:{witness}", "data": pair},
        ],
    )
    entry.add_to_hass(hass)
    return entry


async def _home(hass: HomeAssistant, *sensors: Entity) -> Runtime:
    await add_sensors(hass, *sensors)
    runtime = await set_up(hass, listing(hass, sensors[0].entity_id))
    await verified(runtime)
    await asyncio.sleep(0.1)
    return runtime


def _subject(hass: HomeAssistant) -> SubjectId:
    return SubjectId(registry_id(hass, PLUG))


def _state(runtime: Runtime, hass: HomeAssistant) -> WitnessState:
    return runtime.coordinator.snapshot.subjects[_subject(hass)].witness


async def _qualified(hass: HomeAssistant, runtime: Runtime) -> dict[str, Any]:
    await runtime.async_requalify((_subject(hass),))
    [entry] = await runtime._store.async_read(kinds=[EntryKind.QUALIFICATION])
    assert isinstance(entry.payload, dict)
    await asyncio.sleep(QUIET)
    return entry.payload


async def _command(hass: HomeAssistant, runtime: Runtime, service: str) -> Trace:
    """Give a command and return its trial."""
    before = runtime._store.head.sequence
    await hass.services.async_call("switch", service, {"entity_id": PLUG}, blocking=True)
    await until(lambda: runtime._store.head.sequence > before)
    trials = await runtime._store.async_read(kinds=[EntryKind.TRIAL])
    trial = read_trial(trials[-1])
    assert trial is not None
    return trial.trace


def _effects(trace: Trace) -> dict[str, tuple[Verdict, Reason | None]]:
    return {
        one.boundary.label: (one.finding.verdict, one.finding.reason)
        for one in judge(trace)
        if one.property_id is PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE
    }


async def test_a_power_meter_qualifies_in_watts_and_the_plug_is_put_back(
    hass: HomeAssistant, plug: PhysicalPlug
) -> None:
    runtime = await _home(hass, PowerMeter("kettle power", plug, INTERVAL))
    assert _state(runtime, hass) is WitnessState.UNQUALIFIED
    payload = await _qualified(hass, runtime)
    assert payload["refusals"] == []
    assert payload["record"]["instrument"] == {
        "sensor": registry_id(hass, "sensor.kettle_power"),
        "scale": {"quantity": "value", "unit": "W", "step": 0.1},
        "same_device": False,
    }
    assert payload["record"]["levels"]["on"] == pytest.approx(600, abs=3)
    assert _state(runtime, hass) is WitnessState.QUALIFIED
    assert hass.states.get(PLUG).state == "off"  # type: ignore[union-attr]


async def test_a_plug_with_a_lying_state_is_escalated_by_its_power_meter(
    hass: HomeAssistant, plug: PhysicalPlug
) -> None:
    runtime = await _home(hass, PowerMeter("kettle power", plug, INTERVAL))
    await _qualified(hass, runtime)
    honest = await _command(hass, runtime, "turn_on")
    assert isinstance(honest.channels[0], SampledChannel)
    assert {verdict for verdict, _ in _effects(honest).values() if verdict is not Verdict.ABSTAIN} == {Verdict.PASS}
    await _command(hass, runtime, "turn_off")
    plug.stays_dark = True
    for _ in range(4):
        lying = await _command(hass, runtime, "turn_on")
        assert hass.states.get(PLUG).state == "on"  # type: ignore[union-attr]
        assert _effects(lying)["settled"] == (Verdict.FAIL, None)
        await hass.services.async_call("switch", "turn_off", {"entity_id": PLUG}, blocking=True)
        await asyncio.sleep(1.2)
    cells = [c for c in runtime.cells(_subject(hass)) if c["property"] == "observable_effect_after_write"]
    assert {c["source"] for c in cells} == {"reported_claim"}
    assert runtime.coordinator.snapshot.subjects[_subject(hass)].disposition == "escalate"


async def test_a_counter_testifies_by_its_rate(hass: HomeAssistant, plug: PhysicalPlug) -> None:
    runtime = await _home(hass, Counter("kettle energy", plug, INTERVAL))
    payload = await _qualified(hass, runtime)
    assert payload["refusals"] == []
    assert payload["record"]["instrument"]["scale"]["quantity"] == "rate"
    assert _effects(await _command(hass, runtime, "turn_on"))["0.5"] == (Verdict.PASS, None)
    plug.stays_dark = True
    await _command(hass, runtime, "turn_off")
    await asyncio.sleep(QUIET)
    assert _effects(await _command(hass, runtime, "turn_on"))["0.25"] == (Verdict.FAIL, None)


async def test_a_contact_testifies_by_the_change_that_it_reports_and_not_by_its_silence(
    hass: HomeAssistant, plug: PhysicalPlug
) -> None:
    contact = Contact("gate", plug)
    runtime = await _home(hass, contact)
    payload = await _qualified(hass, runtime)
    assert payload["refusals"] == []
    opening = await _command(hass, runtime, "turn_on")
    assert opening.void is None, opening
    assert _effects(opening)["0.5"] == (Verdict.PASS, None)
    contact.stuck = True
    effects = _effects(await _command(hass, runtime, "turn_off"))
    assert set(effects.values()) == {(Verdict.ABSTAIN, Reason.NO_SAMPLE)}


async def test_a_sensor_that_falls_silent_abstains(hass: HomeAssistant, plug: PhysicalPlug) -> None:
    meter = PowerMeter("kettle power", plug, INTERVAL)
    runtime = await _home(hass, meter)
    await _qualified(hass, runtime)
    meter.mute = True
    effects = _effects(await _command(hass, runtime, "turn_on"))
    assert set(effects.values()) == {(Verdict.ABSTAIN, Reason.ARRIVAL_GAP)}


async def test_an_unavailable_sensor_abstains(hass: HomeAssistant, plug: PhysicalPlug) -> None:
    meter = PowerMeter("kettle power", plug, INTERVAL)
    runtime = await _home(hass, meter)
    await _qualified(hass, runtime)
    meter.mute = True
    meter.set_available(False)
    await until(lambda: _state(runtime, hass) is WitnessState.OFFLINE)
    trace = await _command(hass, runtime, "turn_on")
    assert trace.channels == (NoChannel(subject=_subject(hass), reason=Reason.WITNESS_OFFLINE),)
    with pytest.raises(WitnessFailedError, match="sensor_unavailable"):
        await runtime.async_requalify((_subject(hass),))


async def test_a_sensor_that_goes_and_comes_in_the_window_makes_it_void(
    hass: HomeAssistant, plug: PhysicalPlug
) -> None:
    meter = PowerMeter("kettle power", plug, INTERVAL)
    runtime = await _home(hass, meter)
    await _qualified(hass, runtime)
    hass.loop.call_later(0.2, meter.set_available, False)
    hass.loop.call_later(0.3, meter.set_available, True)
    effects = _effects(await _command(hass, runtime, "turn_on"))
    assert set(effects.values()) == {(Verdict.ABSTAIN, Reason.STREAM_RESTARTED)}


async def test_a_sensor_that_does_not_feel_the_device_is_refused(hass: HomeAssistant, plug: PhysicalPlug) -> None:
    meter = LightMeter("cellar light", plug, INTERVAL)
    meter.gain = 5
    runtime = await _home(hass, meter)
    payload = await _qualified(hass, runtime)
    assert "contrast_too_low" in payload["refusals"]
    assert _state(runtime, hass) is WitnessState.UNQUALIFIED
    effects = _effects(await _command(hass, runtime, "turn_on"))
    assert set(effects.values()) == {(Verdict.ABSTAIN, Reason.UNQUALIFIED)}


async def test_a_qualification_survives_a_restart_and_a_rename_but_not_another_unit(
    hass: HomeAssistant, plug: PhysicalPlug
) -> None:
    meter = PowerMeter("kettle power", plug, INTERVAL)
    runtime = await _home(hass, meter)
    await _qualified(hass, runtime)
    [entry] = hass.config_entries.async_entries(DOMAIN)
    assert await hass.config_entries.async_reload(entry.entry_id)
    again: Runtime = entry.runtime_data
    await verified(again)
    await until(lambda: _state(again, hass) is WitnessState.QUALIFIED)
    er.async_get(hass).async_update_entity("sensor.kettle_power", new_entity_id="sensor.meter")
    await hass.async_block_till_done()
    await asyncio.sleep(QUIET)
    assert _effects(await _command(hass, again, "turn_on"))["0.5"] == (Verdict.PASS, None)
    er.async_get(hass).async_update_entity_options("sensor.meter", "sensor", {"unit_of_measurement": "kW"})
    await until(lambda: _state(again, hass) is WitnessState.UNQUALIFIED)


async def test_a_session_qualifies_the_meter_and_is_judged_by_it(hass: HomeAssistant, plug: PhysicalPlug) -> None:
    runtime = await _home(hass, PowerMeter("kettle power", plug, INTERVAL))
    request = SessionRequest(subjects=(PLUG,), repetitions=1, seed=1, settle_from=3.1, settle_window=0.3)
    card = await runtime.async_wait_session(await runtime.async_run_session(request))
    assert card["validity"] == {**card["validity"], "valid": True, "reasons": []}
    found = {
        (cell["key"]["boundary"], cell["key"]["direction"]): (cell["failures"], cell["decided"])
        for cell in card["cells"]
        if cell["key"]["property_id"] == "observable_effect_after_write" and cell["key"]["source"] == "twin"
    }
    assert {found[boundary, direction] for boundary in ("1", "3", "settled") for direction in Direction} == {(0, 1)}


@pytest.fixture(autouse=True)
async def _ended(hass: HomeAssistant) -> AsyncIterator[None]:
    """Unload what still runs at the end of a test, so that sensors stop to report."""
    yield
    for domain in ("sensor", "binary_sensor"):
        if (component := hass.data.get(domain)) is not None:
            for entity in list(component.entities):
                await entity.async_remove()
