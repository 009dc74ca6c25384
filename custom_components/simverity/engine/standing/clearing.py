"""The e-process that clears: a mixture of likelihood ratios against "fails at least tau of the time".

Evidence is kept as counts, not as 32 running sums: the mixture depends on them alone, whole numbers survive a
restart of the computer without rounding, and the same counts answer for every tau (the always-valid limit).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from .policy import MIXTURE_POINTS

_FRACTIONS = tuple((j + 0.5) / MIXTURE_POINTS for j in range(MIXTURE_POINTS))
_ANGLE_TOLERANCE = 1e-13


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """What was counted between two restarts, ``repeats`` times in a row."""

    failures: int
    passes: int
    repeats: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearingEvidence:
    """Trials that count towards clearing.

    ``finished`` holds the segments that restarts closed, oldest first; ``failures`` and ``passes`` the open one.
    """

    finished: tuple[Segment, ...] = ()
    failures: int = 0
    passes: int = 0

    def counted(self, *, failed: bool) -> ClearingEvidence:
        """Add one trial."""
        if failed:
            return replace(self, failures=self.failures + 1)
        return replace(self, passes=self.passes + 1)

    def restarted(self) -> ClearingEvidence:
        """Close the open segment: what speaks against the cell carries over, what speaks for it does not."""
        if self.failures == 0 and self.passes == 0:
            return self
        *earlier, last = (*self.finished, Segment(failures=self.failures, passes=self.passes))
        if earlier and replace(earlier[-1], repeats=1) == last:
            last = replace(last, repeats=earlier.pop().repeats + 1)
        return ClearingEvidence(finished=(*earlier, last))


def log_evidence(evidence: ClearingEvidence, tolerance: float) -> float:
    """Return ln E: at a true risk of ``tolerance`` or more, E ever reaches x with probability 1/x at most."""
    return _log_evidence(evidence, math.asin(math.sqrt(tolerance)))


def clean_audits_to_clear(evidence: ClearingEvidence, tolerance: float, log_demand: float) -> int:
    """Return how many more failure-free counted trials bring E to the demand; 0 if it is there."""

    def suffices(more: int) -> bool:
        return log_evidence(replace(evidence, passes=evidence.passes + more), tolerance) >= log_demand

    enough = 1
    while not suffices(enough):
        enough *= 2
    too_few = -1
    while enough - too_few > 1:
        middle = (enough + too_few) // 2
        if suffices(middle):
            enough = middle
        else:
            too_few = middle
    return enough


def always_valid_upper_limit(evidence: ClearingEvidence, log_demand: float) -> float:
    """Return the smallest tau that the evidence refutes: at alpha = 5 % a 95 % upper limit at every look.

    E grows with tau at fixed counts, so the limit is found by bisection; 1.0 means that nothing is refuted yet.
    """
    low, high = 0.0, math.pi / 2.0
    while high - low > _ANGLE_TOLERANCE:
        middle = (low + high) / 2.0
        if _log_evidence(evidence, middle) >= log_demand:
            high = middle
        else:
            low = middle
    return math.sin(high) ** 2


def _log_evidence(evidence: ClearingEvidence, angle: float) -> float:
    """Ln E at tau = sin(angle)^2. S <- min(1, E) at every restart; equal segments in a row are taken in one step."""
    ratios = _log_ratios(angle)
    carried = 0.0
    for segment in evidence.finished:
        carried = min(0.0, carried + segment.repeats * _log_mixture(segment.failures, segment.passes, ratios))
    return carried + _log_mixture(evidence.failures, evidence.passes, ratios)


def _log_ratios(angle: float) -> tuple[tuple[float, float], ...]:
    """Return ln(p_j / tau) and ln((1 - p_j) / (1 - tau)) for p_j = sin(((j + 1/2) / 32) angle)^2."""
    log_sine, log_cosine = math.log(math.sin(angle)), math.log(math.cos(angle))
    return tuple(
        (
            2.0 * (math.log(math.sin(fraction * angle)) - log_sine),
            2.0 * (math.log(math.cos(fraction * angle)) - log_cosine),
        )
        for fraction in _FRACTIONS
    )


def _log_mixture(failures: int, passes: int, ratios: tuple[tuple[float, float], ...]) -> float:
    """Ln of the mean of exp(l_j), by log-sum-exp."""
    logs = [failures * on_failure + passes * on_pass for on_failure, on_pass in ratios]
    largest = max(logs)
    return largest + math.log(math.fsum(math.exp(value - largest) for value in logs) / MIXTURE_POINTS)
