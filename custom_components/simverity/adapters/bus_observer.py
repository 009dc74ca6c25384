"""Listens on Home Assistant's bus: commands on audited entities, and what their software reports.

Listeners are callbacks of a few microseconds. Every time comes from the event itself, converted to the monotonic
clock, because a call made while another event is dispatched is heard only after its handler ran.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from homeassistant.const import (
    ATTR_ASSUMED_STATE,
    ATTR_DOMAIN,
    ATTR_SERVICE,
    ATTR_SERVICE_DATA,
    EVENT_CALL_SERVICE,
    STATE_OFF,
    STATE_ON,
    STATE_UNAVAILABLE,
)
from homeassistant.core import (
    DOMAIN as HOMEASSISTANT,
)
from homeassistant.core import (
    Event,
    EventStateChangedData,
    EventStateReportedData,
    HomeAssistant,
    State,
    callback,
)
from homeassistant.helpers.event import async_track_state_change_event, async_track_state_report_event
from homeassistant.helpers.target import TargetSelection, async_extract_referenced_entity_ids

from ..engine.levels import SET_POINTS, Level, asked_levels, claim
from ..engine.terms import Direction, SubjectId
from ..engine.trace.trace import PreState
from ..engine.vocabulary import SERVICES, TOGGLE, TURN, VOCABULARIES, fade_of, settles_in

_INDIRECT = ("device_id", "area_id", "floor_id", "label_id")
_CLAIMS = {STATE_ON: Direction.ON, STATE_OFF: Direction.OFF}
_HEARD = SERVICES | {SET_POINTS}
_SET_POINT_DOMAINS = frozenset({"climate", "water_heater"})
_TURNS = frozenset({*TURN, TOGGLE})
"""What ``homeassistant.*`` does to any domain that has the same service."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandTarget:
    """One audited entity that a command wants to change.

    ``goal`` is None where a toggle meets a state that is neither on nor off, and where the call asks for neither.
    ``available`` tells whether the entity could take a command at dispatch. ``asked`` are the levels that the call asks
    for; the pre-state then tells whether they were there.
    """

    subject: SubjectId
    entity_id: str
    goal: Direction | None
    pre_state: PreState
    available: bool
    asked: tuple[Level, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A service call on audited entities, as the bus announced it.

    ``addressed`` is the one entity id that the call named, or None if it named several or an area, label or device.
    ``wanted`` counts all entities that the call resolves to, audited or not. ``fades_for`` is for how many seconds the
    call asks the targets to be on their way, ``settles_in`` the least time that they then need.
    """

    context_id: str
    parent_id: str | None
    user_id: str | None
    service: str
    dispatched_at: float
    wall_dispatched: str
    addressed: str | None
    targets: tuple[CommandTarget, ...]
    wanted: int
    fades_for: float = 0.0
    settles_in: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One report of an audited entity's software. ``repeated`` marks a report that changed nothing.

    ``attributes`` are the entity's own, in which levels are shown.
    """

    subject: SubjectId
    at: float
    state: str
    assumed: bool
    repeated: bool
    context_id: str
    parent_id: str | None
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Consumer:
    """Who is told. Both are called in the event loop and must return at once."""

    on_command: Callable[[Command], None]
    on_report: Callable[[Report], None]


@dataclass(slots=True)
class _Held:
    """A command whose pre-state is only known from an event that is still queued."""

    command: Command
    missing: set[str]
    fired: float
    toggles: bool


class BusObserver:
    """Turns the bus into typed commands and reports on the watched entities.

    ``from_wall`` converts a wall timestamp of the recent past to the monotonic clock; ``members_of`` returns the
    entity ids that a group stands for, nothing for what is no group.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        *,
        from_wall: Callable[[float], float],
        members_of: Callable[[str], tuple[str, ...]],
    ) -> None:
        """Watch nothing until told what."""
        self._hass = hass
        self._from_wall = from_wall
        self._members_of = members_of
        self._watched: dict[str, SubjectId] = {}
        self._domains: frozenset[str] = frozenset({HOMEASSISTANT})
        self._consumers: list[Consumer] = []
        self._held: list[_Held] = []
        self._stop_tracking: list[Callable[[], None]] = []
        self._stop_listening: Callable[[], None] | None = None

    @callback
    def async_watch(self, watched: Mapping[str, SubjectId]) -> None:
        """Watch exactly these entities (entity id to subject) from now on; group members belong among them."""
        if self._watched == watched and self._stop_listening is not None:
            return
        self.async_stop()
        self._watched = dict(watched)
        if not watched:
            return
        self._domains = frozenset({HOMEASSISTANT, *map(_domain, watched)})
        self._stop_listening = self._hass.bus.async_listen(
            EVENT_CALL_SERVICE, self._on_call, event_filter=self._is_relevant
        )
        entity_ids = list(watched)
        self._stop_tracking = [
            async_track_state_change_event(self._hass, entity_ids, self._on_changed),
            async_track_state_report_event(self._hass, entity_ids, self._on_reported),
        ]

    @callback
    def async_add_consumer(self, consumer: Consumer) -> Callable[[], None]:
        """Tell the consumer of every command and report until the returned function is called."""
        self._consumers.append(consumer)

        def remove() -> None:
            if consumer in self._consumers:
                self._consumers.remove(consumer)

        return remove

    @callback
    def async_stop(self) -> None:
        """Watch nothing any more; consumers stay."""
        if self._stop_listening is not None:
            self._stop_listening()
            self._stop_listening = None
        for stop in self._stop_tracking:
            stop()
        self._stop_tracking = []
        self._held = []
        self._watched = {}

    @callback
    def _is_relevant(self, event_data: Mapping[str, Any]) -> bool:
        return event_data.get(ATTR_SERVICE) in _HEARD and event_data.get(ATTR_DOMAIN) in self._domains

    @callback
    def _on_call(self, event: Event[Any]) -> None:
        domain, service = event.data[ATTR_DOMAIN], event.data[ATTR_SERVICE]
        if not self._hass.services.has_service(domain, service):
            return
        arguments = event.data.get(ATTR_SERVICE_DATA)
        if not isinstance(arguments, Mapping):
            return
        entity_ids, addressed = self._resolve(domain, arguments)
        wanted = [name for name in entity_ids if _takes(name, domain, service)]
        hit = [entity_id for entity_id in wanted if entity_id in self._watched]
        if not hit:
            return
        fired = event.time_fired_timestamp
        targets = tuple(self._target(entity_id, service, arguments, fired) for entity_id in hit)
        command = Command(
            context_id=event.context.id,
            parent_id=event.context.parent_id,
            user_id=event.context.user_id,
            service=f"{domain}.{service}",
            dispatched_at=self._from_wall(fired),
            wall_dispatched=event.time_fired.isoformat(),
            addressed=addressed,
            targets=targets,
            wanted=len(wanted),
            fades_for=fade_of(arguments),
            settles_in=max(settles_in(_domain(entity_id)) for entity_id in hit),
        )
        late = {target.entity_id for target in targets if self._is_newer(target.entity_id, fired)}
        if not late:
            self._tell(command)
            return
        self._held.append(_Held(command=command, missing=late, fired=fired, toggles=service == TOGGLE))
        self._hass.loop.call_soon(self._release_held)

    def _resolve(self, domain: str, arguments: Mapping[str, Any]) -> tuple[list[str], str | None]:
        """Return every entity id that a call means, in its order, and the single entity that it named."""
        named = _names(arguments.get("entity_id"))
        if "all" in named:
            return [entity_id for entity_id in self._watched if entity_id.startswith(f"{domain}.")], None
        found: dict[str, None] = {}
        for name in named:
            found.update(dict.fromkeys(self._members_of(name) or (name,)))
        indirect = {key: names for key in _INDIRECT if (names := _names(arguments.get(key)))}
        if indirect:
            selected = async_extract_referenced_entity_ids(self._hass, TargetSelection(dict(indirect)))
            found.update(dict.fromkeys(sorted(selected.referenced | selected.indirectly_referenced)))
        return list(found), named[0] if len(named) == 1 and not indirect else None

    def _target(self, entity_id: str, service: str, arguments: Mapping[str, Any], fired: float) -> CommandTarget:
        state = self._hass.states.get(entity_id)
        domain = _domain(entity_id)
        goal = VOCABULARIES[domain].goal(service, arguments)
        asked: tuple[Level, ...] = ()
        if goal is not Direction.OFF and state is not None:
            # What a device does not show is not asked of it: an assistant dims a whole room, plain switches and all.
            wanted = asked_levels(domain, service, arguments)
            shown = state.attributes
            asked = tuple(level.within(shown) for level in wanted if level.attribute in shown)
        return CommandTarget(
            subject=self._watched[entity_id],
            entity_id=entity_id,
            goal=_toggled(state) if service == TOGGLE else Direction.ON if asked else goal,
            pre_state=_pre_state(self._watched[entity_id], state, fired, asked),
            available=state is not None and state.state != STATE_UNAVAILABLE,
            asked=asked,
        )

    def _is_newer(self, entity_id: str, fired: float) -> bool:
        state = self._hass.states.get(entity_id)
        return state is not None and state.last_updated_timestamp > fired

    @callback
    def _on_changed(self, event: Event[EventStateChangedData]) -> None:
        entity_id, new = event.data["entity_id"], event.data["new_state"]
        subject = self._watched.get(entity_id)
        if subject is None:
            return
        if self._held:
            self._complete_held(entity_id, event.data["old_state"])
        if new is None:
            return
        self._report(subject, new, event.time_fired_timestamp, repeated=False)

    @callback
    def _on_reported(self, event: Event[EventStateReportedData]) -> None:
        subject = self._watched.get(event.data["entity_id"])
        if subject is not None:
            at = event.data["last_reported"].timestamp()
            self._report(subject, event.data["new_state"], at, repeated=True)

    def _report(self, subject: SubjectId, state: State, timestamp: float, *, repeated: bool) -> None:
        report = Report(
            subject=subject,
            at=self._from_wall(timestamp),
            state=said(state),
            assumed=bool(state.attributes.get(ATTR_ASSUMED_STATE)),
            repeated=repeated,
            context_id=state.context.id,
            parent_id=state.context.parent_id,
            attributes=state.attributes,
        )
        for consumer in tuple(self._consumers):
            consumer.on_report(report)

    def _complete_held(self, entity_id: str, old: State | None) -> None:
        """Fill in the pre-state that a queued event carries as its old state."""
        for held in tuple(self._held):
            if entity_id not in held.missing or (old is not None and old.last_updated_timestamp > held.fired):
                continue
            held.missing.discard(entity_id)
            held.command = replace(
                held.command,
                targets=tuple(
                    replace(
                        target,
                        pre_state=_pre_state(target.subject, old, held.fired, target.asked),
                        goal=_toggled(old) if held.toggles else target.goal,
                        available=old is not None and old.state != STATE_UNAVAILABLE,
                    )
                    if target.entity_id == entity_id
                    else target
                    for target in held.command.targets
                ),
            )
            if not held.missing:
                self._held.remove(held)
                self._tell(held.command)

    @callback
    def _release_held(self) -> None:
        """Hand on what no queued event completed: its pre-state stays unknown."""
        waiting, self._held = self._held, []
        for held in waiting:
            targets = tuple(
                replace(target, pre_state=_pre_state(target.subject, None, held.fired, ()))
                if target.entity_id in held.missing
                else target
                for target in held.command.targets
            )
            self._tell(replace(held.command, targets=targets))

    def _tell(self, command: Command) -> None:
        for consumer in tuple(self._consumers):
            consumer.on_command(command)


def _names(value: Any) -> list[str]:
    """Return the names in a raw target field: a string, a comma-separated string or a list."""
    if isinstance(value, str):
        return [name for part in value.split(",") if (name := part.strip().lower())]
    if isinstance(value, Iterable) and not isinstance(value, Mapping):
        return [name for item in value if isinstance(item, str) for name in _names(item)]
    return []


def _takes(entity_id: str, domain: str, service: str) -> bool:
    """Whether a service of a domain may ask an entity for a state at all."""
    known = VOCABULARIES.get(_domain(entity_id))
    if known is None or domain not in (HOMEASSISTANT, _domain(entity_id)):
        return False
    if domain == HOMEASSISTANT:
        return service in _TURNS and (service == TOGGLE or service in known.services)
    has_set_point = service == SET_POINTS and _domain(entity_id) in _SET_POINT_DOMAINS
    return service == TOGGLE or has_set_point or service in known.services or service in known.by_argument


def _domain(entity_id: str) -> str:
    return entity_id.partition(".")[0]


def said(state: State) -> str:
    """Return what a state says in terms of on and off; what says neither stays as it is."""
    known = VOCABULARIES.get(state.domain)
    return state.state if known is None else known.says(state.state)


def _toggled(state: State | None) -> Direction | None:
    claimed = None if state is None else _CLAIMS.get(said(state))
    return None if claimed is None else claimed.opposite


def _pre_state(subject: SubjectId, state: State | None, fired: float, asked: tuple[Level, ...]) -> PreState:
    if state is None:
        return PreState(subject=subject, value=None, age=None)
    stood = claim(said(state), asked, state.attributes)
    return PreState(subject=subject, value=stood, age=max(0.0, fired - state.last_updated_timestamp))
