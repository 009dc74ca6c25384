"""What H.264 and H.265 streams share: opening, packets, decoding."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import av
import numpy as np
from av.container import InputContainer
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from ..errors import ErrorCode, SourceError
from ..picture import Picture, PlanarPicture, Plane
from .frames import EncodedFrame, ReceivedFrame

MAX_PIXELS = 40_000_000
"""Larger pictures are refused before anything is allocated for them."""
_FULL_RANGE = 2
_BT709 = 1
_HIGH_DEFINITION = 720
"""Rows from which an undeclared matrix is taken for BT.709."""
_SUPPORTED = frozenset({"h264", "hevc", "mjpeg", "mpeg4"})


def video_stream(container: InputContainer) -> VideoStream:
    """Return the stream to watch.

    Raises:
        SourceError: ``camera_unsupported`` without a video stream, with an unknown codec or an impossible size.
    """
    if not container.streams.video:
        raise SourceError("the stream has no video", ErrorCode.CAMERA_UNSUPPORTED)
    stream = container.streams.video[0]
    codec = stream.codec_context
    if codec.name not in _SUPPORTED:
        raise SourceError(f"the codec {codec.name} is not supported", ErrorCode.CAMERA_UNSUPPORTED)
    if not 0 < codec.width * codec.height <= MAX_PIXELS:
        raise SourceError("the picture's size is not supported", ErrorCode.CAMERA_UNSUPPORTED)
    return stream


def received_frames(
    container: InputContainer, stream: VideoStream, arrival: Callable[[int | None], float]
) -> Iterator[ReceivedFrame]:
    """Yield the stream's frames from the first key frame on; ``arrival`` answers for a packet's position.

    Raises:
        SourceError: when reading fails.
    """
    base = stream.time_base or Fraction(1, 90_000)
    started = False
    try:
        for packet in container.demux(stream):
            if packet.size == 0:
                return
            started = started or packet.is_keyframe
            if not started:
                continue
            stamp = None if packet.pts is None else packet.pts * base.numerator / base.denominator
            yield ReceivedFrame(stamp=stamp, arrival=arrival(packet.pos), key=packet.is_keyframe, payload=bytes(packet))
    except av.FFmpegError as error:
        raise SourceError(f"the camera's stream broke ({type(error).__name__})") from error


class VideoDecoder:
    """One decoder. The packet's own number travels through it as the presentation time, so that order is kept."""

    def __init__(self, codec: str, extradata: bytes | None) -> None:
        """Open a decoder on one thread: frames come out as soon as their order is known."""
        self._codec = codec
        self._extradata = extradata
        self._context = self._open()

    def decode(self, frame: EncodedFrame) -> list[tuple[int, Picture]]:
        """Feed one frame; a broken one gives nothing."""
        packet = av.Packet(frame.payload)
        packet.pts = packet.dts = frame.number
        try:
            return _pictures(self._context.decode(packet))
        except av.FFmpegError:
            return []

    def flush(self) -> list[tuple[int, Picture]]:
        """Return the frames still held, and start over."""
        try:
            held = _pictures(self._context.decode(None))
        except av.FFmpegError:
            held = []
        self._context = self._open()
        return held

    def _open(self) -> av.VideoCodecContext:
        context = av.CodecContext.create(self._codec, "r")
        if not isinstance(context, av.VideoCodecContext):
            raise SourceError(f"{self._codec} is no video codec", ErrorCode.CAMERA_UNSUPPORTED)
        context.thread_count = 1
        if self._extradata:
            context.extradata = self._extradata
        return context


def _pictures(frames: list[VideoFrame]) -> list[tuple[int, Picture]]:
    return [
        (frame.pts, picture_of(frame))
        for frame in frames
        if frame.pts is not None and not frame.is_corrupt and frame.width * frame.height <= MAX_PIXELS
    ]


def picture_of(frame: VideoFrame) -> PlanarPicture:
    """Return the frame's planes without copying them where its format allows."""
    full_range = frame.format.name.startswith("yuvj") or frame.color_range == _FULL_RANGE
    planar = (
        frame
        if frame.format.name in {"yuv420p", "yuvj420p", "yuv422p", "yuvj422p"}
        else frame.reformat(format="yuv420p")
    )
    luma, blue, red = (
        np.frombuffer(plane, np.uint8).reshape(plane.height, plane.line_size)[:, : plane.width]
        for plane in planar.planes
    )
    planes: tuple[Plane, Plane, Plane] = (luma, blue, red)
    modern = frame.colorspace == _BT709 or (frame.colorspace == 2 and frame.height >= _HIGH_DEFINITION)  # noqa: PLR2004 - "unspecified"
    return PlanarPicture(planes, full_range=full_range, modern_matrix=modern)
