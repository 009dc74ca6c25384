"""``effect_order``: the targets of one command take effect in the order in which it lists them."""

from __future__ import annotations

from itertools import combinations, pairwise

from ..terms import PropertyId, Reason
from ..trace.trace import Trace
from ..witness.effect import Crossing
from .common import crossing_of, settled_of
from .finding import Finding, Outcome


def effect_order(trace: Trace) -> tuple[Outcome, ...]:
    """Judge the command's subject at the settled boundary, when all effects are over."""
    return tuple(
        Outcome(
            subject=trace.subject,
            property_id=PropertyId.EFFECT_ORDER,
            boundary=boundary,
            finding=_finding(trace),
        )
        for boundary in settled_of(trace)
    )


def _finding(trace: Trace) -> Finding:
    """Fail on one proven inversion; pass only if every effect was seen and every step is proven to be in order."""
    if len(trace.goals) < 2:  # noqa: PLR2004 - an order needs two
        return Finding.abstain(Reason.NOT_APPLICABLE)
    seen = [crossing_of(trace, goal) for goal in trace.goals]
    known = [one for one in seen if isinstance(one, Crossing)]
    if len(known) == len(seen) and all(_in_order(first, second) for first, second in pairwise(known)):
        return Finding.passed() if known[-1].first_new is not None else Finding.abstain(Reason.BELOW_RESOLUTION)
    if any(_in_order(later, earlier) for earlier, later in combinations(known, 2)):
        return Finding.failed()
    missing = next((one for one in seen if isinstance(one, Reason)), Reason.BELOW_RESOLUTION)
    return Finding.abstain(missing)


def _in_order(first: Crossing, second: Crossing) -> bool:
    """Whether ``first`` provably happened no later than ``second``."""
    return first.first_new is not None and first.first_new <= second.last_old
