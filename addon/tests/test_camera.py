"""One camera of each kind of trouble: a real RTSP stream, and servers that send nonsense."""

from __future__ import annotations

import http.server
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from addon.tests.rtsp_server import FPS, HEIGHT, WIDTH, Clip, encoded, serving

from simverity_witness.cameras.camera import Camera, CameraStatus
from simverity_witness.cameras.frames import DecodedFrame
from simverity_witness.regions import PixelBox
from simverity_witness.stream_clock import follows_our_clock
from simverity_witness.terms import CameraKind, Channel, Fault

BOX = PixelBox(left=20, top=20, right=60, bottom=60)
type Write = Callable[[bytes], object]


class Collector:
    """A measurer that wants a number of frames."""

    def __init__(self, wanted: int) -> None:
        self.frames: list[tuple[float | None, float, float]] = []
        self.faults: list[Fault] = []
        self.done = threading.Event()
        self._wanted = wanted

    def take(self, frame: DecodedFrame) -> None:
        self.frames.append((frame.stamp, frame.arrival, frame.picture.level(BOX, Channel.LUMA)))
        if self.finished():
            self.done.set()

    def interrupt(self, fault: Fault) -> None:
        self.faults.append(fault)
        self.done.set()

    def tick(self, now: float) -> None:
        """Nothing depends on the clock here."""

    def finished(self) -> bool:
        return len(self.frames) >= self._wanted


@contextmanager
def receiving(kind: CameraKind, url: str) -> Iterator[tuple[Camera, list[CameraStatus]]]:
    changes: list[CameraStatus] = []
    camera = Camera(camera="c", kind=kind, url=url, on_change=changes.append)
    camera.start()
    try:
        yield camera, changes
    finally:
        camera.stop()
        camera.join(10.0)


@contextmanager
def answering(content_type: str, write: Callable[[Write], None]) -> Iterator[str]:
    """Serve one kind of answer over HTTP."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", content_type)
            self.end_headers()
            try:
                write(self.wfile.write)
            except OSError:
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
            """Keep quiet."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


@pytest.fixture(scope="module")
def clip() -> Clip:
    return Clip(encoded(8 * FPS))


def test_rtsp_frames_are_stamped_and_decoded(clip: Clip) -> None:
    clip.sent.clear()
    collector = Collector(4 * FPS)
    with serving(clip) as url, receiving(CameraKind.RTSP, url) as (camera, _):
        assert camera.wait_for_picture(5.0)
        assert (camera.width, camera.height) == (WIDTH, HEIGHT)
        camera.measure(collector, since=time.monotonic())
        assert collector.done.wait(15.0)
    # An RTSP stream's first frame comes before its clock is known.
    frames = [frame for frame in collector.frames if frame[0] is not None]
    assert len(frames) >= 4 * FPS - 1
    stamps, arrivals, levels = (np.array(column, np.float64) for column in zip(*frames, strict=True))
    assert np.diff(stamps) == pytest.approx(1 / FPS, abs=1e-6)
    assert follows_our_clock(stamps, arrivals)
    # Dark and bright seconds alternate: each level lasts a second on the stream's clock.
    bright = levels > 110
    assert abs(int(bright.sum()) - 2 * FPS) <= FPS
    changes = stamps[1:][np.diff(bright)]
    assert np.diff(changes) == pytest.approx(1.0, abs=1e-6)


def test_no_frame_arrives_before_it_was_sent(clip: Clip) -> None:
    clip.sent.clear()
    collector = Collector(2 * FPS)
    with serving(clip) as url, receiving(CameraKind.RTSP, url) as (camera, _):
        assert camera.wait_for_picture(5.0)
        camera.measure(collector, since=0.0)
        assert collector.done.wait(15.0)
    assert collector.frames[0][1] >= clip.sent[0] - 0.001
    for number, (_, arrival, _) in enumerate(collector.frames):
        assert arrival >= clip.sent[number] - 0.001


def test_the_end_of_a_stream_interrupts_who_measures(clip: Clip) -> None:
    collector = Collector(10_000)
    with serving(Clip(clip.frames[: 2 * FPS])) as url, receiving(CameraKind.RTSP, url) as (camera, changes):
        assert camera.wait_for_picture(5.0)
        camera.measure(collector, since=time.monotonic())
        assert collector.done.wait(15.0)
        assert collector.faults == [Fault.STREAM_RESTARTED]
        assert [change.connected for change in changes][:2] == [True, False]


def noise(write: Write) -> None:
    chance = random.Random(1)
    for _ in range(40):
        write(chance.randbytes(100_000))


def silence(_write: Write) -> None:
    """Send nothing and hang up."""


def huge_jpeg(write: Write) -> None:
    frame = b"\xff\xc0\x00\x11\x08\x27\x10\x27\x10\x03\x01\x22\x00\x02\x11\x01\x03\x11\x01"
    jpeg = b"\xff\xd8" + frame + b"\xff\xd9"
    write(b"--f\r\nContent-Length: %d\r\n\r\n%s\r\n" % (len(jpeg), jpeg))


def endless_header(write: Write) -> None:
    for _ in range(100):
        write(b"--f\r\nX: " + b"y" * 10_000)


@pytest.mark.parametrize(
    ("kind", "content_type", "write", "code"),
    [
        (CameraKind.MPEGTS, "video/mp2t", noise, "camera_unsupported"),
        (CameraKind.MPEGTS, "video/mp2t", silence, "camera_unsupported"),
        (CameraKind.MJPEG, "multipart/x-mixed-replace; boundary=f", noise, "camera_unreachable"),
        (CameraKind.MJPEG, "multipart/x-mixed-replace; boundary=f", silence, "camera_unreachable"),
        (CameraKind.MJPEG, "multipart/x-mixed-replace; boundary=f", huge_jpeg, "camera_unsupported"),
        (CameraKind.MJPEG, "multipart/x-mixed-replace; boundary=f", endless_header, "camera_unsupported"),
        (CameraKind.MJPEG, "text/html", noise, "camera_unsupported"),
    ],
)
def test_nonsense_is_named_and_tried_again(
    kind: CameraKind, content_type: str, write: Callable[[Write], None], code: str
) -> None:
    with answering(content_type, write) as url, receiving(kind, url) as (camera, changes):
        assert not camera.wait_for_picture(5.0)
        assert camera.status().fault == code
        assert [change.connected for change in changes] == [False]


def test_a_redirect_is_not_followed() -> None:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(302)
            self.send_header("Location", "file:///etc/passwd")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
            """Keep quiet."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with receiving(CameraKind.MJPEG, f"http://127.0.0.1:{server.server_address[1]}/") as (camera, _):
            assert not camera.wait_for_picture(5.0)
            assert camera.status().fault == "camera_unreachable"
        server.shutdown()
