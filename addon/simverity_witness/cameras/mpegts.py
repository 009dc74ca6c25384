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


class _StampedReader:
    """The file that the demuxer reads: every byte passes the arrival index first."""

    def __init__(self, body: HttpBody) -> None:
        self.index = ArrivalIndex()
        self._body = body

    def read(self, size: int) -> bytes:
        read = self._body.read(size)
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
        known = None if position is None else self._reader.index.arrival(position)
        # Later than the truth, never earlier: the frame has certainly been read by now.
        return monotonic() if known is None else known
