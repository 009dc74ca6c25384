"""A trace on its own clock and in whole ticks, without any verdict gaining from the rounding.

Dispatch becomes zero. Every bound moves outwards: what happened no later than an instant is rounded up, what happened
no earlier than one down. Since boundaries are whole ticks, no comparison with one changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from ..errors import MessageError
from .samples import EffectChannel, LoggedChannel, NoChannel, Sample
from .trace import Trace

TICKS_PER_SECOND = 10_000
"""A tick is 0.1 ms."""
STEPS_PER_LEVEL = 100
"""A step is 0.01 camera levels."""
REFERENCE_STEPS_PER_LEVEL = 10
"""The reference patch is held to a tolerance of three levels and more: its noise is not worth the bytes."""
_ON_TICK = 1e-5  # ticks: a nanosecond, below which a double of a long uptime is noise


def quantise(trace: Trace) -> Trace:
    """Return the trace with times in ticks after dispatch and levels in steps. Doing it again changes nothing.

    Raises:
        MessageError: a time or a level is not finite.
    """
    since = trace.dispatched_at

    def earlier(at: float) -> float:
        return _on_tick(at - since, math.floor)

    def later(at: float) -> float:
        return _on_tick(at - since, math.ceil)

    def later_if_seen(at: float | None) -> float | None:
        return None if at is None else later(at)

    return replace(
        trace,
        dispatched_at=0.0,
        pre_states=tuple(
            replace(pre, age=None if pre.age is None else _on_tick(pre.age, math.floor)) for pre in trace.pre_states
        ),
        requested_at=later_if_seen(trace.requested_at),
        source_reported_at=later_if_seen(trace.source_reported_at),
        agent_read_at=later_if_seen(trace.agent_read_at),
        returned=None if trace.returned is None else replace(trace.returned, at=later(trace.returned.at)),
        feedback=tuple(replace(report, at=later(report.at)) for report in trace.feedback),
        channels=tuple(_channel(channel, earlier, later) for channel in trace.channels),
        quiet=tuple(_channel(channel, earlier, later) for channel in trace.quiet),
        clock_moved=math.copysign(_on_tick(abs(trace.clock_moved), math.ceil), trace.clock_moved) + 0.0,
        closed_at=None if trace.closed_at is None else earlier(trace.closed_at),
    )


def ticks(seconds: float) -> int:
    """Return a quantised time in ticks."""
    return round(seconds * TICKS_PER_SECOND)


def steps(level: float, per_level: int = STEPS_PER_LEVEL) -> int:
    """Return a level in steps, to the nearest.

    Raises:
        MessageError: it is not finite.
    """
    if not math.isfinite(level):
        raise MessageError(f"a level of {level} cannot be recorded")
    return round(level * per_level)


def _on_tick(seconds: float, outwards: Callable[[float], int]) -> float:
    if not math.isfinite(seconds):
        raise MessageError(f"a time of {seconds} cannot be recorded")
    exact = seconds * TICKS_PER_SECOND
    nearest = round(exact)
    return (nearest if abs(exact - nearest) < _ON_TICK else outwards(exact)) / TICKS_PER_SECOND


def _channel(
    channel: EffectChannel, earlier: Callable[[float], float], later: Callable[[float], float]
) -> EffectChannel:
    if isinstance(channel, NoChannel):
        return channel
    if isinstance(channel, LoggedChannel):
        return replace(
            channel,
            effects=tuple((later(at), state) for at, state in channel.effects),
            watched_until=earlier(channel.watched_until),
        )
    return replace(
        channel,
        samples=tuple(_sample(sample, earlier, later) for sample in channel.samples),
        armed_at=later(channel.armed_at),
    )


def _sample(sample: Sample, earlier: Callable[[float], float], later: Callable[[float], float]) -> Sample:
    return Sample(
        earliest=earlier(sample.earliest),
        latest=later(sample.latest),
        level=steps(sample.level) / STEPS_PER_LEVEL,
        reference=None
        if sample.reference is None
        else steps(sample.reference, REFERENCE_STEPS_PER_LEVEL) / REFERENCE_STEPS_PER_LEVEL,
    )
