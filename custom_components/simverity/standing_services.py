"""Actions about what is known: ask for it, set a warning aside."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import probatio
from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse, SupportsResponse, callback
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.service import async_register_admin_service

from .const import DOMAIN
from .engine.terms import Disposition, SubjectId
from .entry import loaded_runtime
from .errors import translated_errors
from .selection import async_select
from .sentences import meaning_of
from .services import refused, require_read
from .wire import clearance_message, ledger_message, subject_message

ATTR_LASTS = "lasts"
ATTR_REASON = "reason"

SHORTEST, LONGEST = timedelta(minutes=1), timedelta(days=90)

CHECK_SCHEMA = probatio.Schema({**cv.TARGET_FIELDS})
ACKNOWLEDGE_SCHEMA = probatio.Schema(
    {
        **cv.TARGET_FIELDS,
        probatio.Required(ATTR_REASON): probatio.All(cv.string, probatio.Length(min=3, max=500)),
        probatio.Required(ATTR_LASTS): probatio.All(cv.positive_time_period, probatio.Range(min=SHORTEST, max=LONGEST)),
    }
)


@callback
def async_register_standing_services(hass: HomeAssistant) -> None:
    """Register the actions. Asking is for whoever may read the device, the others are for administrators."""
    hass.services.async_register(DOMAIN, "check", _check, CHECK_SCHEMA, SupportsResponse.ONLY)
    async_register_admin_service(hass, DOMAIN, "acknowledge", _acknowledge, ACKNOWLEDGE_SCHEMA)


async def _check(call: ServiceCall) -> ServiceResponse:
    """Answer per target with the disposition, why it is so, and the numbers behind it."""
    snapshot = loaded_runtime(call.hass).coordinator.snapshot
    answers: dict[str, Any] = {}
    for subject in _audited(call):
        view = snapshot.subjects[subject]
        await require_read(call, view.entity_id)
        answers[view.entity_id] = subject_message(view) | {
            "why": view.explanation.value,
            "meaning": meaning_of(call.hass, view.explanation),
        }
    return {
        "targets": answers,
        "ledger": ledger_message(snapshot.ledger),
        "clearance": clearance_message(snapshot.clearance),
    }


async def _acknowledge(call: ServiceCall) -> None:
    """Set aside what stands against the picked entities; of areas and labels, against those that escalate."""
    runtime = loaded_runtime(call.hass)
    subjects = runtime.coordinator.snapshot.subjects
    named = {entry.id for entry in async_select(call.hass, call.data).named}
    picked = _audited(call)
    against = [one for one in picked if one in named or subjects[one].disposition is Disposition.ESCALATE]
    if not against:
        raise refused("nothing_to_acknowledge", entity=", ".join(subjects[one].entity_id for one in picked))
    for subject in against:
        with translated_errors():
            await runtime.async_acknowledge(subject, reason=call.data[ATTR_REASON], lasts=call.data[ATTR_LASTS])


def _audited(call: ServiceCall) -> list[SubjectId]:
    """Return the picked entities: all that were named, and of areas and labels those that are audited."""
    selection = async_select(call.hass, call.data)
    if selection.unregistered:
        raise refused("unknown_entity", entity=", ".join(selection.unregistered))
    listed = loaded_runtime(call.hass).coordinator.snapshot.subjects
    for entry in selection.named:
        if entry.id not in listed:
            raise refused("entity_not_audited", entity=entry.entity_id)
    picked = dict.fromkeys(SubjectId(entry.id) for entry in (*selection.named, *selection.implied))
    found = [subject for subject in picked if subject in listed]
    if not found:
        raise refused("nothing_to_do")
    return found
