"""``reported_read_after_write``: the reported state, read at each boundary."""

from __future__ import annotations

from ..terms import Boundary, Direction, PropertyId, Reason, SubjectId
from ..trace.reports import compare, reported_state, reports_on
from ..trace.trace import Trace
from .common import answer, clock_stepped, grid_of, settled_of
from .finding import Finding, Outcome, conjunction


def reported_read_after_write(trace: Trace) -> tuple[Outcome, ...]:
    """Judge every target at every boundary, and a group that is not itself a target by all its members."""
    targets = {goal.subject: goal.state for goal in trace.goals}
    outcomes = []
    for boundary in (*grid_of(trace), *settled_of(trace)):
        doubtful = boundary.kind == "grid" and clock_stepped(trace)
        findings = {
            subject: Finding.abstain(Reason.CLOCK_STEP) if doubtful else _read(trace, subject, state, boundary)
            for subject, state in targets.items()
        }
        if trace.subject not in targets:
            findings[trace.subject] = conjunction((*findings.values(), *_own(trace, boundary, doubtful=doubtful)))
        outcomes += [_outcome(subject, boundary, finding) for subject, finding in findings.items()]
    return tuple(outcomes)


def _read(trace: Trace, subject: SubjectId, state: Direction, boundary: Boundary) -> Finding:
    instant = trace.dispatched_at + boundary.seconds
    return answer(compare(reported_state(trace, subject, instant), state))


def _own(trace: Trace, boundary: Boundary, *, doubtful: bool) -> tuple[Finding, ...]:
    """Return the group's own claim, where it makes one: a group may have no state of its own."""
    reports = any(pre.subject == trace.subject for pre in trace.pre_states) or reports_on(trace, trace.subject)
    if doubtful or not reports:
        return ()
    return (_read(trace, trace.subject, trace.direction, boundary),)


def _outcome(subject: SubjectId, boundary: Boundary, finding: Finding) -> Outcome:
    return Outcome(
        subject=subject,
        property_id=PropertyId.REPORTED_READ_AFTER_WRITE,
        boundary=boundary,
        finding=finding,
    )
