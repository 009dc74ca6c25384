"""The smallest RTSP server that a real client accepts: H.264 over one interleaved TCP connection, in real time."""

from __future__ import annotations

import base64
import socketserver
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction

import av
import numpy as np

FPS = 25
HERTZ = 90_000
WIDTH, HEIGHT = 160, 96


def encoded(count: int) -> list[list[bytes]]:
    """Return the NAL units of each frame; the picture is dark for a second, bright for the next, and so on."""
    codec = av.CodecContext.create("libx264", "w")
    assert isinstance(codec, av.VideoCodecContext)
    codec.width, codec.height, codec.pix_fmt = WIDTH, HEIGHT, "yuv420p"
    codec.time_base, codec.framerate = Fraction(1, FPS), Fraction(FPS)
    codec.gop_size = FPS
    codec.options = {"preset": "ultrafast", "tune": "zerolatency", "x264-params": "repeat-headers=1:slices=1:threads=1"}
    noise, frames = np.random.default_rng(1), []
    for number in range(count):
        level = 160 if number // FPS % 2 else 60
        pixels = np.clip(noise.normal(level, 2, (HEIGHT, WIDTH, 1)), 0, 255).astype(np.uint8).repeat(3, axis=2)
        frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
        frame.pts = number
        frames += [units(bytes(packet)) for packet in codec.encode(frame)]
    return frames


def units(stream: bytes) -> list[bytes]:
    """Split at start codes."""
    return [unit for unit in stream.replace(b"\0\0\0\1", b"\0\0\1").split(b"\0\0\1") if unit]


@dataclass(slots=True)
class Clip:
    """What the server sends, and when it began to send each frame."""

    frames: list[list[bytes]]
    sent: list[float] = field(default_factory=list)


class _Session(socketserver.StreamRequestHandler):
    clip: Clip

    def handle(self) -> None:
        while request := self.rfile.readline().decode():
            headers = {}
            while (line := self.rfile.readline().decode().strip()) != "":
                name, _, value = line.partition(":")
                headers[name.lower()] = value.strip()
            method, sequence = request.split()[0], headers.get("cseq", "0")
            self._answer(method, sequence)
            if method == "PLAY":
                self._play()
                return

    def _answer(self, method: str, sequence: str) -> None:
        body = ""
        extra = {
            "OPTIONS": "Public: OPTIONS, DESCRIBE, SETUP, PLAY\r\n",
            "SETUP": "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 1\r\n",
            "PLAY": "Session: 1\r\n",
        }.get(method, "")
        if method == "DESCRIBE":
            parameters = [unit for unit in self.clip.frames[0] if unit[0] & 0x1F in (7, 8)]
            sets = ",".join(base64.b64encode(unit).decode() for unit in parameters)
            body = (
                "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 0.0.0.0\r\nt=0 0\r\nm=video 0 RTP/AVP 96\r\n"
                f"a=rtpmap:96 H264/{HERTZ}\r\na=fmtp:96 packetization-mode=1;sprop-parameter-sets={sets}\r\n"
                "a=control:track\r\n"
            )
            extra = f"Content-Type: application/sdp\r\nContent-Length: {len(body)}\r\n"
        self.wfile.write(f"RTSP/1.0 200 OK\r\nCSeq: {sequence}\r\n{extra}\r\n{body}".encode())

    def _play(self) -> None:
        started, sequence = time.monotonic(), 0
        for number, frame in enumerate(self.clip.frames):
            time.sleep(max(0.0, started + number / FPS - time.monotonic()))
            self.clip.sent.append(time.monotonic())
            for position, unit in enumerate(frame):
                last = 0x80 if position == len(frame) - 1 else 0
                stamp = 1_000_000 + number * HERTZ // FPS
                packet = struct.pack(">BBHII", 0x80, last | 96, sequence & 0xFFFF, stamp, 7) + unit
                try:
                    self.wfile.write(struct.pack(">cBH", b"$", 0, len(packet)) + packet)
                except OSError:
                    return
                sequence += 1


@contextmanager
def serving(clip: Clip) -> Iterator[str]:
    """Serve a clip; yield its address."""
    handler = type("Session", (_Session,), {"clip": clip})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"rtsp://127.0.0.1:{server.server_address[1]}/clip"
        server.shutdown()
