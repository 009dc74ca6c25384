"""A camera that speaks RTSP: the demuxer reads the network itself, so a frame is stamped when it hands it over."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from urllib.parse import urlsplit

import av

from ..clock import monotonic
from ..errors import ErrorCode, SourceError
from .frames import Decoder, ReceivedFrame
from .video import VideoDecoder, received_frames, video_stream

_TIMEOUT = 5.0


class RtspSource:
    """One connection over TCP."""

    def __init__(self, url: str) -> None:
        """Connect.

        Raises:
            SourceError: if nobody answers, or there is no usable video.
        """
        if urlsplit(url).scheme not in {"rtsp", "rtsps"}:
            raise SourceError("the camera's address must be rtsp(s)", ErrorCode.CAMERA_UNSUPPORTED)
        options = {"rtsp_transport": "tcp", "analyzeduration": "2000000", "protocol_whitelist": "rtsp,rtp,tcp,tls,udp"}
        self._stopped = False
        try:
            self._container = av.open(url, options=options, timeout=(_TIMEOUT, _TIMEOUT))
        except av.FFmpegError as error:
            raise SourceError(f"the camera does not answer ({type(error).__name__})") from error
        try:
            self._stream = video_stream(self._container)
        except SourceError:
            self._container.close()
            raise
        codec = self._stream.codec_context
        self.width, self.height = codec.width, codec.height
        self._decoding = codec.name, codec.extradata

    def frames(self) -> Iterator[ReceivedFrame]:
        """Yield frames, stamped when the demuxer returns them."""
        try:
            for frame in received_frames(self._container, self._stream, _now):
                if self._stopped:
                    return
                yield frame
        finally:
            with contextlib.suppress(av.FFmpegError):
                self._container.close()

    def open_decoder(self) -> Decoder:
        """Return a decoder for this stream."""
        name, extradata = self._decoding
        return VideoDecoder(name, extradata)

    def close(self) -> None:
        """End ``frames`` at its next frame, or at the read timeout."""
        self._stopped = True


def _now(_position: int | None) -> float:
    return monotonic()
