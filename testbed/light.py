"""Physical quantities over time: piecewise linear curves that remember their past, so that truth can be asked later."""

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_REMEMBERED = 4096
"""Segments kept per curve: days of ordinary use, hours of strobing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One linear move; before it the curve follows the previous segment, after it the curve rests at ``level_to``."""

    starts_at: float
    """Monotonic seconds."""
    duration_s: float
    """0 for a step."""
    level_from: float
    level_to: float

    def at(self, instant: float) -> float:
        """Return the level at ``instant``, which must not lie before ``starts_at``."""
        if self.duration_s <= 0:
            return self.level_to
        progress = min(1.0, (instant - self.starts_at) / self.duration_s)
        return self.level_from + (self.level_to - self.level_from) * progress

    @property
    def ends_at(self) -> float:
        """Return when the move has come to rest."""
        return self.starts_at + self.duration_s


class Curve:
    """A quantity that rests, moves linearly to a new level, and rests again. Moves come in order of their start."""

    def __init__(self, level: float) -> None:
        """Rest at ``level`` since ever."""
        self._segments = [Segment(starts_at=float("-inf"), duration_s=0.0, level_from=level, level_to=level)]
        self._starts = [float("-inf")]

    def move(self, *, starts_at: float, level: float, duration_s: float) -> Segment:
        """Move to ``level``; a start before the previous move's start waits for that start."""
        start = max(starts_at, self._starts[-1])
        segment = Segment(starts_at=start, duration_s=duration_s, level_from=self.at(start), level_to=level)
        self._segments.append(segment)
        self._starts.append(start)
        if len(self._segments) > _REMEMBERED:
            del self._segments[1:-_REMEMBERED]
            del self._starts[1:-_REMEMBERED]
        return segment

    def at(self, instant: float) -> float:
        """Return the level at ``instant``."""
        return self._segments[bisect_right(self._starts, instant) - 1].at(instant)

    def over(self, instants: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the level at each of ``instants``."""
        return np.array([self.at(instant) for instant in instants.tolist()])

    @property
    def settles_at(self) -> float:
        """Return when the last move has come to rest."""
        return self._segments[-1].ends_at

    @property
    def target(self) -> float:
        """Return the level at which the last move comes to rest."""
        return self._segments[-1].level_to
