"""Telling Home Assistant's Supervisor where this witness is, so that the integration finds it by itself."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus

import aiohttp

SERVICE = "simverity"
"""What is announced; the app's configuration has to list it under ``discovery``."""
TOKEN_VARIABLE = "SUPERVISOR_TOKEN"
"""The environment variable by which Supervisor gives an app its key."""
DEFAULT_URL = "http://supervisor"
_PATIENCE = aiohttp.ClientTimeout(total=15)
_FINAL = {HTTPStatus.BAD_REQUEST, HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND}


class SupervisorError(Exception):
    """Supervisor did not take the announcement now; later it may."""


class SupervisorRefusedError(Exception):
    """Supervisor refuses this app's announcements; trying again does not help."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supervisor:
    """Where Supervisor is, and our key to it.

    Attributes:
        url: its address, without a path.
        key: what it gave this app when it started it.
    """

    url: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """What the integration needs to connect.

    Attributes:
        host: this container's name in Supervisor's network.
        port: of the API.
        token: that the API accepts.
    """

    host: str
    port: int
    token: str


async def announce(session: aiohttp.ClientSession, supervisor: Supervisor, announcement: Announcement) -> None:
    """Announce this witness; a later announcement replaces an earlier one.

    Raises:
        SupervisorError: it cannot be reached, or is busy.
        SupervisorRefusedError: it does not let this app announce the service.
    """
    place = {"host": announcement.host, "port": announcement.port, "token": announcement.token}
    try:
        async with session.post(
            f"{supervisor.url}/discovery",
            json={"service": SERVICE, "config": place},
            headers={"Authorization": f"Bearer {supervisor.key}"},
            timeout=_PATIENCE,
            allow_redirects=False,
        ) as answer:
            status = answer.status
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise SupervisorError(type(error).__name__) from error
    if status in _FINAL:
        raise SupervisorRefusedError(f"status {status}")
    if status != HTTPStatus.OK:
        raise SupervisorError(f"status {status}")
