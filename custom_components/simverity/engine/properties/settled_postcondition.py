"""``settled_postcondition``: state and witness agree with the goal at the settled boundary, and stay so."""

from __future__ import annotations

from ..terms import Direction, PropertyId, Verdict
from ..trace.reports import compare, reported_state, reports_on
from ..trace.trace import Goal, Trace
from ..witness.settled import settled_state
from .common import answer, settled_of, settled_window
from .finding import Finding, Outcome, conjunction


def settled_postcondition(trace: Trace) -> tuple[Outcome, ...]:
    """Judge every target at the settled boundary."""
    return tuple(
        Outcome(
            subject=goal.subject,
            property_id=PropertyId.SETTLED_POSTCONDITION,
            boundary=boundary,
            finding=conjunction((_report_held(trace, goal), witness_settled(trace, goal))),
        )
        for boundary in settled_of(trace)
        for goal in trace.goals
    )


def witness_settled(trace: Trace, goal: Goal) -> Finding:
    """Judge what the witness saw over the settled window."""
    stood = settled_state(trace.channel(goal.subject), direction=goal.state, window=settled_window(trace))
    if isinstance(stood, Direction):
        return answer(Verdict.PASS if stood is goal.state else Verdict.FAIL)
    return Finding.abstain(stood)


def _report_held(trace: Trace, goal: Goal) -> Finding:
    """Judge the report at the settled boundary and every later one in the window."""
    window = settled_window(trace)
    later = (r.state for r in reports_on(trace, goal.subject) if window.start < r.at <= window.end)
    states = (reported_state(trace, goal.subject, window.start), *later)
    return conjunction(answer(compare(state, goal.state)) for state in states)
