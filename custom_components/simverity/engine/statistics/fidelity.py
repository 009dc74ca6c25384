"""From verdict pairs to False Clearance Risk and Verdict Fidelity (METHOD, abstentions; sessions and pairs).

A pair is the verdict of the clearance's source and the verdict of the target for one trial of one cell. Only binary
pairs enter the rates; whatever was left out is counted beside them, and abstentions that could depend on the outcome
widen the bounds that stand next to every risk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from ..errors import EngineError
from ..terms import Linkage, Reason, Verdict
from .binomial import Interval, lower_limit, two_sided, upper_limit


class PairError(EngineError):
    """A verdict and its reason contradict each other, or a count is negative."""


class Shortage(StrEnum):
    """Why there is no number to give."""

    NO_CLEARED_TRIALS = "no_cleared_trials"
    NO_DECIDED_TRIALS = "no_decided_trials"
    NO_BINARY_PAIRS = "no_binary_pairs"
    ONE_SIDED_WITNESS = "one_sided_witness"


@dataclass(frozen=True, slots=True, kw_only=True)
class InsufficientEvidence:
    """There is no rate to state, and why.

    ``decided`` and ``abstained`` say how many trials there were to decide from.
    """

    shortage: Shortage
    decided: int
    abstained: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictPair:
    """The two verdicts of one trial.

    ``reason`` belongs to the target's abstention, or makes the pair void whatever the verdicts say; it is None
    otherwise. Why a source abstained is not needed here.
    """

    source: Verdict
    target: Verdict
    reason: Reason | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonCount:
    """How often a reason left a trial out."""

    reason: Reason
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCounts:
    """Trials of one cell by source verdict, then target verdict; every trial is in exactly one field.

    ``linked`` and ``before_dispatch`` are abstentions of the target on trials that the source cleared, by reason.
    ``fail_abstain`` counts source failures without a binary target verdict. ``void`` were no trials at all.
    """

    pass_pass: int = 0
    pass_fail: int = 0
    fail_pass: int = 0
    fail_fail: int = 0
    fail_abstain: int = 0
    linked: tuple[ReasonCount, ...] = ()
    before_dispatch: tuple[ReasonCount, ...] = ()
    source_abstain: int = 0
    void: tuple[ReasonCount, ...] = ()

    def __post_init__(self) -> None:
        """Refuse negative counts.

        Raises:
            PairError: a count below zero.
        """
        single = (self.pass_pass, self.pass_fail, self.fail_pass, self.fail_fail, self.fail_abstain)
        by_reason = (entry.count for entry in (*self.linked, *self.before_dispatch, *self.void))
        if min(*single, self.source_abstain, *by_reason) < 0:
            raise PairError("a count of trials cannot be negative")

    @property
    def decided(self) -> int:
        """n: trials that the source cleared and the target decided."""
        return self.pass_pass + self.pass_fail

    @property
    def abstained(self) -> int:
        """a: cleared trials whose missing verdict could depend on the outcome."""
        return sum(entry.count for entry in self.linked)

    @property
    def cleared(self) -> int:
        """N = n + a: every cleared trial that says something about the target."""
        return self.decided + self.abstained

    @property
    def blocked(self) -> int:
        """Trials that the source itself failed: counted, outside the risk."""
        return self.fail_pass + self.fail_fail + self.fail_abstain

    @property
    def binary(self) -> int:
        """Pairs in which both verdicts are binary."""
        return self.decided + self.fail_pass + self.fail_fail


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """An observed share of trials.

    ``events`` of ``trials``; ``interval`` is the two-sided and ``upper`` the one-sided exact one at ``confidence``.
    """

    events: int
    trials: int
    value: float
    interval: Interval
    upper: float
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskBound:
    """What is known of P[target fails | source passes].

    ``point`` is k/n over decided trials. ``bounds`` are [k/N, (k + a)/N]: every linked abstention taken as a pass,
    then as a failure. ``limits`` are the one-sided exact lower limit of the first and upper limit of the second.
    """

    failures: int
    decided: int
    abstained: int
    cleared: int
    point: Rate | InsufficientEvidence
    bounds: Interval
    limits: Interval
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictFidelity:
    """P[source verdict = target verdict] over binary pairs, with the table it comes from.

    ``complements_risk``: every source verdict was a pass, so that this is one minus the risk and says nothing more.
    ``no_failure_seen``: the target never failed, so that this says nothing about catching a failure.
    """

    counts: PairCounts
    agreement: Rate
    complements_risk: bool
    no_failure_seen: bool


def count_pairs(pairs: Iterable[VerdictPair]) -> PairCounts:
    """Sort the trials of one cell into counts.

    Raises:
        PairError: a target abstains without a reason, or a verdict carries a reason that it cannot have.
    """
    singles: Counter[str] = Counter()
    reasons: dict[Linkage, Counter[Reason]] = {linkage: Counter() for linkage in Linkage}
    for pair in pairs:
        _check(pair)
        if pair.reason is not None and pair.reason.linkage is Linkage.VOID:
            reasons[Linkage.VOID][pair.reason] += 1
        elif pair.source is Verdict.ABSTAIN:
            singles["source_abstain"] += 1
        elif pair.reason is not None and pair.source is Verdict.PASS:
            reasons[pair.reason.linkage][pair.reason] += 1
        else:
            singles[f"{pair.source}_{pair.target}"] += 1
    return PairCounts(
        **singles,
        linked=_by_reason(reasons[Linkage.OUTCOME]),
        before_dispatch=_by_reason(reasons[Linkage.BEFORE_DISPATCH]),
        void=_by_reason(reasons[Linkage.VOID]),
    )


def risk_bound(
    counts: PairCounts, *, confidence: float = 0.95, two_sided_witness: bool = True
) -> RiskBound | InsufficientEvidence:
    """Return the False Clearance Risk of a cell, or say why there is none.

    A witness that cannot decide both ways at this boundary can only convict: the bounds are shown, no point.

    Raises:
        CountsError: a confidence outside (0, 1).
    """
    failures, decided, abstained, cleared = counts.pass_fail, counts.decided, counts.abstained, counts.cleared
    if cleared == 0:
        return InsufficientEvidence(shortage=Shortage.NO_CLEARED_TRIALS, decided=0, abstained=0)
    point: Rate | InsufficientEvidence
    if not two_sided_witness:
        point = InsufficientEvidence(shortage=Shortage.ONE_SIDED_WITNESS, decided=decided, abstained=abstained)
    elif decided == 0:
        point = InsufficientEvidence(shortage=Shortage.NO_DECIDED_TRIALS, decided=0, abstained=abstained)
    else:
        point = _rate(failures, decided, confidence)
    return RiskBound(
        failures=failures,
        decided=decided,
        abstained=abstained,
        cleared=cleared,
        point=point,
        bounds=Interval(lower=failures / cleared, upper=(failures + abstained) / cleared),
        limits=Interval(
            lower=lower_limit(failures, cleared, confidence),
            upper=upper_limit(failures + abstained, cleared, confidence),
        ),
        confidence=confidence,
    )


def verdict_fidelity(counts: PairCounts, *, confidence: float = 0.95) -> VerdictFidelity | InsufficientEvidence:
    """Return the Verdict Fidelity of a cell with its table, or say that there are no binary pairs.

    Raises:
        CountsError: a confidence outside (0, 1).
    """
    if counts.binary == 0:
        return InsufficientEvidence(shortage=Shortage.NO_BINARY_PAIRS, decided=0, abstained=counts.abstained)
    return VerdictFidelity(
        counts=counts,
        agreement=_rate(counts.pass_pass + counts.fail_fail, counts.binary, confidence),
        complements_risk=counts.fail_pass + counts.fail_fail == 0,
        no_failure_seen=counts.pass_fail + counts.fail_fail == 0,
    )


def _rate(events: int, trials: int, confidence: float) -> Rate:
    return Rate(
        events=events,
        trials=trials,
        value=events / trials,
        interval=two_sided(events, trials, confidence),
        upper=upper_limit(events, trials, confidence),
        confidence=confidence,
    )


def _by_reason(counter: Counter[Reason]) -> tuple[ReasonCount, ...]:
    return tuple(ReasonCount(reason=reason, count=counter[reason]) for reason in sorted(counter))


def _check(pair: VerdictPair) -> None:
    if pair.target is Verdict.ABSTAIN:
        if pair.reason is None:
            raise PairError("an abstaining target must say why")
    elif pair.reason is not None and pair.reason.linkage is not Linkage.VOID:
        raise PairError(f"a target that decided cannot abstain for {pair.reason}")
