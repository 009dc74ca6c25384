"""The dashboard card is served, and every page loads it."""

from __future__ import annotations

import hashlib
from http import HTTPStatus
from typing import Any

from homeassistant.components.frontend import DATA_EXTRA_MODULE_URL
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from custom_components.simverity.const import DOMAIN
from custom_components.simverity.frontend import CARD_FILE, CARD_URL


async def test_every_page_loads_the_card_by_an_address_that_changes_with_its_content(
    hass: HomeAssistant, hass_client_no_auth: Any
) -> None:
    assert await async_setup_component(hass, "frontend", {})
    assert await async_setup_component(hass, DOMAIN, {})
    digest = hashlib.sha256(CARD_FILE.read_bytes()).hexdigest()
    address = f"{CARD_URL}?v=0.1.0-{digest[:8]}"
    assert address in hass.data[DATA_EXTRA_MODULE_URL].urls
    answer = await (await hass_client_no_auth()).get(address)
    assert answer.status == HTTPStatus.OK
    assert answer.content_type == "text/javascript"
    assert await answer.read() == CARD_FILE.read_bytes()


async def test_a_home_without_a_frontend_has_no_card(hass: HomeAssistant, hass_client_no_auth: Any) -> None:
    assert await async_setup_component(hass, DOMAIN, {})
    assert (await (await hass_client_no_auth()).get(CARD_URL)).status == HTTPStatus.NOT_FOUND
