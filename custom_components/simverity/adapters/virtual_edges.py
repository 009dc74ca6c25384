"""Virtual device edges: the software rung's end of a command, without any model of the device (METHOD: sessions).

Edges exist only during a session. Inside the call an edge yields once, appends (monotonic time, value) to its own
effect log, then writes its state.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from homeassistant.components.homeassistant.const import DATA_EXPOSED_ENTITIES
from homeassistant.components.homeassistant.exposed_entities import KNOWN_ASSISTANTS, async_expose_entity
from homeassistant.const import ATTR_SUPPORTED_FEATURES, EntityCategory, Platform
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from ..engine.terms import Direction, SubjectId
from ..engine.trace.samples import LoggedChannel

UNIQUE_ID_PREFIX = "virtual_edge_"
_SETTLE_SECONDS = 10.0
"""How long Home Assistant may take to add or remove an entity."""


class EdgesUnavailableError(Exception):
    """Home Assistant did not add or remove the virtual edges in time."""


@dataclass(slots=True)
class Edge:
    """One virtual device: what it stands in for, and everything that happened at it.

    ``features`` and ``capabilities`` are its real twin's. ``contexts`` are the ids of the commands that reached it.
    ``entity_id`` stays what it was when the edge was added: a command names it even if somebody deleted it since.
    """

    subject: SubjectId
    domain: str
    features: int
    capabilities: Mapping[str, Any]
    monotonic: Callable[[], float]
    state: Direction = Direction.OFF
    effects: list[tuple[float, Direction]] = field(default_factory=list)
    contexts: set[str] = field(default_factory=set)
    entity: VirtualEdgeEntity | None = None
    entity_id: str = ""
    added: asyncio.Event = field(default_factory=asyncio.Event)
    removed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def unique_id(self) -> str:
        """The registry's unique id: stable, so that leftovers of a killed process are recognised."""
        return f"{UNIQUE_ID_PREFIX}{self.subject}"

    def prepare(self, state: Direction) -> None:
        """Put the edge into a starting state, outside any command, with an empty log."""
        self.state = state
        self.effects.clear()
        self.contexts.clear()
        if self.entity is not None:
            self.entity.write_edge()

    def channel(self, since: float, until: float, initial: Direction) -> LoggedChannel:
        """Return what the log holds from one instant to another (monotonic seconds)."""
        effects = tuple((at, state) for at, state in self.effects if since <= at <= until)
        return LoggedChannel(subject=self.subject, initial=initial, effects=effects, watched_until=until)


class VirtualEdgeEntity(Entity):
    """What the virtual lights and switches have in common. The platforms' classes come first in the bases."""

    _attr_should_poll = False
    _attr_has_entity_name = False
    _attr_entity_category = EntityCategory.DIAGNOSTIC
    _attr_entity_registry_visible_default = False
    _edge: Edge

    def bind(self, edge: Edge) -> None:
        """Become the face of an edge."""
        self._edge = edge
        self._attr_unique_id = edge.unique_id
        self._attr_name = f"SimVerity edge {edge.subject[-6:]}"
        edge.entity = self

    @property
    def is_on(self) -> bool:
        """Whether the edge's last value is on."""
        return self._edge.state is Direction.ON

    def write_edge(self) -> None:
        """Show the edge's value in the state machine."""
        self.async_write_ha_state()

    async def async_turn_on(self, **_kwargs: Any) -> None:
        """Take the command *on*."""
        await self._take(Direction.ON)

    async def async_turn_off(self, **_kwargs: Any) -> None:
        """Take the command *off*."""
        await self._take(Direction.OFF)

    async def _take(self, state: Direction) -> None:
        edge = self._edge
        if self._context is not None:
            edge.contexts.add(self._context.id)
        await asyncio.sleep(0)
        edge.state = state
        edge.effects.append((edge.monotonic(), state))
        self.write_edge()

    async def async_added_to_hass(self) -> None:
        """Withdraw the edge from every assistant before anybody can ask for it."""
        if DATA_EXPOSED_ENTITIES in self.hass.data:
            for assistant in KNOWN_ASSISTANTS:
                async_expose_entity(self.hass, assistant, self.entity_id, should_expose=False)
        self._edge.entity_id = self.entity_id
        self._edge.added.set()

    async def async_will_remove_from_hass(self) -> None:
        """Tell the host that the edge is gone."""
        self._edge.entity = None
        self._edge.removed.set()


type MakeEntity = Callable[[Edge], VirtualEdgeEntity]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Maker:
    make: MakeEntity
    add: AddConfigEntryEntitiesCallback


class EdgeHost:
    """Creates edges for a session and leaves nothing behind."""

    def __init__(self, hass: HomeAssistant, entry_id: str, *, monotonic: Callable[[], float]) -> None:
        """Know which config entry's edges these are."""
        self._hass = hass
        self._entry_id = entry_id
        self._monotonic = monotonic
        self._makers: dict[str, _Maker] = {}
        self._edges: dict[SubjectId, Edge] = {}

    def register_platform(self, domain: Platform, make: MakeEntity, add: AddConfigEntryEntitiesCallback) -> None:
        """Learn how one domain's edges are made: called by the platform when it is set up."""
        self._makers[domain] = _Maker(make=make, add=add)

    async def async_create(self, twins: Mapping[SubjectId, State]) -> Mapping[SubjectId, Edge]:
        """Create an edge for each subject, with the features of its real twin, and wait until Home Assistant has them.

        Raises:
            EdgesUnavailableError: a domain has no platform, or an entity did not appear in time.
        """
        await self.async_remove_all()
        for subject, twin in twins.items():
            self._edges[subject] = Edge(
                subject=subject,
                domain=twin.domain,
                features=int(twin.attributes.get(ATTR_SUPPORTED_FEATURES) or 0),
                capabilities=dict(twin.attributes),
                monotonic=self._monotonic,
            )
        try:
            self._add_all()
            async with asyncio.timeout(_SETTLE_SECONDS):
                for edge in self._edges.values():
                    await edge.added.wait()
        except (TimeoutError, KeyError) as error:
            await self.async_remove_all()
            raise EdgesUnavailableError(str(error)) from error
        return dict(self._edges)

    async def async_remove_all(self) -> None:
        """Remove every edge from Home Assistant and from its registry; leftovers of an earlier run too."""
        present = [edge for edge in self._edges.values() if edge.entity is not None and edge.added.is_set()]
        self._edges = {}
        self.purge()
        try:
            async with asyncio.timeout(_SETTLE_SECONDS):
                for edge in present:
                    await edge.removed.wait()
        except TimeoutError as error:
            raise EdgesUnavailableError("removal") from error

    def purge(self) -> None:
        """Delete every virtual edge of this entry from the entity registry."""
        registry = er.async_get(self._hass)
        for entry in er.async_entries_for_config_entry(registry, self._entry_id):
            if entry.unique_id.startswith(UNIQUE_ID_PREFIX):
                registry.async_remove(entry.entity_id)
                registry.deleted_entities.pop((entry.domain, entry.platform, entry.unique_id), None)

    def _add_all(self) -> None:
        by_domain: dict[str, list[VirtualEdgeEntity]] = {}
        for edge in self._edges.values():
            entity = self._makers[edge.domain].make(edge)
            entity.bind(edge)
            by_domain.setdefault(edge.domain, []).append(entity)
        for domain, entities in by_domain.items():
            self._makers[domain].add(entities)
