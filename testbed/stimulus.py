"""The stimulus port: what happens to the home from outside, by hand, by weather, by accident."""

import json
import time
from typing import TYPE_CHECKING

from aiohttp import web

from testbed.device import Lie
from testbed.table import DeclarationError, Table

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from testbed.bridge import Bridge
    from testbed.camera import CameraStream
    from testbed.device import SwitchModel
    from testbed.house import House


class StimulusPort:
    """Takes POST requests with a JSON object; answers 204, 400 for a wrong body, 404 for an unknown name."""

    def __init__(self, house: House, bridge: Bridge, streams: dict[str, CameraStream]) -> None:
        """Act on ``house``; ``bridge`` reports what devices notice of it."""
        self._house = house
        self._bridge = bridge
        self._streams = streams

    def application(self) -> web.Application:
        """Return the HTTP application."""
        application = web.Application(middlewares=[_complain])
        application.router.add_post("/devices/{id}/switch", self._switch)
        application.router.add_post("/devices/{id}/cut", self._cut)
        application.router.add_post("/devices/{id}/lie", self._lie)
        application.router.add_post("/contact/{id}", self._contact)
        application.router.add_post("/ambient", self._ambient)
        application.router.add_post("/camera/{id}", self._camera)
        return application

    async def _switch(self, request: web.Request) -> web.Response:
        """``{"on": bool}``: switch at the device itself."""
        model, body = self._device(request), await _body(request)
        on = body.flag("on")
        body.finish()
        self._bridge.publish_later(model.declared.id, model.by_hand(time.monotonic(), on=on))
        return _done()

    async def _cut(self, request: web.Request) -> web.Response:
        """``{"cut": bool}``: take the device's power, or give it back."""
        model, body = self._device(request), await _body(request)
        cut = body.flag("cut")
        body.finish()
        model.cut(time.monotonic(), cut=cut)
        await self._bridge.set_available(model.declared.id, available=not cut)
        return _done()

    async def _lie(self, request: web.Request) -> web.Response:
        """``{"probability": p, "seed": n}``: from now on report without obeying; probability 0 makes it honest."""
        model, body = self._device(request), await _body(request)
        probability, seed = body.fraction("probability"), body.integer("seed", self._house.home.seed)
        body.finish()
        lie = Lie(probability=probability, random=self._house.chance(f"{model.declared.id}/lie/{seed}"))
        try:
            model.arm_lie(lie if probability > 0 else None)
        except ValueError as error:
            raise DeclarationError(str(error)) from error
        return _done()

    async def _contact(self, request: web.Request) -> web.Response:
        """``{"open": bool}``: open or close the door."""
        door = self._house.doors.get(request.match_info["id"])
        if door is None:
            raise web.HTTPNotFound(text=f"there is no contact sensor {request.match_info['id']!r}")
        body = await _body(request)
        opened = body.flag("open")
        body.finish()
        self._bridge.publish_later(door.declared.id, door.move(time.monotonic(), opened=opened))
        return _done()

    async def _ambient(self, request: web.Request) -> web.Response:
        """``{"level": light, "ramp_s": seconds}``: let the daylight move."""
        body = await _body(request)
        level, ramp_s = body.fraction("level"), body.at_least_zero("ramp_s", 0.0)
        body.finish()
        self._house.ambient.move(starts_at=time.monotonic(), level=level, duration_s=ramp_s)
        return _done()

    async def _camera(self, request: web.Request) -> web.Response:
        """Any of ``night``, ``auto_exposure``, ``freeze``, ``drop_connections`` (flags), ``offline_s`` (seconds)."""
        stream = self._streams.get(request.match_info["id"])
        if stream is None:
            raise web.HTTPNotFound(text=f"there is no camera {request.match_info['id']!r}")
        body = await _body(request)
        view = stream.view
        night = body.flag("night", default=view.night.target > 0)
        automatic = body.flag("auto_exposure", default=view.exposure.automatic)
        freeze = body.flag("freeze", default=stream.frozen)
        drop = body.flag("drop_connections", default=False)
        offline_s = body.at_least_zero("offline_s", 0.0)
        body.finish()
        now = time.monotonic()
        if night != (view.night.target > 0):
            view.night.move(starts_at=now, level=float(night), duration_s=view.camera.optics.night_blend_s)
        view.exposure.set_automatic(now, automatic=automatic)
        stream.frozen = freeze
        if offline_s > 0:
            stream.go_offline(offline_s)
        elif drop:
            stream.drop_connections()
        return _done()

    def _device(self, request: web.Request) -> SwitchModel:
        model = self._house.devices.get(request.match_info["id"])
        if model is None:
            raise web.HTTPNotFound(text=f"there is no switchable device {request.match_info['id']!r}")
        return model


def _done() -> web.Response:
    return web.Response(status=204)


async def _body(request: web.Request) -> Table:
    """Return the request's JSON object.

    Raises:
        DeclarationError: if it is not one.
    """
    try:
        return Table("body", json.loads(await request.text()))
    except json.JSONDecodeError as error:
        raise DeclarationError(f"the body is not JSON: {error}") from error


@web.middleware
async def _complain(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    try:
        return await handler(request)
    except DeclarationError as error:
        raise web.HTTPBadRequest(text=str(error)) from error
