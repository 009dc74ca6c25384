"""When the observable effect happened, as far as a channel proves it (METHOD 2)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from ..terms import Direction, Reason, Verdict
from ..trace.samples import EffectChannel, LoggedChannel, NoChannel, SampledChannel
from .testimony import Side, position, side, testimony


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """The effect lies in (``last_old``, ``first_new``], in seconds on the trace's clock.

    ``last_old`` is A, the latest time at which the old state is proven; ``first_new`` is B, the earliest time by which
    the new state is proven, None when it never was. ``watched_until`` is the end of the evidence.
    """

    last_old: float
    first_new: float | None
    watched_until: float

    def verdict_by(self, deadline: float) -> Verdict:
        """Whether the effect had happened by ``deadline``: proven, disproven, or neither (below resolution)."""
        if self.first_new is not None and self.first_new <= deadline:
            return Verdict.PASS
        if self.last_old >= deadline:
            return Verdict.FAIL
        return Verdict.ABSTAIN


def crossing(channel: EffectChannel, *, direction: Direction, dispatched_at: float) -> Crossing | Reason:
    """Return the interval in which the target crossed to ``direction``, or why the channel cannot say.

    Without any crossing ``first_new`` is None, and ``last_old`` is as late as the old state was seen.
    """
    if isinstance(channel, NoChannel):
        return channel.reason
    if isinstance(channel, LoggedChannel):
        return _logged(channel, direction, dispatched_at)
    return _sampled(channel, direction, dispatched_at)


def _logged(channel: LoggedChannel, direction: Direction, dispatched_at: float) -> Crossing | Reason:
    """An edge's own log has exact times: the effect is at one instant, with no band around it."""
    before = [state for at, state in channel.effects if at < dispatched_at]
    if (before or [channel.initial])[-1] is direction:
        return Reason.INITIAL_STATE
    after = [(at, state) for at, state in channel.effects if at >= dispatched_at]
    changed = next((index for index, (_, state) in enumerate(after) if state is direction), None)
    if changed is None:
        return Crossing(last_old=channel.watched_until, first_new=None, watched_until=channel.watched_until)
    if any(state is not direction for _, state in after[changed:]):
        return Reason.NOT_ONE_WAY
    at = after[changed][0]
    return Crossing(last_old=at, first_new=at, watched_until=channel.watched_until)


def _sampled(channel: SampledChannel, direction: Direction, dispatched_at: float) -> Crossing | Reason:
    frames = testimony(channel)
    if isinstance(frames, Reason):
        return frames
    # Of two frames with one interval the older-looking comes first: nothing says that the device went back.
    ordered = sorted(frames, key=lambda f: (f.earliest, f.latest, position(f.level, channel.levels, direction)))
    placed = [(frame, side(frame, channel.levels, direction)) for frame in ordered]
    before = [where for frame, where in placed if frame.latest <= dispatched_at]
    after = [(frame, where) for frame, where in placed if frame.latest > dispatched_at]
    if not after:
        return Reason.NO_SAMPLE
    # The newest frame that is certainly older than the dispatch must show the state that the command leaves.
    if not before or before[-1] is not Side.OLD:
        return Reason.INITIAL_STATE
    last_old = max(frame.earliest for frame, where in placed if where is Side.OLD)
    watched_until = max(frame.latest for frame in frames)
    first = _first_confirmed([where for _, where in after])
    if first is None:
        return Crossing(last_old=last_old, first_new=None, watched_until=watched_until)
    first_new = min(frame.latest for frame, where in after[first:] if where is Side.NEW)
    # Capture order is stricter than comparing intervals: it also sees a fall-back inside one wide interval.
    if last_old >= first_new or any(where is Side.OLD for _, where in after[first:]):
        return Reason.NOT_ONE_WAY
    return Crossing(last_old=last_old, first_new=first_new, watched_until=watched_until)


def _first_confirmed(sides: list[Side]) -> int | None:
    """Return the first frame on the new side whose next frame is there too: one frame alone is a spike."""
    for index, (here, after) in enumerate(pairwise(sides)):
        if here is Side.NEW and after is Side.NEW:
            return index
    return None
