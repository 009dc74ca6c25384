"""What several monitors share: the crossing of a target, the timed boundaries, the form of an answer."""

from __future__ import annotations

from ..terms import Boundary, Reason, Verdict
from ..trace.trace import Goal, Trace
from ..witness.effect import Crossing, crossing
from ..witness.settled import Window
from .finding import Finding

CLOCK_TOLERANCE = 0.005
"""Seconds by which wall may move against monotonic time before the instant of dispatch is in doubt (METHOD 1)."""


def crossing_of(trace: Trace, goal: Goal) -> Crossing | Reason:
    """Return when a target took effect, as far as its channel proves it."""
    return crossing(trace.channel(goal.subject), direction=goal.state, dispatched_at=trace.dispatched_at)


def grid_of(trace: Trace) -> tuple[Boundary, ...]:
    """Return the trace's boundaries before the settled one."""
    return tuple(boundary for boundary in trace.boundaries if boundary.kind == "grid")


def settled_of(trace: Trace) -> tuple[Boundary, ...]:
    """Return the trace's settled boundary, or nothing if none was declared."""
    return tuple(boundary for boundary in trace.boundaries if boundary.kind == "settled")


def settled_window(trace: Trace) -> Window:
    """Return the settled window on the trace's clock."""
    return Window(start=trace.dispatched_at + trace.settle_from, end=trace.dispatched_at + trace.settle_until)


def clock_stepped(trace: Trace) -> bool:
    """Whether the instant of dispatch is in doubt, so that no time counted from it up to the settled boundary holds."""
    return abs(trace.clock_moved) > CLOCK_TOLERANCE


def answer(value: Verdict | Reason) -> Finding:
    """Turn a bare verdict, or the reason for having none, into a finding."""
    return Finding.abstain(value) if isinstance(value, Reason) else Finding(verdict=value)
