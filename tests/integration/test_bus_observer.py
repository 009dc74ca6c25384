"""What the observer makes of the bus: commands with their targets and pre-states, and reports."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from homeassistant.core import Context, Event, HomeAssistant, callback
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component

from custom_components.simverity.adapters.bus_observer import BusObserver, Command, Consumer, Report
from custom_components.simverity.adapters.clocks import Clocks
from custom_components.simverity.adapters.registry import Registry
from custom_components.simverity.engine.terms import Direction, SubjectId
from tests.integration.lamps import PhysicalLamp, PhysicalPlug, add_devices


@dataclass
class Heard:
    """What the observer told."""

    commands: list[Command] = field(default_factory=list)
    reports: list[Report] = field(default_factory=list)


@dataclass
class Home:
    """Two lamps and a plug that the observer watches."""

    one: PhysicalLamp
    two: PhysicalLamp
    plug: PhysicalPlug
    subjects: dict[str, SubjectId]
    observer: BusObserver
    heard: Heard
    clocks: Clocks


@pytest.fixture
async def home(hass: HomeAssistant) -> Home:
    one, two, plug = PhysicalLamp("one"), PhysicalLamp("two"), PhysicalPlug("plug")
    entries = await add_devices(hass, one, two, plug)
    subjects = {entry.entity_id: SubjectId(entry.id) for entry in entries}
    clocks, heard = Clocks(), Heard()
    observer = BusObserver(hass, from_wall=clocks.from_wall, members_of=Registry(hass).members_of)
    observer.async_watch(subjects)
    observer.async_add_consumer(Consumer(on_command=heard.commands.append, on_report=heard.reports.append))
    return Home(one, two, plug, subjects, observer, heard, clocks)


async def _call(hass: HomeAssistant, service: str, data: dict[str, Any], context: Context | None = None) -> None:
    domain, _, name = service.partition(".")
    await hass.services.async_call(domain, name, data, blocking=True, context=context)


def _targets(command: Command) -> list[tuple[str, Direction | None]]:
    return [(target.entity_id, target.goal) for target in command.targets]


async def test_a_command_names_its_target_goal_and_pre_state(hass: HomeAssistant, home: Home) -> None:
    before = home.clocks.monotonic()
    user = await hass.auth.async_create_user("Somebody", group_ids=["system-admin"])
    context = Context(user_id=user.id)
    await _call(hass, "light.turn_on", {"entity_id": "light.one"}, context)
    after = home.clocks.monotonic()
    [command] = home.heard.commands
    [target] = command.targets
    assert (target.subject, target.goal, target.available) == (home.subjects["light.one"], Direction.ON, True)
    assert (target.pre_state.value, target.pre_state.source) == ("off", "reported")
    assert before <= command.dispatched_at <= after
    assert (command.context_id, command.user_id, command.addressed) == (context.id, user.id, "light.one")


@pytest.mark.parametrize(
    ("service", "data", "expected"),
    [
        ("light.turn_on", {"entity_id": ["light.two", "light.one"]}, ["light.two", "light.one"]),
        ("light.turn_on", {"entity_id": "light.one, light.two"}, ["light.one", "light.two"]),
        ("light.turn_on", {"entity_id": "all"}, ["light.one", "light.two"]),
        ("homeassistant.turn_on", {"entity_id": ["light.one", "switch.plug"]}, ["light.one", "switch.plug"]),
        ("light.turn_on", {"entity_id": ["light.one", "light.elsewhere"]}, ["light.one"]),
    ],
)
async def test_named_targets_are_resolved_in_their_order(
    hass: HomeAssistant, home: Home, service: str, data: dict[str, Any], expected: list[str]
) -> None:
    await async_setup_component(hass, "homeassistant", {})
    await _call(hass, service, data)
    assert [name for name, _ in _targets(home.heard.commands[0])] == expected


async def test_an_area_is_resolved_to_what_is_watched_in_it(hass: HomeAssistant, home: Home) -> None:
    area = ar.async_get(hass).async_create("Study")
    registry = er.async_get(hass)
    for entity_id in ("light.one", "switch.plug"):
        registry.async_update_entity(entity_id, area_id=area.id)
    await _call(hass, "light.turn_on", {"area_id": area.id})
    [command] = home.heard.commands
    assert _targets(command) == [("light.one", Direction.ON)]
    assert command.addressed is None


async def test_a_group_is_resolved_to_its_members_in_its_order(hass: HomeAssistant, home: Home) -> None:
    hass.states.async_set("light.both", "off", {"entity_id": ["light.two", "light.one"]})
    await _call(hass, "light.turn_on", {"entity_id": "light.both"})
    [command] = home.heard.commands
    assert _targets(command) == [("light.two", Direction.ON), ("light.one", Direction.ON)]
    assert (command.addressed, command.wanted) == ("light.both", 2)


async def test_a_group_that_contains_itself_ends(hass: HomeAssistant, home: Home) -> None:
    hass.states.async_set("light.odd", "off", {"entity_id": ["light.other", "light.one"]})
    hass.states.async_set("light.other", "off", {"entity_id": ["light.odd"]})
    await _call(hass, "light.turn_on", {"entity_id": "light.odd"})
    assert ("light.one", Direction.ON) in _targets(home.heard.commands[0])


@pytest.mark.parametrize(
    ("service", "extra", "goal"),
    [
        ("turn_off", {}, Direction.OFF),
        ("toggle", {}, Direction.ON),
        ("turn_on", {"brightness": 0}, Direction.OFF),
        ("turn_on", {"brightness_pct": 0}, Direction.OFF),
    ],
)
async def test_the_goal_is_what_the_service_asks_for(
    hass: HomeAssistant, home: Home, service: str, extra: dict[str, Any], goal: Direction
) -> None:
    await _call(hass, f"light.{service}", {"entity_id": "light.one", **extra})
    assert home.heard.commands[0].targets[0].goal is goal


async def test_a_toggle_of_an_unknown_state_has_no_goal(hass: HomeAssistant, home: Home) -> None:
    home.one.report(None)
    await _call(hass, "light.toggle", {"entity_id": "light.one"})
    assert home.heard.commands[0].targets[0].goal is None


async def test_a_call_inside_another_dispatch_keeps_the_state_from_before_it(hass: HomeAssistant, home: Home) -> None:
    """The listener runs after the handler there: the state machine already shows the new state."""
    home.one.report_delay = 0.0

    async def write_at_once(**_kwargs: Any) -> None:
        home.one.report(True)

    home.one.async_turn_on = write_at_once  # type: ignore[method-assign]

    @callback
    def react(_event: Event) -> None:
        hass.async_create_task(_call(hass, "light.toggle", {"entity_id": "light.one"}), eager_start=True)

    hass.bus.async_listen("somebody_came", react)
    hass.bus.async_fire("somebody_came")
    assert hass.states.get("light.one").state == "on"  # type: ignore[union-attr]
    await hass.async_block_till_done()
    [command] = home.heard.commands
    assert command.targets[0].pre_state.value == "off"
    assert command.targets[0].goal is Direction.ON
    report = next(report for report in home.heard.reports if report.state == "on")
    assert report.at >= command.dispatched_at


async def test_a_service_that_does_not_exist_makes_no_command(hass: HomeAssistant, home: Home) -> None:
    hass.bus.async_fire(
        "call_service", {"domain": "lamp", "service": "turn_on", "service_data": {"entity_id": "light.one"}}
    )
    hass.bus.async_fire(
        "call_service", {"domain": "switch", "service": "turn_on", "service_data": {"entity_id": "light.one"}}
    )
    await hass.async_block_till_done()
    assert home.heard.commands == []


@pytest.mark.parametrize(
    "service_data",
    [None, [], "light.one", {"entity_id": 7}, {"entity_id": {"light.one": 1}}, {"entity_id": [["light.elsewhere"], 3]}],
)
async def test_nonsense_fired_by_hand_makes_no_command(hass: HomeAssistant, home: Home, service_data: object) -> None:
    hass.bus.async_fire("call_service", {"domain": "light", "service": "turn_on", "service_data": service_data})
    hass.bus.async_fire("call_service", {"service": "turn_on"})
    await hass.async_block_till_done()
    assert home.heard.commands == []


async def test_reports_come_with_their_own_time_and_repeats_are_marked(hass: HomeAssistant, home: Home) -> None:
    before = home.clocks.monotonic()
    home.one.report(True)
    home.one.report(True)
    await hass.async_block_till_done()
    first, second = home.heard.reports
    assert (first.state, first.repeated, second.repeated) == ("on", False, True)
    assert before <= first.at <= second.at <= home.clocks.monotonic()
    assert first.subject == home.subjects["light.one"]


async def test_an_optimistic_echo_is_marked(hass: HomeAssistant, home: Home) -> None:
    home.one._attr_assumed_state = True
    home.one.report(True)
    await hass.async_block_till_done()
    assert home.heard.reports[0].assumed is True


async def test_a_player_that_plays_counts_as_on(hass: HomeAssistant, home: Home) -> None:
    subject = SubjectId("tv")
    home.observer.async_watch({"media_player.tv": subject})
    hass.services.async_register("media_player", "turn_off", lambda _call: None)
    hass.states.async_set("media_player.tv", "playing")
    await _call(hass, "media_player.turn_off", {"entity_id": "media_player.tv"})
    hass.states.async_set("media_player.tv", "standby")
    await hass.async_block_till_done()
    assert home.heard.commands[0].targets[0].pre_state.value == "on"
    assert [report.state for report in home.heard.reports] == ["on", "off"]


async def test_what_cannot_be_turned_on_makes_no_command(hass: HomeAssistant, home: Home) -> None:
    await async_setup_component(hass, "homeassistant", {})
    home.observer.async_watch({"cover.blind": SubjectId("blind")})
    hass.states.async_set("cover.blind", "closed")
    hass.bus.async_fire(
        "call_service",
        {"domain": "homeassistant", "service": "turn_on", "service_data": {"entity_id": "cover.blind"}},
    )
    await hass.async_block_till_done()
    assert home.heard.commands == []


async def test_nothing_is_told_after_the_stop(hass: HomeAssistant, home: Home) -> None:
    home.observer.async_stop()
    await _call(hass, "light.turn_on", {"entity_id": "light.one"})
    home.one.report(True)
    await hass.async_block_till_done()
    assert home.heard == Heard()


async def test_an_unavailable_target_is_known_as_such(hass: HomeAssistant, home: Home) -> None:
    home.one.set_available(False)
    await _call(hass, "light.turn_on", {"entity_id": "light.one"})
    assert home.heard.commands[0].targets[0].available is False


def test_a_stepped_wall_clock_is_noticed_by_whoever_was_timed_meanwhile() -> None:
    now = {"monotonic": 100.0, "wall": 1_000_000.0}
    clocks = Clocks(monotonic=lambda: now["monotonic"], wall=lambda: now["wall"])
    now.update(monotonic=110.0, wall=1_000_010.0)
    assert clocks.moved_since(105.0) == 0.0
    now.update(monotonic=120.0, wall=1_000_025.0)
    assert clocks.moved_since(115.0) == pytest.approx(5.0)
    now.update(monotonic=130.0, wall=1_000_035.0)
    assert clocks.moved_since(125.0) == 0.0
    assert clocks.moved_since(115.0) == pytest.approx(5.0)
