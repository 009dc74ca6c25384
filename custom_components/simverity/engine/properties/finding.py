"""A monitor's answer, and the outcome that carries it to its cell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..terms import Boundary, PropertyId, Reason, SubjectId, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A verdict and, when it abstains, the reason. ``earliest``/``latest`` bound the effect after dispatch, seconds."""

    verdict: Verdict
    reason: Reason | None = None
    earliest: float | None = None
    latest: float | None = None

    @classmethod
    def passed(cls) -> Finding:
        """The property held."""
        return cls(verdict=Verdict.PASS)

    @classmethod
    def failed(cls) -> Finding:
        """The property was seen not to hold."""
        return cls(verdict=Verdict.FAIL)

    @classmethod
    def abstain(cls, reason: Reason) -> Finding:
        """Nothing entitles to either answer."""
        return cls(verdict=Verdict.ABSTAIN, reason=reason)


def conjunction(findings: Iterable[Finding]) -> Finding:
    """Judge "all of these": the first failure decides, then the first abstention; otherwise it held."""
    parts = tuple(findings)
    for verdict in (Verdict.FAIL, Verdict.ABSTAIN):
        for part in parts:
            if part.verdict is verdict:
                return Finding(verdict=verdict, reason=part.reason)
    return Finding.passed()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One finding about one subject of one trial: property by boundary."""

    subject: SubjectId
    property_id: PropertyId
    boundary: Boundary
    finding: Finding
