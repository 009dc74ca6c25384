"""A lamp's settled references, the levels frozen from them, and what speaks against them (METHOD 4.1-4.3, 4.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

from ..stream_clock import follows_our_clock
from ..terms import CHANNELS, Channel, Refusal, State
from .record import Levels, Reference, ReferenceFrame
from .series import LampSeries, Numbers, Strobe

FRAMES_PER_REFERENCE = 5
REFERENCES_PER_STATE = 5
SPACING = 1.0
"""Least distance of a reference's frames, seconds."""
_ROUNDING = 0.0005
SETTLE = 1.0
"""Least time from the lamp's own command to a settled frame, seconds."""
MIN_CONTRAST = 10.0
MAD_FACTOR = 20.0
SPREAD_FACTOR = 4.0
CLIPPED_PART = 0.01
MIN_GUARD = 2.0
_COLOUR_GAIN = 1.25
"""A colour must beat luma by this much in contrast, and not lose in contrast over spread."""
_FLICKER_FRAMES = 20
"""Frames that the last second of a reference needs for its swing to be judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledRows:
    """A reference as rows of the series."""

    state: State
    rows: tuple[int, ...]
    last_second: tuple[int, ...]


def settled_rows(series: LampSeries, strobes: Sequence[Strobe]) -> list[SettledRows]:
    """Return, per reference strobe, five frames at least 1 s apart: from the end of its hold backwards.

    References whose hold has fewer such frames are left out.
    """
    found = []
    times = _times(series)
    for strobe in strobes:
        if not strobe.reference:
            continue
        rows = series.rows(strobe.commanded_at + SETTLE, strobe.observe_until)
        spaced = _spaced(times, rows)
        if len(spaced) == FRAMES_PER_REFERENCE:
            late = rows[series.arrival[rows] > strobe.observe_until - SPACING]
            found.append(SettledRows(state=strobe.state, rows=spaced, last_second=tuple(int(row) for row in late)))
    return found


def _times(series: LampSeries) -> Numbers:
    """Return the times by which frames are spaced: the stream's clock where it may be believed."""
    return series.stamp if follows_our_clock(series.stamp, series.arrival) else series.arrival


def _spaced(times: Numbers, rows: NDArray[np.intp]) -> tuple[int, ...]:
    chosen: list[int] = []
    for row in reversed(rows):
        if len(chosen) == FRAMES_PER_REFERENCE:
            break
        if not chosen or times[chosen[-1]] - times[row] >= SPACING - _ROUNDING:
            chosen.append(int(row))
    return tuple(reversed(chosen))


def references(series: LampSeries, settled: Sequence[SettledRows], channel: Channel) -> tuple[Reference, ...]:
    """Return the raw readings in one channel."""
    levels = series.channel(channel)
    return tuple(
        Reference(
            state=reference.state,
            frames=tuple(
                ReferenceFrame(
                    stamp=float(series.arrival[row] if np.isnan(series.stamp[row]) else series.stamp[row]),
                    level=float(levels[row]),
                    reference=None if np.isnan(series.reference[row]) else float(series.reference[row]),
                    clipped=float(series.clipped[row]),
                )
                for row in reference.rows
            ),
        )
        for reference in settled
    )


def levels_of(taken: Sequence[Reference]) -> Levels | None:
    """Return the levels that the references freeze, or None without at least one per state.

    A state's level is the median of its references' medians; the spread is the worst deviation of one from it.
    """
    medians = {state: _medians(taken, state) for state in State}
    if not all(medians.values()):
        return None
    on, off = median(medians[State.ON]), median(medians[State.OFF])
    spread = max(_worst(medians[State.ON], on), _worst(medians[State.OFF], off))
    patch = {state: _patch_medians(taken, state) for state in State}
    patched = all(patch.values())
    return Levels(
        on=on,
        off=off,
        guard=min(abs(on - off) / 4, max(MIN_GUARD, 2 * spread)),
        spread=spread,
        reference_on=median(patch[State.ON]) if patched else None,
        reference_off=median(patch[State.OFF]) if patched else None,
        reference_spread=max(_worst(values, median(values)) for values in patch.values()) if patched else None,
    )


def followed(taken: Sequence[Reference], levels: Levels) -> list[bool]:
    """Return, per reference, whether the lamp stood nearer to the commanded state than to the other."""
    return [
        abs(middle - levels.of(reference.state)) <= abs(middle - levels.of(reference.state.opposite))
        for reference in taken
        for middle in [median(frame.level for frame in reference.frames)]
    ]


def choose_channel(series: LampSeries, settled: Sequence[SettledRows]) -> Channel:
    """Return luma, unless a colour separates the states clearly better."""
    best, best_score = Channel.LUMA, _score(series, settled, Channel.LUMA)
    for channel in CHANNELS[1:]:
        contrast, quality = score = _score(series, settled, channel)
        if contrast > best_score[0] * (_COLOUR_GAIN if best is Channel.LUMA else 1.0) and quality >= best_score[1]:
            best, best_score = channel, score
    return best


def _score(series: LampSeries, settled: Sequence[SettledRows], channel: Channel) -> tuple[float, float]:
    levels = levels_of(references(series, settled, channel))
    if levels is None:
        return 0.0, 0.0
    return levels.contrast, levels.contrast / max(levels.spread, 0.5)


def reference_refusals(taken: Sequence[Reference], levels: Levels | None) -> set[Refusal]:
    """Return what speaks against the references."""
    counts = [sum(reference.state is state for reference in taken) for state in State]
    if levels is None or min(counts) < REFERENCES_PER_STATE:
        return {Refusal.TOO_FEW_REFERENCES}
    on, off = _medians(taken, State.ON), _medians(taken, State.OFF)
    refused = set()
    if levels.contrast < max(MIN_CONTRAST, MAD_FACTOR * pooled_mad(taken)):
        refused.add(Refusal.CONTRAST_TOO_LOW)
    if not (min(on) > max(off) or max(on) < min(off)):
        refused.add(Refusal.LEVELS_OVERLAP)
    if levels.contrast < SPREAD_FACTOR * levels.spread:
        refused.add(Refusal.SPREAD_TOO_LARGE)
    patch_on, patch_off = levels.reference_on, levels.reference_off
    if patch_on is not None and patch_off is not None and abs(patch_on - patch_off) > levels.contrast / 4:
        refused.add(Refusal.REFERENCE_FOLLOWS_LAMP)
    if max(frame.clipped for reference in taken for frame in reference.frames) >= CLIPPED_PART:
        refused.add(Refusal.CLIPPING)
    if any(len({frame.stamp for frame in reference.frames}) < len(reference.frames) for reference in taken):
        refused.add(Refusal.REPEATED_FRAMES)
    return refused


def pooled_mad(taken: Sequence[Reference]) -> float:
    """Return the median of all frames' absolute deviations from their own reference's median, unscaled."""
    return median(
        abs(frame.level - median(other.level for other in reference.frames))
        for reference in taken
        for frame in reference.frames
    )


def flickers(series: LampSeries, settled: Sequence[SettledRows], channel: Channel, contrast: float) -> bool:
    """Whether a settled lamp's level swings by more than a quarter of the contrast, over a reference or in a second."""
    levels = series.channel(channel)
    for reference in settled:
        swing = float(np.ptp(levels[list(reference.rows)]))
        if len(reference.last_second) >= _FLICKER_FRAMES:
            low, high = np.percentile(levels[list(reference.last_second)], [10, 90])
            swing = max(swing, float(high - low))
        if swing > contrast / 4:
            return True
    return False


def _medians(taken: Sequence[Reference], state: State) -> list[float]:
    return [median(frame.level for frame in reference.frames) for reference in taken if reference.state is state]


def _patch_medians(taken: Sequence[Reference], state: State) -> list[float]:
    return [
        median(levels)
        for reference in taken
        if reference.state is state and (levels := [f.reference for f in reference.frames if f.reference is not None])
    ]


def _worst(values: Sequence[float], centre: float) -> float:
    return max(abs(value - centre) for value in values)
