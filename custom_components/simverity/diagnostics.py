"""What a person may attach to a bug report: no token, no address, no name of a room or a device."""

from __future__ import annotations

from typing import Any

from homeassistant.components.diagnostics import async_redact_data
from homeassistant.core import HomeAssistant, split_entity_id

from .const import CONF_CAMERA, CONF_TOKEN, CONF_URL
from .entry import SimverityConfigEntry
from .wire import clearance_message, ledger_message, session_message, subject_message

TO_REDACT = {CONF_TOKEN, CONF_URL, CONF_CAMERA}


async def async_get_config_entry_diagnostics(
    hass: HomeAssistant,  # noqa: ARG001 - Home Assistant's signature
    entry: SimverityConfigEntry,
) -> dict[str, Any]:
    """Return the configuration and the last snapshot, redacted. Entities appear by registry id and domain only."""
    snapshot = entry.runtime_data.coordinator.snapshot
    return {
        "data": async_redact_data(entry.data, TO_REDACT),
        "options": dict(entry.options),
        "subentries": [
            {"type": subentry.subentry_type, "data": async_redact_data(subentry.data, TO_REDACT)}
            for subentry in entry.subentries.values()
        ],
        "subjects": {
            subject: subject_message(view) | {"entity_id": f"{split_entity_id(view.entity_id)[0]}.**REDACTED**"}
            for subject, view in snapshot.subjects.items()
        },
        "session": session_message(snapshot.session),
        "ledger": ledger_message(snapshot.ledger),
        "witness": snapshot.witness.value,
        "clearance": clearance_message(snapshot.clearance),
        "cells": entry.runtime_data.cells(),
    }
