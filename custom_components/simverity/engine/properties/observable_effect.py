"""``observable_effect_after_write``: whether the witness saw the effect by each boundary, and saw it stand settled."""

from __future__ import annotations

from ..terms import Boundary, Direction, PropertyId, Reason, Verdict
from ..trace.trace import Goal, Trace
from ..witness.effect import Crossing
from ..witness.settled import settled_state
from .common import answer, clock_stepped, crossing_of, grid_of, settled_of, settled_window
from .finding import Finding, Outcome


def observable_effect_after_write(trace: Trace) -> tuple[Outcome, ...]:
    """Judge every target at every boundary."""
    outcomes = []
    for goal in trace.goals:
        found = [
            *zip(grid_of(trace), effect_findings(trace, goal), strict=True),
            *((boundary, settled_effect(trace, goal)) for boundary in settled_of(trace)),
        ]
        outcomes += [
            Outcome(
                subject=goal.subject,
                property_id=PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE,
                boundary=boundary,
                finding=finding,
            )
            for boundary, finding in found
        ]
    return tuple(outcomes)


def effect_findings(trace: Trace, goal: Goal) -> tuple[Finding, ...]:
    """Return the findings on one target, one for each boundary of the grid."""
    seen = crossing_of(trace, goal)
    return tuple(_finding(trace, seen, boundary) for boundary in grid_of(trace))


def settled_effect(trace: Trace, goal: Goal) -> Finding:
    """Return the finding on one target at the settled boundary: how the witness saw it stand over the window."""
    stood = settled_state(trace.channel(goal.subject), direction=goal.state, window=settled_window(trace))
    if isinstance(stood, Direction):
        return answer(Verdict.PASS if stood is goal.state else Verdict.FAIL)
    return Finding.abstain(stood)


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
