"""How far every other lamp moves this lamp's region, from strobes whose phases are random (METHOD 4.4). Pure.

The level of a region is explained, by least squares, as a sum of what each lamp contributes. A lamp's own course
through its region between its off and on level (0 to 1) says how far it is on in each frame, ramps included; a lamp
without a visible course of its own counts as its commands say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..terms import Channel, Refusal, State
from .record import CrossResponse, Levels
from .series import LampSeries, Numbers, Strobe

_VISIBLE = 10.0
_ROWS = 4000
"""Frames used at most, evenly spread."""
OWN_PART = 0.5
SUM_PART = 0.25


def course(series: LampSeries, strobes: Sequence[Strobe], channel: Channel, levels: Levels | None) -> Numbers:
    """Return how far a lamp was on in each frame, 0 to 1."""
    if levels is not None and levels.contrast >= _VISIBLE:
        position: Numbers = (series.channel(channel) - levels.off) / (levels.on - levels.off)
        return np.clip(position, 0.0, 1.0)
    commanded = np.zeros_like(series.arrival)
    for strobe in sorted(strobes, key=lambda strobe: strobe.commanded_at):
        commanded[series.arrival > strobe.commanded_at] = 1.0 if strobe.state is State.ON else 0.0
    return commanded


def cross_response(lamp: str, level: Numbers, courses: Mapping[str, Numbers]) -> tuple[CrossResponse, ...]:
    """Return the response of ``lamp``'s region (its ``level`` per frame) to every other lamp's full swing."""
    others = [other for other in courses if other != lamp]
    if not others or level.size <= len(courses) + 1:
        return tuple(CrossResponse(lamp=other, response=0.0) for other in others)
    step = max(1, level.size // _ROWS)
    columns = [courses[lamp][::step], *(courses[other][::step] for other in others), np.ones(level[::step].size)]
    solution, *_ = np.linalg.lstsq(np.column_stack(columns), level[::step], rcond=None)
    return tuple(
        CrossResponse(lamp=other, response=float(value)) for other, value in zip(others, solution[1:-1], strict=True)
    )


def cross_refusals(responses: Sequence[CrossResponse], contrast: float) -> set[Refusal]:
    """Refuse if one other lamp has half the lamp's own response, or all together a quarter of it."""
    sizes = [abs(response.response) for response in responses]
    too_much = any(size >= OWN_PART * contrast for size in sizes) or sum(sizes) > SUM_PART * contrast
    return {Refusal.CROSS_RESPONSE} if too_much else set()
