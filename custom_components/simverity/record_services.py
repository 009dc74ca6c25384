"""Actions on the evidence itself: give it away, take a device's traces out of it."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from pathlib import Path

import probatio
from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse, SupportsResponse, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.service import async_register_admin_service
from homeassistant.util import dt as dt_util

from .adapters.ledger.store import LedgerUnavailableError
from .const import DOMAIN
from .entry import loaded_runtime
from .errors import translated_errors
from .selection import async_select
from .services import refused

ATTR_REASON = "reason"
ATTR_UNTIL = "until"

EXPORT_SCHEMA = probatio.Schema({})
REDACT_SCHEMA = probatio.Schema(
    {
        probatio.Required("entity_id"): probatio.All(cv.ensure_list, probatio.Length(min=1), [cv.entity_id]),
        probatio.Required(ATTR_REASON): probatio.All(cv.string, probatio.Length(min=3, max=500)),
        probatio.Optional(ATTR_UNTIL): cv.datetime,
    }
)


@callback
def async_register_record_services(hass: HomeAssistant) -> None:
    """Register the actions; all are for administrators."""
    async_register_admin_service(hass, DOMAIN, "export", _export, EXPORT_SCHEMA, SupportsResponse.OPTIONAL)
    async_register_admin_service(hass, DOMAIN, "redact", _redact, REDACT_SCHEMA, SupportsResponse.OPTIONAL)


async def _export(call: ServiceCall) -> ServiceResponse:
    """Write the sanitised evidence beside the ledger; answer with where it lies."""
    runtime = loaded_runtime(call.hass)
    try:
        archive = await runtime.records.async_export()
        file = _free_name(Path(call.hass.config.path(DOMAIN)), dt_util.utcnow())
        await call.hass.async_add_executor_job(file.write_bytes, archive)
    except (LedgerUnavailableError, OSError) as error:
        raise HomeAssistantError(translation_domain=DOMAIN, translation_key="export_failed") from error
    return {"path": str(file), "bytes": len(archive), "sha256": sha256(archive).hexdigest()}


def _free_name(folder: Path, now: datetime) -> Path:
    return folder / f"export-{now:%Y%m%d-%H%M%S-%f}.zip"


async def _redact(call: ServiceCall) -> ServiceResponse:
    """Remove the traces of the named entities for good; answer with how many trials that concerned."""
    runtime = loaded_runtime(call.hass)
    selection = async_select(call.hass, {"entity_id": call.data["entity_id"]})
    if selection.unregistered:
        raise refused("unknown_entity", entity=", ".join(selection.unregistered))
    until: datetime | None = call.data.get(ATTR_UNTIL)
    with translated_errors():
        trials = await runtime.async_redact(
            frozenset(entry.id for entry in selection.named),
            until=None if until is None else dt_util.as_utc(until).isoformat(),
            reason=call.data[ATTR_REASON],
            author=call.context.user_id or "automation",
        )
    return {"trials": trials} if call.return_response else None
