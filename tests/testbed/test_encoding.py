import io
from collections.abc import Iterator
from dataclasses import replace

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from testbed.declaration import Camera, CameraKind, Home
from testbed.encoding import Chunk, open_encoder
from testbed.film import Film
from testbed.light import Curve
from testbed.view import View


@pytest.fixture
def camera(home: Home) -> Camera:
    return home.cameras["living"]


def pictures(home: Home, camera: Camera, count: int) -> Iterator[NDArray[np.uint8]]:
    """Yield frames of a desk lamp that fades out from the fifth frame on."""
    lights = {key: Curve(1.0) for key in home.switchables}
    lights["desk_lamp"].move(starts_at=5 / 60, level=0.0, duration_s=0.5)
    film = Film(View(camera, home.switchables, lights, Curve(home.ambient)), np.random.default_rng(1))
    yield from (film.expose(i / 60) for i in range(count))


def test_a_transport_stream_carries_every_frame_with_its_own_clock(home: Home, camera: Camera) -> None:
    encoder = open_encoder(camera)
    stamps = [90_000 + 1_500 * i + i % 7 for i in range(90)]
    frames = list(pictures(home, camera, 90))
    chunks = [encoder.encode(frame, pts, start=False) for frame, pts in zip(frames, stamps, strict=True)]
    encoder.close()

    with av.open(io.BytesIO(b"".join(chunk.payload for chunk in chunks)), mode="r", format="mpegts") as container:
        decoded = [(frame.pts, frame.to_ndarray(format="gray")) for frame in container.decode(video=0)]

    assert [pts for pts, _ in decoded] == stamps
    errors = [
        abs(float(seen[132:168, 20:60].mean() - frame[132:168, 20:60].mean()))
        for (_, seen), frame in zip(decoded, frames, strict=True)
    ]
    assert max(errors) < 1.0


def test_a_viewer_can_start_at_every_keyframe(home: Home, camera: Camera) -> None:
    encoder = open_encoder(camera)
    chunks = [encoder.encode(frame, 1_500 * i, start=i == 30) for i, frame in enumerate(pictures(home, camera, 60))]
    encoder.close()
    starts = [i for i, chunk in enumerate(chunks) if chunk.starts]

    assert starts == [0, 30]
    late = b"".join(chunk.payload for chunk in chunks[30:])
    with av.open(io.BytesIO(late), mode="r", format="mpegts") as container:
        assert [frame.pts for frame in container.decode(video=0)] == [1_500 * i for i in range(30, 60)]


def test_a_keyframe_comes_every_second(home: Home, camera: Camera) -> None:
    encoder = open_encoder(replace(camera, fps=12))
    chunks = [encoder.encode(frame, 7_500 * i, start=False) for i, frame in enumerate(pictures(home, camera, 36))]
    encoder.close()

    assert [i for i, chunk in enumerate(chunks) if chunk.starts] == [0, 12, 24]


def test_every_transport_chunk_is_whole_packets(home: Home, camera: Camera) -> None:
    encoder = open_encoder(camera)
    chunks = [encoder.encode(frame, 1_500 * i, start=False) for i, frame in enumerate(pictures(home, camera, 20))]
    encoder.close()

    assert all(chunk.payload and len(chunk.payload) % 188 == 0 for chunk in chunks)


def jpeg_of(chunk: Chunk) -> bytes:
    head, _, rest = chunk.payload.partition(b"\r\n\r\n")
    length = int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0])
    assert rest[length:] == b"\r\n"
    return rest[:length]


def test_every_jpeg_part_is_whole_and_true_to_its_levels(home: Home, camera: Camera) -> None:
    encoder = open_encoder(replace(camera, kind=CameraKind.MJPEG))
    frames = list(pictures(home, camera, 20))

    for i, frame in enumerate(frames):
        jpeg = jpeg_of(encoder.encode(frame, 1_500 * i, start=False))
        codec = av.CodecContext.create("mjpeg", "r")
        (seen,) = codec.decode(av.Packet(jpeg))
        luminance = seen.to_ndarray(format="yuvj420p")[: frame.shape[0]]
        assert abs(float(luminance.mean() - frame.mean())) < 0.5
