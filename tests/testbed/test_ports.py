"""The stimulus and truth ports, the broker and the camera of a running home, over real sockets."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import stdev

import aiohttp
import pytest
from amqtt.client import MQTTClient  # type: ignore[import-untyped]

from testbed.declaration import Home
from testbed.emulation import emulated
from testbed.table import Value

pytestmark = pytest.mark.realtime

PATIENCE_S = 20.0
"""How long a test waits for something that takes milliseconds, before it calls it missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A running home and ways to reach it."""

    session: aiohttp.ClientSession
    stimulus: str
    truth: str
    camera: str
    mqtt_port: int

    async def post(self, path: str, body: Value) -> int:
        async with self.session.post(self.stimulus + path, json=body) as response:
            return response.status

    async def complaint(self, path: str, body: str) -> tuple[int, str]:
        async with self.session.post(self.stimulus + path, data=body) as response:
            return response.status, await response.text()

    async def get(self, path: str) -> Value:
        async with self.session.get(self.truth + path) as response:
            assert response.status == 200, await response.text()
            answer: Value = await response.json()
            return answer


def table(value: Value | object) -> dict[str, Value]:
    assert isinstance(value, dict)
    return value


def rows(value: Value) -> list[dict[str, Value]]:
    assert isinstance(value, list)
    return [table(row) for row in value]


def number(value: Value) -> float:
    assert isinstance(value, int | float)
    return float(value)


def fail(error: BaseException) -> None:
    raise error


@asynccontextmanager
async def run(home: Home) -> AsyncIterator[Running]:
    async with emulated(home, fail) as ports, aiohttp.ClientSession() as session:
        mqtt, cameras = table(ports["mqtt"]), table(ports["cameras"])
        yield Running(
            session=session,
            stimulus=str(ports["stimulus"]),
            truth=str(ports["truth"]),
            camera=str(table(cameras["living"])["url"]),
            mqtt_port=int(number(mqtt["port"])),
        )


@pytest.fixture
async def running(home: Home) -> AsyncIterator[Running]:
    async with run(home) as started:
        yield started


@pytest.fixture
async def mqtt(running: Running) -> AsyncIterator[MQTTClient]:
    client = MQTTClient()
    await client.connect(f"mqtt://127.0.0.1:{running.mqtt_port}")
    yield client
    await client.disconnect()


async def next_report(mqtt: MQTTClient) -> tuple[str, str]:
    message = await mqtt.deliver_message(timeout_duration=PATIENCE_S)
    return str(message.topic), bytes(message.data).decode()


async def light_to(running: Running, device: str) -> float:
    devices = table(table(await running.get("/devices"))["devices"])
    return number(table(devices[device])["light_to"])


async def test_a_late_subscriber_learns_every_device_and_its_state(running: Running, mqtt: MQTTClient) -> None:
    await mqtt.subscribe([("homeassistant/light/+/config", 0), ("testbed/desk_lamp/#", 0)])

    seen = dict([await next_report(mqtt) for _ in range(6 + 2)])

    assert {topic for topic in seen if topic.startswith("homeassistant")} == {
        f"homeassistant/light/testbed_{lamp}/config"
        for lamp in ("desk_lamp", "shelf_lamp", "gated_lamp", "lying_lamp", "ceiling_a", "ceiling_b")
    }
    assert (seen["testbed/desk_lamp/state"], seen["testbed/desk_lamp/availability"]) == ("OFF", "online")


async def test_a_command_moves_the_light_and_is_reported(running: Running, mqtt: MQTTClient) -> None:
    await mqtt.subscribe([("testbed/desk_lamp/state", 0)])
    assert await next_report(mqtt) == ("testbed/desk_lamp/state", "OFF")

    await mqtt.publish("testbed/desk_lamp/set", b"ON")

    assert await next_report(mqtt) == ("testbed/desk_lamp/state", "ON")
    assert await light_to(running, "desk_lamp") == 1.0


async def test_home_assistants_birth_message_asks_for_every_state(running: Running, mqtt: MQTTClient) -> None:
    await mqtt.subscribe([("testbed/+/state", 0)])
    retained = {await next_report(mqtt) for _ in range(9)}

    await mqtt.publish("homeassistant/status", b"online")

    assert {await next_report(mqtt) for _ in range(9)} == retained


async def test_switching_by_hand_is_external_and_reported(running: Running, mqtt: MQTTClient) -> None:
    await mqtt.subscribe([("testbed/plug/state", 0)])
    assert await next_report(mqtt) == ("testbed/plug/state", "OFF")

    assert await running.post("/devices/plug/switch", {"on": True}) == 204

    assert await next_report(mqtt) == ("testbed/plug/state", "ON")
    assert [row["cause"] for row in rows(await running.get("/crossings?since=0"))] == ["hand"]


async def test_a_cut_device_becomes_unavailable_and_dark(running: Running, mqtt: MQTTClient) -> None:
    await running.post("/devices/shelf_lamp/switch", {"on": True})
    await mqtt.subscribe([("testbed/shelf_lamp/availability", 0)])
    assert await next_report(mqtt) == ("testbed/shelf_lamp/availability", "online")

    assert await running.post("/devices/shelf_lamp/cut", {"cut": True}) == 204

    assert await next_report(mqtt) == ("testbed/shelf_lamp/availability", "offline")
    assert await light_to(running, "shelf_lamp") == 0.0
    assert await running.post("/devices/shelf_lamp/cut", {"cut": False}) == 204
    assert await next_report(mqtt) == ("testbed/shelf_lamp/availability", "online")


async def test_a_door_reports_its_movement(running: Running, mqtt: MQTTClient) -> None:
    await mqtt.subscribe([("testbed/front_door/state", 0)])
    assert await next_report(mqtt) == ("testbed/front_door/state", "OFF")

    assert await running.post("/contact/front_door", {"open": True}) == 204

    assert await next_report(mqtt) == ("testbed/front_door/state", "ON")
    assert [row["open"] for row in rows(await running.get("/movements?since=0"))] == [True]


async def test_an_armed_liar_stays_dark_and_says_on(running: Running, mqtt: MQTTClient) -> None:
    await mqtt.subscribe([("testbed/lying_lamp/state", 0)])
    assert await next_report(mqtt) == ("testbed/lying_lamp/state", "OFF")

    assert await running.post("/devices/lying_lamp/lie", {"probability": 1.0, "seed": 1}) == 204
    await mqtt.publish("testbed/lying_lamp/set", b"ON")

    assert await next_report(mqtt) == ("testbed/lying_lamp/state", "ON")
    (row,) = rows(await running.get("/crossings?since=0"))
    assert {"obeyed": False, "crossed_at": None, "already_there": False}.items() <= row.items()


async def test_daylight_moves_the_levels_of_every_region(running: Running) -> None:
    now = number(table(await running.get("/devices"))["now"])
    before = table(table(await running.get(f"/light?device=desk_lamp&at={now}"))["levels"])

    assert await running.post("/ambient", {"level": 0.3, "ramp_s": 0}) == 204

    later = number(table(await running.get("/devices"))["now"])
    after = table(table(await running.get(f"/light?device=desk_lamp&at={later}"))["levels"])
    assert number(after["living"]) > number(before["living"]) + 50


async def test_an_offline_camera_hangs_up_and_comes_back(running: Running) -> None:
    async with running.session.get(running.camera) as stream:
        assert await stream.content.readexactly(188)
        assert await running.post("/camera/living", {"offline_s": 0.3}) == 204
        await asyncio.wait_for(stream.content.read(), PATIENCE_S)
    async with running.session.get(running.camera) as refused:
        assert refused.status == 503

    await asyncio.sleep(0.3)
    async with running.session.get(running.camera) as stream:
        assert await stream.content.readexactly(188)


async def test_a_reconnected_camera_starts_a_new_stream(running: Running) -> None:
    for _ in range(2):
        async with running.session.get(running.camera) as stream:
            assert await stream.content.readexactly(188 * 20)
            await running.post("/camera/living", {"drop_connections": True})
            await asyncio.wait_for(stream.content.read(), PATIENCE_S)

    frames = rows(await running.get("/frames?camera=living&since=0"))

    assert {number(frame["stream"]) for frame in frames} == {1.0, 2.0}


async def test_a_frozen_camera_repeats_an_old_capture(running: Running) -> None:
    async with running.session.get(running.camera) as stream:
        await stream.content.readexactly(188)
        await running.post("/camera/living", {"freeze": True})
        await stream.content.readexactly(188 * 60)

    frames = rows(await running.get("/frames?camera=living&since=0"))[-3:]

    assert len({number(frame["captured_at"]) for frame in frames}) == 1
    assert len({number(frame["stamped_at"]) for frame in frames}) == 3


async def test_a_late_camera_sends_nothing_before_its_lateness(home: Home) -> None:
    camera = home.cameras["living"]
    late = replace(camera, delivery=replace(camera.delivery, lateness_s=0.3, delivery_jitter_s=0.05))
    async with run(replace(home, cameras={"living": late})) as running:
        async with running.session.get(running.camera) as stream:
            await stream.content.readexactly(188)
            arrived_at = time.monotonic()
        frames = rows(await running.get("/frames?camera=living&since=0"))

    assert arrived_at - number(frames[0]["captured_at"]) >= 0.3


async def test_a_camera_that_reconnects_hangs_up_by_itself(home: Home) -> None:
    camera = home.cameras["living"]
    restless = replace(camera, delivery=replace(camera.delivery, reconnect_every_s=0.3))
    async with (
        run(replace(home, cameras={"living": restless})) as running,
        running.session.get(running.camera) as stream,
    ):
        received = await asyncio.wait_for(stream.content.read(), PATIENCE_S)

    assert received


async def test_jitter_spreads_the_captures_without_reordering_them(home: Home) -> None:
    jittery = replace(home.cameras["living"], capture_jitter_s=0.015)
    async with run(replace(home, cameras={"living": jittery})) as running:
        async with running.session.get(running.camera) as stream:
            await stream.content.readexactly(188 * 400)
        frames = rows(await running.get("/frames?camera=living&since=0"))

    stamps = [number(frame["pts"]) for frame in frames]
    gaps = [after - before for before, after in pairwise(stamps)]
    assert min(gaps) > 0
    # A steady 60 a second has gaps of 1500 ticks; uniform jitter of 15 ms spreads them by hundreds.
    assert stdev(gaps) > 300


async def test_late_frames_keep_their_order(home: Home) -> None:
    camera = home.cameras["living"]
    late = replace(camera, delivery=replace(camera.delivery, lateness_s=0.2, delivery_jitter_s=0.3))
    async with (
        run(replace(home, cameras={"living": late})) as running,
        running.session.get(running.camera) as stream,
    ):
        packets = [await stream.content.readexactly(188) for _ in range(600)]

    counters: dict[int, list[int]] = {}
    for packet in packets:
        counters.setdefault(int.from_bytes(packet[1:3]) & 0x1FFF, []).append(packet[3] & 0x0F)
    # Each elementary stream numbers its packets modulo 16: one frame that overtakes another breaks the count.
    assert all((after - before) % 16 == 1 for numbers in counters.values() for before, after in pairwise(numbers))


async def test_nothing_is_filmed_while_nobody_watches(running: Running) -> None:
    await asyncio.sleep(0.2)

    assert await running.get("/frames?camera=living&since=0") == []


@pytest.mark.parametrize(
    ("path", "body", "status", "complaint"),
    [
        ("/devices/ghost/switch", '{"on": true}', 404, "there is no switchable device 'ghost'"),
        ("/devices/front_door/switch", '{"on": true}', 404, "there is no switchable device 'front_door'"),
        ("/contact/desk_lamp", '{"open": true}', 404, "there is no contact sensor 'desk_lamp'"),
        ("/camera/attic", "{}", 404, "there is no camera 'attic'"),
        ("/devices/desk_lamp/switch", '{"on": "yes"}', 400, "body.on must be true or false, not 'yes'"),
        ("/devices/desk_lamp/switch", "{}", 400, "body.on is missing"),
        ("/devices/desk_lamp/switch", '{"on": true, "dim": 3}', 400, "unknown key body.dim"),
        ("/devices/desk_lamp/switch", "on", 400, "the body is not JSON"),
        ("/devices/desk_lamp/switch", "[]", 400, "body must be a table"),
        ("/devices/desk_lamp/lie", '{"probability": 0.3}', 400, "only a lying device can lie"),
        ("/devices/lying_lamp/lie", '{"probability": 3}', 400, "body.probability must lie in [0, 1]"),
        ("/ambient", '{"level": -1}', 400, "body.level must lie in [0, 1]"),
    ],
)
async def test_a_wrong_stimulus_is_refused_with_a_reason(
    running: Running, path: str, body: str, status: int, complaint: str
) -> None:
    answered, text = await running.complaint(path, body)

    assert answered == status
    assert complaint in text
