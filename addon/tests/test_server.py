"""The server as a process: who is let in, what it refuses, how it stops."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
import pytest_asyncio
from addon.tests.rig import ROOT, Client, Refused, WitnessApp, witness_app

on_one_loop = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def app(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[WitnessApp]:
    async with witness_app(tmp_path_factory.mktemp("witness")) as running:
        yield running


@on_one_loop
async def test_health_needs_no_token_and_says_nothing_else(app: WitnessApp) -> None:
    async with app.session.get(f"{app.url}/v1/health") as answer:
        assert await answer.json() == {"status": "ok"}


@pytest.mark.parametrize("header", [None, "Bearer wrong", "Basic {token}", "Bearer", "Bearer {token}x", "Bearer é"])
@on_one_loop
async def test_a_wrong_token_is_refused(app: WitnessApp, header: str | None) -> None:
    headers = {} if header is None else {"Authorization": header.format(token=app.token)}
    async with app.session.get(f"{app.url}/v1/ws", headers=headers) as answer:
        assert answer.status == 401
        assert app.token not in await answer.text()


@on_one_loop
async def test_hello_comes_first_and_names_the_boot(app: WitnessApp) -> None:
    client = await app.connect(hello=False)
    with pytest.raises(Refused) as refused:
        await client.ask("clock")
    assert refused.value.code == "unsupported_version"
    with pytest.raises(Refused) as refused:
        await client.ask("hello", api=2)
    assert refused.value.code == "unsupported_version"
    hello = await client.ask("hello", api=1)
    assert hello["boot_id"] == Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    before = asyncio.get_running_loop().time()
    assert (await client.ask("clock"))["monotonic"] >= before - 0.001
    await client.close()


@pytest.mark.parametrize(
    ("request_", "fields", "code"),
    [
        ("forget_camera", {"camera": "x"}, "unknown_camera"),
        ("register_lamp", {"lamp": "l", "camera": "x", "region": [0, 0, 1, 1], "reference": None}, "unknown_camera"),
        ("forget_lamp", {"lamp": "x"}, "unknown_lamp"),
        ("arm", {"window": "w", "lamps": ["x"], "dispatched_at": 1, "close_at": 2, "lookback": 0}, "unknown_lamp"),
        ("disarm", {"window": "w"}, "unknown_window"),
        (
            "begin_qualification",
            {"qualification": "q", "lamps": ["x"], "boundaries": [1], "valid_for": 9},
            "unknown_lamp",
        ),
        ("finish_qualification", {"qualification": "q"}, "unknown_qualification"),
        ("cancel_qualification", {"qualification": "q"}, "unknown_qualification"),
        ("register_camera", {"camera": "x", "kind": "mpegts", "url": "http://127.0.0.1:9/x"}, "camera_unreachable"),
        ("register_camera", {"camera": "x", "kind": "mpegts", "url": "file:///etc/passwd"}, "camera_unsupported"),
        ("register_camera", {"camera": "x", "kind": "rtsp", "url": "file:///etc/passwd"}, "camera_unsupported"),
        ("register_camera", {"camera": "x", "kind": "mjpeg", "url": "nonsense"}, "camera_unsupported"),
        ("nonsense", {}, "bad_request"),
    ],
)
@on_one_loop
async def test_what_cannot_be_served_is_refused_with_its_code(
    app: WitnessApp, request_: str, fields: dict[str, object], code: str
) -> None:
    client = await app.connect()
    with pytest.raises(Refused) as refused:
        await client.ask(request_, **fields)
    assert refused.value.code == code
    await client.close()


@on_one_loop
async def test_what_is_no_request_does_not_end_the_connection(app: WitnessApp) -> None:
    client = await app.connect()
    await client.socket.send_str("no json")
    await client.socket.send_bytes(b"\x00")
    await client.ask("status")
    await client.close()


@on_one_loop
async def test_an_oversized_message_ends_only_its_own_connection(app: WitnessApp) -> None:
    first, second = await app.connect(), await app.connect()
    await first.socket.send_str("x" * 1_000_000)
    async with asyncio.timeout(5):
        while not first.socket.closed:
            await asyncio.sleep(0.02)
    assert "cameras" in await second.ask("status")
    await second.close()


@on_one_loop
async def test_at_most_32_cameras(app: WitnessApp) -> None:
    client = await app.connect()
    codes = []
    for number in range(33):
        with pytest.raises(Refused) as refused:
            await client.ask("register_camera", camera=f"many {number}", kind="mjpeg", url="http://127.0.0.1:9/")
        codes.append(refused.value.code)
    assert codes[-1] == "too_many"
    for camera in (await client.ask("status"))["cameras"]:
        await client.ask("forget_camera", camera=camera["camera"])
    await client.close()


@on_one_loop
async def test_sigterm_stops_it_cleanly_with_a_client_connected(tmp_path: Path) -> None:
    token_file, ports_file = tmp_path / "token", tmp_path / "ports.json"
    token_file.write_text("t" * 20)
    arguments = ("--port", "0", "--token-file", str(token_file), "--ports-file", str(ports_file))
    running = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "simverity_witness", *arguments, env={"PYTHONPATH": str(ROOT / "addon")}
    )
    async with asyncio.timeout(20), aiohttp.ClientSession() as session:
        while not ports_file.exists():
            await asyncio.sleep(0.05)
        port = json.loads(ports_file.read_text())["port"]
        headers = {"Authorization": "Bearer " + "t" * 20}
        client = Client(await session.ws_connect(f"http://127.0.0.1:{port}/v1/ws", headers=headers))
        await client.ask("hello", api=1)
        running.send_signal(signal.SIGTERM)
        assert await running.wait() == 0


@pytest.mark.parametrize("token", [None, "", "short", "\n \n"])
def test_it_does_not_start_without_a_usable_token(tmp_path: Path, token: str | None) -> None:
    token_file = tmp_path / "token"
    if token is not None:
        token_file.write_text(token)
    ended = _start("--token-file", str(token_file))
    assert ended.returncode == 2
    assert "token" in ended.stderr


def test_it_does_not_start_on_a_foreign_address() -> None:
    ended = _start("--host", "192.0.2.1", token="t" * 20)
    assert ended.returncode == 1
    assert "cannot listen" in ended.stderr


def _start(*arguments: str, token: str = "") -> subprocess.CompletedProcess[str]:
    environment = {"PYTHONPATH": str(ROOT / "addon"), "SIMVERITY_WITNESS_TOKEN": token, "PATH": os.environ["PATH"]}
    return subprocess.run(
        [sys.executable, "-m", "simverity_witness", "--port", "0", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
