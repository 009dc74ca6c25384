"""The repair issues of single devices: an audited device is gone, or what watches it has long had to prove itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import partial

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.event import async_call_later

from .const import DOMAIN
from .coordinator import Snapshot, WitnessState
from .engine.terms import SubjectId
from .entry import SimverityConfigEntry, audited_subentries

EXPIRED_GRACE = 86_400.0
"""Seconds for which a witness may have to prove itself before a person is bothered: dusk comes every day."""

DEVICE_GONE = "device_gone"
WITNESS_EXPIRED = "witness_expired"


class DeviceIssues:
    """Raises one issue for each device and trouble, and withdraws it when the trouble is over."""

    def __init__(self, hass: HomeAssistant, entry: SimverityConfigEntry) -> None:
        """Have raised nothing."""
        self._hass = hass
        self._entry = entry
        self._waiting: dict[SubjectId, Callable[[], None]] = {}

    @callback
    def handle(self, current: Snapshot) -> None:
        """Bring the issues in line with a snapshot."""
        listed = audited_subentries(self._entry)
        self._set_gone(listed, listed.keys() - current.subjects.keys())
        self._set_expired(subject for subject, view in current.subjects.items() if view.witness is WitnessState.EXPIRED)

    @callback
    def end(self) -> None:
        """Wait for nothing any more."""
        for stop in self._waiting.values():
            stop()
        self._waiting.clear()

    @callback
    def _set_gone(self, listed: dict[SubjectId, str], unseen: Iterable[SubjectId]) -> None:
        entities = er.async_get(self._hass).entities
        gone = {subject for subject in unseen if entities.get_entry(subject) is None}
        self._withdraw(DEVICE_GONE, gone)
        for subject in gone:
            self._raise(DEVICE_GONE, subject, self._entry.subentries[listed[subject]].title)

    @callback
    def _set_expired(self, subjects: Iterable[SubjectId]) -> None:
        expired = set(subjects)
        for subject in self._waiting.keys() - expired:
            self._waiting.pop(subject)()
        standing = self._withdraw(WITNESS_EXPIRED, expired)
        for subject in expired - self._waiting.keys() - standing:
            self._waiting[subject] = async_call_later(self._hass, EXPIRED_GRACE, partial(self._grace_over, subject))

    @callback
    def _grace_over(self, subject: SubjectId, _: datetime) -> None:
        del self._waiting[subject]
        if (view := self._entry.runtime_data.coordinator.snapshot.subjects.get(subject)) is not None:
            state = self._hass.states.get(view.entity_id)
            self._raise(WITNESS_EXPIRED, subject, view.entity_id if state is None else state.name)

    @callback
    def _withdraw(self, key: str, still: set[SubjectId]) -> set[SubjectId]:
        """Delete the issues of a kind that no longer hold; return of which subjects one stands."""
        prefix = f"{key}_"
        raised = [issue_id for domain, issue_id in ir.async_get(self._hass).issues if domain == DOMAIN]
        subjects = {SubjectId(issue_id[len(prefix) :]) for issue_id in raised if issue_id.startswith(prefix)}
        for subject in subjects - still:
            ir.async_delete_issue(self._hass, DOMAIN, f"{prefix}{subject}")
        return subjects & still

    @callback
    def _raise(self, key: str, subject: SubjectId, name: str) -> None:
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            f"{key}_{subject}",
            is_fixable=False,
            severity=ir.IssueSeverity.WARNING,
            translation_key=key,
            translation_placeholders={"device": name},
        )
