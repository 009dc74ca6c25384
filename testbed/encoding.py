"""Luminance frames to the bytes of a stream: H.264 in an MPEG transport stream, or multipart JPEG."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

import av
from av.video.frame import PictureType

from testbed.declaration import Camera, CameraKind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PTS_HZ = 90_000
"""The transport stream's clock."""
BOUNDARY = "frame"
CONTENT_TYPES = {
    CameraKind.MPEGTS: "video/mp2t",
    CameraKind.MJPEG: f"multipart/x-mixed-replace;boundary={BOUNDARY}",
}
_NEUTRAL_CHROMA = b"\x80"
_FULL_RANGE = 2
"""AVCOL_RANGE_JPEG: luminance uses all of 0 to 255, so that a decoded level is the rendered one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """The bytes of exactly one frame, headers included."""

    payload: bytes
    starts: bool
    """Whether a viewer can start here."""


class Encoder(Protocol):
    """One continuous stream."""

    def encode(self, luminance: NDArray[np.uint8], pts: int, *, start: bool) -> Chunk:
        """Encode one frame at ``pts`` (90 kHz); with ``start`` a viewer must be able to begin here."""
        ...

    def close(self) -> None:
        """Release the codec."""
        ...


def open_encoder(camera: Camera) -> Encoder:
    """Open the encoder that the camera's kind asks for."""
    match camera.kind:
        case CameraKind.MPEGTS:
            return TransportStream(camera)
        case CameraKind.MJPEG:
            return JpegStream(camera)


class _Sink:
    """Collects what the muxer writes."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, part: bytes) -> int:
        self._parts.append(bytes(part))
        return len(part)

    def drain(self) -> bytes:
        collected = b"".join(self._parts)
        self._parts.clear()
        return collected


class TransportStream:
    """H.264 with a keyframe every second, every frame flushed at once, its pts written unchanged."""

    def __init__(self, camera: Camera) -> None:
        """Open codec and muxer."""
        self._sink = _Sink()
        self._container = av.open(
            self._sink,
            mode="w",
            format="mpegts",
            options={
                "flush_packets": "1",
                "mpegts_flags": "pat_pmt_at_frames",
                "mpegts_copyts": "1",
                # With the length written, a demuxer need not wait for the next frame to know that this one is whole.
                "omit_video_pes_length": "0",
            },
        )
        stream = self._container.add_stream("libx264", rate=Fraction(camera.fps).limit_denominator(1000))
        stream.width, stream.height, stream.pix_fmt = camera.width, camera.height, "yuv420p"
        stream.codec_context.time_base = Fraction(1, PTS_HZ)
        stream.codec_context.color_range = _FULL_RANGE
        stream.codec_context.gop_size = max(1, round(camera.fps))
        stream.codec_context.thread_count = 1
        stream.options = {
            "preset": "ultrafast",
            "tune": "zerolatency",
            "qp": "14",
            "forced-idr": "1",
            "x264-params": "repeat-headers=1:scenecut=0:threads=1",
        }
        self._stream = stream

    def encode(self, luminance: NDArray[np.uint8], pts: int, *, start: bool) -> Chunk:
        """Encode and mux one frame."""
        frame = _frame(luminance, "yuv420p", pts)
        if start:
            frame.pict_type = PictureType.I
        starts = False
        for packet in self._stream.encode(frame):
            starts = starts or packet.is_keyframe
            self._container.mux(packet)
        return Chunk(payload=self._sink.drain(), starts=starts)

    def close(self) -> None:
        """Close the muxer; what it still writes goes to nobody."""
        self._container.close()


class JpegStream:
    """One JPEG per frame as a part of a multipart answer."""

    def __init__(self, camera: Camera) -> None:
        """Open the codec."""
        codec = av.CodecContext.create("mjpeg", "w")
        codec.width, codec.height, codec.pix_fmt = camera.width, camera.height, "yuvj420p"
        codec.time_base = Fraction(1, PTS_HZ)
        codec.color_range = _FULL_RANGE
        codec.options = {"flags": "+qscale", "global_quality": str(3 * 118)}
        self._codec = codec

    def encode(self, luminance: NDArray[np.uint8], pts: int, *, start: bool) -> Chunk:  # noqa: ARG002 - every JPEG starts
        """Encode one frame as one part."""
        jpeg = b"".join(bytes(packet) for packet in self._codec.encode(_frame(luminance, "yuvj420p", pts)))
        head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n".encode()
        return Chunk(payload=head + jpeg + b"\r\n", starts=True)

    def close(self) -> None:
        """Nothing to release beyond the codec itself."""


def _frame(luminance: NDArray[np.uint8], pixel_format: str, pts: int) -> av.VideoFrame:
    height, width = luminance.shape
    frame = av.VideoFrame(width, height, pixel_format)
    for plane, values in zip(frame.planes, _planes(luminance), strict=True):
        plane.update(_padded(values, plane.width, plane.line_size))
    frame.color_range = _FULL_RANGE
    frame.pts = pts
    frame.time_base = Fraction(1, PTS_HZ)
    return frame


def _planes(luminance: NDArray[np.uint8]) -> tuple[bytes, bytes, bytes]:
    chroma = _NEUTRAL_CHROMA * (luminance.size // 4)
    return luminance.tobytes(), chroma, chroma


def _padded(values: bytes, width: int, line_size: int) -> bytes:
    """Return the rows at the plane's line size, which a codec may align beyond the width."""
    if width == line_size:
        return values
    rows = (values[start : start + width] for start in range(0, len(values), width))
    return b"".join(row.ljust(line_size, b"\0") for row in rows)
