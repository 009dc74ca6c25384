"""A scripted witness: a real WebSocket server of the contract's API that films ``PhysicalDevice`` objects.

Its frames are computed from the devices' light; it is no camera, and the real camera's path is tested elsewhere.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Final

from aiohttp import web

from tests.integration.lamps import PhysicalDevice

TOKEN: Final = "scripted-token"
ON_LEVEL, OFF_LEVEL = 140.0, 20.0
FRAME = 1 / 60
LATE = 0.004
"""Seconds between a frame's capture and the end of its interval."""


@dataclass(kw_only=True)
class ScriptedWitness:
    """``filmed`` maps the witness's lamp names to devices; ``boot_id`` equal to the machine's means one clock."""

    boot_id: str
    filmed: dict[str, PhysicalDevice] = field(default_factory=dict)
    url: str = ""
    token: str = TOKEN
    clock_ahead: float = 0.0
    faults: list[str] = field(default_factory=list)
    refusals: dict[str, str] = field(default_factory=dict)
    mute_windows: bool = False
    asked: list[dict[str, Any]] = field(default_factory=list)
    live: dict[str, str] = field(default_factory=dict)
    cameras: dict[str, str] = field(default_factory=dict)
    fps: float | None = 60.0
    strobes: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    sockets: list[web.WebSocketResponse] = field(default_factory=list)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def now(self) -> float:
        """Return the witness's clock."""
        return time.monotonic() + self.clock_ahead

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Serve one connection."""
        if request.headers.get("Authorization") != f"Bearer {self.token}":
            return web.Response(status=401)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        self.sockets.append(socket)
        async for message in socket:
            question = message.json()
            self.asked.append(question)
            code = self.refusals.get(question["type"])
            if code is not None:
                await socket.send_json({"id": question["id"], "ok": False, "error": {"code": code, "message": "no"}})
                continue
            result = self._result(socket, question)
            await socket.send_json({"id": question["id"], "ok": True, "result": result})
        return socket

    async def hang_up(self) -> None:
        """Break every connection."""
        for socket in self.sockets:
            await socket.close()
        self.sockets.clear()

    async def close(self) -> None:
        """End what still runs."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.hang_up()

    def _result(self, socket: web.WebSocketResponse, question: dict[str, Any]) -> dict[str, Any]:
        kind = question["type"]
        if kind == "register_lamp":
            self.cameras[question["lamp"]] = question["camera"]
        elif kind == "strobe":
            self._later(self._observe_strobe(socket, question))
        elif kind == "arm":
            self._later(self._film(socket, question))
        answers: dict[str, Callable[[], dict[str, Any]]] = {
            "hello": lambda: {"api": 1, "app_version": "0", "boot_id": self.boot_id, "monotonic": self.now()},
            "clock": lambda: {"monotonic": self.now()},
            "register_camera": lambda: {"camera": question["camera"], "width": 640, "height": 360, "epoch": 1},
            "register_lamp": lambda: {"lamp": question["lamp"]},
            "status": self._status,
            "finish_qualification": lambda: {"records": self._records(question["qualification"])},
            "arm": lambda: {"armed_at": self.now()},
        }
        return answers[kind]() if kind in answers else {}

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        async def unless_gone() -> None:
            with contextlib.suppress(ConnectionError):
                await work

        task = asyncio.get_running_loop().create_task(unless_gone())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def _status(self) -> dict[str, Any]:
        cameras = [
            {"camera": name, "connected": True, "epoch": 1, "fps": self.fps, "last_arrival": self.now(), "fault": None}
            for name in set(self.cameras.values())
        ]
        lamps = [
            {"lamp": lamp, "camera": camera, "qualification": self.live.get(lamp), "tier": "T2"}
            for lamp, camera in self.cameras.items()
        ]
        return {"cameras": cameras, "lamps": lamps}

    async def _observe_strobe(self, socket: web.WebSocketResponse, question: dict[str, Any]) -> None:
        await asyncio.sleep(max(0.0, question["observe_until"] - self.now()))
        lit = self.filmed[question["lamp"]].lit_at(time.monotonic())
        observed = "on" if lit else "off"
        if observed == question["state"]:
            self.strobes.setdefault(question["lamp"], []).append(question)
        await socket.send_json(
            {
                "type": "strobed",
                "qualification": question["qualification"],
                "lamp": question["lamp"],
                "index": len(self.strobes.get(question["lamp"], [])),
                "observed": observed,
            }
        )

    def _records(self, qualification: str) -> list[dict[str, Any]]:
        records = [self._record(qualification, lamp, strobes) for lamp, strobes in self.strobes.items()]
        self.live |= {record["lamp"]: qualification for record in records if record["verdict"] == "qualified"}
        self.strobes.clear()
        return records

    def _record(self, qualification: str, lamp: str, strobes: list[dict[str, Any]]) -> dict[str, Any]:
        by_state = {state: [one for one in strobes if one["state"] == state] for state in ("on", "off")}
        enough = all(len(found) >= 20 for found in by_state.values())
        references = [
            {"state": state, "frames": [_frame(number * 10.0 + second, state) for second in range(0, 10, 2)]}
            for state in ("on", "off")
            for number in range(5)
        ]
        boundaries = [0.05, 0.1, 0.25, 0.5, 1.0, 3.0]
        return {
            "version": 1,
            "qualification": qualification,
            "lamp": lamp,
            "camera": self.cameras[lamp],
            "epoch": 1,
            "boot_id": self.boot_id,
            "region": [0.1, 0.1, 0.2, 0.2],
            "reference_region": None,
            "channel": "luma",
            "made_at": self.now(),
            "valid_for": 86400.0,
            "references": references,
            "cross_response": [],
            "strobes": [_strobe(one, boundaries) for one in strobes],
            "timing": {
                "tier": "T2",
                "offset_hi": LATE,
                "offset_lo": -0.02,
                "frame_interval": FRAME,
                "arrival_bound": None,
                "arrival_gap_limit": 0.02,
            },
            "levels": {
                "on": ON_LEVEL,
                "off": OFF_LEVEL,
                "midpoint": (ON_LEVEL + OFF_LEVEL) / 2,
                "guard": 2.0,
                "spread": 0.0,
                "reference_on": None,
                "reference_off": None,
                "reference_spread": None,
            },
            "two_sided": {"on": boundaries, "off": boundaries},
            "verdict": "qualified" if enough else "refused",
            "refusals": [] if enough else ["too_few_strobes"],
        }

    async def _film(self, socket: web.WebSocketResponse, question: dict[str, Any]) -> None:
        """Answer an armed window once it has closed, one announcement per camera."""
        await asyncio.sleep(max(0.0, question["close_at"] - self.now()) + LATE)
        if self.mute_windows:
            return
        start = question["dispatched_at"] - question["lookback"]
        count = int((question["close_at"] - start) / FRAME)
        instants = [start + number * FRAME for number in range(count + 1)]
        for camera in {self.cameras[lamp] for lamp in question["lamps"]}:
            lamps = [lamp for lamp in question["lamps"] if self.cameras[lamp] == camera]
            announcement = {
                "type": "window",
                "window": question["window"],
                "camera": camera,
                "epoch": 1,
                "tier": "T2",
                "faults": self.faults,
                "lamps": {lamp: [self._sample(lamp, instant) for instant in instants] for lamp in lamps},
            }
            await socket.send_json(announcement)

    def _sample(self, lamp: str, instant: float) -> list[Any]:
        lit = self.filmed[lamp].lit_at(instant - self.clock_ahead)
        return [instant - LATE, instant + LATE, ON_LEVEL if lit else OFF_LEVEL, None]


def _frame(stamp: float, state: str) -> dict[str, Any]:
    level = ON_LEVEL if state == "on" else OFF_LEVEL
    return {"stamp": stamp, "level": level, "reference": None, "clipped": 0.0}


def _strobe(question: dict[str, Any], boundaries: list[float]) -> dict[str, Any]:
    """Return a strobe whose effect came within 20 ms, so that every boundary decides."""
    commanded_at = question["commanded_at"]
    return {
        "direction": question["state"],
        "commanded_at": commanded_at,
        "first_new_stamp": commanded_at + 0.0205,
        "first_new_arrival": commanded_at + 0.025,
        "earliest": commanded_at + 0.01,
        "latest": commanded_at + 0.025,
        "decided": boundaries,
    }
