"""Being found: announces the witness to Supervisor, and changes its token from time to time."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

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
        change_over: how long the old token still works once Supervisor has the new one.
        token_life: the age at which a token is replaced.
        look: wait between two looks at the token's age.
    """

    first_retry: float = 5.0
    last_retry: float = 300.0
    change_over: float = 60.0
    token_life: float = 90 * 86400.0
    look: float = 3600.0


class Presence:
    """Announces one witness for as long as it runs.

    A new token is stored first, then accepted beside the old one, then announced; only when Supervisor has it does the
    old one end. So the integration changes over without an error, and a crash in between leaves a token that works.
    """

    def __init__(
        self,
        *,
        access: Access,
        token_file: Path,
        supervisor: Supervisor,
        host: str,
        port: int,
        on_retired: Callable[[list[str]], Awaitable[None]],
        rhythm: Rhythm,
    ) -> None:
        """Announce ``host`` and ``port``; tell ``on_retired`` which tokens are no longer accepted."""
        self._access = access
        self._token_file = token_file
        self._supervisor = supervisor
        self._host = host
        self._port = port
        self._on_retired = on_retired
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
                await self._wait_for_change()
                if await self._renew():
                    await self._announce(session)
                    await asyncio.sleep(self._rhythm.change_over)
                    await self._on_retired(self._access.retire())

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

    async def _wait_for_change(self) -> None:
        """Return when a person has asked, or the token is old; a token that was typed by hand does not grow old."""
        while not self._asked.is_set() and not (self.listed and self._is_old()):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._rhythm.look):
                    await self._asked.wait()
        self._asked.clear()

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
