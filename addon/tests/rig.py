"""A fake integration: the witness and the emulated home as processes, a client for each."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import secrets
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import aiohttp
from amqtt.client import MQTTClient  # type: ignore[import-untyped]
from amqtt.mqtt.constants import QOS_0  # type: ignore[import-untyped]

ROOT = Path(__file__).parents[2]
START_S = 30.0
REFERENCE_HOLD = 5.6


@asynccontextmanager
async def process(*argv: str, ports_file: Path) -> AsyncIterator[dict[str, Any]]:
    """Run a Python module until the block ends; yield what it wrote into its ports file."""
    log_file = ports_file.with_suffix(".log")
    log = await asyncio.to_thread(log_file.open, "wb")
    running = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        *argv,
        "--ports-file",
        str(ports_file),
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'addon'}", "PATH": "/usr/bin:/bin"},
        stdout=log,
        stderr=log,
    )
    try:
        async with asyncio.timeout(START_S):
            while not await asyncio.to_thread(ports_file.exists):
                assert running.returncode is None, await asyncio.to_thread(log_file.read_text)
                await asyncio.sleep(0.05)
        yield json.loads(ports_file.read_text()) | {"pid": running.pid}
    finally:
        if running.returncode is None:
            running.send_signal(signal.SIGTERM)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(10):
                    await running.wait()
        if running.returncode is None:
            running.kill()
        log.close()


class Refused(Exception):  # noqa: N818 - an answer, not a defect
    """The witness refused a request."""

    def __init__(self, error: dict[str, str]) -> None:
        super().__init__(f"{error['code']}: {error['message']}")
        self.code = error["code"]
        self.text = error["message"]


class Client:
    """One WebSocket to the witness."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.announced: list[dict[str, Any]] = []
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._numbers = 0
        self._news = asyncio.Condition()
        self._reading = asyncio.create_task(self._read())

    async def ask(self, request: str, /, **fields: Any) -> dict[str, Any]:
        """Return the result; raise Refused with the witness's code."""
        self._numbers += 1
        answer = self._answers[self._numbers] = asyncio.get_running_loop().create_future()
        await self.socket.send_json({"id": self._numbers, "type": request, **fields})
        async with asyncio.timeout(30):
            message = await answer
        if not message["ok"]:
            raise Refused(message["error"])
        result: dict[str, Any] = message["result"]
        return result

    async def announcement(self, matches: Callable[[dict[str, Any]], bool], within: float = 20.0) -> dict[str, Any]:
        """Wait for an announcement, also among those that have come already."""
        async with asyncio.timeout(within), self._news:
            while True:
                for message in self.announced:
                    if matches(message):
                        return message
                await self._news.wait()

    async def window(self, name: str, within: float = 20.0) -> dict[str, Any]:
        return await self.announcement(lambda m: m["type"] == "window" and m["window"] == name, within)

    async def strobed(self, lamp: str, index: int) -> dict[str, Any]:
        return await self.announcement(lambda m: m["type"] == "strobed" and (m["lamp"], m["index"]) == (lamp, index))

    async def close(self) -> None:
        self._reading.cancel()
        await self.socket.close()

    async def _read(self) -> None:
        async for message in self.socket:
            content = json.loads(message.data)
            if "id" in content:
                future = self._answers.pop(content["id"], None)
                if future is not None and not future.done():
                    future.set_result(content)
            else:
                async with self._news:
                    self.announced.append(content)
                    self._news.notify_all()


@dataclass(slots=True)
class WitnessApp:
    """A running witness."""

    url: str
    token: str
    pid: int
    session: aiohttp.ClientSession

    async def connect(self, *, hello: bool = True) -> Client:
        socket = await self.session.ws_connect(
            f"{self.url}/v1/ws", headers={"Authorization": f"Bearer {self.token}"}, max_msg_size=0
        )
        client = Client(socket)
        if hello:
            await client.ask("hello", api=1)
        return client


@asynccontextmanager
async def witness_app(folder: Path) -> AsyncIterator[WitnessApp]:
    """Run the witness."""
    token = secrets.token_urlsafe(24)
    token_file = folder / "token"
    token_file.write_text(token)
    arguments = ("simverity_witness", "--host", "127.0.0.1", "--port", "0", "--token-file", str(token_file))
    async with (
        process(*arguments, ports_file=folder / "witness.json") as ports,
        aiohttp.ClientSession() as session,
    ):
        yield WitnessApp(f"http://{ports['host']}:{ports['port']}", token, ports["pid"], session)


@dataclass(slots=True)
class Home:
    """The running emulated home."""

    ports: dict[str, Any]
    session: aiohttp.ClientSession
    mqtt: MQTTClient = field(default_factory=MQTTClient)

    @property
    def camera(self) -> dict[str, Any]:
        camera: dict[str, Any] = self.ports["cameras"]["living"]
        return camera

    async def connect(self) -> Self:
        await self.mqtt.connect(f"mqtt://{self.ports['mqtt']['host']}:{self.ports['mqtt']['port']}")
        return self

    async def switch(self, lamp: str, state: str) -> float:
        """Command a lamp as Home Assistant would; return when."""
        at = time.monotonic()
        await self.mqtt.publish(self.ports["devices"][lamp]["command_topic"], state.upper().encode(), QOS_0)
        return at

    async def truth(self, path: str, **query: Any) -> Any:
        async with self.session.get(f"{self.ports['truth']}/{path}", params=query) as answer:
            answer.raise_for_status()
            return await answer.json()

    async def stimulate(self, path: str, **body: Any) -> None:
        async with self.session.post(f"{self.ports['stimulus']}/{path}", json=body) as answer:
            answer.raise_for_status()


@asynccontextmanager
async def emulated_home(folder: Path, *settings: str, declaration: Path | None = None) -> AsyncIterator[Home]:
    """Run the emulated home, the default one or another, with ``KEY=VALUE`` settings."""
    chosen = ("--set", *settings) if settings else ()
    homes = ("--home", str(declaration)) if declaration else ()
    async with (
        process("testbed", *homes, *chosen, ports_file=folder / "home.json") as ports,
        aiohttp.ClientSession() as session,
    ):
        home = await Home(ports, session).connect()
        try:
            yield home
        finally:
            await home.mqtt.disconnect()


def lamp_of(region: str) -> str:
    """Return the lamp of a registered region, which is named ``lamp`` or ``lamp@camera``."""
    return region.partition("@")[0]


async def register(client: Client, home: Home, lamps: list[str], camera: str = "living") -> None:
    """Register a camera of the home, and regions by their own names."""
    declared = home.ports["cameras"][camera]
    await client.ask("register_camera", camera=camera, kind=declared["kind"], url=declared["url"])
    for lamp in lamps:
        region, reference = declared["regions"][lamp_of(lamp)], declared["reference"]
        await client.ask("register_lamp", lamp=lamp, camera=camera, region=region, reference=reference)


async def strobe_lamps(client: Client, home: Home, regions: list[str], *, strobes: int, references: int) -> None:
    """Strobe every lamp ``strobes`` times on and off, concurrently with independent random holds."""
    lamps: dict[str, list[str]] = {}
    for region in regions:
        lamps.setdefault(lamp_of(region), []).append(region)
    await asyncio.gather(
        *(_strobe_lamp(client, home, own, random.Random(lamp), strobes, references) for lamp, own in lamps.items())
    )


async def _strobe_lamp(
    client: Client, home: Home, regions: list[str], chance: random.Random, strobes: int, references: int
) -> None:
    held_long = {state: set(chance.sample(range(strobes), references)) for state in ("on", "off")}
    await asyncio.sleep(chance.uniform(0.0, 2.0))
    index = 0
    for number in range(strobes):
        for state in ("on", "off"):
            reference = number in held_long[state]
            hold = REFERENCE_HOLD if reference else chance.uniform(2.0, 2.4)
            at = await home.switch(lamp_of(regions[0]), state)
            times = {"commanded_at": at, "observe_until": at + hold}
            for lamp in regions:
                await client.ask("strobe", qualification="q", lamp=lamp, state=state, reference=reference, **times)
            for lamp in regions:
                seen = await client.strobed(lamp, index)
                assert seen["observed"] == state, seen
            index += 1


async def qualify(client: Client, home: Home, regions: list[str], *, strobes: int = 20, references: int = 5) -> Any:
    """Run a whole qualification; return the records by region."""
    boundaries = [0.05, 0.1, 0.25, 0.5, 1.0, 3.0]
    await client.ask("begin_qualification", qualification="q", lamps=regions, boundaries=boundaries, valid_for=3600.0)
    await strobe_lamps(client, home, regions, strobes=strobes, references=references)
    result = await client.ask("finish_qualification", qualification="q")
    return {record["lamp"]: record for record in result["records"]}
