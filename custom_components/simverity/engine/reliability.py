"""Whether a risk estimated from some trials held in all the others: the points of a reliability plot (METHOD 7)."""

from __future__ import annotations

from dataclasses import dataclass

from .statistics.binomial import Interval, two_sided

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class ReliabilityPoint:
    """One cell: the risk expected from some of its trials, and how the ``decided`` others came out, exactly."""

    expected: float
    failures: int
    decided: int
    interval: Interval


def reliability_point(*, seen: tuple[int, int], every: tuple[int, int]) -> ReliabilityPoint | None:
    """Compare the Jeffreys risk (k + 1/2) / (n + 1) of the trials ``seen`` with what the rest of ``every`` showed.

    Both are (failures, decided trials); what was seen is part of every. None where there is nothing on either side.
    """
    failures, decided = every[0] - seen[0], every[1] - seen[1]
    if seen[1] < 1 or not 0 <= failures <= decided or decided < 1:
        return None
    return ReliabilityPoint(
        expected=(seen[0] + 0.5) / (seen[1] + 1),
        failures=failures,
        decided=decided,
        interval=two_sided(failures, decided, CONFIDENCE),
    )
