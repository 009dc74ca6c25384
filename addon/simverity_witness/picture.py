"""A decoded picture and the few numbers that are taken from it before it is dropped.

Levels are 0 to 255 whatever range the stream uses, luma by its own plane, colours by the stream's matrix.
"""

from __future__ import annotations

import zlib
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from .regions import PixelBox
from .terms import Channel

Plane = NDArray[np.uint8]
_COARSE = 8
"""Every so manieth pixel each way is enough to tell how the whole picture looks."""
_NEUTRAL = 128.0
_HASHED_ROWS = 96
"""At most about this many rows are hashed; sensor noise makes any two of them differ."""


class Picture(Protocol):
    """What can be asked of a decoded picture. ``box`` is in full-size pixels."""

    def level(self, box: PixelBox, channel: Channel) -> float:
        """Return the region's mean level."""
        ...

    def clipped(self, box: PixelBox) -> float:
        """Return the part of the region, 0 to 1, that is at the darkest or the brightest level."""
        ...

    def fingerprint(self) -> int:
        """Return a number that two pictures share only if they are the same picture."""
        ...

    def background(self) -> float:
        """Return the median pixel's level: a lamp moves a part of the picture, the camera's mode all of it."""
        ...

    def saturation(self) -> float:
        """Return how colourful the picture is: mean distance from grey in levels."""
        ...


def crop(plane: Plane, box: PixelBox) -> Plane:
    """Return the view of a plane inside a box."""
    return plane[box.top : box.bottom, box.left : box.right]


def _mean(values: Plane) -> float:
    # Several times as fast as numpy's own mean on a view this small.
    return cv2.mean(values)[0]


def _fingerprint(plane: Plane) -> int:
    step = max(1, plane.shape[0] // _HASHED_ROWS)
    return zlib.crc32(np.ascontiguousarray(plane[::step]))


def _middle(plane: Plane) -> float:
    return float(np.median(plane[::_COARSE, ::_COARSE]))


class PlanarPicture:
    """Luma and two chroma planes as video decoders give them."""

    def __init__(self, planes: tuple[Plane, Plane, Plane], *, full_range: bool, modern_matrix: bool) -> None:
        """Take the planes; ``modern_matrix`` is BT.709 (high definition), otherwise BT.601."""
        self._luma, self._blue, self._red = planes
        self._full_range = full_range
        self._red_weight, self._blue_weight = (0.2126, 0.0722) if modern_matrix else (0.299, 0.114)
        self._shrink = self._luma.shape[1] // self._blue.shape[1], self._luma.shape[0] // self._blue.shape[0]

    def level(self, box: PixelBox, channel: Channel) -> float:
        """Return the region's mean level in the asked channel."""
        luma = self._to_level(_mean(crop(self._luma, box)))
        if channel is Channel.LUMA:
            return luma
        blue, red = self._chroma(self._blue, box), self._chroma(self._red, box)
        red_level = luma + 2 * (1 - self._red_weight) * red
        blue_level = luma + 2 * (1 - self._blue_weight) * blue
        if channel is Channel.RED:
            return _bounded(red_level)
        if channel is Channel.BLUE:
            return _bounded(blue_level)
        green_weight = 1 - self._red_weight - self._blue_weight
        return _bounded((luma - self._red_weight * red_level - self._blue_weight * blue_level) / green_weight)

    def clipped(self, box: PixelBox) -> float:
        """Return the part of the region at either end of the stream's range."""
        low, high = (0, 255) if self._full_range else (16, 235)
        values = crop(self._luma, box)
        return float(np.count_nonzero(values <= low) + np.count_nonzero(values >= high)) / values.size

    def fingerprint(self) -> int:
        """Return a checksum of the luma plane."""
        return _fingerprint(self._luma)

    def background(self) -> float:
        """Return the median pixel's level."""
        return self._to_level(_middle(self._luma))

    def saturation(self) -> float:
        """Return the mean distance of both chroma planes from grey."""
        return sum(_distance_from_grey(plane) for plane in (self._blue, self._red)) * self._chroma_scale

    def _to_level(self, value: float) -> float:
        return value if self._full_range else _bounded((value - 16.0) * 255.0 / 219.0)

    @property
    def _chroma_scale(self) -> float:
        return 1.0 if self._full_range else 255.0 / 224.0

    def _chroma(self, plane: Plane, box: PixelBox) -> float:
        across, down = self._shrink
        left, top = box.left // across, box.top // down
        part = plane[top : max(top + 1, box.bottom // down), left : max(left + 1, box.right // across)]
        return (_mean(part) - _NEUTRAL) * self._chroma_scale


def _bounded(level: float) -> float:
    return min(255.0, max(0.0, level))


def _distance_from_grey(plane: Plane) -> float:
    coarse = plane[::_COARSE, ::_COARSE].astype(np.float32)
    return float(np.abs(coarse - _NEUTRAL).mean())


class BgrPicture:
    """A picture as JPEG decoding gives it, possibly ``shrink`` times smaller than the camera's."""

    def __init__(self, pixels: Plane, *, shrink: int) -> None:
        """Take pixels of shape (rows, columns, 3): blue, green, red."""
        self._pixels = pixels
        self._shrink = shrink
        self._grey: Plane | None = None

    def level(self, box: PixelBox, channel: Channel) -> float:
        """Return the region's mean level in the asked channel."""
        if channel is Channel.LUMA:
            return _mean(crop(self._luma, box.shrunk(self._shrink)))
        plane = {Channel.BLUE: 0, Channel.GREEN: 1, Channel.RED: 2}[channel]
        return _mean(crop(self._pixels, box.shrunk(self._shrink))[:, :, plane])

    def clipped(self, box: PixelBox) -> float:
        """Return the part of the region at 0 or 255."""
        values = crop(self._luma, box.shrunk(self._shrink))
        return float(np.count_nonzero(values == 0) + np.count_nonzero(values == 255)) / values.size  # noqa: PLR2004 - ends of a byte

    def fingerprint(self) -> int:
        """Return a checksum of the luma plane."""
        return _fingerprint(self._luma)

    def background(self) -> float:
        """Return the median pixel's level."""
        return _middle(self._luma)

    def saturation(self) -> float:
        """Return the mean spread between the channels."""
        coarse = self._pixels[::8, ::8]
        return float((coarse.max(axis=2).astype(np.float32) - coarse.min(axis=2)).mean())

    @property
    def _luma(self) -> Plane:
        if self._grey is None:
            self._grey = cv2.cvtColor(self._pixels, cv2.COLOR_BGR2GRAY).astype(np.uint8, copy=False)
        return self._grey
