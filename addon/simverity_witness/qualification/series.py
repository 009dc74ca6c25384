"""What one lamp's region did over a whole qualification: one row per frame, columns as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..terms import CHANNELS, Channel, State

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Strobe:
    """One commanded switch of a lamp."""

    lamp: str
    index: int
    state: State
    commanded_at: float
    observe_until: float
    reference: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LampSeries:
    """Rows in capture order. ``stamp`` and ``reference`` are NaN where there is none."""

    stamp: Numbers
    arrival: Numbers
    levels: Numbers
    """Shape (rows, channels), channels in the order of ``CHANNELS``."""
    reference: Numbers
    clipped: Numbers

    def channel(self, channel: Channel) -> Numbers:
        """Return the levels of one channel."""
        column: Numbers = self.levels[:, CHANNELS.index(channel)]
        return column

    def rows(self, start: float, end: float) -> NDArray[np.intp]:
        """Return the rows that arrived after ``start`` and by ``end``."""
        return np.flatnonzero((self.arrival > start) & (self.arrival <= end))

    def longest_gap(self) -> float:
        """Return the longest time between two arrivals, 0 with fewer than two rows."""
        return float(np.diff(self.arrival).max()) if self.arrival.size > 1 else 0.0

    def frame_interval(self) -> float:
        """Return the usual distance of frames, by the stream's clock where it has one; 0 with fewer than two rows."""
        if self.arrival.size < 2:  # noqa: PLR2004 - a distance needs two
            return 0.0
        times = self.arrival if np.isnan(self.stamp).any() else self.stamp
        return float(np.median(np.abs(np.diff(times))))


def in_order(strobes: tuple[Strobe, ...]) -> tuple[Strobe, ...]:
    """Return the strobes by command time, each observed at most until the lamp's next command."""
    ordered = sorted(strobes, key=lambda strobe: strobe.commanded_at)
    cut = [
        Strobe(
            lamp=here.lamp,
            index=here.index,
            state=here.state,
            commanded_at=here.commanded_at,
            observe_until=min(here.observe_until, after.commanded_at),
            reference=here.reference,
        )
        for here, after in pairwise(ordered)
    ]
    return (*cut, *ordered[-1:])
