"""The HTTP server: health without a token, everything else behind one."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
from collections.abc import AsyncIterator, Callable

from aiohttp import web

from .cameras.camera import CameraStatus
from .connection import MAX_MESSAGE, Connection
from .witness import Witness

MAX_CONNECTIONS = 16
_HEARTBEAT = 20.0
_SCHEME = "bearer "


def _post(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    """Run ``call`` on the loop's thread; drop it if the server has already stopped."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(call)


class Server:
    """Routes, and the connections that are open."""

    def __init__(self, token: str) -> None:
        """Demand ``token`` of every client."""
        self._token = token.encode()
        self._connections: set[Connection] = set()
        self._sockets: set[web.WebSocketResponse] = set()
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

    async def _health(self, _request: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    async def _connect(self, request: web.Request) -> web.StreamResponse:
        if not self._authorized(request.headers.get("Authorization", "")):
            raise web.HTTPUnauthorized(headers={"WWW-Authenticate": "Bearer"})
        if self._witness is None or len(self._connections) >= MAX_CONNECTIONS:
            raise web.HTTPServiceUnavailable
        socket = web.WebSocketResponse(heartbeat=_HEARTBEAT, max_msg_size=MAX_MESSAGE)
        await socket.prepare(request)
        connection = Connection(self._witness, socket)
        self._connections.add(connection)
        self._sockets.add(socket)
        try:
            await connection.run()
        finally:
            self._connections.discard(connection)
            self._sockets.discard(socket)
        return socket

    def _authorized(self, header: str) -> bool:
        """Compare in constant time, whatever was sent."""
        scheme, given = header[: len(_SCHEME)], header[len(_SCHEME) :]
        return hmac.compare_digest(given.encode("utf-8", "replace"), self._token) and scheme.lower() == _SCHEME

    def _announce_camera(self, status: CameraStatus) -> None:
        for connection in tuple(self._connections):
            connection.announce_camera(status)
