"""What listens: the API, and under Supervisor the page; nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web

from . import ingress
from .access import Access
from .presence import Presence, Rhythm
from .server import Server
from .supervisor import Supervisor

_SHUTDOWN = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """The Home Assistant that started this witness as an app.

    Attributes:
        supervisor: what passes the announcement on.
        token_file: where the token is kept.
        ingress_port: where the page listens.
    """

    supervisor: Supervisor
    token_file: Path
    ingress_port: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where to listen, and whom to tell.

    Attributes:
        host: address to listen on.
        port: of the API; 0 takes a free one.
        ports_file: where the addresses are written once everything listens.
        home: None when a person started the witness.
    """

    host: str
    port: int
    ports_file: Path | None
    home: Home | None


async def serve(place: Place, access: Access) -> None:
    """Serve until SIGTERM or SIGINT.

    Raises:
        OSError: an address is taken, or not this machine's.
    """
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    server = Server(access)
    async with contextlib.AsyncExitStack() as running:
        host, port = await running.enter_async_context(_listening(server.application(), place.host, place.port))
        ports: dict[str, str | int] = {"host": host, "port": port}
        if place.home is not None:
            presence = _presence(place.home, access, server, port)
            page = ingress.page(access, presence, address=f"http://{socket.gethostname()}:{port}")
            listening = _listening(page, place.host, place.home.ingress_port)
            _, ports["ingress_port"] = await running.enter_async_context(listening)
            await running.enter_async_context(_in_background(presence))
        if place.ports_file is not None:
            _write_ports(place.ports_file, ports)
        await stopped.wait()


def _presence(home: Home, access: Access, server: Server, port: int) -> Presence:
    return Presence(
        access=access,
        token_file=home.token_file,
        supervisor=home.supervisor,
        host=socket.gethostname(),
        port=port,
        clients=server,
        rhythm=Rhythm(),
    )


@contextlib.asynccontextmanager
async def _listening(application: web.Application, host: str, port: int) -> AsyncIterator[tuple[str, int]]:
    runner = web.AppRunner(application, shutdown_timeout=_SHUTDOWN)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        address = runner.addresses[0]
        yield str(address[0]), int(address[1])
    finally:
        await runner.cleanup()


@contextlib.asynccontextmanager
async def _in_background(presence: Presence) -> AsyncIterator[None]:
    task = asyncio.create_task(presence.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def _write_ports(path: Path, ports: dict[str, str | int]) -> None:
    """Write at once, so that a reader never sees half a file."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    partial.write_text(json.dumps(ports), encoding="utf-8")
    partial.replace(path)
