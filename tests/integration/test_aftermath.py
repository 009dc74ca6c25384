"""What comes after a trial has closed is appended to it: late arrivals, reverts, repeated commands."""

from __future__ import annotations

from typing import Any

import pytest
from homeassistant.core import HomeAssistant

from custom_components.simverity.adapters.bus_observer import Command, CommandTarget, Report
from custom_components.simverity.audit.aftermath import LISTENS_FOR, LISTENS_LONGER, Aftermath
from custom_components.simverity.audit.watching import Settling
from custom_components.simverity.engine.ledger.entry import EntryKind
from custom_components.simverity.engine.terms import GRID, Direction, Path, Reason, Rung, SubjectId, TrialId
from custom_components.simverity.engine.trace.samples import NoChannel
from custom_components.simverity.engine.trace.trace import Feedback, Goal, PreState, Trace
from tests.integration.audit_fixtures import audit_entry, registry_id, set_up
from tests.integration.lamps import PhysicalLamp
from tests.integration.waiting import until, verified

pytest_plugins = ["tests.integration.audit_fixtures"]
LAMP = SubjectId("lamp")
CLOSED = 12.0


def _trace(*shown: str, void: Reason | None = None) -> Trace:
    """A command to turn on at second 0; what was reported until the trial closed."""
    return Trace(
        trial=TrialId("t"),
        rung=Rung.PHYSICAL,
        path=Path.SINGLE_LIGHT,
        direction=Direction.ON,
        subject=LAMP,
        goals=(Goal(subject=LAMP, state=Direction.ON),),
        dispatched_at=0.0,
        wall_dispatched="2026-12-01T03:00:00+00:00",
        settle_from=10.0,
        settle_until=CLOSED,
        boundaries=GRID,
        feedback=tuple(Feedback(subject=LAMP, at=number + 1.0, state=state) for number, state in enumerate(shown)),
        channels=(NoChannel(subject=LAMP, reason=Reason.NO_WITNESS),),
        closed_at=CLOSED,
        void=void,
    )


def _report(at: float, state: str, subject: SubjectId = LAMP) -> Report:
    return Report(subject=subject, at=at, state=state, assumed=False, repeated=False, context_id="x", parent_id=None)


def _command(at: float, goal: Direction | None) -> tuple[Command, CommandTarget]:
    pre = PreState(subject=LAMP, value="on", age=1.0)
    target = CommandTarget(subject=LAMP, entity_id="light.lamp", goal=goal, pre_state=pre, available=True)
    command = Command(
        context_id="c",
        parent_id=None,
        user_id=None,
        service="light.turn_on",
        dispatched_at=at,
        wall_dispatched="",
        addressed="light.lamp",
        targets=(target,),
        wanted=1,
    )
    return command, target


class Amendments:
    """An aftermath whose amendments are gathered instead of kept."""

    def __init__(self, domain: str = "light") -> None:
        self.kept: list[tuple[str, float]] = []
        self.aftermath = Aftermath(domain_of=lambda _: domain, keep=self._keep, spawn=self._spawn)

    async def _keep(self, payload: Any) -> None:
        assert (payload["trial"], payload["subject"]) == ("t", LAMP)
        self.kept.append((payload["kind"], payload["after"]))

    def _spawn(self, work: Any, _: str) -> None:
        with pytest.raises(StopIteration):
            work.send(None)


def test_a_report_that_comes_after_all_is_appended_once() -> None:
    told = Amendments()
    told.aftermath.follow(_trace("off"), CLOSED, {})
    for at in (20.0, 21.0):
        told.aftermath.on_report(_report(at, "on"))
    assert told.kept == [("late_arrival", 20.0)]


def test_what_does_not_survive_is_appended_with_its_return() -> None:
    told = Amendments()
    told.aftermath.follow(_trace("on"), CLOSED, {})
    for at, state in ((30.0, "off"), (40.0, "unavailable"), (50.0, "on")):
        told.aftermath.on_report(_report(at, state))
    assert told.kept == [("revert", 30.0), ("late_arrival", 50.0)]


def test_the_same_command_once_more_is_appended_and_another_one_ends_it() -> None:
    told = Amendments()
    told.aftermath.follow(_trace("on"), CLOSED, {})
    told.aftermath.on_command(*_command(34.0, Direction.ON))
    told.aftermath.on_command(*_command(60.0, Direction.OFF))
    told.aftermath.on_report(_report(61.0, "off"))
    assert told.kept == [("repeated", 34.0)]


@pytest.mark.parametrize(("domain", "seconds"), [("light", LISTENS_FOR), ("climate", LISTENS_LONGER)])
def test_it_listens_for_a_while(domain: str, seconds: float) -> None:
    told = Amendments(domain)
    for late in (-1.0, 1.0):
        told.aftermath.follow(_trace("on"), CLOSED, {})
        told.aftermath.on_report(_report(CLOSED + seconds + late, "off"))
    assert told.kept == [("revert", CLOSED + seconds - 1.0)]


def test_a_trial_that_does_not_count_and_other_devices_have_no_aftermath() -> None:
    told = Amendments()
    told.aftermath.follow(_trace("on", void=Reason.SUPERSEDED), CLOSED, {})
    told.aftermath.on_report(_report(20.0, "off"))
    told.aftermath.follow(_trace("on"), CLOSED, {})
    told.aftermath.on_report(_report(20.0, "off", SubjectId("other")))
    assert told.kept == []


def test_a_device_that_flaps_for_long_fills_no_ledger() -> None:
    told = Amendments()
    told.aftermath.follow(_trace("on"), CLOSED, {})
    for number in range(100):
        told.aftermath.on_report(_report(20.0 + number, "off" if number % 2 == 0 else "on"))
    assert len(told.kept) == 20


async def test_a_lamp_that_goes_off_by_itself_is_appended_to_its_trial(
    hass: HomeAssistant, physical_lamp: PhysicalLamp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "custom_components.simverity.audit.listing.Settling", lambda **_: Settling(start=0.2, until=0.3)
    )
    runtime = await set_up(hass, audit_entry(hass, [physical_lamp]))
    await verified(runtime)
    await hass.services.async_call("light", "turn_on", {"entity_id": "light.desk"}, blocking=True)
    await until(lambda: bool(runtime.cells(registry_id(hass, "light.desk"))))
    await until(lambda: not runtime._passive._closing)
    before = runtime._store.head.sequence
    physical_lamp.report(False)
    await until(lambda: runtime._store.head.sequence > before)
    [amended] = await runtime._store.async_read(kinds=[EntryKind.TRIAL_AMENDED])
    assert isinstance(amended.payload, dict)
    assert (amended.payload["kind"], amended.payload["subject"]) == ("revert", registry_id(hass, "light.desk"))
    assert [(cell["failures"], cell["decided"]) for cell in runtime.cells()] == [(0, 1)]
