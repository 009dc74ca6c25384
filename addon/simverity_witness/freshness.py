"""Whether pictures are fresh ones, by day as at qualification. Pure; fed with the numbers of each measured picture."""

from __future__ import annotations

from dataclasses import dataclass

from .terms import Fault

FROZEN_AFTER = 2.0
"""Seconds of one and the same picture after which a camera counts as frozen."""
FROZEN_WITHOUT_KEY_AFTER = 4.0
"""The same where no key frame came within that time."""
_FROZEN_FRAMES = 2
"""Repetitions that it takes at least, however slow the camera."""
_LARGEST_GROUP = 4096
_COLOURFUL = 2.0
"""Levels of saturation below which a picture is grey anyway and its colour says nothing."""
_COLLAPSE = 0.5
"""Part of the smallest saturation at qualification below which the picture has lost its colour."""
_BACKGROUND_MARGIN = 12.0
"""Levels by which the background may leave its range at qualification."""
_CONSECUTIVE = 2


class RepeatedPictures:
    """Finds pictures that keep coming again.

    Sensor noise makes two pictures differ, but a thrifty encoder repeats the last one until its next key frame, and one
    that encodes a frozen picture anew repeats whole groups. A picture counts as repeated if it was already in its own
    group or in the one before; that a key frame is among the repeated ones is the proof. Without any, a longer time is.
    """

    def __init__(self) -> None:
        """Nothing seen yet."""
        self._group: set[int] = set()
        self._earlier: set[int] = set()
        self._since: float | None = None
        self._count = 0
        self._keys = 0
        self.frozen = False
        """Whether pictures were repeated for long enough, once and for all."""

    def take(self, fingerprint: int, arrival: float, *, key: bool) -> None:
        """Look at the next picture."""
        if key or len(self._group) >= _LARGEST_GROUP:
            self._earlier, self._group = self._group, set()
        repeated = fingerprint in self._group or fingerprint in self._earlier
        self._group.add(fingerprint)
        if not repeated:
            self._since, self._count, self._keys = arrival, 0, 0
            return
        self._count += 1
        self._keys += key
        lasted = 0.0 if self._since is None else arrival - self._since
        enough = FROZEN_AFTER if self._keys else FROZEN_WITHOUT_KEY_AFTER
        self.frozen = self.frozen or (self._count >= _FROZEN_FRAMES and lasted >= enough)


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
    """Finds a switch between day and infrared picture: two pictures in a row that look like none of qualification."""

    def __init__(self, scenery: Scenery) -> None:
        """Compare with ``scenery``."""
        self._scenery = scenery
        self._pale = self._strange = 0
        self.fault: Fault | None = None
        """``night_switch`` once seen."""
        self.certain = False
        """Whether colour proved it; a change of brightness alone may also be the room's light."""

    def take(self, background: float, saturation: float) -> None:
        """Look at the next picture."""
        self._pale = self._pale + 1 if self._scenery.recoloured(saturation) else 0
        self._strange = self._strange + 1 if self._scenery.relit(background) else 0
        self.certain = self.certain or self._pale >= _CONSECUTIVE
        if self.certain or self._strange >= _CONSECUTIVE:
            self.fault = Fault.NIGHT_SWITCH
