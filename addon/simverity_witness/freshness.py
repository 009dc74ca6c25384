"""Whether pictures are fresh ones, by day as at qualification. Pure; fed with the numbers of each measured picture."""

from __future__ import annotations

from dataclasses import dataclass

STALE_AFTER = 2.0
"""Seconds of nothing but repeated pictures after which a camera is refused: it could not be told from a frozen one."""
_SHORTEST_LIMIT = 0.5
"""Seconds of repeated pictures that a window always allows."""
_LIMIT_INTERVALS = 3
"""Frame intervals that it always allows."""
_ALLOWANCE = 1.05
_LARGEST_GROUP = 4096
_COLOURFUL = 2.0
"""Levels of saturation below which a picture is grey anyway and its colour says nothing."""
_COLLAPSE = 0.5
"""Part of the smallest saturation at qualification below which the picture has lost its colour."""
_BACKGROUND_MARGIN = 12.0
"""Levels by which the background may leave its range at qualification."""
_CONSECUTIVE = 2


class RepeatedPictures:
    """Measures for how long a camera shows nothing new while its frames keep coming.

    Sensor noise makes two pictures differ. A frozen camera repeats one, or, encoding it anew, whole groups of pictures:
    one counts as repeated if it was already in its own group or in the group before.
    """

    def __init__(self) -> None:
        """Nothing seen yet."""
        self._group: set[int] = set()
        self._earlier: set[int] = set()
        self._new_at: float | None = None
        self.longest = 0.0
        """Seconds from a new picture to the last of the repeated ones that followed it, at most so far."""

    def take(self, fingerprint: int, arrival: float, *, key: bool) -> None:
        """Look at the next picture."""
        if key or len(self._group) >= _LARGEST_GROUP:
            self._earlier, self._group = self._group, set()
        repeated = fingerprint in self._group or fingerprint in self._earlier
        self._group.add(fingerprint)
        if self._new_at is None or not repeated:
            self._new_at = arrival
        self.longest = max(self.longest, arrival - self._new_at)


def staleness_limit(longest: float, frame_interval: float) -> float:
    """Return how long a window may see repeated pictures, given the longest time at qualification.

    A thrifty encoder repeats pictures while nothing moves; more than it did then is not proven to be fresh.
    """
    return max(_SHORTEST_LIMIT, _LIMIT_INTERVALS * frame_interval, _ALLOWANCE * longest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenery:
    """How the whole picture looked at qualification: the ranges of background level and saturation."""

    darkest: float
    brightest: float
    palest: float
    most_colourful: float

    def recoloured(self, saturation: float) -> bool:
        """Whether colour has gone, or come, as between day and infrared."""
        if self.palest >= _COLOURFUL:
            return saturation < self.palest * _COLLAPSE
        return saturation > max(_COLOURFUL, self.most_colourful) / _COLLAPSE

    def relit(self, background: float) -> bool:
        """Whether the background is far from all that was seen at qualification."""
        margin = max(_BACKGROUND_MARGIN, (self.brightest - self.darkest) / 2)
        return not self.darkest - margin <= background <= self.brightest + margin


class NightWatch:
    """Finds a switch between day and infrared: two pictures in a row that look like none of qualification."""

    def __init__(self, scenery: Scenery) -> None:
        """Compare with ``scenery``."""
        self._scenery = scenery
        self._recoloured = self._relit = 0
        self.by_colour = False
        """Whether colour came or went: the camera has certainly switched."""
        self.by_light = False
        """Whether the background left its range: the camera may have switched, or the room's light changed."""

    def take(self, background: float, saturation: float) -> None:
        """Look at the next picture."""
        self._recoloured = self._recoloured + 1 if self._scenery.recoloured(saturation) else 0
        self._relit = self._relit + 1 if self._scenery.relit(background) else 0
        self.by_colour = self.by_colour or self._recoloured >= _CONSECUTIVE
        self.by_light = self.by_light or self._relit >= _CONSECUTIVE
