"""Streams that are broken or mean no good: a named error, bounded memory and time, the other cameras unaffected."""

from __future__ import annotations

import random
import threading
import tracemalloc
from collections.abc import Callable, Iterable

import cv2
import numpy as np
import pytest
from addon.tests.hostile_camera import HEAD, STREAM_HEAD, Endless, hostile

from simverity_witness.cameras.camera import Camera, CameraStatus
from simverity_witness.cameras.frames import EncodedFrame, Source
from simverity_witness.cameras.mjpeg import JpegDecoder, MjpegSource, picture_size
from simverity_witness.cameras.mpegts import TransportStreamSource
from simverity_witness.cameras.multipart import MAX_JPEG, PartReader, boundary_of
from simverity_witness.cameras.rtsp import RtspSource
from simverity_witness.cameras.video import MAX_PIXELS, VideoDecoder
from simverity_witness.errors import ErrorCode, SourceError
from simverity_witness.terms import CameraKind

MEMORY = 4 * MAX_JPEG
PATIENCE = 20.0
"""Seconds within which every connection has to be given up: several times the witness's own limits."""
BOUNDARY = b"frame"


def _jpeg(seed: int, side: int = 32) -> bytes:
    pixels = np.random.default_rng(seed).integers(0, 255, (side, side, 3), dtype=np.uint8)
    return cv2.imencode(".jpg", pixels)[1].tobytes()


def _part(jpeg: bytes, *, length: int | None = None) -> bytes:
    told = b"" if length is None else b"Content-Length: %d\r\n" % length
    return b"--frame\r\nContent-Type: image/jpeg\r\n" + told + b"\r\n" + jpeg + b"\r\n"


def _huge_jpeg(width: int, height: int) -> bytes:
    """Return a small picture whose header says that it is large."""
    jpeg = bytearray(_jpeg(1))
    start = jpeg.index(b"\xff\xc0")
    jpeg[start + 5 : start + 9] = height.to_bytes(2) + width.to_bytes(2)
    return bytes(jpeg)


def _mutated(stream: bytes, chance: random.Random) -> bytes:
    """Return a stream with a few of the things that go wrong on a wire, or are made to."""
    damaged = bytearray(stream)
    for _ in range(chance.randint(1, 12)):
        place = chance.randrange(len(damaged) + 1)
        piece = chance.choice(
            (
                chance.randbytes(chance.randint(1, 40)),
                b"--frame",
                b"--frame--",
                b"\r\n\r\n",
                b"\xff\xd8",
                b"\xff\xd9",
                b"--frame\r\nContent-Length: %d\r\n\r\n" % chance.randrange(10**9),
                b"--frame\r\nContent-Length: -%d\r\n\r\n" % chance.randrange(10**9),
                b"Content-Length: 5\r\nContent-Length: 50000\r\n\r\n",
            )
        )
        match chance.randrange(4):
            case 0:
                damaged[place:place] = piece
            case 1:
                damaged[place : place + len(piece)] = piece
            case 2:
                del damaged[place : place + chance.randint(1, 400)]
            case _:
                other = chance.randrange(len(damaged) + 1)
                damaged[place:place] = damaged[min(place, other) : max(place, other)]
    return bytes(damaged)


@pytest.mark.parametrize("seed", range(200))
def test_a_damaged_multipart_stream_yields_whole_pictures_or_a_named_error(seed: int) -> None:
    chance = random.Random(seed)
    pictures = [_jpeg(number) for number in range(6)]
    stream = _mutated(b"".join(_part(jpeg, length=chance.choice((None, len(jpeg)))) for jpeg in pictures), chance)
    reader, position = PartReader(BOUNDARY), 0
    try:
        while position < len(stream):
            step = chance.choice((1, 7, 100, 5000))
            for part in reader.feed(stream[position : position + step], float(position)):
                assert part.jpeg[:2] == b"\xff\xd8"
                assert part.jpeg[-2:] == b"\xff\xd9"
                assert 0 <= part.arrival <= position
                _decoded_or_refused(part.jpeg)
            position += step
            assert len(reader._held) <= MAX_JPEG + len(stream)
    except SourceError as error:
        assert error.code is ErrorCode.CAMERA_UNSUPPORTED  # noqa: PT017 - most damage is no error


def _decoded_or_refused(jpeg: bytes) -> None:
    try:
        picture_size(jpeg)
    except SourceError:
        return
    frame = EncodedFrame(number=1, epoch=1, stamp=None, arrival=0.0, key=True, payload=jpeg)
    assert len(JpegDecoder(shrink=1).decode(frame)) <= 1


def test_an_undamaged_stream_loses_nothing_so_that_the_fuzzing_means_something() -> None:
    pictures = [_jpeg(number) for number in range(6)]
    stream = b"".join(_part(jpeg, length=len(jpeg)) for jpeg in pictures)
    assert [part.jpeg for part in PartReader(BOUNDARY).feed(stream, 1.0)] == pictures


@pytest.mark.parametrize("seed", range(200))
def test_any_announcement_gives_a_boundary_or_a_named_error(seed: int) -> None:
    chance = random.Random(seed)
    tokens = ["multipart/", "mixed", ";", "boundary", "=", '"', " ", "-", "\t", "é", "x" * 300, "frame", "\x00"]
    text = "multipart/" * chance.randint(0, 1) + "".join(chance.choices(tokens, k=chance.randint(0, 20)))
    try:
        boundary = boundary_of(text)
    except SourceError as error:
        assert error.code is ErrorCode.CAMERA_UNSUPPORTED  # noqa: PT017 - both outcomes are right
    else:
        assert len(boundary) <= 200


@pytest.mark.parametrize("seed", range(100))
def test_any_bytes_have_a_size_or_a_named_error(seed: int) -> None:
    chance = random.Random(seed)
    jpeg = bytearray(_jpeg(seed))
    for _ in range(chance.randint(1, 30)):
        jpeg[chance.randrange(min(len(jpeg), 700))] = chance.randrange(256)
    try:
        width, height = picture_size(bytes(jpeg))
    except SourceError as error:
        assert error.code is ErrorCode.CAMERA_UNSUPPORTED  # noqa: PT017 - both outcomes are right
    else:
        assert 0 < width * height <= MAX_PIXELS


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("codec", ["h264", "hevc"])
def test_broken_video_gives_no_picture_and_no_error(codec: str, seed: int) -> None:
    chance, decoder = random.Random(seed), VideoDecoder(codec, None)
    start = b"\x00\x00\x00\x01" + bytes([chance.choice((0x67, 0x68, 0x65, 0x41, 0x40, 0x42, 0x26))])
    for number in range(1, 6):
        payload = start + chance.randbytes(chance.randint(0, 3000))
        frame = EncodedFrame(number=number, epoch=1, stamp=0.0, arrival=0.0, key=True, payload=payload)
        assert decoder.decode(frame) == []
    assert decoder.flush() == []


MJPEG_ATTACKS: dict[str, tuple[Iterable[bytes], bool, ErrorCode]] = {
    "a header that never ends": (
        Endless(b"HTTP/1.1 200 OK\r\nX: ", b"y" * 65_536),
        False,
        ErrorCode.CAMERA_UNREACHABLE,
    ),
    "headers without end": (Endless(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n" * 1000), False, ErrorCode.CAMERA_UNREACHABLE),
    "a part's header that never ends": (
        Endless(HEAD + b"--frame\r\nX: ", b"y" * 65_536),
        False,
        ErrorCode.CAMERA_UNSUPPORTED,
    ),
    "a picture that never ends": (
        Endless(HEAD + _part(b"\xff\xd8"), b"z" * 65_536),
        False,
        ErrorCode.CAMERA_UNSUPPORTED,
    ),
    "a length beyond reason": ([HEAD, _part(_jpeg(1), length=999_999_999)], True, ErrorCode.CAMERA_UNSUPPORTED),
    "a length longer than what comes": ([HEAD, _part(_jpeg(1), length=100_000)], True, ErrorCode.CAMERA_UNREACHABLE),
    "a picture of 100 megapixels": ([HEAD, _part(_huge_jpeg(10_000, 10_000)) * 2], True, ErrorCode.CAMERA_UNSUPPORTED),
    "a picture of 4 gigapixels": ([HEAD, _part(_huge_jpeg(65_535, 65_535)) * 2], True, ErrorCode.CAMERA_UNSUPPORTED),
    "a picture cut short": ([HEAD, _part(_jpeg(1)[:200])], False, ErrorCode.CAMERA_UNREACHABLE),
    "no multipart answer": (
        [b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>"],
        False,
        ErrorCode.CAMERA_UNSUPPORTED,
    ),
    "a redirect to a file": (
        [b"HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n"],
        False,
        ErrorCode.CAMERA_UNREACHABLE,
    ),
    "a redirect inside": (
        [b"HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:1/\r\n\r\n"],
        False,
        ErrorCode.CAMERA_UNREACHABLE,
    ),
    "no HTTP at all": ([b"\x00\x01\x02" * 1000], False, ErrorCode.CAMERA_UNREACHABLE),
    "silence": ([], True, ErrorCode.CAMERA_UNREACHABLE),
    "silence after the header": ([HEAD], True, ErrorCode.CAMERA_UNREACHABLE),
    "an end at once": ([HEAD], False, ErrorCode.CAMERA_UNREACHABLE),
    "chunks of a lying size": (
        [HEAD.replace(b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n") + b"FFFFFFFFFFFFFFFFFFFF\r\nx"],
        False,
        ErrorCode.CAMERA_UNREACHABLE,
    ),
}


def _error_of(opened: Callable[[str], Source], url: str) -> SourceError:
    """Open a source and read it to its end, in a thread, within bounded time and memory; return its error."""
    errors: list[BaseException] = []

    def read() -> None:
        try:
            for _ in opened(url).frames():
                pass
            errors.append(SourceError("the stream ended"))
        except BaseException as error:  # noqa: BLE001 - whatever comes is what the test asks about
            errors.append(error)

    tracemalloc.start()
    try:
        thread = threading.Thread(target=read, daemon=True)
        thread.start()
        thread.join(PATIENCE)
        assert not thread.is_alive(), "it is still reading"
        assert tracemalloc.get_traced_memory()[1] < MEMORY
    finally:
        tracemalloc.stop()
    assert isinstance(errors[0], SourceError), repr(errors[0])
    return errors[0]


@pytest.mark.realtime
@pytest.mark.parametrize("attack", MJPEG_ATTACKS)
def test_a_hostile_picture_camera_gets_a_named_error(attack: str) -> None:
    answer, hold, code = MJPEG_ATTACKS[attack]
    with hostile(answer, hold=hold) as camera:
        assert _error_of(MjpegSource, camera.url()).code is code
        assert camera.connections == 1


@pytest.mark.realtime
@pytest.mark.parametrize(
    ("answer", "hold"),
    [
        ([STREAM_HEAD, b"\x47" + b"\xff" * 187], False),
        (Endless(STREAM_HEAD, random.Random(1).randbytes(65_536)), False),
        (Endless(STREAM_HEAD, b"\x47\x1f\xff\x10" + b"\xff" * 184), False),
        ([STREAM_HEAD], True),
        (Endless(b"HTTP/1.1 200 OK\r\nX: ", b"y" * 65_536), False),
    ],
    ids=["cut short", "noise", "only stuffing", "silence", "endless header"],
)
def test_a_hostile_transport_stream_gets_a_named_error(answer: Iterable[bytes], hold: bool) -> None:
    """FFmpeg alone would search endless noise for a stream for as long as it comes."""
    with hostile(answer, hold=hold) as camera:
        error = _error_of(TransportStreamSource, camera.url())
        assert error.code in {ErrorCode.CAMERA_UNREACHABLE, ErrorCode.CAMERA_UNSUPPORTED}


@pytest.mark.realtime
@pytest.mark.parametrize(
    ("answer", "hold"),
    [([], True), ([b"\x00" * 1000], False), (Endless(b"RTSP/1.0 200 OK\r\nX: ", b"y" * 65_536), False)],
    ids=["silence", "noise", "endless header"],
)
def test_a_hostile_rtsp_camera_gets_a_named_error(answer: Iterable[bytes], hold: bool) -> None:
    with hostile(answer, hold=hold) as camera:
        assert _error_of(RtspSource, camera.url("rtsp")).code is ErrorCode.CAMERA_UNREACHABLE


@pytest.mark.realtime
@pytest.mark.parametrize("attack", ["a header that never ends", "a picture that never ends", "silence"])
def test_a_hostile_camera_ends_when_it_is_forgotten_and_does_not_disturb_another(attack: str) -> None:
    answer, hold, _ = MJPEG_ATTACKS[attack]
    seen: list[CameraStatus] = []
    good = [HEAD, *(_part(_jpeg(number)) for number in range(50))]
    with hostile(answer, hold=hold) as bad, hostile(good, hold=True) as fine:
        cameras = [
            Camera(camera=name, kind=CameraKind.MJPEG, url=source.url(), on_change=seen.append)
            for name, source in (("bad", bad), ("fine", fine))
        ]
        for camera in cameras:
            camera.start()
        assert cameras[1].wait_for_picture(PATIENCE)
        assert not cameras[0].wait_for_picture(PATIENCE)
        for camera in cameras:
            camera.stop()
        for camera in cameras:
            camera.join(PATIENCE)
        assert [thread.name for thread in threading.enumerate() if thread.name.endswith((" bad", " fine"))] == []
