"""``settled_postcondition``: state and witness agree with the goal at the settled boundary, and stay so."""

from __future__ import annotations

from ..terms import PropertyId
from ..trace.reports import compare, reported_state, reports_on
from ..trace.trace import Goal, Trace
from .common import answer, settled_of, settled_window
from .finding import Finding, Outcome, conjunction
from .observable_effect import settled_effect


def settled_postcondition(trace: Trace) -> tuple[Outcome, ...]:
    """Judge every target at the settled boundary."""
    return tuple(
        Outcome(
            subject=goal.subject,
            property_id=PropertyId.SETTLED_POSTCONDITION,
            boundary=boundary,
            finding=conjunction((_report_held(trace, goal), settled_effect(trace, goal))),
        )
        for boundary in settled_of(trace)
        for goal in trace.goals
    )


def _report_held(trace: Trace, goal: Goal) -> Finding:
    """Judge the report at the settled boundary and every later one in the window."""
    window = settled_window(trace)
    later = (r.state for r in reports_on(trace, goal.subject) if window.start < r.at <= window.end)
    states = (reported_state(trace, goal.subject, window.start), *later)
    return conjunction(answer(compare(state, goal.state)) for state in states)
