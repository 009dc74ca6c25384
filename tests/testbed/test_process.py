"""The emulated home as its own process: what a decoded frame shows agrees with what the truth port says."""

import asyncio
import json
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import av
import pytest
from amqtt.client import MQTTClient  # type: ignore[import-untyped]

from testbed.declaration import Region
from testbed.scene import pixel_bounds
from testbed.table import Value

pytestmark = pytest.mark.realtime

PATIENCE_S = 30.0
HOLD_S = 1.2
"""How long each state is held: twice the longest ramp."""


def ports_of(process: subprocess.Popen[bytes], ports_file: Path) -> dict[str, Value]:
    """Wait for the ports file; it appears whole or not at all."""
    deadline = time.monotonic() + PATIENCE_S
    while not ports_file.exists():
        assert process.poll() is None, "the testbed ended before it was ready"
        assert time.monotonic() < deadline, "the testbed did not become ready"
        time.sleep(0.05)
    ports: dict[str, Value] = json.loads(ports_file.read_text())
    return ports


@pytest.fixture
def started(
    tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[tuple[subprocess.Popen[bytes], dict[str, Value]]]:
    overrides: list[str] = getattr(request, "param", [])
    ports_file = tmp_path / "ports.json"
    command = [sys.executable, "-m", "testbed", "--seed", "1", "--ports-file", str(ports_file)]
    command += [word for override in overrides for word in ("--set", override)]
    with subprocess.Popen(command) as process:
        try:
            yield process, ports_of(process, ports_file)
        finally:
            process.kill()


@dataclass(slots=True)
class Watcher:
    """Decodes a stream in a thread until told to stop."""

    url: str
    frames: list[tuple[int, float]] = field(default_factory=list)
    """pts and mean level of the watched region."""
    stop: threading.Event = field(default_factory=threading.Event)

    def watch(self, region: Region) -> None:
        with av.open(self.url, mode="r", options={"fflags": "nobuffer", "analyzeduration": "0"}) as container:
            for frame in container.decode(video=0):
                rows, columns = pixel_bounds(region, frame.width, frame.height)
                luminance = frame.to_ndarray(format="gray")
                assert frame.pts is not None
                self.frames.append((frame.pts, float(luminance[rows, columns].mean())))
                if self.stop.is_set():
                    return


async def switch(port: int, states: list[bool]) -> list[tuple[float, float]]:
    """Command the desk lamp; return when each command was sent and when its report came."""
    client = MQTTClient()
    await client.connect(f"mqtt://127.0.0.1:{port}")
    await client.subscribe([("testbed/desk_lamp/state", 0)])
    await client.deliver_message(timeout_duration=PATIENCE_S)
    times = []
    for on in states:
        sent_at = time.monotonic()
        await client.publish("testbed/desk_lamp/set", b"ON" if on else b"OFF")
        message = await client.deliver_message(timeout_duration=PATIENCE_S)
        assert bytes(message.data) == (b"ON" if on else b"OFF")
        times.append((sent_at, time.monotonic()))
        await asyncio.sleep(HOLD_S)
    await client.disconnect()
    return times


def fetched(url: str) -> list[dict[str, Value]]:
    with urllib.request.urlopen(url) as answer:  # noqa: S310 - the process that this test started
        rows: list[dict[str, Value]] = json.loads(answer.read())
        return rows


def test_decoded_frames_cross_the_midpoint_where_truth_says(
    started: tuple[subprocess.Popen[bytes], dict[str, Value]],
) -> None:
    _, ports = started
    cameras, mqtt = ports["cameras"], ports["mqtt"]
    assert isinstance(cameras, dict)
    assert isinstance(mqtt, dict)
    camera = json.loads(json.dumps(cameras["living"]))
    x, y, width, height = camera["regions"]["desk_lamp"]
    watcher = Watcher(camera["url"])
    thread = threading.Thread(target=watcher.watch, args=(Region(x=x, y=y, width=width, height=height),))
    thread.start()
    try:
        times = asyncio.run(switch(int(str(mqtt["port"])), [True, False]))
    finally:
        watcher.stop.set()
        thread.join()

    captured = {row["pts"]: float(str(row["captured_at"])) for row in fetched(f"{ports['truth']}/frames?camera=living")}
    seen = [(captured[pts], level) for pts, level in watcher.frames]
    crossings = [row for row in fetched(f"{ports['truth']}/crossings") if row["device"] == "desk_lamp"]
    assert [row["direction"] for row in crossings] == ["on", "off"]
    for (sent_at, reported_at), row in zip(times, crossings, strict=True):
        crossed_at, received_at = float(str(row["crossed_at"])), float(str(row["command_received_at"]))
        before, after = float(str(row["level_from"])), float(str(row["level_to"]))
        # The declared report delay starts at 34 ms; the load of the machine can only lengthen it.
        assert reported_at - received_at >= 0.034
        assert sent_at < received_at < crossed_at
        past = [(level - (before + after) / 2) * (after - before) > 0 for at, level in seen if sent_at < at]
        instants = [at for at, _ in seen if sent_at < at]
        last_old = instants[past.index(True) - 1] if past.index(True) else sent_at
        # The frame just before the crossing may already be decoded a noise width past it, or the one after not yet.
        interval = 1 / camera["fps"]
        assert last_old <= crossed_at + interval
        assert instants[past.index(True)] >= crossed_at - interval
        settled = [level for at, level in seen if crossed_at + 0.5 < at < crossed_at + 0.8]
        assert all(abs(level - after) < 2.0 for level in settled)


@pytest.mark.parametrize("started", [["camera.kind=mjpeg", "camera.fps=12"]], indirect=True)
def test_the_mjpeg_camera_streams_whole_jpegs(started: tuple[subprocess.Popen[bytes], dict[str, Value]]) -> None:
    _, ports = started
    camera = json.loads(json.dumps(ports["cameras"]))["living"]

    with urllib.request.urlopen(camera["url"]) as stream:  # noqa: S310 - the process that this test started
        head = stream.read(400)

    assert camera["url"].endswith("/living.mjpeg")
    assert head.startswith(b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: ")
    assert b"\xff\xd8" in head


@pytest.mark.parametrize("name", ["terminate", "interrupt"])
def test_it_stops_cleanly_when_asked(started: tuple[subprocess.Popen[bytes], dict[str, Value]], name: str) -> None:
    process, _ = started

    process.send_signal(signal.SIGTERM if name == "terminate" else signal.SIGINT)

    assert process.wait(PATIENCE_S) == 0


def test_a_wrong_declaration_ends_with_a_message() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "testbed", "--set", "camera.kind=vhs"], capture_output=True, check=False, text=True
    )

    assert ended.returncode == 2
    assert ended.stderr == "testbed: camera.living.kind must be one of mpegts, mjpeg, not 'vhs'\n"
