"""The HTTP server: health without a token, everything else behind one."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from aiohttp import web

from .access import Access
from .cameras.camera import CameraStatus
from .connection import MAX_MESSAGE, Connection
from .witness import Witness

MAX_CONNECTIONS = 16
_HEARTBEAT = 20.0
_SCHEME = "bearer "
_POLICY = 1008


def _post(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    """Run ``call`` on the loop's thread; drop it if the server has already stopped."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(call)


class Server:
    """Routes, and the connections that are open."""

    def __init__(self, access: Access) -> None:
        """Demand one of the accepted tokens of every client."""
        self._access = access
        self._connections: set[Connection] = set()
        self._sockets: dict[web.WebSocketResponse, str] = {}
        self._witness: Witness | None = None

    def application(self) -> web.Application:
        """Return the HTTP application; its witness lives as long as it runs."""
        application = web.Application(client_max_size=MAX_MESSAGE)
        application.router.add_get("/v1/health", self._health)
        application.router.add_get("/v1/ws", self._connect)
        application.cleanup_ctx.append(self._run_witness)
        application.on_shutdown.append(self._hang_up)
        return application

    async def _run_witness(self, _application: web.Application) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()
        self._witness = Witness(post=lambda call: _post(loop, call), on_camera=self._announce_camera)
        yield
        await asyncio.to_thread(self._witness.stop)

    async def _hang_up(self, _application: web.Application) -> None:
        for socket in tuple(self._sockets):
            await socket.close(code=1001, message=b"shutting down")

    def use(self, token: str) -> bool:
        """Whether a connection that was opened with a token is open."""
        return token in self._sockets.values()

    async def hang_up_on(self, retired: list[str]) -> None:
        """End the connections that were opened with tokens that are no longer accepted."""
        for socket, token in tuple(self._sockets.items()):
            if token in retired:
                await socket.close(code=_POLICY, message=b"token retired")

    async def _health(self, _request: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    async def _connect(self, request: web.Request) -> web.StreamResponse:
        token = self._admitted(request.headers.get("Authorization", ""))
        if token is None:
            raise web.HTTPUnauthorized(headers={"WWW-Authenticate": "Bearer"})
        if self._witness is None or len(self._connections) >= MAX_CONNECTIONS:
            raise web.HTTPServiceUnavailable
        socket = web.WebSocketResponse(heartbeat=_HEARTBEAT, max_msg_size=MAX_MESSAGE)
        await socket.prepare(request)
        connection = Connection(self._witness, socket)
        self._connections.add(connection)
        self._sockets[socket] = token
        try:
            await connection.run()
        finally:
            self._connections.discard(connection)
            self._sockets.pop(socket, None)
        return socket

    def _admitted(self, header: str) -> str | None:
        """Return the token in a header if it is accepted."""
        scheme, given = header[: len(_SCHEME)], header[len(_SCHEME) :]
        admitted = self._access.admitted(given)
        return admitted if scheme.lower() == _SCHEME else None

    def _announce_camera(self, status: CameraStatus) -> None:
        for connection in tuple(self._connections):
            connection.announce_camera(status)
