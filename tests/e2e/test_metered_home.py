"""A home without a camera: a power meter and a light sensor judge a session and daily commands, beside the truth."""

import asyncio
import base64
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from simverity_engine.properties.table import judge
from simverity_engine.terms import PropertyId, Verdict
from simverity_engine.trace.codec import decode
from simverity_engine.trace.trace import Trace
from testbed.rig.archive import truth_of
from testbed.rig.auditing import Audited, SessionOutcome, SessionPlan, run_session, set_up_sensor_audit
from testbed.rig.card import parse_card
from testbed.rig.emulation import Crossing
from testbed.rig.json_value import at, items, text
from testbed.rig.lamps import View
from testbed.rig.layout import ROOT
from testbed.rig.ledger import RecordedTrial, read_ledger, recorded_trials
from testbed.rig.rig import Rig, RigOptions, running_rig
from tests.e2e.agreement import Compared, compare

pytestmark = [pytest.mark.realtime, pytest.mark.asyncio(loop_scope="module")]

PLUG, LAMP = "switch.plug", "light.desk_lamp"
SENSORS = {PLUG: "sensor.plug_power", LAMP: "sensor.hall_light"}
VIEWS = {PLUG: View("plug"), LAMP: View("desk_lamp")}
"""Where the truth port looks; no camera of SimVerity does."""
METERS = """
[meter.plug_power]
kind = "power"
name = "Plug power"
devices = ["plug"]
gain = 60.0
base = 0.4
noise = 0.5
decimals = 1
interval_s = 0.2
report_delay = [0.02, 0.06]

[meter.hall_light]
kind = "illuminance"
name = "Hall light"
devices = ["desk_lamp"]
gain = 150.0
base = 500.0
noise = 0.8
decimals = 1
interval_s = 0.5
report_delay = [0.02, 0.1]
"""
REPETITIONS = 2
UNTIL_TAKEN_S = 40.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Metered:
    """What a session of the home left behind, and what truly happened meanwhile."""

    rig: Rig
    audited: Audited
    outcome: SessionOutcome
    trials: tuple[RecordedTrial, ...]
    crossings: tuple[Crossing, ...]

    def view(self, subject: str) -> View:
        return next(view for entity_id, view in VIEWS.items() if self.audited.subjects[entity_id] == subject)


@pytest.fixture(scope="module")
def declared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the declaration of the default home with meters."""
    file = tmp_path_factory.mktemp("metered") / "home.toml"
    default = (ROOT / "testbed" / "homes" / "default.toml").read_text(encoding="utf-8")
    file.write_text(default + METERS, encoding="utf-8")
    return file


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def metered(request: pytest.FixtureRequest, declared: Path) -> AsyncIterator[Metered]:
    """Run a home with meters and one session on it; the camera only paces the truth."""
    if request.config.pluginmanager.hasplugin("homeassistant"):
        pytest.fail("end-to-end tests need sockets: run them with -p no:homeassistant")
    options = RigOptions(
        name="metered", home_file=declared, settings=("camera.living.fps=5", 'device.plug.report="lying"')
    )
    async with running_rig(options, lambda _: None) as rig:
        await rig.wait_for(PLUG, LAMP)
        audited = await set_up_sensor_audit(rig, SENSORS)
        since = time.monotonic()
        settled = rig.emulated.ports.settled_s
        plan = SessionPlan(
            entity_ids=(PLUG, LAMP), repetitions=REPETITIONS, seed=7, settle_from=settled, settle_window=3.0
        )
        outcome = await run_session(rig.home, plan, lambda _: None)
        trials = recorded_trials(read_ledger(rig.home.folder), outcome.session)
        yield Metered(
            rig=rig,
            audited=audited,
            outcome=outcome,
            trials=tuple(trial for trial in trials if trial.rung == "physical"),
            crossings=tuple(await rig.emulated.crossings(since)),
        )


def _comparisons(metered: Metered) -> list[Compared]:
    found: list[Compared] = []
    for trial in metered.trials:
        truths = {target: truth_of(trial, metered.view(target), metered.crossings) for target in trial.targets}
        found += compare(trial.trace, truths)
    return found


async def test_both_sensors_qualify_in_their_own_unit(metered: Metered) -> None:
    assert metered.outcome.valid, metered.outcome.reasons
    records = [entry.payload for entry in read_ledger(metered.rig.home.folder) if entry.kind == "qualification"]
    assert [items(record, "refusals") for record in records] == [[], []]
    scales = {text(record, "record", "instrument", "scale", "unit") for record in records}
    same = {at(record, "record", "instrument", "same_device") for record in records}
    assert (scales, same) == ({"W", "lx"}, {True, False})


async def test_no_verdict_of_a_sensor_contradicts_the_truth(metered: Metered) -> None:
    found = _comparisons(metered)
    assert len(metered.trials) == 2 * 2 * REPETITIONS
    assert any(one.decided and one.truly is True for one in found)
    assert [one for one in found if one.disagrees] == []


async def test_sensors_decide_at_the_late_boundaries_and_not_at_the_early_ones(metered: Metered) -> None:
    card = parse_card(metered.outcome.card)
    cells = [
        cell for cell in card.cells if (cell.property_id, cell.source) == ("observable_effect_after_write", "twin")
    ]
    for boundary in ("3", "settled"):
        found = [(cell.failed, cell.decided) for cell in cells if cell.boundary == boundary]
        assert found == [(0, REPETITIONS)] * 4
    assert sum(cell.decided for cell in cells if cell.boundary == "0.05" and cell.direction == "off") == 0


async def test_a_plug_that_lies_to_a_daily_command_is_caught_by_its_meter(metered: Metered) -> None:
    rig, plug = metered.rig, metered.audited.subjects[PLUG]
    await rig.home.api.act("switch", "turn_off", entity_id=PLUG)
    await asyncio.sleep(rig.emulated.ports.settled_s)
    await rig.emulated.stimulate("/devices/plug/lie", probability=1.0, seed=1)
    before = max(entry.sequence for entry in read_ledger(rig.home.folder))
    since = time.monotonic()
    await rig.home.api.act("switch", "turn_on", entity_id=PLUG)
    trace = await _next_trial(rig, before, since)
    seen = {
        outcome.boundary.label: outcome.finding.verdict
        for outcome in judge(trace)
        if outcome.property_id is PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE and outcome.subject == plug
    }
    assert await rig.home.api.state(PLUG) == "on"
    assert not await rig.emulated.light_is_on("plug")
    assert (seen["1"], seen["3"], seen["settled"]) == (Verdict.FAIL,) * 3


async def _next_trial(rig: Rig, after: int, since: float) -> Trace:
    """Return the trace of the first passive trial that was dispatched after an instant, once it is in the ledger."""
    async with asyncio.timeout(UNTIL_TAKEN_S):
        while True:
            for entry in read_ledger(rig.home.folder):
                if entry.sequence > after and entry.kind == "trial" and at(entry.payload, "key") is None:
                    trace = decode(base64.b85decode(text(entry.payload, "trace")))
                    if trace.dispatched_at >= since - 0.1:
                        return trace
            await asyncio.sleep(0.5)
