"""Wires a declared home into running ports, and takes them down again."""

import asyncio
import contextlib
import json
import os
from typing import TYPE_CHECKING

import numpy as np
from aiohttp import web

from testbed import discovery
from testbed.bridge import Bridge
from testbed.broker import HomeBroker
from testbed.camera import CameraStream
from testbed.declaration import CameraKind, Contact, DeviceKind, Home, Switchable
from testbed.film import Film
from testbed.house import House
from testbed.stimulus import StimulusPort
from testbed.truth import TruthPort

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine
    from pathlib import Path

    from testbed.bridge import Lost

_SUFFIXES = {CameraKind.MPEGTS: "ts", CameraKind.MJPEG: "mjpeg"}


@contextlib.asynccontextmanager
async def emulated(home: Home, lost: Lost) -> AsyncIterator[dict[str, object]]:
    """Run the home; yield the addresses under which it can be reached.

    Args:
        home: what to emulate.
        lost: told when a part of the running home fails.

    Raises:
        OSError: if a declared port cannot be bound.
    """
    house = House(home)
    streams = {
        key: CameraStream(view, Film(view, np.random.default_rng(_seed(house, key))), house.chance(f"{key}/stream"))
        for key, view in house.views.items()
    }
    async with contextlib.AsyncExitStack() as running:
        broker = HomeBroker()
        mqtt_port = await broker.start(home.host, home.ports["mqtt"])
        running.push_async_callback(broker.stop)
        bridge = Bridge(house, lost)
        await bridge.start(home.host, mqtt_port)
        running.push_async_callback(bridge.stop)
        stimulus = await _serve(running, home, StimulusPort(house, bridge, streams).application(), "stimulus")
        truth = await _serve(running, home, TruthPort(house, streams).application(), "truth")
        camera_application = web.Application()
        for key, stream in streams.items():
            camera_application.router.add_get(_path(home, key), stream.serve)
        cameras = await _serve(running, home, camera_application, "camera")
        films: list[Coroutine[None, None, None]] = [
            work for stream in streams.values() for work in (stream.run(), stream.reconnect_for_ever())
        ]
        await running.enter_async_context(_tasks(films, lost))
        yield {
            "mqtt": {"host": home.host, "port": mqtt_port},
            "stimulus": stimulus,
            "truth": truth,
            "cameras": {key: _camera(home, key, cameras) for key in home.cameras},
            "devices": {key: _device(device) for key, device in (home.switchables | home.contacts).items()},
            "groups": {key: {"name": group.name, "members": list(group.members)} for key, group in home.groups.items()},
            "settled_s": home.settled_s,
            "seed": home.seed,
        }


def write_ports(path: Path, ports: dict[str, object]) -> None:
    """Write the addresses so that a reader sees either nothing or all of them."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    partial.write_text(json.dumps(ports, indent=2) + "\n", encoding="utf-8")
    partial.replace(path)


async def _serve(running: contextlib.AsyncExitStack, home: Home, application: web.Application, port: str) -> str:
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    running.push_async_callback(runner.cleanup)
    site = web.TCPSite(runner, home.host, home.ports[port])
    await site.start()
    bound: int = runner.addresses[0][1]
    return f"http://{home.host}:{bound}"


@contextlib.asynccontextmanager
async def _tasks(works: list[Coroutine[None, None, None]], lost: Lost) -> AsyncIterator[None]:
    loop = asyncio.get_running_loop()
    tasks = [loop.create_task(_watched(work, lost)) for work in works]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _watched(work: Coroutine[None, None, None], lost: Lost) -> None:
    try:
        await work
    except Exception as error:  # noqa: BLE001 - whatever it was, the home must not go on without this part
        lost(error)


def _seed(house: House, camera: str) -> int:
    return house.chance(f"{camera}/noise").getrandbits(63)


def _path(home: Home, camera: str) -> str:
    return f"/{camera}.{_SUFFIXES[home.cameras[camera].kind]}"


def _camera(home: Home, key: str, base: str) -> dict[str, object]:
    camera = home.cameras[key]
    return {
        "kind": camera.kind.value,
        "url": base + _path(home, key),
        "fps": camera.fps,
        "width": camera.width,
        "height": camera.height,
        "regions": {device: region.as_list() for device, region in camera.regions.items()},
        "reference": camera.reference.as_list(),
    }


def _device(device: Switchable | Contact) -> dict[str, object]:
    described: dict[str, object] = {
        "kind": DeviceKind.CONTACT.value if isinstance(device, Contact) else device.kind.value,
        "name": device.name,
        "entity_id": discovery.entity_id(device),
        "state_topic": discovery.state_topic(device.id),
        "availability_topic": discovery.availability_topic(device.id),
    }
    if isinstance(device, Switchable):
        described |= {"command_topic": discovery.command_topic(device.id), "report": device.report.value}
    return described
