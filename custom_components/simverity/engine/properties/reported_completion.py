"""``reported_completion``: the state that was read at the instant at which the blocking call returned."""

from __future__ import annotations

from ..terms import AT_RETURN, PropertyId, Reason
from ..trace.reports import compare
from ..trace.trace import Trace
from .common import answer
from .finding import Finding, Outcome, conjunction


def reported_completion(trace: Trace) -> tuple[Outcome, ...]:
    """Judge the subject of the command: a group by all its members, and by itself where it has a state of its own.

    Only our own driver sees a call return; an error is not a completion.
    """
    return (
        Outcome(
            subject=trace.subject,
            property_id=PropertyId.REPORTED_COMPLETION,
            boundary=AT_RETURN,
            finding=_finding(trace),
        ),
    )


def _finding(trace: Trace) -> Finding:
    if trace.returned is None:
        return Finding.abstain(Reason.RETURN_NOT_OBSERVED)
    if trace.returned.error is not None:
        return Finding.failed()
    states = dict(trace.returned.states)
    goals = {goal.subject: goal.state for goal in trace.goals}
    if trace.subject in states or not goals:
        goals[trace.subject] = trace.direction
    return conjunction(answer(compare(states.get(subject), state)) for subject, state in goals.items())
