"""JPEGs out of multipart answers, as real servers send them and as hostile ones do."""

from __future__ import annotations

import random

import pytest

from simverity_witness.cameras.multipart import MAX_JPEG, JpegPart, PartReader, boundary_of
from simverity_witness.errors import ErrorCode, SourceError

PICTURES = [b"\xff\xd8" + bytes([number]) * size + b"\xff\xd9" for number, size in enumerate((5, 300, 1, 4096))]


def with_length(jpeg: bytes) -> bytes:
    return b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n" % (len(jpeg), jpeg)


def without_length(jpeg: bytes) -> bytes:
    return b"--frame\r\nContent-Type: image/jpeg\r\n\r\n" + jpeg + b"\r\n"


def with_bare_line_feeds(jpeg: bytes) -> bytes:
    return b"--frame\nContent-type: image/jpeg\ncontent-length : %d\n\n%s\n" % (len(jpeg), jpeg)


def read_all(reader: PartReader, stream: bytes, cut: int) -> list[JpegPart]:
    pieces = [stream[start : start + cut] for start in range(0, len(stream), cut)]
    return [part for number, piece in enumerate(pieces, 1) for part in reader.feed(piece, float(number))]


@pytest.mark.parametrize("write", [with_length, without_length, with_bare_line_feeds])
@pytest.mark.parametrize("cut", [1, 7, 64, 1000, 100_000])
def test_every_picture_is_found_however_it_is_sent(write: object, cut: int) -> None:
    assert callable(write)
    stream = b"preamble\r\n" + b"".join(write(jpeg) for jpeg in PICTURES) + b"--frame--\r\n"
    parts = read_all(PartReader(b"frame"), stream, cut)
    assert [part.jpeg for part in parts] == PICTURES


@pytest.mark.parametrize("write", [with_length, without_length])
def test_arrival_is_the_read_time_of_the_last_byte(write: object) -> None:
    assert callable(write)
    stream = b"".join(write(jpeg) for jpeg in PICTURES) + b"--frame"
    parts = read_all(PartReader(b"frame"), stream, 10)
    ends = [stream.index(jpeg) + len(jpeg) for jpeg in PICTURES]
    assert [part.arrival for part in parts] == [float((end - 1) // 10 + 1) for end in ends]


def test_with_a_length_a_picture_is_not_held_back_until_the_next_boundary() -> None:
    assert [part.jpeg for part in PartReader(b"frame").feed(with_length(PICTURES[0]), 1.0)] == PICTURES[:1]


def test_a_boundary_inside_a_picture_with_a_length_is_picture() -> None:
    jpeg = b"\xff\xd8 --frame \xff\xd9"
    assert [part.jpeg for part in PartReader(b"frame").feed(with_length(jpeg), 1.0)] == [jpeg]


def test_a_truncated_picture_is_left_out() -> None:
    stream = without_length(PICTURES[1][:50]) + without_length(PICTURES[0]) + b"--frame"
    assert [part.jpeg for part in PartReader(b"frame").feed(stream, 1.0)] == PICTURES[:1]


@pytest.mark.parametrize(
    "stream",
    [
        b"--frame\r\nX: " + b"y" * 40_000,
        b"--frame\r\nContent-Length: 999999999\r\n\r\n",
        b"--frame\r\nContent-Length: 0\r\n\r\n",
        b"--frame\r\n\r\n" + b"\xff\xd8" + b"z" * (MAX_JPEG + 1),
    ],
)
def test_what_never_ends_is_refused(stream: bytes) -> None:
    with pytest.raises(SourceError) as refused:
        read_all(PartReader(b"frame"), stream, 1_000_000)
    assert refused.value.code is ErrorCode.CAMERA_UNSUPPORTED


def test_noise_never_yields_a_picture_nor_grows() -> None:
    chance, reader = random.Random(3), PartReader(b"frame")
    for number in range(500):
        assert list(reader.feed(chance.randbytes(1000), float(number))) == []
    assert len(reader._held) < 1000


@pytest.mark.parametrize(
    ("content_type", "boundary"),
    [
        ("multipart/x-mixed-replace;boundary=frame", b"frame"),
        ('multipart/x-mixed-replace; boundary="my boundary"', b"my boundary"),
        ("Multipart/X-Mixed-Replace; Boundary=--myboundary; x=y", b"myboundary"),
    ],
)
def test_the_announced_boundary_is_understood(content_type: str, boundary: bytes) -> None:
    assert boundary_of(content_type) == boundary


@pytest.mark.parametrize("content_type", ["image/jpeg", "multipart/x-mixed-replace", "", "multipart/mixed; boundary="])
def test_an_answer_without_a_boundary_is_unsupported(content_type: str) -> None:
    with pytest.raises(SourceError) as refused:
        boundary_of(content_type)
    assert refused.value.code is ErrorCode.CAMERA_UNSUPPORTED
