"""The sentence behind a disposition, in the language of the home."""

from __future__ import annotations

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.translation import async_get_cached_translations

from .const import DOMAIN
from .coordinator import Explanation

_MEANINGS = f"component.{DOMAIN}.entity.sensor.disposition.state_attributes.meaning.state."


@callback
def meaning_of(hass: HomeAssistant, explanation: Explanation) -> str:
    """Return why a disposition is what it is, in words; its key where the language is not loaded yet."""
    known = async_get_cached_translations(hass, hass.config.language, "entity", DOMAIN)
    return known.get(f"{_MEANINGS}{explanation.value}", explanation.value)
