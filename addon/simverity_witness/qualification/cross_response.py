"""How far every other lamp moves this lamp's region, from strobes whose phases are random (METHOD 4.4). Pure.

While a lamp itself stands still, the level of its region is explained, by least squares, as its own commanded state
plus what each other lamp contributes. How far another lamp is on in a frame (0 to 1), ramps included, says its own
region's course between its off and on level; a lamp without a visible course counts as its commands say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..terms import Channel, Refusal, State
from .record import CrossResponse, Levels
from .references import SETTLE
from .series import LampSeries, Numbers, Strobe

_VISIBLE = 10.0
_MAX_ROWS = 4000
"""Frames used at most, evenly spread."""
_ROWS_PER_LAMP = 10
"""Frames that each unknown needs."""
OWN_PART = 0.5
SUM_PART = 0.25


def course(series: LampSeries, strobes: Sequence[Strobe], channel: Channel, levels: Levels | None) -> Numbers:
    """Return how far a lamp was on in each frame, 0 to 1."""
    if levels is None or levels.contrast < _VISIBLE:
        return commanded(series, strobes)
    position: Numbers = (series.channel(channel) - levels.off) / (levels.on - levels.off)
    return np.clip(position, 0.0, 1.0)


def commanded(series: LampSeries, strobes: Sequence[Strobe]) -> Numbers:
    """Return 1 where the lamp's last command was *on*, otherwise 0."""
    state = np.zeros_like(series.arrival)
    for strobe in sorted(strobes, key=lambda strobe: strobe.commanded_at):
        state[series.arrival > strobe.commanded_at] = 1.0 if strobe.state is State.ON else 0.0
    return state


def cross_response(
    series: LampSeries, strobes: Sequence[Strobe], channel: Channel, others: Mapping[str, Numbers]
) -> tuple[CrossResponse, ...]:
    """Return the response of a lamp's region to the full swing of every other lamp, given the others' courses."""
    rows = _still(series, strobes)
    if not others or rows.size < _ROWS_PER_LAMP * (len(others) + 1):
        return tuple(CrossResponse(lamp=other, response=0.0) for other in others)
    rows = rows[:: max(1, rows.size // _MAX_ROWS)]
    columns = [commanded(series, strobes)[rows], *(values[rows] for values in others.values()), np.ones(rows.size)]
    solution, *_ = np.linalg.lstsq(np.column_stack(columns), series.channel(channel)[rows], rcond=None)
    return tuple(
        CrossResponse(lamp=other, response=float(value)) for other, value in zip(others, solution[1:-1], strict=True)
    )


def _still(series: LampSeries, strobes: Sequence[Strobe]) -> NDArray[np.intp]:
    """Return the rows in which the lamp had settled after its own last command."""
    parts = [series.rows(strobe.commanded_at + SETTLE, strobe.observe_until) for strobe in strobes]
    return np.concatenate(parts) if parts else np.empty(0, np.intp)


def cross_refusals(responses: Sequence[CrossResponse], contrast: float) -> set[Refusal]:
    """Refuse if one other lamp has half the lamp's own response, or all together a quarter of it."""
    sizes = [abs(response.response) for response in responses]
    too_much = any(size >= OWN_PART * contrast for size in sizes) or sum(sizes) > SUM_PART * contrast
    return {Refusal.CROSS_RESPONSE} if too_much else set()
