"""The one config entry of the home, as the surface sees it."""

from __future__ import annotations

from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.core import HomeAssistant, callback
from homeassistant.exceptions import ServiceValidationError

from .const import CONF_SUBJECT, DOMAIN, SUBENTRY_AUDITED
from .engine.terms import SubjectId
from .runtime import Runtime

type SimverityConfigEntry = ConfigEntry[Runtime]


@callback
def loaded_entry(hass: HomeAssistant) -> SimverityConfigEntry | None:
    """Return the entry if it is set up."""
    entries: list[SimverityConfigEntry] = hass.config_entries.async_entries(DOMAIN)
    return next((entry for entry in entries if entry.state is ConfigEntryState.LOADED), None)


@callback
def loaded_runtime(hass: HomeAssistant) -> Runtime:
    """Return the running audit, or tell the caller of an action that there is none."""
    if (entry := loaded_entry(hass)) is None:
        raise ServiceValidationError(translation_domain=DOMAIN, translation_key="not_loaded")
    return entry.runtime_data


@callback
def audited_subentries(entry: ConfigEntry) -> dict[SubjectId, str]:
    """Return the subentry id of every audited entity, by subject."""
    return {
        SubjectId(subentry.data[CONF_SUBJECT]): subentry_id
        for subentry_id, subentry in entry.subentries.items()
        if subentry.subentry_type == SUBENTRY_AUDITED
    }
