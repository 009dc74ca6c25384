"""A witness app that answers as the contract says, over a real WebSocket, and refuses what a test tells it to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from aiohttp import web

TOKEN = "right token"
GREETING: Final = {"api": 1, "app_version": "0.1.0", "boot_id": "b", "monotonic": 1.0}


@dataclass(kw_only=True)
class WitnessApp:
    """``refusals`` maps request types to error codes; ``asked`` keeps every request in order."""

    url: str = ""
    refusals: dict[str, str] = field(default_factory=dict)
    asked: list[dict[str, Any]] = field(default_factory=list)
    status: int | None = None
    greeting: dict[str, Any] = field(default_factory=lambda: dict(GREETING))

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Serve one connection."""
        if request.headers.get("Authorization") != f"Bearer {TOKEN}":
            return web.Response(status=401)
        if self.status is not None:
            return web.Response(status=self.status)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        async for message in socket:
            question = message.json()
            self.asked.append(question)
            await socket.send_json({"type": "camera", "camera": "other", "connected": True, "epoch": 1, "fault": None})
            await socket.send_json({"id": question["id"], **self._reply(question)})
        return socket

    def _reply(self, question: dict[str, Any]) -> dict[str, Any]:
        if (code := self.refusals.get(question["type"])) is not None:
            return {"ok": False, "error": {"code": code, "message": "refused"}}
        results: dict[str, dict[str, Any]] = {
            "hello": self.greeting,
            "register_camera": {"camera": question.get("camera"), "width": 640, "height": 360, "epoch": 1},
            "register_lamp": {"lamp": question.get("lamp")},
            "status": {"cameras": [], "lamps": []},
            "clock": {"monotonic": 1.0},
        }
        return {"ok": True, "result": results.get(question["type"], {})}
