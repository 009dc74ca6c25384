"""The truth port: what really happened, for tests and for nothing else."""

import asyncio
import time
from dataclasses import asdict
from typing import TYPE_CHECKING

from aiohttp import web

if TYPE_CHECKING:
    from testbed.camera import CameraStream
    from testbed.device import Change
    from testbed.house import House

type Answer = dict[str, object]


class TruthPort:
    """Answers GET requests about the past and the present of the physical home."""

    def __init__(self, house: House, streams: dict[str, CameraStream]) -> None:
        """Answer about ``house`` and what its cameras filmed."""
        self._house = house
        self._streams = streams
        self._closed: dict[tuple[str, str, float], Answer] = {}

    def application(self) -> web.Application:
        """Return the HTTP application."""
        application = web.Application()
        application.router.add_get("/crossings", self._crossings)
        application.router.add_get("/frames", self._frames)
        application.router.add_get("/devices", self._devices)
        application.router.add_get("/movements", self._movements)
        application.router.add_get("/light", self._light)
        return application

    async def _crossings(self, request: web.Request) -> web.Response:
        since, now = _instant(request, "since"), time.monotonic()
        asked = [
            (camera, key, change)
            for camera, view in self._house.views.items()
            for key in view.scene.devices
            for change in tuple(self._house.devices[key].changes)
            if change.received_at >= since
        ]
        answers = []
        for camera, key, change in asked:
            answers.append(self._crossing(camera, key, change, now))
            # A long list must not keep the cameras from filming.
            await asyncio.sleep(0)
        return web.json_response(sorted(answers, key=_received_at))

    def _crossing(self, camera: str, key: str, change: Change, now: float) -> Answer:
        cached = self._closed.get((camera, key, change.received_at))
        if cached is not None:
            return cached
        ends_at = self._ends_at(change)
        found = self._house.views[camera].crossing(change, min(now, ends_at))
        final = found.already_there or found.crossed_at is not None or now >= ends_at
        answer: Answer = {
            "camera": camera,
            "device": key,
            "direction": "on" if change.on else "off",
            "cause": change.cause.value,
            "command_received_at": change.received_at,
            "obeyed": change.obeyed,
            "crossed_at": found.crossed_at,
            "already_there": found.already_there,
            "final": final,
            "level_from": found.level_from,
            "level_to": found.level_to,
        }
        if final:
            self._closed[camera, key, change.received_at] = answer
        return answer

    def _ends_at(self, change: Change) -> float:
        """Return when a change can no longer show: the device's next change, or the settled time."""
        later = (
            other.received_at
            for other in self._house.devices[change.device].changes
            if other.received_at > change.received_at
        )
        return min(change.received_at + self._house.home.settled_s, next(later, float("inf")))

    async def _frames(self, request: web.Request) -> web.Response:
        camera = request.query.get("camera", "")
        stream = self._streams.get(camera)
        if stream is None:
            raise web.HTTPNotFound(text=f"there is no camera {camera!r}")
        since = _instant(request, "since")
        return web.json_response([asdict(frame) for frame in tuple(stream.frames) if frame.stamped_at >= since])

    async def _devices(self, _request: web.Request) -> web.Response:
        now = time.monotonic()
        devices: Answer = {
            key: {
                "light": model.light.at(now),
                "light_to": model.light.target,
                "on": model.on,
                "powered": model.powered,
                "settles_at": max(0.0, model.light.settles_at),
            }
            for key, model in self._house.devices.items()
        }
        doors: Answer = {key: {"open": door.open} for key, door in self._house.doors.items()}
        ambient = self._house.ambient.at(now)
        return web.json_response({"now": now, "ambient": ambient, "devices": devices, "contacts": doors})

    async def _movements(self, request: web.Request) -> web.Response:
        since = _instant(request, "since")
        movements = [
            asdict(movement)
            for door in self._house.doors.values()
            for movement in door.movements
            if movement.moved_at >= since
        ]
        return web.json_response(movements)

    async def _light(self, request: web.Request) -> web.Response:
        """Answer the light of one device at one instant, and the noiseless level of its region in each camera."""
        device, instant = request.query.get("device", ""), _instant(request, "at")
        model = self._house.devices.get(device)
        if model is None:
            raise web.HTTPNotFound(text=f"there is no switchable device {device!r}")
        levels = {
            key: float(view.region(device).mean_level(view.at(instant)))
            for key, view in self._house.views.items()
            if device in view.scene.devices
        }
        return web.json_response({"device": device, "at": instant, "light": model.light.at(instant), "levels": levels})


def _instant(request: web.Request, name: str) -> float:
    try:
        return float(request.query.get(name, "0"))
    except ValueError:
        raise web.HTTPBadRequest(text=f"{name} must be monotonic seconds") from None


def _received_at(answer: Answer) -> float:
    return float(str(answer["command_received_at"]))
