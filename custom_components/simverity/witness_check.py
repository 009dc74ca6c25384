"""Trying a witness app before its address is stored: the real connection, the real questions."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from aiohttp import ClientError, ClientWebSocketResponse, WSServerHandshakeError
from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from yarl import URL

from .const import CONF_CAMERA, CONF_KIND, CONF_REGION, CONF_TOKEN, CONF_URL

API_VERSION = 1
TIMEOUT = 15.0
"""Seconds; opening a camera's stream is part of it."""

_FIELDS = {
    "invalid_auth": CONF_TOKEN,
    "invalid_url": CONF_URL,
    "camera_unreachable": CONF_URL,
    "camera_unsupported": CONF_KIND,
    "too_many": CONF_CAMERA,
    "region_outside_frame": f"{CONF_REGION}_x",
}
_KNOWN_CODES = {"unsupported_version", *_FIELDS}


class WitnessCheckError(Exception):
    """The witness did not answer as it should. ``key`` names the sentence, ``field`` the field it belongs to."""

    def __init__(self, key: str) -> None:
        """Keep the key of the sentence."""
        super().__init__(key)
        self.key = key
        self.field = _FIELDS.get(key, "base")


@dataclass(frozen=True, slots=True, kw_only=True)
class LampView:
    """A lamp as a camera sees it. Regions are ``(x, y, width, height)`` in fractions of the frame."""

    lamp: str
    camera: str
    kind: str
    url: str
    region: tuple[float, ...]
    reference: tuple[float, ...] | None


def normalized_url(text: str) -> str:
    """Return the base address of a witness app; a missing scheme means ``http``."""
    text = text.strip()
    try:
        url = URL(text if "://" in text else f"http://{text}")
    except ValueError:
        raise WitnessCheckError("invalid_url") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise WitnessCheckError("invalid_url")
    return str(url.origin().with_path(url.path)).rstrip("/")


async def async_check_connection(hass: HomeAssistant, url: str, token: str) -> None:
    """Say hello to the app.

    Raises:
        WitnessCheckError: ``cannot_connect``, ``invalid_auth`` or ``unsupported_version``.
    """
    async with _connected(hass, url, token):
        pass


async def async_check_lamp(hass: HomeAssistant, witness: Mapping[str, str], lamp: LampView) -> None:
    """Register the camera and the lamp with the app, as the audit will.

    Raises:
        WitnessCheckError: what ``async_check_connection`` raises, or what the app has against the camera or the region.
    """
    async with _connected(hass, witness[CONF_URL], witness[CONF_TOKEN]) as socket:
        await _ask(socket, 2, type="register_camera", camera=lamp.camera, kind=lamp.kind, url=lamp.url)
        await _ask(
            socket,
            3,
            type="register_lamp",
            lamp=lamp.lamp,
            camera=lamp.camera,
            region=lamp.region,
            reference=lamp.reference,
        )


@asynccontextmanager
async def _connected(hass: HomeAssistant, url: str, token: str) -> AsyncIterator[ClientWebSocketResponse]:
    headers = {"Authorization": f"Bearer {token}"}
    try:
        async with (
            asyncio.timeout(TIMEOUT),
            async_get_clientsession(hass).ws_connect(f"{url}/v1/ws", headers=headers) as socket,
        ):
            await _ask(socket, 1, type="hello", api=API_VERSION)
            yield socket
    except WSServerHandshakeError as error:
        raise WitnessCheckError(
            "invalid_auth" if error.status == HTTPStatus.UNAUTHORIZED else "cannot_connect"
        ) from error
    except (ClientError, TimeoutError, TypeError, ValueError) as error:
        raise WitnessCheckError("cannot_connect") from error


async def _ask(socket: ClientWebSocketResponse, message_id: int, **question: Any) -> None:
    """Send a question and wait for its answer; announcements in between are not for us."""
    await socket.send_json({"id": message_id, **question})
    while True:
        answer = await socket.receive_json()
        if answer.get("id") != message_id:
            continue
        if answer["ok"]:
            return
        code = answer["error"]["code"]
        raise WitnessCheckError(code if code in _KNOWN_CODES else "cannot_connect")
