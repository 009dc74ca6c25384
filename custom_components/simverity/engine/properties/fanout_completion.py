"""``fanout_completion``: every target of one command took effect, not merely the command's subject."""

from __future__ import annotations

from ..terms import Boundary, PropertyId, Reason, Verdict
from ..trace.trace import Trace
from .common import grid_of, settled_of
from .finding import Finding, Outcome, conjunction
from .observable_effect import effect_findings, settled_effect

UNWITNESSED = frozenset(
    {
        Reason.NO_WITNESS,
        Reason.UNQUALIFIED,
        Reason.QUALIFICATION_EXPIRED,
        Reason.WITNESS_OFFLINE,
        Reason.AMBIENT_UNSUITABLE,
    }
)
"""Reasons that say that nothing could testify on a target."""


def fanout_completion(trace: Trace) -> tuple[Outcome, ...]:
    """Judge the command's subject at every boundary by the effects of all its targets."""
    by_target = [effect_findings(trace, goal) for goal in trace.goals]
    by_boundary = [
        (boundary, tuple(findings[index] for findings in by_target)) for index, boundary in enumerate(grid_of(trace))
    ]
    settled = tuple(settled_effect(trace, goal) for goal in trace.goals)
    by_boundary += [(boundary, settled) for boundary in settled_of(trace)]
    return tuple(_outcome(trace, boundary, all_of(findings)) for boundary, findings in by_boundary)


def all_of(findings: tuple[Finding, ...]) -> Finding:
    """Combine the targets' findings: any failure fails, then any target that nothing witnessed abstains."""
    if not findings:
        return Finding.abstain(Reason.NOT_APPLICABLE)
    combined = conjunction(findings)
    if combined.verdict is Verdict.ABSTAIN and any(finding.reason in UNWITNESSED for finding in findings):
        return Finding.abstain(Reason.UNWITNESSED_TARGET)
    return combined


def _outcome(trace: Trace, boundary: Boundary, finding: Finding) -> Outcome:
    return Outcome(subject=trace.subject, property_id=PropertyId.FANOUT_COMPLETION, boundary=boundary, finding=finding)
