"""A camera that sends an MPEG transport stream over HTTP."""

from __future__ import annotations

from collections.abc import Iterator

import av

from ..clock import monotonic
from ..errors import ErrorCode, SourceError
from .arrival import ArrivalIndex
from .frames import Decoder, ReceivedFrame
from .http_body import HttpBody
from .video import VideoDecoder, received_frames, video_stream

_OPTIONS = {"analyzeduration": "2000000", "probesize": "2000000"}
_MAX_UNUSED = 16_000_000
"""Bytes without a frame after which a stream counts as none: the demuxer itself would search noise for ever."""
_OPENING = 30.0
"""Seconds within which the stream has to show what it is, however slowly it trickles."""


class _StampedReader:
    """The file that the demuxer reads: every byte passes the arrival index first. It ends when nothing comes of it."""

    def __init__(self, body: HttpBody) -> None:
        self.index = ArrivalIndex()
        self._body = body
        self._unused = 0
        self._opened_by: float | None = monotonic() + _OPENING

    def opened(self) -> None:
        """The stream is one: from now on only silence and noise end it."""
        self._opened_by = None

    def used(self) -> None:
        """A frame has come of what was read."""
        self._unused = 0

    def read(self, size: int) -> bytes:
        if self._unused > _MAX_UNUSED or (self._opened_by is not None and monotonic() > self._opened_by):
            return b""
        read = self._body.read(size)
        self._unused += len(read)
        self.index.feed(read, monotonic())
        return read


class TransportStreamSource:
    """One connection."""

    def __init__(self, url: str) -> None:
        """Connect, and read until the picture's size is known.

        Raises:
            SourceError: if there is no usable video.
        """
        self._body = HttpBody.get(url)
        self._reader = _StampedReader(self._body)
        try:
            self._container = av.open(self._reader, mode="r", format="mpegts", options=_OPTIONS)
            self._stream = video_stream(self._container)
        except av.FFmpegError as error:
            self._body.release()
            raise SourceError(
                f"not a transport stream ({type(error).__name__})", ErrorCode.CAMERA_UNSUPPORTED
            ) from error
        except SourceError:
            self._body.release()
            raise
        self._reader.opened()
        codec = self._stream.codec_context
        self.width, self.height = codec.width, codec.height
        self._decoding = codec.name, codec.extradata

    def frames(self) -> Iterator[ReceivedFrame]:
        """Yield frames with the arrival of their last byte."""
        try:
            yield from received_frames(self._container, self._stream, self._arrival)
        finally:
            self._container.close()
            self._body.release()

    def open_decoder(self) -> Decoder:
        """Return a decoder for this stream."""
        name, extradata = self._decoding
        return VideoDecoder(name, extradata)

    def close(self) -> None:
        """Disconnect."""
        self._body.close()

    def _arrival(self, position: int | None) -> float:
        self._reader.used()
        known = None if position is None else self._reader.index.arrival(position)
        # Later than the truth, never earlier: the frame has certainly been read by now.
        return monotonic() if known is None else known
