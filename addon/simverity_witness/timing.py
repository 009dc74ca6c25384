"""Between which two instants of our clock a frame was captured (METHOD 1). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .terms import State, Tier

MIN_STROBES = 20
"""Strobes that a class (lamp and direction) needs before its longest time counts."""
GAP_ALLOWANCE = 1.05
"""A gap between arrivals longer than this many times the longest at qualification makes arrival times say nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """What qualification froze about a camera's time. All in seconds."""

    tier: Tier
    offset_hi: float | None
    """T2: the smallest arrival - stamp of all frames: no frame can have been captured after it arrived."""
    offset_lo: float | None
    """T2: the largest command - stamp of a frame that shows its effect: no effect precedes its command."""
    frame_interval: float
    """The usual distance of frames; no exposure is longer."""
    arrival_bound: float | None
    """T3: Λ (METHOD 1); no frame arrives later than 2 Λ after its capture."""
    arrival_gap_limit: float
    """T3: a longer gap between arrivals is a fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lag:
    """One strobe that the camera showed: when it was commanded, and the first frame that shows it."""

    lamp: str
    direction: State
    commanded_at: float
    first_new_stamp: float | None
    first_new_arrival: float

    @property
    def command_to_photon(self) -> float:
        """Seconds from the command to the arrival of its first picture."""
        return self.first_new_arrival - self.commanded_at


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamOffsets:
    """The two offsets that turn a stamp into an interval, as they hold for one window."""

    hi: float
    lo: float


def offset_lo(lags: Sequence[Lag]) -> float | None:
    """Return the largest command - stamp, or None where no strobe has a stamp."""
    stamped = ((lag.commanded_at, lag.first_new_stamp) for lag in lags)
    return max((command - stamp for command, stamp in stamped if stamp is not None), default=None)


def arrival_bound(lags: Sequence[Lag], min_strobes: int = MIN_STROBES) -> float | None:
    """Return Λ: the smallest, over classes with enough strobes, of a class's longest command-to-photon time.

    None where no class has enough. Taking the smallest keeps a slow lamp's own delay out of the camera's lateness.
    """
    classes: dict[tuple[str, State], list[float]] = {}
    for lag in lags:
        classes.setdefault((lag.lamp, lag.direction), []).append(lag.command_to_photon)
    return min((max(times) for times in classes.values() if len(times) >= min_strobes), default=None)


def offsets_now(timing: Timing, current: float | None) -> StreamOffsets | None:
    """Return the offsets for a window in which the upper bound is ``current``; None if they contradict each other.

    A stream clock that runs fast against ours lowers every offset. The upper bound follows by itself; the lower one,
    known only from strobes, is lowered by as much as the upper bound has fallen.
    """
    if timing.offset_hi is None or timing.offset_lo is None or current is None:
        return None
    lo = timing.offset_lo + min(0.0, current - timing.offset_hi)
    return StreamOffsets(hi=current, lo=lo) if lo <= current else None


def captured_between(
    timing: Timing, offsets: StreamOffsets | None, *, stamp: float | None, arrival: float
) -> tuple[float, float] | None:
    """Return the earliest and the latest instant of a frame's capture, or None if its tier cannot say."""
    if timing.tier is Tier.ARRIVAL:
        return None if timing.arrival_bound is None else (arrival - 2 * timing.arrival_bound, arrival)
    if stamp is None or offsets is None:
        return None
    latest = min(arrival, stamp + offsets.hi)
    return min(latest, stamp + offsets.lo - timing.frame_interval), latest


def lateness(timing: Timing) -> float:
    """Return how long after its capture a frame may arrive, as far as the timing tells: what a window waits for."""
    if timing.arrival_bound is not None:
        return 2 * timing.arrival_bound
    spread = 0.0 if timing.offset_hi is None or timing.offset_lo is None else timing.offset_hi - timing.offset_lo
    return spread + 3 * timing.frame_interval
