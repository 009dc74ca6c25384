"""Trying a witness app before its address is stored: the real connection, the real questions."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from time import monotonic

from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from yarl import URL

from .adapters.witness.connection import Connection, async_probe, open_socket
from .adapters.witness.messages import (
    CameraSpec,
    LampSpec,
    WitnessAuthFailedError,
    WitnessError,
    WitnessUnsupportedError,
)
from .const import CONF_CAMERA, CONF_KIND, CONF_REGION, CONF_TOKEN, CONF_URL
from .engine.errors import MessageError

CAMERA_PATIENCE = 30.0
"""Seconds in which a camera's stream must open."""

_FIELDS = {
    "camera_unreachable": CONF_URL,
    "camera_unsupported": CONF_KIND,
    "invalid_auth": CONF_TOKEN,
    "invalid_url": CONF_URL,
    "not_a_witness": CONF_URL,
    "region_outside_frame": f"{CONF_REGION}_x",
    "too_many": CONF_CAMERA,
}
_CODES_SHOWN = {"camera_unreachable", "camera_unsupported", "region_outside_frame", "too_many", "unsupported_version"}


class WitnessCheckError(Exception):
    """The witness did not answer as it should. ``key`` names the sentence, ``field`` the field it belongs to."""

    def __init__(self, key: str) -> None:
        """Keep the key of the sentence."""
        super().__init__(key)
        self.key = key
        self.field = _FIELDS.get(key, "base")


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
        WitnessCheckError: ``cannot_connect``, ``invalid_auth``, ``not_a_witness`` or ``unsupported_version``.
    """
    with _explained():
        await async_probe(async_get_clientsession(hass), url, token, monotonic=monotonic)


async def async_check_lamp(hass: HomeAssistant, witness: Mapping[str, str], camera: CameraSpec, lamp: LampSpec) -> None:
    """Register a camera and a lamp with the app, as the audit will.

    Raises:
        WitnessCheckError: what ``async_check_connection`` raises, or what the app has against the camera or the region.
    """
    with _explained():
        async with open_socket(async_get_clientsession(hass), witness[CONF_URL], witness[CONF_TOKEN]) as socket:
            connection = Connection(socket, monotonic=monotonic, on_announcement=lambda _: None)
            reading = asyncio.ensure_future(connection.async_read())
            try:
                await connection.async_hello()
                await connection.async_request("register_camera", asdict(camera), patience=CAMERA_PATIENCE)
                await connection.async_request("register_lamp", asdict(lamp))
            finally:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)


@contextmanager
def _explained() -> Iterator[None]:
    """Turn what went wrong with the witness into the key of a sentence."""
    try:
        yield
    except WitnessAuthFailedError as error:
        raise WitnessCheckError("invalid_auth") from error
    except WitnessError as error:
        if error.code in _CODES_SHOWN:
            raise WitnessCheckError(error.code) from error
        kind = "not_a_witness" if isinstance(error, WitnessUnsupportedError) else "cannot_connect"
        raise WitnessCheckError(kind) from error
    except MessageError as error:
        raise WitnessCheckError("not_a_witness") from error
