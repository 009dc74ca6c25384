"""In which state a channel shows a target to stand over the settled window, and whether a device kept still."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from ..terms import Direction, Reason, Verdict
from ..trace.samples import EffectChannel, LoggedChannel, NoChannel, Sample, SampledChannel
from .testimony import QUARTER, SETTLED_FRAMES, position, testimony


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The settled window, ``start`` to ``end`` in seconds on the trace's clock."""

    start: float
    end: float

    def may_contain(self, frame: Sample) -> bool:
        """Whether the frame is certainly not from before the window, and may be from inside it."""
        return frame.earliest >= self.start and frame.earliest <= self.end


def settled_state(channel: EffectChannel, *, direction: Direction, window: Window) -> Direction | Reason:
    """Return the state in which the target stood settled, or why that is not known.

    The commanded state needs at least three frames within a quarter of the contrast of its level, and only single odd
    frames between such frames. Two consecutive frames within a quarter of the other level mean the other state: it
    was seen in the window, however much of the rest looked right.
    """
    if isinstance(channel, NoChannel):
        return channel.reason
    if isinstance(channel, LoggedChannel):
        return _logged_state(channel, direction, window)
    frames = testimony(channel)
    if isinstance(frames, Reason):
        return frames
    inside = [frame for frame in frames if window.may_contain(frame)]
    if len(inside) < SETTLED_FRAMES:
        return Reason.NO_SAMPLE
    return _sampled_state(inside, channel, direction, window)


def settled_reading(channel: SampledChannel, window: Window) -> Direction | Reason:
    """Return the frozen level within a quarter of the contrast of which the window's median lies, whichever it is.

    This is the instrument's control, not a verdict: a reading near neither level means that the instrument failed.
    """
    inside = [frame.level for frame in channel.samples if window.may_contain(frame)]
    if len(inside) < SETTLED_FRAMES:
        return Reason.NO_SAMPLE
    near = [s for s in Direction if abs(median(inside) - channel.levels.level(s)) <= channel.levels.contrast * QUARTER]
    return near[0] if len(near) == 1 else Reason.OUTSIDE_LEVELS


def kept_still(channel: EffectChannel, *, dispatched_at: float, window: Window) -> Verdict | Reason:
    """Whether a device that the command must not touch kept its level from dispatch to the end of the window."""
    if isinstance(channel, NoChannel):
        return channel.reason
    if isinstance(channel, LoggedChannel):
        return _logged_stillness(channel, dispatched_at, window)
    frames = testimony(channel)
    if isinstance(frames, Reason):
        return frames
    start = [frame.level for frame in frames if frame.latest <= dispatched_at]
    if not start:
        return Reason.INITIAL_STATE
    return _sampled_stillness(frames, median(start), channel.levels.contrast * QUARTER, dispatched_at, window)


def _sampled_state(
    inside: list[Sample], channel: SampledChannel, direction: Direction, window: Window
) -> Direction | Reason:
    reached = [position(frame.level, channel.levels, direction) for frame in inside]
    if any(
        abs(here) <= QUARTER and abs(after) <= QUARTER and frame.latest <= window.end
        for frame, (here, after) in zip(inside, pairwise(reached), strict=False)
    ):
        return direction.opposite
    right = [abs(value - 1) <= QUARTER for value in reached]
    if sum(right) >= SETTLED_FRAMES and _odd_frames_are_single(right):
        return direction
    return Reason.OUTSIDE_LEVELS


def _odd_frames_are_single(right: list[bool]) -> bool:
    """Whether every odd frame has a right one on both sides (a spike), so that none begins or ends the window."""
    return right[0] and right[-1] and all(here or after for here, after in pairwise(right))


def _logged_state(channel: LoggedChannel, direction: Direction, window: Window) -> Direction | Reason:
    if channel.watched_until < window.end:
        return Reason.NO_SAMPLE
    at_start = _state_at(channel, window.start)
    seen = {at_start, *(state for at, state in channel.effects if window.start < at <= window.end)}
    return direction if seen == {direction} else direction.opposite


def _state_at(channel: LoggedChannel, instant: float) -> Direction:
    return ([channel.initial] + [state for at, state in channel.effects if at <= instant])[-1]


def _sampled_stillness(
    frames: tuple[Sample, ...], start: float, tolerance: float, dispatched_at: float, window: Window
) -> Verdict | Reason:
    watched = [frame for frame in frames if frame.latest > dispatched_at and frame.earliest <= window.end]
    moved = [abs(frame.level - start) > tolerance for frame in watched]
    if any(here and after for here, after in pairwise(moved)):
        return Verdict.FAIL
    if sum(window.may_contain(frame) for frame in watched) < SETTLED_FRAMES:
        return Reason.NO_SAMPLE
    return Reason.BELOW_RESOLUTION if moved[-1] else Verdict.PASS


def _logged_stillness(channel: LoggedChannel, dispatched_at: float, window: Window) -> Verdict | Reason:
    start = ([channel.initial] + [state for at, state in channel.effects if at < dispatched_at])[-1]
    if any(state is not start for at, state in channel.effects if dispatched_at <= at <= window.end):
        return Verdict.FAIL
    return Verdict.PASS if channel.watched_until >= window.end else Reason.NO_SAMPLE
