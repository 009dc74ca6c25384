"""A scripted Supervisor: real HTTP, the rules that Supervisor has for an app's announcements, and no more.

It answers as a test tells it to; nothing here is Supervisor's own code.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

KEY = "supervisor key"


@dataclass(kw_only=True)
class ScriptedSupervisor:
    """``statuses`` are answered first, one by one; ``listed`` are the services that the app's configuration names."""

    url: str = ""
    listed: list[str] = field(default_factory=lambda: ["simverity"])
    statuses: list[int] = field(default_factory=list)
    asked: int = 0
    taken: list[dict[str, Any]] = field(default_factory=list)
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def discovery(self, request: web.Request) -> web.Response:
        """Take an announcement, if the app may make it."""
        async with self._news:
            self.asked += 1
            self._news.notify_all()
        if request.headers.get("Authorization") != f"Bearer {KEY}":
            return web.json_response({"result": "error", "message": "unauthorized"}, status=401)
        if self.statuses:
            return web.json_response({"result": "error"}, status=self.statuses.pop(0))
        message = await request.json()
        if message["service"] not in self.listed:
            return web.json_response({"result": "error", "message": "not listed"}, status=403)
        async with self._news:
            self.taken.append(message)
            self._news.notify_all()
        return web.json_response({"result": "ok", "data": {"uuid": "0f" * 16}})

    async def wait_for(self, taken: int = 0, asked: int = 0) -> None:
        """Wait until so many announcements were taken, or made."""
        async with asyncio.timeout(20), self._news:
            await self._news.wait_for(lambda: len(self.taken) >= taken and self.asked >= asked)


@asynccontextmanager
async def scripted_supervisor() -> AsyncIterator[ScriptedSupervisor]:
    """Run one on this machine."""
    supervisor = ScriptedSupervisor()
    application = web.Application()
    application.router.add_post("/discovery", supervisor.discovery)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    supervisor.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield supervisor
    finally:
        await runner.cleanup()
