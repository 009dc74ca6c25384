"""When each strobe showed, which boundaries it decides, and the camera's timing from all (METHOD 1 and 2). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..stream_clock import follows_our_clock
from ..terms import Channel, State, Tier
from ..timing import GAP_ALLOWANCE, MIN_STROBES, Lag, StreamOffsets, Timing, arrival_bound, captured_between, offset_lo
from .record import Levels, StrobeReading
from .series import LampSeries, Numbers, Strobe

BEFORE = 1.0
"""Seconds before a command in which the old state is looked for."""
TWO_SIDED_PART = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A strobe that the lamp followed: its frames, each placed on a side, and the first that shows the new state."""

    strobe: Strobe
    rows: NDArray[np.intp]
    old: NDArray[np.bool_]
    new: NDArray[np.bool_]
    first: int
    """Index into ``rows``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """(A, B]: the old state is proven up to ``last_old``, the new one from ``first_new`` on. Monotonic seconds."""

    last_old: float
    first_new: float

    def decides(self, deadline: float) -> bool:
        """Whether it is proven that the effect had, or had not, happened by ``deadline``."""
        return self.first_new <= deadline or self.last_old >= deadline


def sides(values: Numbers, levels: Levels, direction: State) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which levels are on the old side, and which on the new: outside the guard band around the midpoint."""
    old, new = levels.of(direction.opposite), levels.of(direction)
    position = (values - old) / (new - old)
    margin = levels.guard / levels.contrast
    return position <= 0.5 - margin, position >= 0.5 + margin


def shown(series: LampSeries, strobe: Strobe, channel: Channel, levels: Levels) -> Shown | None:
    """Return how the strobe showed; None if the lamp did not go from the old state to the new one after the command."""
    rows = series.rows(strobe.commanded_at - BEFORE, strobe.observe_until)
    old, new = sides(series.channel(channel)[rows], levels, strobe.state)
    after = series.arrival[rows] > strobe.commanded_at
    before = np.flatnonzero(~after)
    if before.size == 0 or not old[before[-1]]:
        return None
    confirmed = np.flatnonzero(after[:-1] & new[:-1] & new[1:])
    if confirmed.size == 0:
        return None
    return Shown(strobe=strobe, rows=rows, old=old, new=new, first=int(confirmed[0]))


def lag(series: LampSeries, seen: Shown) -> Lag:
    """Return when the strobe was commanded and when it first showed."""
    row = seen.rows[seen.first]
    stamp = float(series.stamp[row])
    return Lag(
        lamp=seen.strobe.lamp,
        direction=seen.strobe.state,
        commanded_at=seen.strobe.commanded_at,
        first_new_stamp=None if np.isnan(stamp) else stamp,
        first_new_arrival=float(series.arrival[row]),
    )


def camera_timing(
    series: LampSeries, lags: Sequence[Lag], *, clock_jumps: int, min_strobes: int = MIN_STROBES
) -> Timing | None:
    """Return the best tier that the camera proved, from the strobes of all its lamps; None if it proved none.

    The stream's clock is believed when it follows ours, was not set anew, and no strobe contradicts it. ``series`` is
    any lamp's: their frames are the same.
    """
    if series.arrival.size == 0:
        return None
    interval, gap = series.frame_interval(), GAP_ALLOWANCE * series.longest_gap()
    lowest = offset_lo(lags)
    if clock_jumps == 0 and lowest is not None and follows_our_clock(series.stamp, series.arrival):
        highest = float((series.arrival - series.stamp).min())
        if lowest <= highest:
            return Timing(
                tier=Tier.STREAM_CLOCK,
                offset_hi=highest,
                offset_lo=lowest,
                frame_interval=interval,
                arrival_bound=None,
                arrival_gap_limit=gap,
            )
    bound = arrival_bound(lags, min_strobes)
    if bound is None:
        return None
    return Timing(
        tier=Tier.ARRIVAL,
        offset_hi=None,
        offset_lo=None,
        frame_interval=interval,
        arrival_bound=bound,
        arrival_gap_limit=gap,
    )


def effect(series: LampSeries, seen: Shown, timing: Timing) -> Effect | None:
    """Return (A, B] of a strobe; None where the frames prove no single crossing that began in the old state."""
    earliest, latest = _captured(series, seen.rows, timing)
    before = np.flatnonzero(latest <= seen.strobe.commanded_at)
    if before.size == 0 or not seen.old[before[-1]] or seen.old[seen.first :].any():
        return None
    found = Effect(
        last_old=float(earliest[seen.old].max()),
        first_new=float(latest[seen.first :][seen.new[seen.first :]].min()),
    )
    return found if found.last_old < found.first_new else None


def reading(series: LampSeries, seen: Shown, timing: Timing | None, boundaries: Sequence[float]) -> StrobeReading:
    """Return the strobe as the record keeps it."""
    seen_lag = lag(series, seen)
    happened = None if timing is None else effect(series, seen, timing)
    decided = tuple(b for b in boundaries if happened is not None and happened.decides(seen_lag.commanded_at + b))
    return StrobeReading(
        direction=seen.strobe.state,
        commanded_at=seen_lag.commanded_at,
        first_new_stamp=seen_lag.first_new_stamp,
        first_new_arrival=seen_lag.first_new_arrival,
        earliest=None if happened is None else happened.last_old,
        latest=None if happened is None else happened.first_new,
        decided=decided,
    )


def two_sided(
    readings: Sequence[StrobeReading], boundaries: Sequence[float], min_strobes: int = MIN_STROBES
) -> tuple[tuple[State, tuple[float, ...]], ...]:
    """Return, per direction, the boundaries at which at least 95 % of at least 20 strobes decide."""
    found = []
    for state in State:
        mine = [reading for reading in readings if reading.direction is state]
        enough = len(mine) >= min_strobes
        decisive = tuple(b for b in boundaries if enough and _part(mine, b) >= TWO_SIDED_PART)
        found.append((state, decisive))
    return tuple(found)


def _part(readings: Sequence[StrobeReading], boundary: float) -> float:
    return sum(boundary in reading.decided for reading in readings) / len(readings)


def _captured(series: LampSeries, rows: NDArray[np.intp], timing: Timing) -> tuple[Numbers, Numbers]:
    hi, lo = timing.offset_hi, timing.offset_lo
    offsets = None if hi is None or lo is None else StreamOffsets(hi=hi, lo=lo)
    bounds = np.array(
        [
            captured_between(timing, offsets, stamp=float(series.stamp[row]), arrival=float(series.arrival[row]))
            or (-np.inf, np.inf)
            for row in rows
        ]
    )
    return bounds[:, 0], bounds[:, 1]
