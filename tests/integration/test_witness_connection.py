"""One connection to what may be no witness at all: a real WebSocket server that answers as a test wants."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable

import aiohttp
import pytest
from aiohttp import web

from custom_components.simverity.adapters.witness.connection import Connection
from custom_components.simverity.adapters.witness.messages import WitnessTimeoutError, WitnessUnreachableError

type Answering = Callable[[web.WebSocketResponse, aiohttp.WSMessage], Awaitable[object]]


class Server:
    """Answers every message by ``answering``."""

    answering: Answering

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        async for message in socket:
            await self.answering(socket, message)
        return socket


@pytest.fixture
async def server(socket_enabled: None) -> AsyncIterator[tuple[Server, Connection, asyncio.Task[None]]]:
    """Return a server, a connection to it, and the task that reads from it."""
    served = Server()
    app = web.Application()
    app.router.add_get("/", served.handle)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    async with aiohttp.ClientSession() as session, session.ws_connect(f"http://127.0.0.1:{port}/") as socket:
        connection = Connection(socket, monotonic=time.monotonic, on_announcement=lambda _message: None)
        reading = asyncio.create_task(connection.async_read())
        yield served, connection, reading
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
    await runner.cleanup()


async def test_what_does_not_speak_json_is_no_witness(
    server: tuple[Server, Connection, asyncio.Task[None]],
) -> None:
    served, connection, reading = server

    async def nonsense(socket: web.WebSocketResponse, _message: aiohttp.WSMessage) -> None:
        await socket.send_str("{")

    served.answering = nonsense
    with pytest.raises(WitnessUnreachableError):
        await connection.async_request("hello", {})
    await reading
    with pytest.raises(WitnessUnreachableError):
        await connection.async_request("hello", {})


async def test_what_sends_no_text_is_hung_up_on(server: tuple[Server, Connection, asyncio.Task[None]]) -> None:
    served, connection, reading = server

    async def binary(socket: web.WebSocketResponse, _message: aiohttp.WSMessage) -> None:
        await socket.send_bytes(b"\x00")

    served.answering = binary
    with pytest.raises(WitnessUnreachableError):
        await connection.async_request("hello", {})
    await reading


async def test_what_never_answers_is_not_waited_for(server: tuple[Server, Connection, asyncio.Task[None]]) -> None:
    served, connection, _reading = server

    async def nothing(_socket: web.WebSocketResponse, _message: aiohttp.WSMessage) -> None:
        """Say nothing."""

    served.answering = nothing
    with pytest.raises(WitnessTimeoutError):
        await connection.async_request("hello", {}, patience=2.0)
