"""What is read from each frame for one lamp."""

from __future__ import annotations

from dataclasses import dataclass

from .picture import Picture
from .regions import PixelBox
from .terms import Channel


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where one lamp, and the patch that it must not light, lie in the frame."""

    lamp: str
    region: PixelBox
    reference: PixelBox | None

    def level(self, picture: Picture, channel: Channel) -> float:
        """Return the lamp region's level."""
        return picture.level(self.region, channel)

    def reference_level(self, picture: Picture) -> float | None:
        """Return the reference patch's luma, None without a patch."""
        return None if self.reference is None else picture.level(self.reference, Channel.LUMA)
