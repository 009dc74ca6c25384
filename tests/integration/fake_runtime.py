"""A runtime without an audit behind it: the surface is tried against what it may expect of one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from custom_components.simverity.coordinator import SimverityCoordinator, Snapshot, SubjectView
from custom_components.simverity.engine.terms import Direction, SessionId, SubjectId

if TYPE_CHECKING:
    from custom_components.simverity.adapters.ledger.store import LedgerUnavailableError
    from custom_components.simverity.audit.errors import AuditError
    from custom_components.simverity.runtime import SessionRequest


class FakeEdges:
    """Takes the makers of virtual edges and makes none."""

    def register_platform(self, *_: object) -> None:
        """Take a maker."""


@dataclass(kw_only=True)
class FakeRuntime:
    """Publishes what a test tells it to, and notes what it was asked."""

    hass: HomeAssistant
    entry: ConfigEntry[Any]
    coordinator: SimverityCoordinator = field(default_factory=SimverityCoordinator)
    edges: FakeEdges = field(default_factory=FakeEdges)
    applied: int = 0
    started: bool = False
    stopped: bool = False
    requests: list[SessionRequest] = field(default_factory=list)
    cancelled: int = 0
    requalified: list[tuple[str, ...]] = field(default_factory=list)
    returned: list[tuple[str, str | None]] = field(default_factory=list)
    replayed: list[tuple[str, Direction, str | None, int]] = field(default_factory=list)
    refusal: AuditError | None = None
    cards: dict[str, dict[str, Any]] = field(default_factory=dict)
    known_cells: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    exhibits: dict[str, dict[str, Any]] = field(default_factory=dict)
    false_clearances: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    reliabilities: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    unreadable: LedgerUnavailableError | None = None

    @classmethod
    async def async_build(cls, hass: HomeAssistant, entry: ConfigEntry[Any]) -> Self:
        runtime = cls(hass=hass, entry=entry)
        runtime.publish_listed()
        return runtime

    def publish_listed(self) -> None:
        """Publish a view of every listed entity, keeping those that a test has set."""
        known = self.coordinator.snapshot.subjects
        registry = er.async_get(self.hass)
        subjects: dict[SubjectId, SubjectView] = {}
        for subentry in self.entry.subentries.values():
            if subentry.subentry_type == "audited_entity":
                subject = SubjectId(subentry.data["subject"])
                source = registry.entities.get_entry(subject)
                entity_id = "light.gone" if source is None else source.entity_id
                subjects[subject] = known.get(subject) or SubjectView(subject=subject, entity_id=entity_id)
        self.publish(subjects=MappingProxyType(subjects))

    def publish(self, **changes: Any) -> None:
        """Publish the last snapshot with changes."""
        snapshot: Snapshot = replace(self.coordinator.snapshot, **changes)
        self.coordinator.publish(snapshot)

    def publish_view(self, subject: str, **changes: Any) -> None:
        """Publish the last snapshot with one changed view."""
        views = dict(self.coordinator.snapshot.subjects)
        views[SubjectId(subject)] = replace(views[SubjectId(subject)], **changes)
        self.publish(subjects=MappingProxyType(views))

    async def async_start(self) -> None:
        self.started = True

    async def async_stop(self) -> None:
        self.stopped = True

    async def async_apply_subentries(self) -> None:
        self.applied += 1
        self.publish_listed()

    async def async_run_session(self, request: SessionRequest) -> SessionId:
        self._may_refuse()
        self.requests.append(request)
        return SessionId(f"s-{len(self.requests)}")

    async def async_wait_session(self, session_id: SessionId) -> dict[str, Any]:
        self._may_refuse()
        return {"session": session_id}

    async def async_cancel_session(self) -> None:
        self._may_refuse()
        self.cancelled += 1

    async def async_replay(self, subject: str, direction: Direction, *, at: str | None, repetitions: int) -> SessionId:
        self._may_refuse()
        self.replayed.append((subject, direction, at, repetitions))
        return SessionId(f"r-{len(self.replayed)}")

    async def async_requalify(self, subjects: tuple[str, ...]) -> None:
        self._may_refuse()
        self.requalified.append(subjects)

    def note_return(self, context_id: str, error: str | None) -> None:
        self.returned.append((context_id, error))

    def card(self, session_id: str | None = None) -> dict[str, Any] | None:
        return self.cards.get(session_id or "last")

    def cells(self, subject: str | None = None) -> list[dict[str, Any]]:
        return self.known_cells.get(subject or "all", [{"subject": subject or "all"}])

    @property
    def records(self) -> Self:
        """What is done with the evidence is asked of the same fake."""
        return self

    def session_exhibit(self, subject: str) -> dict[str, Any] | None:
        return self.exhibits.get(subject)

    def reliability(self, subject: str) -> list[dict[str, Any]]:
        return self.reliabilities.get(subject, [])

    async def async_tickets(self, subject: str) -> list[dict[str, Any]]:
        if self.unreadable is not None:
            raise self.unreadable
        return self.false_clearances.get(subject, [])

    def _may_refuse(self) -> None:
        if self.refusal is not None:
            raise self.refusal
