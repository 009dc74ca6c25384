"""Rectangles in a frame: as fractions in messages, as pixels when they are read."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import ErrorCode, RequestError

_SMALLEST_SIDE = 2
"""Pixels; below it a mean says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PixelBox:
    """Rows ``top`` to ``bottom`` and columns ``left`` to ``right``, ends excluded."""

    left: int
    top: int
    right: int
    bottom: int

    def shrunk(self, factor: int) -> PixelBox:
        """Return the same place in a plane that is ``factor`` times smaller (at least one pixel of it)."""
        left, top = self.left // factor, self.top // factor
        return PixelBox(
            left=left,
            top=top,
            right=max(left + 1, self.right // factor),
            bottom=max(top + 1, self.bottom // factor),
        )

    @property
    def shorter_side(self) -> int:
        """Pixels along the shorter side."""
        return min(self.right - self.left, self.bottom - self.top)


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A rectangle in fractions of the frame, origin at the top left."""

    x: float
    y: float
    width: float
    height: float

    def pixels(self, frame_width: int, frame_height: int) -> PixelBox:
        """Return the pixels inside the region.

        Raises:
            RequestError: ``region_outside_frame`` if any part lies outside, or fewer than two pixels a side are left.
        """
        inside = self.x >= 0 and self.y >= 0 and self.x + self.width <= 1 and self.y + self.height <= 1
        box = PixelBox(
            left=round(self.x * frame_width),
            top=round(self.y * frame_height),
            right=min(frame_width, round((self.x + self.width) * frame_width)),
            bottom=min(frame_height, round((self.y + self.height) * frame_height)),
        )
        if not inside or box.shorter_side < _SMALLEST_SIDE:
            raise RequestError(
                ErrorCode.REGION_OUTSIDE_FRAME,
                f"region {self.as_list()} does not lie inside the {frame_width} x {frame_height} frame",
            )
        return box

    def as_list(self) -> list[float]:
        """Return ``[x, y, width, height]``."""
        return [self.x, self.y, self.width, self.height]
