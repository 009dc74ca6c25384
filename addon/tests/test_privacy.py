"""No picture leaves the witness: not on disk, not in its log, not in what it says.

The cameras are the emulated home's; what they really sent is read a second time from the same streams and looked for.
"""

from __future__ import annotations

import asyncio
import base64
import re
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import numpy as np
import pytest
from addon.tests.app_process import AppProcess, app_process
from addon.tests.rig import Client, emulated_home, register

LAMP = "desk_lamp"
PIECE = 24
"""Bytes of a stream that are looked for at once: no other text has them by chance."""
SIGNATURES = {
    "JPEG": b"\xff\xd8\xff",
    "PNG": b"\x89PNG\r\n\x1a\n",
    "JPEG as base64": b"/9j/",
    "PNG as base64": b"iVBORw0KGgo",
    "JPEG as hexadecimal": b"ffd8ff",
    "a data address": b"data:image",
    "H.264 parameters": b"\x00\x00\x00\x01\x67",
    "Matroska": b"\x1a\x45\xdf\xa3",
}


class Recorded:
    """A WebSocket that keeps the text of every message it receives."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, kept: list[str]) -> None:
        self._socket = socket
        self._kept = kept

    async def send_json(self, message: dict[str, Any]) -> None:
        await self._socket.send_json(message)

    async def close(self) -> None:
        await self._socket.close()

    async def __aiter__(self) -> AsyncIterator[aiohttp.WSMessage]:
        async for message in self._socket:
            assert message.type is aiohttp.WSMsgType.TEXT, "the witness sent something that is no text"
            self._kept.append(message.data)
            yield message


def picture_data(content: bytes, sent: bytes) -> list[str]:
    """Return what in some bytes is, or was made from, what a camera ``sent``."""
    found = [name for name, signature in SIGNATURES.items() if signature in content]
    pieces = _pieces(sent)
    if _shares(content, pieces):
        found.append("bytes of the stream")
    for run in re.findall(rb"[A-Za-z0-9+/_-]{64,}", content):
        plain = base64.b64decode(run[: len(run) // 4 * 4], altchars=b"-_" if b"-" in run or b"_" in run else None)
        found += ["bytes of the stream as base64"] * _shares(plain, pieces)
    for run in re.findall(rb"(?:[0-9a-f]{2}){48,}", content):
        found += ["bytes of the stream as hexadecimal"] * _shares(bytes.fromhex(run.decode()), pieces)
    return found


def _pieces(sent: bytes) -> frozenset[bytes]:
    """Cut up what was sent; a piece that mostly repeats itself is no evidence."""
    cut = (sent[start : start + PIECE] for start in range(0, len(sent) - PIECE, PIECE))
    return frozenset(piece for piece in cut if len(set(piece)) > PIECE // 2)


def _shares(content: bytes, pieces: frozenset[bytes]) -> bool:
    return any(content[start : start + PIECE] in pieces for start in range(len(content) - PIECE + 1))


@pytest.mark.parametrize("dress", [bytes, base64.b64encode, lambda piece: piece.hex().encode()])
def test_planted_picture_data_is_found(dress: Any) -> None:
    sent = np.random.default_rng(5).bytes(20_000)
    planted = b'{"level": 3.5, "x": "' + dress(sent[5_000:5_400]) + b'"}'
    assert picture_data(planted, sent) != []
    assert picture_data(b'{"level": 3.5, "region": [0.1, 0.2, 0.3, 0.4]}', sent) == []


async def _sent_by(url: str) -> bytes:
    """Read two megabytes, or three seconds, of what the camera sends."""
    kept = b""
    until = time.monotonic() + 3.0
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        while len(kept) < 2_000_000 and time.monotonic() < until:
            kept += await answer.content.readany()
    return kept


async def _short_session(app: AppProcess, folder: Path, kind: str) -> tuple[bytes, list[str]]:
    """Watch a lamp through a camera, make the witness refuse things, and return what the camera and what it sent."""
    kept: list[str] = []
    async with (
        emulated_home(folder, f'camera.kind="{kind}"', "camera.fps=30") as home,
        aiohttp.ClientSession() as session,
        session.ws_connect(
            f"http://127.0.0.1:{app.port}/v1/ws", headers={"Authorization": f"Bearer {app.token}"}
        ) as socket,
    ):
        recorded: Any = Recorded(socket, kept)
        client = Client(recorded)
        await client.ask("hello", api=1)
        await home.switch(LAMP, "off")
        await register(client, home, [LAMP])
        fields = {"qualification": "q", "lamps": [LAMP], "boundaries": [0.25, 1.0], "valid_for": 3600.0}
        await client.ask("begin_qualification", **fields)
        await asyncio.sleep(1.0)
        for index, state in enumerate(("on", "off")):
            at = await home.switch(LAMP, state)
            times = {"commanded_at": at, "observe_until": at + 5.6}
            await client.ask("strobe", qualification="q", lamp=LAMP, state=state, reference=True, **times)
            await client.strobed(LAMP, index)
        sent = await _sent_by(home.camera["url"])
        record = (await client.ask("finish_qualification", qualification="q"))["records"][0]
        assert record["references"], "the camera was never looked at"
        await client.ask("status")
        await home.stimulate("camera/living", drop_connections=True)
        await client.announcement(lambda message: message["type"] == "camera" and not message["connected"])
        await client.ask("forget_camera", camera="living")
        await client.close()
    return sent, kept


def _held_files(pid: int) -> set[str]:
    """Return the files that a process has open, deleted and nameless ones among them."""
    links = [str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir()]
    return {link for link in links if link.startswith(("/memfd:", "/tmp", "/var", "/dev/shm")) or "(deleted)" in link}  # noqa: S108


@pytest.mark.realtime
@pytest.mark.parametrize("kind", ["mpegts", "mjpeg"])
async def test_after_a_session_no_picture_is_anywhere(tmp_path: Path, kind: str) -> None:
    data, temporary, home = tmp_path / "data", tmp_path / "temporary", tmp_path / "home"
    for folder in (data, temporary, home, tmp_path / "testbed"):
        folder.mkdir()
    surroundings = {"TMPDIR": str(temporary), "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")}
    async with app_process(data, "--log-level", "debug", **surroundings) as app:
        sent, kept = await _short_session(app, tmp_path / "testbed", kind)
        assert _held_files(app.pid) <= {str(app.log_file)}
    assert len(sent) > 10_000
    assert [path.name for path in data.iterdir()] == ["token"]
    assert [path for folder in (temporary, home) for path in folder.rglob("*") if path.is_file()] == []
    assert picture_data(app.log_file.read_bytes(), sent) == []
    assert picture_data("\n".join(kept).encode(), sent) == []
    assert "desk_lamp" in "".join(kept), "nothing was recorded"


@pytest.mark.realtime
async def test_a_camera_that_fails_leaves_neither_its_password_nor_its_bytes_in_the_log(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    async with app_process(data, "--log-level", "debug") as app, aiohttp.ClientSession() as session:
        headers = {"Authorization": f"Bearer {app.token}"}
        kept: list[str] = []
        async with session.ws_connect(f"http://127.0.0.1:{app.port}/v1/ws", headers=headers) as socket:
            recorded: Any = Recorded(socket, kept)
            client = Client(recorded)
            await client.ask("hello", api=1)
            for number, (kind, scheme) in enumerate((("rtsp", "rtsp"), ("mjpeg", "http"), ("mpegts", "http"))):
                url = f"{scheme}://viewer:sesame-{kind}@127.0.0.1:9/stream"
                with pytest.raises(Exception, match="camera"):
                    await client.ask("register_camera", camera=f"camera {number}", kind=kind, url=url)
            await client.ask("status")
            await client.close()
    said = app.log_file.read_text() + "\n".join(kept)
    assert "camera 2" in said
    assert "sesame" not in said
    assert "viewer" not in said
