"""When a window of samples may speak at all, and where a level lies between the two frozen ones."""

from __future__ import annotations

from enum import Enum

from ..terms import Direction, Reason
from ..trace.samples import FrozenLevels, Sample, SampledChannel

REFERENCE_TOLERANCE = 3.0
"""Levels, and worst deviations, by which the reference patch may leave its qualified range (METHOD 4.3)."""
SETTLED_FRAMES = 3
"""Frames that a settled reading needs (METHOD 2)."""
QUARTER = 0.25
"""Part of the contrast within which a settled level counts as one of the frozen ones."""


class Side(Enum):
    """On which side of the midpoint a frame lies, seen from the state that the command leaves."""

    OLD = "old"
    NEW = "new"
    BAND = "band"


def testimony(channel: SampledChannel) -> tuple[Sample, ...] | Reason:
    """Return the window's samples in capture order (by level where that is not known), or why it says nothing."""
    if channel.faults:
        return channel.faults[0]
    if not channel.samples:
        return Reason.NO_SAMPLE
    if channel.levels.contrast <= 0:
        return Reason.UNQUALIFIED
    if not all(_reference_holds(sample, channel.levels) for sample in channel.samples):
        return Reason.REFERENCE_MOVED
    return tuple(sorted(channel.samples, key=lambda sample: (sample.earliest, sample.latest, sample.level)))


def position(level: float, levels: FrozenLevels, direction: Direction) -> float:
    """Return where a level lies on the way from the old level (0) to the new one (1)."""
    old, new = levels.level(direction.opposite), levels.level(direction)
    return (level - old) / (new - old)


def side(sample: Sample, levels: FrozenLevels, direction: Direction) -> Side:
    """Place a frame outside the guard band around the midpoint, or in it."""
    reached = position(sample.level, levels, direction)
    margin = levels.guard / levels.contrast
    if reached <= 0.5 - margin:
        return Side.OLD
    if reached >= 0.5 + margin:
        return Side.NEW
    return Side.BAND


def _reference_holds(sample: Sample, levels: FrozenLevels) -> bool:
    """Whether the reference patch is where qualification left it; without a qualified patch there is no such check."""
    if levels.reference_on is None or levels.reference_off is None:
        return True
    if sample.reference is None:
        return False
    low, high = sorted((levels.reference_on, levels.reference_off))
    tolerance = max(REFERENCE_TOLERANCE, REFERENCE_TOLERANCE * levels.reference_spread)
    return low - tolerance <= sample.reference <= high + tolerance
