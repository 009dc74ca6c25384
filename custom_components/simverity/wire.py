"""The snapshot as JSON values, for the dashboard and for diagnostics. Proportions stay proportions (0 to 1)."""

from __future__ import annotations

from typing import Any

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er

from .const import DOMAIN
from .coordinator import Before, Clearance, HeadlineView, LedgerView, Predicted, SessionView, SubjectView

_SHOWN_SENSORS = ("disposition", "false_clearance_risk")


def subject_message(view: SubjectView) -> dict[str, Any]:
    """Return what is known about one audited entity."""
    last = view.last_false_clearance
    return {
        "entity_id": view.entity_id,
        "disposition": view.disposition.value,
        "explanation": view.explanation.value,
        "carried_over": view.carried_over,
        "headline": None if view.headline is None else headline_message(view.headline),
        "trials": view.trials,
        "abstentions": {reason.value: count for reason, count in view.abstentions},
        "last_false_clearance": None if last is None else last.isoformat(),
        "clean_audits_to_clear": view.clean_audits_to_clear,
        "witness": view.witness.value,
        "expected_clear": None if view.expected_clear is None else view.expected_clear.isoformat(),
        "suspect": None if view.suspect is None else view.suspect.value,
        "before": None if view.before is None else before_message(view.before),
        "predicted": None if view.predicted is None else predicted_message(view.predicted),
    }


def predicted_message(predicted: Predicted) -> dict[str, Any]:
    """Return a risk that was not measured here."""
    return {"risk": predicted.risk, "level": predicted.level, "direction": predicted.direction.value}


def before_message(before: Before) -> dict[str, Any]:
    """Return the value before the last change of what it depends on."""
    return {"k": before.failures, "n": before.decided, "upper_limit": before.upper_limit}


@callback
def dashboard_message(hass: HomeAssistant, view: SubjectView) -> dict[str, Any]:
    """Return what is known about one audited entity, with the entity ids of its sensors."""
    registry = er.async_get(hass)
    found = {key: registry.async_get_entity_id("sensor", DOMAIN, f"{view.subject}_{key}") for key in _SHOWN_SENSORS}
    return subject_message(view) | {"sensors": found}


def headline_message(headline: HeadlineView) -> dict[str, Any]:
    """Return the cell that speaks for an audited entity."""
    return {
        "property": headline.property_id.value,
        "boundary": headline.boundary,
        "direction": None if headline.direction is None else headline.direction.value,
        "source": headline.source.value,
        "basis": headline.basis.value,
        "k": headline.failures,
        "n": headline.decided,
        "abstained": headline.abstained,
        "interval": None if headline.interval is None else list(headline.interval),
        "upper_limit": headline.upper_limit,
    }


def session_message(session: SessionView) -> dict[str, Any]:
    """Return the running session and the last one that ended."""
    last = session.last
    return {
        "phase": session.phase.value,
        "session_id": session.session,
        "done": session.done,
        "total": session.total,
        "seconds_left": session.seconds_left,
        "last": None
        if last is None
        else {
            "session_id": last.session,
            "valid": last.valid,
            "reasons": list(last.reasons),
            "ended_at": last.ended_at.isoformat(),
        },
    }


def clearance_message(clearance: Clearance) -> dict[str, Any]:
    """Return what a clearance promises, and of how many devices at once."""
    return {"tolerance": clearance.tolerance, "error": clearance.error, "together": clearance.together}


def ledger_message(ledger: LedgerView) -> dict[str, Any]:
    """Return the state of the ledger."""
    return {"state": ledger.state.value, "entries": ledger.entries, "head": ledger.head}
