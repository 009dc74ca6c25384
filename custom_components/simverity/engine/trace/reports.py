"""What the software claimed about a target at a given instant. Reports are claims, never observations."""

from __future__ import annotations

from ..terms import Direction, Reason, SubjectId, Verdict
from .trace import Feedback, Trace

UNKNOWN_STATES = frozenset({"unknown", "unavailable", ""})
"""State strings that claim nothing."""


def reports_on(trace: Trace, subject: SubjectId) -> tuple[Feedback, ...]:
    """Return the reports on one subject in the order of their times."""
    own = (report for report in trace.feedback if report.subject == subject)
    return tuple(sorted(own, key=lambda report: report.at))


def reported_state(trace: Trace, subject: SubjectId, instant: float) -> str | None:
    """Return the state that Home Assistant showed at ``instant``: the last report, or else how it stood before.

    The reported pre-state is preferred to the witness's: the question is what was shown, not what was so.
    """
    shown = [report.state for report in reports_on(trace, subject) if report.at <= instant]
    if shown:
        return shown[-1]
    before = [pre for pre in trace.pre_states if pre.subject == subject]
    before.sort(key=lambda pre: pre.source != "reported")
    return before[0].value if before else None


def compare(state: str | None, goal: Direction) -> Verdict | Reason:
    """Compare a state string with a goal; a state that claims nothing decides nothing."""
    if state is None or state in UNKNOWN_STATES:
        return Reason.STATE_UNKNOWN
    return Verdict.PASS if state == goal.value else Verdict.FAIL
