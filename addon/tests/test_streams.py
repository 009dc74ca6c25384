"""The witness against real streams of the emulated home: plumbing only, what a short run can show."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from addon.tests.rig import Client, Home, Refused, WitnessApp, emulated_home, register, witness_app

LAMP = "desk_lamp"
on_one_loop = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def app(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[WitnessApp]:
    async with witness_app(tmp_path_factory.mktemp("witness")) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="module", scope="module", params=["mpegts", "mjpeg"])
async def home(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Home]:
    settings = (f'camera.kind="{request.param}"', "camera.fps=30")
    async with emulated_home(tmp_path_factory.mktemp("home"), *settings) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="module")
async def client(app: WitnessApp, home: Home) -> AsyncIterator[Client]:
    connected = await app.connect()
    await register(connected, home, [LAMP])
    yield connected
    await connected.ask("forget_camera", camera="living")
    await connected.close()


async def begin(client: Client) -> None:
    await client.ask("begin_qualification", qualification="q", lamps=[LAMP], boundaries=[0.25, 1.0], valid_for=3600.0)


async def strobe(client: Client, home: Home, state: str) -> None:
    at = await home.switch(LAMP, state)
    await client.ask(
        "strobe",
        qualification="q",
        lamp=LAMP,
        state=state,
        commanded_at=at,
        observe_until=at + 1.5,
        reference=False,
    )


async def refused(client: Client, request: str, /, **fields: Any) -> str:
    with pytest.raises(Refused) as error:
        await client.ask(request, **fields)
    return error.value.code


@on_one_loop
async def test_registration_tells_the_frame(client: Client, home: Home) -> None:
    camera = home.camera
    told = await client.ask("register_camera", camera="living", kind=camera["kind"], url=camera["url"])
    assert (told["width"], told["height"]) == (camera["width"], camera["height"])
    status = await client.ask("status")
    assert status["lamps"] == [{"lamp": LAMP, "camera": "living", "qualification": None, "tier": None}]
    assert status["cameras"][0]["connected"]
    assert status["cameras"][0]["epoch"] == told["epoch"]


@on_one_loop
async def test_a_region_outside_the_frame_is_refused(client: Client) -> None:
    fields: dict[str, Any] = {"lamp": "other", "camera": "living", "reference": None}
    assert await refused(client, "register_lamp", region=[0.9, 0.9, 0.2, 0.05], **fields) == "region_outside_frame"
    fields["reference"] = [-0.1, 0.0, 0.2, 0.2]
    assert await refused(client, "register_lamp", region=[0.1, 0.1, 0.1, 0.1], **fields) == "region_outside_frame"


@on_one_loop
async def test_strobes_are_seen_and_a_short_qualification_is_refused(client: Client, home: Home) -> None:
    await home.switch(LAMP, "off")
    await begin(client)
    assert (
        await refused(client, "begin_qualification", qualification="r", lamps=[LAMP], boundaries=[1], valid_for=9)
        == "qualification_running"
    )
    await asyncio.sleep(1.5)
    for index, state in enumerate(("on", "off", "off")):
        await strobe(client, home, state)
        assert (await client.strobed(LAMP, index))["observed"] == state
    record = (await client.ask("finish_qualification", qualification="q"))["records"][0]
    assert record["verdict"] == "refused"
    assert set(record["refusals"]) >= {"too_few_references", "too_few_strobes"}
    now = time.monotonic()
    arm = {"lamps": [LAMP], "dispatched_at": now, "close_at": now + 1, "lookback": 0.5}
    assert await refused(client, "arm", window="w", **arm) == "not_qualified"


@on_one_loop
async def test_a_lamp_that_does_not_follow_is_told(client: Client, home: Home) -> None:
    await home.switch(LAMP, "off")
    await begin(client)
    await asyncio.sleep(1.5)
    await strobe(client, home, "on")
    assert (await client.strobed(LAMP, 0))["observed"] == "on"
    at = time.monotonic()
    fields = {"commanded_at": at, "observe_until": at + 1.0, "reference": False}
    await client.ask("strobe", qualification="q", lamp=LAMP, state="off", **fields)
    assert (await client.strobed(LAMP, 1))["observed"] == "on"
    await client.ask("cancel_qualification", qualification="q")


@on_one_loop
async def test_a_reconnect_is_announced_and_ends_a_qualification(client: Client, home: Home) -> None:
    epoch = (await client.ask("status"))["cameras"][0]["epoch"]
    await begin(client)
    await home.stimulate("camera/living", drop_connections=True)
    lost = await client.announcement(lambda m: m["type"] == "camera" and not m["connected"])
    assert lost["fault"] == "camera_unreachable"
    back = await client.announcement(lambda m: m["type"] == "camera" and m["connected"] and m["epoch"] > epoch)
    assert back["fault"] is None
    record = (await client.ask("finish_qualification", qualification="q"))["records"][0]
    assert "stream_restarted" in record["refusals"]


@on_one_loop
async def test_a_frozen_camera_does_not_qualify(client: Client, home: Home) -> None:
    await home.stimulate("camera/living", freeze=True)
    await begin(client)
    await asyncio.sleep(4.0)
    record = (await client.ask("finish_qualification", qualification="q"))["records"][0]
    await home.stimulate("camera/living", freeze=False)
    assert "repeated_frames" in record["refusals"]


@on_one_loop
async def test_what_a_vanished_client_left_open_is_dropped(app: WitnessApp, client: Client) -> None:
    other = await app.connect()
    await begin(other)
    await other.close()
    async with asyncio.timeout(5):
        while True:
            try:
                await begin(client)
            except Refused:
                await asyncio.sleep(0.05)
            else:
                break
    await client.ask("cancel_qualification", qualification="q")


@on_one_loop
async def test_an_offline_camera_is_tried_again_until_it_delivers(client: Client, home: Home) -> None:
    epoch = (await client.ask("status"))["cameras"][0]["epoch"]
    await client.ask("forget_camera", camera="living")
    await home.stimulate("camera/living", offline_s=1.0)
    with pytest.raises(Refused) as error:
        await register(client, home, [LAMP])
    assert error.value.code == "camera_unreachable"
    await client.announcement(lambda m: m["type"] == "camera" and m["connected"] and m["epoch"] > epoch)
    await register(client, home, [LAMP])
