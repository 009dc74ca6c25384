"""Being found: announces the witness to Supervisor, and changes its token from time to time."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import aiohttp

from .access import Access, new_token
from .supervisor import Announcement, Supervisor, SupervisorError, SupervisorRefusedError, announce
from .token_file import age, write_token

_LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rhythm:
    """How often things happen, in seconds.

    Attributes:
        first_retry: wait after the first announcement that failed; doubles each time.
        last_retry: the longest wait between two announcements that fail.
        change_over: how long an old token still works once Supervisor has the new one.
        change_overs: how many times as long it works while a connection is open with it, unless a person has asked.
        token_life: the age at which a token is replaced.
        look: wait between two looks at the token's age.
    """

    first_retry: float = 5.0
    last_retry: float = 300.0
    change_over: float = 60.0
    change_overs: int = 1440
    token_life: float = 90 * 86400.0
    look: float = 3600.0


class Clients(Protocol):
    """Who is connected."""

    def use(self, token: str) -> bool:
        """Whether a connection that was opened with a token is open."""

    async def hang_up_on(self, retired: list[str]) -> None:
        """End the connections that were opened with these tokens."""


class Presence:
    """Announces one witness for as long as it runs.

    A new token is stored first, then accepted beside the old one, then announced; only when Supervisor has it does the
    old one end. So the integration changes over without an error, and a crash in between leaves a token that works. A
    token that has only grown old also waits for the end of a session that was begun with it.
    """

    def __init__(
        self,
        *,
        access: Access,
        token_file: Path,
        supervisor: Supervisor,
        host: str,
        port: int,
        clients: Clients,
        rhythm: Rhythm,
    ) -> None:
        """Announce ``host`` and ``port``, where ``clients`` connect."""
        self._access = access
        self._token_file = token_file
        self._supervisor = supervisor
        self._host = host
        self._port = port
        self._clients = clients
        self._rhythm = rhythm
        self._asked = asyncio.Event()
        self.listed = False
        """Whether Supervisor has the current token."""

    def ask_for_new_token(self) -> None:
        """Change the token soon."""
        self._asked.set()

    async def run(self) -> None:
        """Announce the token, and each new one, until cancelled."""
        async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
            await self._announce(session)
            while True:
                by_hand = await self._wait_for_change()
                previous = self._access.current
                if await self._renew():
                    await self._announce(session)
                    await self._change_over(previous, at_once=by_hand)
                    await self._clients.hang_up_on(self._access.retire())

    async def _announce(self, session: aiohttp.ClientSession) -> None:
        """Try until Supervisor has the token, or says that it never will."""
        self.listed = False
        wait = self._rhythm.first_retry
        while not self.listed:
            announcement = Announcement(host=self._host, port=self._port, token=self._access.current)
            try:
                await announce(session, self._supervisor, announcement)
            except SupervisorRefusedError as error:
                _LOGGER.warning(
                    "Supervisor does not pass this witness on (%s). Connect the integration by hand: "
                    "the address and the token are on this app's page",
                    error,
                )
                return
            except SupervisorError as error:
                _LOGGER.info("Supervisor does not answer (%s); trying again in %.0f s", error, wait)
                await asyncio.sleep(wait)
                wait = min(2 * wait, self._rhythm.last_retry)
            else:
                self.listed = True
                _LOGGER.info("Announced to Home Assistant as %s:%s", self._host, self._port)

    async def _wait_for_change(self) -> bool:
        """Wait until the token is old, or a person asks, and return whether one did.

        A token that Supervisor does not pass on was typed by hand; it does not grow old.
        """
        while not self._asked.is_set() and not (self.listed and self._is_old()):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._rhythm.look):
                    await self._asked.wait()
        by_hand = self._asked.is_set()
        self._asked.clear()
        return by_hand

    async def _change_over(self, previous: str, *, at_once: bool) -> None:
        """Give the clients time to take the new token."""
        for _ in range(1 if at_once else self._rhythm.change_overs):
            await asyncio.sleep(self._rhythm.change_over)
            if self._asked.is_set() or not self._clients.use(previous):
                return

    def _is_old(self) -> bool:
        try:
            return age(self._token_file) >= self._rhythm.token_life
        except OSError:
            return True

    async def _renew(self) -> bool:
        """Return whether there is a new token now."""
        token = new_token()
        try:
            await asyncio.to_thread(write_token, self._token_file, token)
        except OSError as error:
            _LOGGER.warning("The new token cannot be stored (%s); the old one stays", error.strerror)
            await asyncio.sleep(self._rhythm.first_retry)
            return False
        self._access.succeed(token)
        return True
