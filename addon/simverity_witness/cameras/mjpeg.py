"""A camera that sends JPEG pictures over HTTP. It has no clock: its frames have arrival times only."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from ..clock import monotonic
from ..errors import ErrorCode, SourceError
from ..picture import BgrPicture, Picture
from .frames import Decoder, EncodedFrame, ReceivedFrame
from .http_body import HttpBody
from .multipart import JpegPart, PartReader, boundary_of
from .video import MAX_PIXELS

_REDUCED = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4}
_LARGE_SIDE = 480
"""Pixels of the shorter side that a reduced picture keeps, so that small regions stay measurable."""
_FRAME_HEADERS = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_STANDALONE = frozenset({0x01, *range(0xD0, 0xD9)})


class MjpegSource:
    """One connection."""

    def __init__(self, url: str) -> None:
        """Connect and wait for the first picture.

        Raises:
            SourceError: if there is none.
        """
        self._body = HttpBody.get(url)
        try:
            self._reader = PartReader(boundary_of(self._body.content_type))
            self._parts = self._read()
            first = _first(self._parts)
            self._first: JpegPart | None = first
            self.width, self.height = picture_size(first.jpeg)
        except SourceError:
            self._body.release()
            raise

    def frames(self) -> Iterator[ReceivedFrame]:
        """Yield every picture; each can be decoded alone."""
        try:
            if self._first is not None:
                yield _received(self._first)
                self._first = None
            for part in self._parts:
                if picture_size(part.jpeg) != (self.width, self.height):
                    raise SourceError("the picture's size changed")
                yield _received(part)
        finally:
            self._body.release()

    def open_decoder(self) -> Decoder:
        """Return a JPEG decoder that decodes no finer than needed."""
        return JpegDecoder(shrink=shrink_for(self.width, self.height))

    def close(self) -> None:
        """Disconnect."""
        self._body.close()

    def _read(self) -> Iterator[JpegPart]:
        while read := self._body.read():
            yield from self._reader.feed(read, monotonic())


class JpegDecoder:
    """Decodes one JPEG at a time."""

    def __init__(self, *, shrink: int) -> None:
        """Decode to ``shrink`` times smaller pictures."""
        self._shrink = shrink

    def decode(self, frame: EncodedFrame) -> list[tuple[int, Picture]]:
        """Return the picture; nothing for a broken one."""
        try:
            pixels = cv2.imdecode(np.frombuffer(frame.payload, np.uint8), _REDUCED[self._shrink])
        except cv2.error:
            return []
        if pixels is None:
            return []
        return [(frame.number, BgrPicture(pixels.astype(np.uint8, copy=False), shrink=self._shrink))]

    def flush(self) -> list[tuple[int, Picture]]:
        """Return nothing: no picture is ever held."""
        return []


def _first(parts: Iterator[JpegPart]) -> JpegPart:
    first = next(parts, None)
    if first is None:
        raise SourceError("the camera sent no picture")
    return first


def shrink_for(width: int, height: int) -> int:
    """Return how many times smaller a picture is decoded: one number for a camera, so that levels compare."""
    return next((factor for factor in (4, 2) if min(width, height) // factor >= _LARGE_SIDE), 1)


def picture_size(jpeg: bytes) -> tuple[int, int]:
    """Return width and height from a JPEG's own header, without decoding it.

    Raises:
        SourceError: ``camera_unsupported`` if there is none, or the picture is too large to decode.
    """
    position = 2
    while position + 9 <= len(jpeg) and jpeg[position] == 0xFF:  # noqa: PLR2004 - a marker's first byte
        marker = jpeg[position + 1]
        if marker in _FRAME_HEADERS:
            height = int.from_bytes(jpeg[position + 5 : position + 7])
            width = int.from_bytes(jpeg[position + 7 : position + 9])
            if not 0 < width * height <= MAX_PIXELS:
                break
            return width, height
        alone = marker in _STANDALONE or marker == 0xFF  # noqa: PLR2004 - fill byte
        position += 1 if marker == 0xFF else 2 if alone else 2 + int.from_bytes(jpeg[position + 2 : position + 4])  # noqa: PLR2004
    raise SourceError("the camera's picture is no JPEG of a supported size", ErrorCode.CAMERA_UNSUPPORTED)


def _received(part: JpegPart) -> ReceivedFrame:
    return ReceivedFrame(stamp=None, arrival=part.arrival, key=True, payload=part.jpeg)
