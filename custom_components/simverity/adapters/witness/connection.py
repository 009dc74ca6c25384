"""One connection to the witness: opened with the token, kept open, with answers matched to requests by id."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

import aiohttp

from ...engine.errors import MessageError
from .messages import (
    API_VERSION,
    ClockOffset,
    Hello,
    WitnessAuthFailedError,
    WitnessTimeoutError,
    WitnessUnreachableError,
    WitnessUnsupportedError,
    parse_answer,
    parse_hello,
    parse_monotonic,
)

REQUEST_SECONDS = 10.0
_CLOCK_READINGS = 7
_LARGEST_MESSAGE = 8 * 1024 * 1024

type Announcement = Callable[[Mapping[str, Any]], None]


class Connection:
    """An open WebSocket. ``on_announcement`` gets every message without an id."""

    def __init__(
        self,
        socket: aiohttp.ClientWebSocketResponse,
        *,
        monotonic: Callable[[], float],
        on_announcement: Announcement,
    ) -> None:
        """Use an open socket; nothing is read before ``async_read``."""
        self._socket = socket
        self._monotonic = monotonic
        self._on_announcement = on_announcement
        self._next_id = 0
        self._answers: dict[int, asyncio.Future[Mapping[str, Any]]] = {}

    async def async_read(self) -> None:
        """Hand on messages until the connection ends; then whoever waits is told."""
        try:
            async for message in self._socket:
                if message.type is not aiohttp.WSMsgType.TEXT:
                    break
                self._take(message.json())
        except ValueError:
            # Not JSON: whatever is at the other end, it is no witness.
            await self._socket.close()
        finally:
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(WitnessUnreachableError("connection_lost"))

    async def async_request(
        self, kind: str, fields: Mapping[str, Any], *, patience: float = REQUEST_SECONDS
    ) -> Mapping[str, Any]:
        """Send a request and return the result of its answer.

        Raises:
            WitnessUnreachableError: the connection is gone.
            WitnessTimeoutError: no answer within ``patience`` seconds.
            WitnessRefusedError: refused, with the witness's code.
            MessageError: the answer has not the agreed form.
        """
        if self._socket.closed:
            raise WitnessUnreachableError("connection_lost")
        self._next_id += 1
        number = self._next_id
        answer: asyncio.Future[Mapping[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        try:
            async with asyncio.timeout(patience):
                await self._socket.send_json({"id": number, "type": kind, **fields})
                return parse_answer(await answer)
        except TimeoutError as error:
            raise WitnessTimeoutError("timeout", kind) from error
        except (aiohttp.ClientError, ConnectionError) as error:
            raise WitnessUnreachableError("connection_lost", str(error)) from error
        finally:
            self._answers.pop(number, None)

    async def async_hello(self) -> Hello:
        """Agree on the version."""
        return parse_hello(await self.async_request("hello", {"api": API_VERSION}))

    async def async_measure_clock(self) -> ClockOffset:
        """Measure the witness's clock against ours; the quickest of a few round trips bounds the error best."""
        best: ClockOffset | None = None
        for _ in range(_CLOCK_READINGS):
            before = self._monotonic()
            theirs = parse_monotonic(await self.async_request("clock", {}))
            after = self._monotonic()
            uncertainty = (after - before) / 2
            if best is None or uncertainty < best.uncertainty:
                best = ClockOffset(
                    offset=theirs - (before + after) / 2,
                    uncertainty=uncertainty,
                    measured_at=after,
                    same_clock=False,
                )
        assert best is not None  # noqa: S101 - the loop ran
        return best

    def _take(self, message: Any) -> None:
        if not isinstance(message, dict):
            raise MessageError("a message is an object")
        number = message.get("id")
        if number is None:
            self._on_announcement(message)
            return
        answer = self._answers.get(number) if isinstance(number, int) else None
        if answer is not None and not answer.done():
            answer.set_result(message)


@asynccontextmanager
async def open_socket(
    session: aiohttp.ClientSession, url: str, token: str
) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    """Open the WebSocket.

    Raises:
        WitnessAuthFailedError: the token is not accepted.
        WitnessUnsupportedError: something answers, but no witness.
        WitnessUnreachableError: nothing answers.
    """
    headers = {"Authorization": f"Bearer {token}"}
    try:
        async with asyncio.timeout(REQUEST_SECONDS):
            socket = await session.ws_connect(
                f"{url.rstrip('/')}/v1/ws", headers=headers, max_msg_size=_LARGEST_MESSAGE
            )
    except aiohttp.WSServerHandshakeError as error:
        if error.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            raise WitnessAuthFailedError("unauthorized") from error
        raise WitnessUnsupportedError("no_witness_there", str(error.status)) from error
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
        raise WitnessUnreachableError("cannot_connect", str(error)) from error
    try:
        yield socket
    finally:
        await socket.close()


async def async_probe(session: aiohttp.ClientSession, url: str, token: str, *, monotonic: Callable[[], float]) -> Hello:
    """Connect once, to see who answers.

    Raises:
        WitnessError: unreachable, not accepted, late, or no witness.
        MessageError: the answer has not the agreed form.
    """
    async with open_socket(session, url, token) as socket:
        connection = Connection(socket, monotonic=monotonic, on_announcement=lambda _: None)
        reading = asyncio.ensure_future(connection.async_read())
        try:
            return await connection.async_hello()
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
