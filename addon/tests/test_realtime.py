"""A whole qualification of two lamps in two cameras, then windows that are compared with what really happened."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from addon.tests.rig import ROOT, Client, Home, emulated_home, qualify, register, witness_app

pytestmark = [pytest.mark.realtime, pytest.mark.asyncio(loop_scope="module")]
LAMPS = ("desk_lamp", "shelf_lamp")
FAST, SLOW = "living", "corridor"
REGIONS = [f"{lamp}@{camera}" for camera in (FAST, SLOW) for lamp in LAMPS]
BOUNDARIES = (0.05, 0.1, 0.25, 0.5, 1.0)
WINDOW, LOOKBACK = 1.5, 0.5
TWO_MILLISECONDS = 0.002
"""By which intervals may be cut at their arrivals: what the clock's drift is allowed over the offset's memory."""


@dataclass(slots=True, kw_only=True)
class Qualified:
    """A home whose lamps have been qualified in both cameras."""

    client: Client
    home: Home
    records: dict[str, dict[str, Any]]
    pid: int


@dataclass(slots=True, kw_only=True)
class Watched:
    """One command, what both cameras said of it, and when the lamp's light really crossed its midpoint."""

    lamp: str
    state: str
    at: float
    windows: dict[str, dict[str, Any]]
    crossed: dict[str, float]
    frames: dict[str, list[float]]

    def samples(self, camera: str) -> list[list[float]]:
        samples: list[list[float]] = self.windows[camera]["lamps"][f"{self.lamp}@{camera}"]
        return samples


def declaration(folder: Path) -> Path:
    """Return the default home with a second camera: 30 JPEGs a second, 20 to 40 ms late, without a clock."""
    default = (ROOT / "testbed" / "homes" / "default.toml").read_text(encoding="utf-8")
    camera, regions = default[default.index("[camera.living]") :].split("[camera.living.regions]")
    slow = camera.replace("living", SLOW).replace('"mpegts"', '"mjpeg"').replace("fps = 60", "fps = 30")
    slow = slow.replace("lateness_s = 0.0", "lateness_s = 0.02").replace(
        "delivery_jitter_s = 0.0", "delivery_jitter_s = 0.02"
    )
    path = folder / "home.toml"
    path.write_text(f"{default}\n{slow}\n[camera.{SLOW}.regions]{regions}", encoding="utf-8")
    return path


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def qualified(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Qualified]:
    folder = tmp_path_factory.mktemp("realtime")
    async with witness_app(folder) as app, emulated_home(folder, declaration=declaration(folder)) as home:
        client = await app.connect()
        for camera in (FAST, SLOW):
            await register(client, home, [f"{lamp}@{camera}" for lamp in LAMPS], camera)
        for lamp in LAMPS:
            await home.switch(lamp, "off")
        await asyncio.sleep(1.5)
        records = await qualify(client, home, REGIONS)
        yield Qualified(client=client, home=home, records=records, pid=app.pid)
        await client.close()


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def watched(qualified: Qualified) -> list[Watched]:
    """Both lamps switched at random moments, a dozen commands in all."""
    chance, found = random.Random(5), []
    for number in range(12):
        lamp, state = LAMPS[number % 2], "on" if number // 2 % 2 == 0 else "off"
        await asyncio.sleep(chance.uniform(0.6, 0.9))
        found.append(await _watch(qualified, f"w{number}", lamp, state))
    return found


async def _watch(qualified: Qualified, window: str, lamp: str, state: str) -> Watched:
    client, home = qualified.client, qualified.home
    at = await home.switch(lamp, state)
    fields = {"dispatched_at": at, "close_at": at + WINDOW, "lookback": LOOKBACK}
    await client.ask("arm", window=window, lamps=[f"{lamp}@{camera}" for camera in (FAST, SLOW)], **fields)
    windows = {camera: await _window(client, window, camera) for camera in (FAST, SLOW)}
    crossings = await home.truth("crossings", since=at - 0.001)
    frames = {camera: await home.truth("frames", camera=camera, since=at - 3) for camera in (FAST, SLOW)}
    return Watched(
        lamp=lamp,
        state=state,
        at=at,
        windows=windows,
        crossed={one["camera"]: one["crossed_at"] for one in crossings if one["device"] == lamp},
        frames={camera: [frame["captured_at"] for frame in shown] for camera, shown in frames.items()},
    )


async def _window(client: Client, window: str, camera: str) -> dict[str, Any]:
    return await client.announcement(
        lambda m: (m["type"], m.get("window"), m.get("camera")) == ("window", window, camera)
    )


def captures(one: Watched, camera: str) -> list[tuple[list[float], float]]:
    """Pair each sample with the true capture time of its frame.

    A stream clock keeps the frames' exact distances, which no two places of a jittering camera share. Without one, a
    frame is the last one captured before it arrived: nothing is later than one frame interval here.
    """
    samples, frames = one.samples(camera), one.frames[camera]
    if one.windows[camera]["tier"] == "T3":
        return [(sample, max(at for at in frames if at <= sample[1] - 0.02)) for sample in samples]
    latest = [sample[1] for sample in samples]
    best = min(range(len(frames) - len(samples) + 1), key=lambda start: _misfit(latest, frames[start:]))
    assert _misfit(latest, frames[best:]) < TWO_MILLISECONDS
    return list(zip(samples, frames[best:], strict=False))


def _misfit(latest: list[float], frames: list[float]) -> float:
    distances = [late - frame for late, frame in zip(latest, frames, strict=False)]
    return max(distances) - min(distances)


async def test_every_lamp_qualifies_in_both_cameras(qualified: Qualified) -> None:
    for region in REGIONS:
        record = qualified.records[region]
        assert (record["verdict"], record["refusals"]) == ("qualified", [])
        assert record["timing"]["tier"] == ("T2" if region.endswith(FAST) else "T3")
        assert len(record["strobes"]) == 40
    status = await qualified.client.ask("status")
    assert {lamp["lamp"]: lamp["qualification"] for lamp in status["lamps"]} == dict.fromkeys(REGIONS, "q")


async def test_the_fast_camera_decides_at_a_quarter_second(qualified: Qualified) -> None:
    for lamp in LAMPS:
        record = qualified.records[f"{lamp}@{FAST}"]
        # Not all of them: how many depends on how busy the machine is, which is no property of the witness.
        assert sum(0.25 in strobe["decided"] for strobe in record["strobes"]) > 20
        assert {1.0, 3.0} <= set(record["two_sided"]["off"]) & set(record["two_sided"]["on"])


async def test_windows_are_whole_and_without_faults(watched: list[Watched]) -> None:
    for one in watched:
        for camera in (FAST, SLOW):
            samples = one.samples(camera)
            # A busy machine may delay arrivals more than it did at qualification: then T3 rightly says nothing.
            assert one.windows[camera]["faults"] in ([], ["arrival_gap"] if camera == SLOW else [])
            assert min(sample[1] for sample in samples) <= one.at
            assert max(sample[0] for sample in samples) >= one.at + WINDOW
            assert all(sample[0] <= sample[1] for sample in samples)


@pytest.mark.parametrize("camera", [FAST, SLOW])
async def test_no_true_capture_lies_outside_its_interval(watched: list[Watched], camera: str) -> None:
    for one in watched:
        for sample, captured in captures(one, camera):
            assert sample[0] <= captured <= sample[1]


async def test_a_capture_lies_within_one_frame_interval_of_every_boundary(watched: list[Watched]) -> None:
    for one in watched:
        taken = [captured for _, captured in captures(one, FAST)]
        for boundary in BOUNDARIES:
            # The camera itself may drop a frame on a busy machine: what it filmed next, the witness must have taken.
            filmed = min(at for at in one.frames[FAST] if at >= one.at + boundary)
            assert filmed in taken


@pytest.mark.parametrize("camera", [FAST, SLOW])
async def test_what_the_samples_prove_is_true(watched: list[Watched], qualified: Qualified, camera: str) -> None:
    for one in watched:
        last_old, first_new = effect(one, camera, qualified.records[f"{one.lamp}@{camera}"]["levels"])
        assert last_old < one.crossed[camera] <= first_new


def effect(one: Watched, camera: str, levels: dict[str, float]) -> tuple[float, float]:
    """Return (A, B] of METHOD 2 from a window's samples."""
    old, new = (levels["off"], levels["on"]) if one.state == "on" else (levels["on"], levels["off"])
    margin = levels["guard"] / abs(new - old)
    placed = [(sample, (sample[2] - old) / (new - old)) for sample in one.samples(camera)]
    last_old = max(sample[0] for sample, position in placed if position <= 0.5 - margin)
    first_new = min(sample[1] for sample, position in placed if position >= 0.5 + margin and sample[1] > one.at)
    return last_old, first_new


async def test_windows_at_once_see_the_same_frames(qualified: Qualified) -> None:
    client, home = qualified.client, qualified.home
    at = await home.switch("desk_lamp", "on")
    spans = [(at - 0.1 * (number % 5), at + 0.3 + 0.02 * number) for number in range(20)]
    for number, (opens_at, closes_at) in enumerate(spans):
        fields = {"dispatched_at": at, "close_at": closes_at, "lookback": at - opens_at}
        await client.ask("arm", window=f"many {number}", lamps=[f"desk_lamp@{FAST}"], **fields)
    windows = [await client.window(f"many {number}") for number in range(20)]
    assert [window["faults"] for window in windows] == [[]] * 20
    samples = [window["lamps"][f"desk_lamp@{FAST}"] for window in windows]
    # The last one looks back the furthest and closes last: each other one is a part of it.
    for (opens_at, closes_at), seen in zip(spans, samples, strict=True):
        levels, whole = [sample[2] for sample in seen], samples[-1]
        starts = [
            start for start in range(len(whole)) if [one[2] for one in whole[start : start + len(seen)]] == levels
        ]
        assert any(start == 0 or whole[start - 1][1] < opens_at + TWO_MILLISECONDS for start in starts)
        assert seen[-1][0] >= closes_at


async def test_a_reconnect_faults_the_window_and_ends_the_qualification(qualified: Qualified) -> None:
    client, home = qualified.client, qualified.home
    at = await home.switch("desk_lamp", "off")
    fields = {"dispatched_at": at, "close_at": at + 2.0, "lookback": 0.2}
    await client.ask("arm", window="cut", lamps=[f"desk_lamp@{FAST}"], **fields)
    await home.stimulate(f"camera/{FAST}", drop_connections=True)
    assert (await client.window("cut"))["faults"] == ["stream_restarted"]
    live = {lamp["lamp"]: lamp["qualification"] for lamp in (await client.ask("status"))["lamps"]}
    assert live == {region: None if region.endswith(FAST) else "q" for region in REGIONS}
