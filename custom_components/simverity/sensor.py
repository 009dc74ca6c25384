"""Sensors: what the audit found out, per audited entity and as a whole. What is unknown is never shown as good."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from homeassistant.components.sensor import (
    SensorDeviceClass,
    SensorEntity,
    SensorEntityDescription,
    SensorStateClass,
)
from homeassistant.const import PERCENTAGE, EntityCategory
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.helpers.typing import StateType

from .coordinator import LedgerState, Phase, Snapshot, SubjectView
from .engine.terms import Disposition
from .entity import AuditEntity, SubjectEntity
from .entry import SimverityConfigEntry, audited_subentries

PARALLEL_UPDATES = 0

type Attributes = Mapping[str, object]


@dataclass(frozen=True, kw_only=True)
class SubjectSensorDescription(SensorEntityDescription):
    """A figure about one audited entity. ``value`` is None where the evidence gives none."""

    value: Callable[[SubjectView], StateType | datetime]
    attributes: Callable[[SubjectView], Attributes]


@dataclass(frozen=True, kw_only=True)
class AuditSensorDescription(SensorEntityDescription):
    """A figure about the audit as a whole. ``value`` is None where nothing is known."""

    value: Callable[[Snapshot], StateType]
    attributes: Callable[[Snapshot], Attributes]


def _percent(proportion: float) -> float:
    return round(proportion * 100, 4)


def _risk(view: SubjectView) -> float | None:
    headline = view.headline
    if view.disposition is Disposition.ABSTAIN or headline is None or headline.decided == 0:
        return None
    return _percent(headline.failures / headline.decided)


def _risk_attributes(view: SubjectView) -> Attributes:
    attributes: dict[str, object] = {"meaning": view.explanation.value}
    if (predicted := view.predicted) is not None:
        attributes |= {"predicted_risk": _percent(predicted.risk), "backoff_level": predicted.level}
    if (headline := view.headline) is None:
        return attributes
    return attributes | {
        "k": headline.failures,
        "n": headline.decided,
        "abstentions": headline.abstained,
        "interval": None if headline.interval is None else [_percent(bound) for bound in headline.interval],
        "upper_limit": None if headline.upper_limit is None else _percent(headline.upper_limit),
        "basis": headline.basis.value,
        "source": headline.source.value,
        "boundary": headline.boundary,
        "direction": None if headline.direction is None else headline.direction.value,
        "property": headline.property_id.value,
        "before_change": None if view.before is None else _percent(view.before.failures / view.before.decided),
        "before_change_n": None if view.before is None else view.before.decided,
    }


def _fidelity(view: SubjectView) -> float | None:
    headline = view.headline
    if view.disposition is Disposition.ABSTAIN or headline is None or headline.compared == 0:
        return None
    return _percent(headline.agreed / headline.compared)


def _fidelity_attributes(view: SubjectView) -> Attributes:
    if (headline := view.headline) is None:
        return {}
    return {"agreed": headline.agreed, "compared": headline.compared, "failures_seen": headline.failures_seen}


def _disposition_attributes(view: SubjectView) -> Attributes:
    last = view.last_false_clearance
    return {
        "meaning": view.explanation.value,
        "carried_over": view.carried_over,
        "clean_audits_to_clear": view.clean_audits_to_clear,
        "expected_clear": None if view.expected_clear is None else view.expected_clear.isoformat(),
        "last_false_clearance": None if last is None else last.isoformat(),
        "suspect": None if view.suspect is None else view.suspect.value,
        "witness": view.witness.value,
    }


def _trials_attributes(view: SubjectView) -> Attributes:
    return {"abstentions": {reason.value: count for reason, count in view.abstentions}}


SUBJECT_SENSORS: tuple[SubjectSensorDescription, ...] = (
    SubjectSensorDescription(
        key="false_clearance_risk",
        translation_key="false_clearance_risk",
        native_unit_of_measurement=PERCENTAGE,
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=1,
        value=_risk,
        attributes=_risk_attributes,
    ),
    SubjectSensorDescription(
        key="disposition",
        translation_key="disposition",
        device_class=SensorDeviceClass.ENUM,
        options=[disposition.value for disposition in Disposition],
        value=lambda view: view.disposition.value,
        attributes=_disposition_attributes,
    ),
    SubjectSensorDescription(
        key="verdict_fidelity",
        translation_key="verdict_fidelity",
        native_unit_of_measurement=PERCENTAGE,
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=1,
        value=_fidelity,
        attributes=_fidelity_attributes,
    ),
    SubjectSensorDescription(
        key="last_false_clearance",
        translation_key="last_false_clearance",
        device_class=SensorDeviceClass.TIMESTAMP,
        value=lambda view: view.last_false_clearance,
        attributes=lambda _view: {},
    ),
    SubjectSensorDescription(
        key="abstentions",
        translation_key="abstentions",
        state_class=SensorStateClass.TOTAL,
        entity_category=EntityCategory.DIAGNOSTIC,
        entity_registry_enabled_default=False,
        value=lambda view: None if view.headline is None else view.headline.abstained,
        attributes=lambda _view: {},
    ),
    SubjectSensorDescription(
        key="trials",
        translation_key="trials",
        state_class=SensorStateClass.TOTAL_INCREASING,
        entity_category=EntityCategory.DIAGNOSTIC,
        entity_registry_enabled_default=False,
        value=lambda view: view.trials,
        attributes=_trials_attributes,
    ),
)


def _session_validity(snapshot: Snapshot) -> str | None:
    if (last := snapshot.session.last) is None:
        return None
    return "valid" if last.valid else "invalid"


def _session_validity_attributes(snapshot: Snapshot) -> Attributes:
    if (last := snapshot.session.last) is None:
        return {}
    return {"session_id": last.session, "reasons": list(last.reasons), "ended_at": last.ended_at.isoformat()}


def _session_progress(snapshot: Snapshot) -> float | None:
    session = snapshot.session
    if session.phase is Phase.IDLE or session.total == 0:
        return None
    return _percent(session.done / session.total)


def _session_progress_attributes(snapshot: Snapshot) -> Attributes:
    session = snapshot.session
    return {
        "phase": session.phase.value,
        "done": session.done,
        "total": session.total,
        "seconds_left": None if session.seconds_left is None else round(session.seconds_left),
    }


def _clearance_attributes(snapshot: Snapshot) -> Attributes:
    clearance = snapshot.clearance
    return {
        "audited": len(snapshot.subjects),
        "tolerance": _percent(clearance.tolerance),
        "confidence": _percent(1 - clearance.error),
    }


AUDIT_SENSORS: tuple[AuditSensorDescription, ...] = (
    AuditSensorDescription(
        key="session_validity",
        translation_key="session_validity",
        device_class=SensorDeviceClass.ENUM,
        options=["valid", "invalid"],
        value=_session_validity,
        attributes=_session_validity_attributes,
    ),
    AuditSensorDescription(
        key="session_progress",
        translation_key="session_progress",
        native_unit_of_measurement=PERCENTAGE,
        suggested_display_precision=0,
        entity_category=EntityCategory.DIAGNOSTIC,
        value=_session_progress,
        attributes=_session_progress_attributes,
    ),
    AuditSensorDescription(
        key="devices_clear",
        translation_key="devices_clear",
        state_class=SensorStateClass.MEASUREMENT,
        value=lambda snapshot: snapshot.clearance.together,
        attributes=_clearance_attributes,
    ),
    AuditSensorDescription(
        key="ledger",
        translation_key="ledger",
        device_class=SensorDeviceClass.ENUM,
        options=[state.value for state in LedgerState],
        entity_category=EntityCategory.DIAGNOSTIC,
        value=lambda snapshot: snapshot.ledger.state.value,
        attributes=lambda snapshot: {"entries": snapshot.ledger.entries, "head": snapshot.ledger.head},
    ),
)


async def async_setup_entry(
    hass: HomeAssistant, entry: SimverityConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add the sensors of the audit, and those of each audited entity as it is listed."""
    coordinator = entry.runtime_data.coordinator
    async_add_entities(AuditSensor(entry, description) for description in AUDIT_SENSORS)

    added: set[str] = set()

    @callback
    def add_new(previous: Snapshot, current: Snapshot) -> None:
        subentries = audited_subentries(entry)
        for subject in current.subjects.keys() - previous.subjects.keys():
            # A subject comes back when its entity does; then its sensors are there already.
            if (subentry_id := subentries.get(subject)) is not None and subentry_id not in added:
                added.add(subentry_id)
                async_add_entities(
                    [SubjectSensor(hass, entry, subject, description) for description in SUBJECT_SENSORS],
                    config_subentry_id=subentry_id,
                )

    add_new(Snapshot(), coordinator.snapshot)
    entry.async_on_unload(coordinator.async_add_listener(add_new))


class SubjectSensor(SubjectEntity, SensorEntity):
    """A figure about one audited entity."""

    entity_description: SubjectSensorDescription

    @property
    def native_value(self) -> StateType | datetime:
        """The figure, None while it is unknown."""
        return None if (view := self.view) is None else self.entity_description.value(view)

    @property
    def extra_state_attributes(self) -> dict[str, object]:
        """What the figure rests on."""
        return {} if (view := self.view) is None else dict(self.entity_description.attributes(view))


class AuditSensor(AuditEntity, SensorEntity):
    """A figure about the audit as a whole."""

    entity_description: AuditSensorDescription

    @property
    def native_value(self) -> StateType:
        """The figure, None while it is unknown."""
        return self.entity_description.value(self.coordinator.snapshot)

    @property
    def extra_state_attributes(self) -> dict[str, object]:
        """What the figure rests on."""
        return dict(self.entity_description.attributes(self.coordinator.snapshot))
