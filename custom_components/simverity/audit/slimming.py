"""Makes a trace small enough for the ledger without changing anything that is judged from it.

What is left out are frames in which a lamp just stands in its new state, between its effect and the settled window,
and if that does not suffice, ever more of the frames that repeat their neighbours. Every step is judged again: it
counts only if every verdict stays the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..engine.properties.table import judge
from ..engine.terms import Direction, Reason, SubjectId
from ..engine.trace.codec import encode
from ..engine.trace.samples import EffectChannel, Sample, SampledChannel
from ..engine.trace.trace import Trace
from ..engine.witness.testimony import Side, side

LARGEST = 3000
"""Bytes of a stored trace that leave room for the rest of a trial's payload."""
_EDGE = 3
"""Frames that stay at each end of a run of equal ones."""
_ROUNDS = 5


def fit(trace: Trace) -> Trace:
    """Return the trace, as slim as the ledger needs it.

    A trial of so many targets that nothing helps loses its frames: it abstains, and says that samples are missing.
    """
    if len(encode(trace)) <= LARGEST:
        return trace
    slim = _step(trace, lambda channel, goal: _without_standing(channel, goal, trace))
    for _ in range(_ROUNDS):
        if len(encode(slim)) <= LARGEST:
            return slim
        slim = _step(slim, _every_other)
    return slim if len(encode(slim)) <= LARGEST else _emptied(slim)


type _Thin = Callable[[SampledChannel, Direction], tuple[Sample, ...]]


def _step(trace: Trace, thin: _Thin) -> Trace:
    """Thin every sampled channel, if all verdicts survive it."""
    goals = {goal.subject: goal.state for goal in trace.goals}
    thinned = replace(
        trace,
        channels=tuple(_thinned(channel, goals, thin) for channel in trace.channels),
        quiet=tuple(_thinned(channel, goals, thin) for channel in trace.quiet),
    )
    return thinned if judge(thinned) == judge(trace) else trace


def _thinned(channel: EffectChannel, goals: dict[SubjectId, Direction], thin: _Thin) -> EffectChannel:
    if not isinstance(channel, SampledChannel) or channel.levels.contrast <= 0:
        return channel
    return replace(channel, samples=thin(channel, goals.get(channel.subject, Direction.ON)))


def _without_standing(channel: SampledChannel, goal: Direction, trace: Trace) -> tuple[Sample, ...]:
    """Drop the frames between effect and settled window that lie in a run of frames on the new side."""
    until = trace.dispatched_at + trace.settle_from
    samples = channel.samples
    stands = [
        sample.latest < until
        and sample.earliest > trace.dispatched_at
        and side(sample, channel.levels, goal) is Side.NEW
        for sample in samples
    ]
    return tuple(
        sample
        for number, sample in enumerate(samples)
        if number < _EDGE or not all(stands[number - _EDGE : number + _EDGE + 1])
    )


def _every_other(channel: SampledChannel, goal: Direction) -> tuple[Sample, ...]:
    """Drop every other frame of the runs on one side, but not at their ends."""
    sides = [side(sample, channel.levels, goal) for sample in channel.samples]
    last = len(sides) - _EDGE
    return tuple(
        sample
        for number, sample in enumerate(channel.samples)
        if number % 2 == 0 or not _EDGE <= number < last or len(set(sides[number - _EDGE : number + _EDGE + 1])) > 1
    )


def _emptied(trace: Trace) -> Trace:
    return replace(
        trace,
        channels=tuple(
            replace(channel, samples=(), faults=(*channel.faults, Reason.NO_SAMPLE))
            if isinstance(channel, SampledChannel)
            else channel
            for channel in trace.channels
        ),
    )
