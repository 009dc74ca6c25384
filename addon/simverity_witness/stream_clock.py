"""The stream's own clock against ours, followed frame by frame. No picture is looked at."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

WRAP = float(2**33) / 90_000
"""Seconds after which an MPEG time stamp starts again at zero."""
DRIFT = 1e-4
"""The fastest that a believed stream clock may run away from ours (seconds a second); crystals do less than half."""
_REMEMBERED = 10.0
"""Seconds over which the offset's upper bound is taken, so that it recovers from a clock that moved."""
_JUMP = 0.5
"""Seconds by which consecutive stamps may disagree with their arrivals before the clock counts as set anew."""
_WARM_UP = 5.0
"""Seconds after connecting in which a server may send a backlog faster than real time."""
_BELIEF_SPAN = 2.0
_BELIEF_FRAMES = 8
_RATE_TOLERANCE = 0.02
"""Seconds by which the two halves' smallest offsets may differ beyond drift: the jitter that minima still have."""


def unwrap(stamp: float, near: float | None) -> float:
    """Return the stamp, plus as many wraps as bring it next to ``near``."""
    if near is None:
        return stamp
    return stamp + round((near - stamp) / WRAP) * WRAP


@dataclass(frozen=True, slots=True)
class _Bound:
    """An upper bound of the offset, with drift taken out so that bounds of different ages compare."""

    level: float
    arrival: float


class StreamClock:
    """Fed with every frame of one connection."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self.jumps = 0
        """How often the clock was set anew."""
        self._bounds: deque[_Bound] = deque()
        self._lowest: float | None = None
        self._first_arrival: float | None = None
        self._last: tuple[float, float] | None = None

    def feed(self, stamp: float, arrival: float) -> float:
        """Take one frame; return its stamp with wraps undone."""
        unwrapped = unwrap(stamp, None if self._last is None else self._last[0])
        if self._first_arrival is None:
            self._first_arrival = arrival
        if self._last is not None and self._jumped(unwrapped - self._last[0], arrival - self._last[1], arrival):
            self.jumps += 1
            self._bounds.clear()
        self._last = unwrapped, arrival
        self._bound(arrival - unwrapped - DRIFT * arrival, arrival)
        return unwrapped

    def offset_at(self, instant: float) -> float | None:
        """Return the upper bound of (our clock - stream clock) now: the smallest recent arrival - stamp, plus drift."""
        lowest = self._lowest
        return None if lowest is None else lowest + DRIFT * instant

    def _jumped(self, stamps: float, arrivals: float, now: float) -> bool:
        if stamps < -_JUMP:
            return True
        warm = self._first_arrival is not None and now - self._first_arrival > _WARM_UP
        return warm and stamps - arrivals > _JUMP

    def _bound(self, level: float, arrival: float) -> None:
        while self._bounds and self._bounds[-1].level >= level:
            self._bounds.pop()
        self._bounds.append(_Bound(level, arrival))
        while self._bounds[0].arrival < arrival - _REMEMBERED:
            self._bounds.popleft()
        # Other threads read this one number, never the queue in the middle of its change.
        self._lowest = self._bounds[0].level


def follows_our_clock(
    stamps: Sequence[float] | NDArray[np.float64], arrivals: Sequence[float] | NDArray[np.float64]
) -> bool:
    """Whether stamps advance as fast as time does, over the frames of a qualification.

    Lateness makes arrival - stamp larger, never smaller, so the smallest of each half is compared: a believed clock
    moves them apart by no more than drift and what jitter a minimum still has. Frames are in capture order, so
    that their stamps must grow.
    """
    stamped, arrived = np.asarray(stamps, np.float64), np.asarray(arrivals, np.float64)
    if stamped.size < _BELIEF_FRAMES or arrived[-1] - arrived[0] < _BELIEF_SPAN or np.isnan(stamped).any():
        return False
    if (np.diff(stamped) <= 0).any():
        return False
    offsets = arrived - stamped
    half = stamped.size // 2
    early, late = float(offsets[:half].min()), float(offsets[half:].min())
    span = float(arrived[-1] - arrived[0])
    spacing = float(np.median(np.abs(np.diff(stamped))))
    return abs(late - early) <= DRIFT * span + max(_RATE_TOLERANCE, spacing)
