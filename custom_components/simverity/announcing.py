"""Tells triggers and event entities what changed in the audit, over reloads and restarts of it.

A disposition is compared with the last one that was known under a verified record: that a clear device abstains while
the record is verified at the start is no news.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.dispatcher import async_dispatcher_send
from homeassistant.util.hass_dict import HassKey
from homeassistant.util.signal_type import SignalType

from .coordinator import FalseClearance, LedgerState, Snapshot, SubjectView
from .engine.terms import Disposition, SubjectId
from .entry import SimverityConfigEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class DispositionChange:
    """The disposition of an audited entity is another than before; ``view`` is what is known now."""

    before: Disposition
    view: SubjectView


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenFalseClearance:
    """A command to an audited entity was reported as done and was not."""

    failure: FalseClearance
    view: SubjectView


DISPOSITION_CHANGED: SignalType[DispositionChange] = SignalType("simverity_disposition_changed")
FALSE_CLEARANCE: SignalType[SeenFalseClearance] = SignalType("simverity_false_clearance")

_KNOWN: HassKey[dict[SubjectId, Disposition]] = HassKey("simverity_known_dispositions")


@callback
def async_announce(hass: HomeAssistant, entry: SimverityConfigEntry) -> None:
    """Send signals as the snapshot changes, until the entry is unloaded."""
    known = hass.data.setdefault(_KNOWN, {})

    @callback
    def compare(previous: Snapshot, current: Snapshot) -> None:
        for change in _changed_dispositions(known, current):
            async_dispatcher_send(hass, DISPOSITION_CHANGED, change)
        for seen in new_false_clearances(previous, current):
            async_dispatcher_send(hass, FALSE_CLEARANCE, seen)

    coordinator = entry.runtime_data.coordinator
    compare(coordinator.snapshot, coordinator.snapshot)
    entry.async_on_unload(coordinator.async_add_listener(compare))


def new_false_clearances(previous: Snapshot, current: Snapshot) -> Iterable[SeenFalseClearance]:
    """Yield what was seen to fail between two snapshots; what an entity brings along when it is listed is no news."""
    for subject, view in current.subjects.items():
        before = previous.subjects.get(subject)
        if before is None or before is view or view.false_clearance is None:
            continue
        if before.false_clearance is None or view.false_clearance.at > before.false_clearance.at:
            yield SeenFalseClearance(failure=view.false_clearance, view=view)


def _changed_dispositions(known: dict[SubjectId, Disposition], current: Snapshot) -> Iterable[DispositionChange]:
    """Yield the changes since the last verified snapshot, and remember this one if it is verified."""
    if current.ledger.state is LedgerState.VERIFYING:
        return
    for subject in known.keys() - current.subjects.keys():
        del known[subject]
    for subject, view in current.subjects.items():
        before = known.get(subject, view.disposition)
        known[subject] = view.disposition
        if before is not view.disposition:
            yield DispositionChange(before=before, view=view)
