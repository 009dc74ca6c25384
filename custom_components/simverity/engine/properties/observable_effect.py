"""``observable_effect_after_write``: whether the witness saw the effect by each boundary."""

from __future__ import annotations

from ..terms import Boundary, PropertyId, Reason, Verdict
from ..trace.trace import Goal, Trace
from ..witness.effect import Crossing
from .common import clock_stepped, crossing_of, grid_of
from .finding import Finding, Outcome


def observable_effect_after_write(trace: Trace) -> tuple[Outcome, ...]:
    """Judge every target at every boundary before the settled one."""
    return tuple(
        Outcome(
            subject=goal.subject,
            property_id=PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE,
            boundary=boundary,
            finding=finding,
        )
        for goal in trace.goals
        for boundary, finding in zip(grid_of(trace), effect_findings(trace, goal), strict=True)
    )


def effect_findings(trace: Trace, goal: Goal) -> tuple[Finding, ...]:
    """Return the findings on one target, one for each boundary of the grid."""
    seen = crossing_of(trace, goal)
    return tuple(_finding(trace, seen, boundary) for boundary in grid_of(trace))


def _finding(trace: Trace, seen: Crossing | Reason, boundary: Boundary) -> Finding:
    if clock_stepped(trace):
        return Finding.abstain(Reason.CLOCK_STEP)
    if isinstance(seen, Reason):
        return Finding.abstain(seen)
    verdict = seen.verdict_by(trace.dispatched_at + boundary.seconds)
    return Finding(
        verdict=verdict,
        reason=Reason.BELOW_RESOLUTION if verdict is Verdict.ABSTAIN else None,
        earliest=seen.last_old - trace.dispatched_at,
        latest=None if seen.first_new is None else seen.first_new - trace.dispatched_at,
    )
