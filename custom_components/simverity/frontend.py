"""Serves the dashboard card and has every page of Home Assistant load it: there is nothing to add by hand."""

from __future__ import annotations

import hashlib
from pathlib import Path

from homeassistant.components import frontend
from homeassistant.components.http import StaticPathConfig
from homeassistant.core import HomeAssistant
from homeassistant.loader import async_get_integration

from .const import DOMAIN

CARD_FILE = Path(__file__).parent / "www" / "simverity-card.js"
CARD_URL = f"/{DOMAIN}_static/{CARD_FILE.name}"
_DIGITS = 8


async def async_register_card(hass: HomeAssistant) -> None:
    """Serve the card, once; browsers keep it for a month, so its address changes with its content."""
    if "frontend" not in hass.config.components:
        return  # nobody looks at this Home Assistant
    integration = await async_get_integration(hass, DOMAIN)
    digest = await hass.async_add_executor_job(_digest)
    await hass.http.async_register_static_paths([StaticPathConfig(CARD_URL, str(CARD_FILE), cache_headers=True)])
    frontend.add_extra_js_url(hass, f"{CARD_URL}?v={integration.version}-{digest}")


def _digest() -> str:
    """Return the first digits of the card's SHA-256."""
    return hashlib.sha256(CARD_FILE.read_bytes()).hexdigest()[:_DIGITS]
