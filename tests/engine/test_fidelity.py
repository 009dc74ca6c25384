"""Counts, False Clearance Risk and Verdict Fidelity from hand-made verdict pairs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from simverity_engine.statistics.binomial import CountsError, Interval
from simverity_engine.statistics.fidelity import (
    InsufficientEvidence,
    PairCounts,
    PairError,
    Rate,
    ReasonCount,
    RiskBound,
    Shortage,
    VerdictFidelity,
    VerdictPair,
    count_pairs,
    risk_bound,
    verdict_fidelity,
)
from simverity_engine.terms import Linkage, Reason, Verdict

PASS, FAIL, ABSTAIN = Verdict.PASS, Verdict.FAIL, Verdict.ABSTAIN


def _pair(source: Verdict, target: Verdict, reason: Reason | None = None) -> VerdictPair:
    return VerdictPair(source=source, target=target, reason=reason)


def _linked(count: int) -> tuple[ReasonCount, ...]:
    return (ReasonCount(reason=Reason.BELOW_RESOLUTION, count=count),)


@pytest.mark.parametrize(
    ("pair", "counts"),
    [
        (_pair(PASS, PASS), PairCounts(pass_pass=1)),
        (_pair(PASS, FAIL), PairCounts(pass_fail=1)),
        (_pair(FAIL, PASS), PairCounts(fail_pass=1)),
        (_pair(FAIL, FAIL), PairCounts(fail_fail=1)),
        (_pair(FAIL, ABSTAIN, Reason.NO_SAMPLE), PairCounts(fail_abstain=1)),
        (_pair(ABSTAIN, PASS), PairCounts(source_abstain=1)),
        (_pair(ABSTAIN, ABSTAIN, Reason.NO_SAMPLE), PairCounts(source_abstain=1)),
        (_pair(PASS, ABSTAIN, Reason.BELOW_RESOLUTION), PairCounts(linked=_linked(1))),
        (
            _pair(PASS, ABSTAIN, Reason.UNQUALIFIED),
            PairCounts(before_dispatch=(ReasonCount(reason=Reason.UNQUALIFIED, count=1),)),
        ),
        (
            _pair(PASS, ABSTAIN, Reason.SUPERSEDED),
            PairCounts(void=(ReasonCount(reason=Reason.SUPERSEDED, count=1),)),
        ),
        (
            _pair(PASS, FAIL, Reason.FOREIGN_CONTEXT),
            PairCounts(void=(ReasonCount(reason=Reason.FOREIGN_CONTEXT, count=1),)),
        ),
    ],
)
def test_each_pair_is_counted_in_one_place(pair: VerdictPair, counts: PairCounts) -> None:
    assert count_pairs([pair]) == counts


@pytest.mark.parametrize(
    "pair",
    [_pair(PASS, ABSTAIN), _pair(PASS, PASS, Reason.NO_SAMPLE), _pair(FAIL, FAIL, Reason.UNQUALIFIED)],
)
def test_a_verdict_and_a_reason_that_contradict_each_other_are_refused(pair: VerdictPair) -> None:
    with pytest.raises(PairError):
        count_pairs([pair])


@given(
    st.lists(
        st.one_of(
            st.builds(_pair, st.sampled_from(Verdict), st.sampled_from([PASS, FAIL])),
            st.builds(_pair, st.sampled_from(Verdict), st.just(ABSTAIN), st.sampled_from(Reason)),
        )
    )
)
def test_no_trial_is_lost_or_counted_twice(pairs: list[VerdictPair]) -> None:
    counts = count_pairs(pairs)
    left_out = sum(entry.count for entry in counts.before_dispatch + counts.void)
    assert counts.cleared + counts.blocked + counts.source_abstain + left_out == len(pairs)
    voided = [pair for pair in pairs if pair.reason is not None and pair.reason.linkage is Linkage.VOID]
    assert sum(entry.count for entry in counts.void) == len(voided)


@pytest.mark.parametrize(
    "arguments", [{"pass_pass": -1}, {"source_abstain": -1}, {"linked": _linked(-1)}, {"void": _linked(-1)}]
)
def test_negative_counts_are_refused(arguments: dict[str, int]) -> None:
    with pytest.raises(PairError):
        PairCounts(**arguments)  # type: ignore[arg-type]  # mixed field types, one test


def test_the_risk_stands_with_its_interval_and_the_bounds_over_all_cleared_trials() -> None:
    counts = PairCounts(pass_pass=27, pass_fail=3, linked=_linked(6), fail_fail=5, source_abstain=4)
    bound = risk_bound(counts)
    assert isinstance(bound, RiskBound)
    assert (bound.failures, bound.decided, bound.abstained, bound.cleared) == (3, 30, 6, 36)
    assert isinstance(bound.point, Rate)
    assert (bound.point.events, bound.point.trials, bound.point.value) == (3, 30, 0.1)
    assert bound.point.interval.lower == pytest.approx(beta.ppf(0.025, 3, 28))
    assert bound.point.interval.upper == pytest.approx(beta.ppf(0.975, 4, 27))
    assert bound.point.upper == pytest.approx(beta.ppf(0.95, 4, 27))
    assert bound.bounds == Interval(lower=3 / 36, upper=9 / 36)
    assert bound.limits.lower == pytest.approx(beta.ppf(0.05, 3, 34))
    assert bound.limits.upper == pytest.approx(beta.ppf(0.95, 10, 27))


def test_no_failure_in_ten_is_far_from_no_risk() -> None:
    bound = risk_bound(PairCounts(pass_pass=10))
    assert isinstance(bound, RiskBound)
    assert isinstance(bound.point, Rate)
    assert bound.point.value == 0.0
    assert bound.point.upper == pytest.approx(0.2589, abs=5e-5)


def test_the_paper_s_counts_give_its_rates() -> None:
    # 240 cleared trials: completion fails all, reported state 20, observable effect 42, settled effect none.
    for failures in (240, 20, 42, 0):
        bound = risk_bound(PairCounts(pass_pass=240 - failures, pass_fail=failures))
        assert isinstance(bound, RiskBound)
        assert isinstance(bound.point, Rate)
        assert bound.point.value == failures / 240
        assert bound.bounds == Interval(lower=failures / 240, upper=failures / 240)


def test_without_a_cleared_trial_there_is_no_risk_to_state() -> None:
    counts = PairCounts(fail_fail=3, source_abstain=2, before_dispatch=_linked(4))
    assert risk_bound(counts) == InsufficientEvidence(shortage=Shortage.NO_CLEARED_TRIALS, decided=0, abstained=0)


def test_with_abstentions_only_the_bounds_say_that_nothing_is_known() -> None:
    bound = risk_bound(PairCounts(linked=_linked(4)))
    assert isinstance(bound, RiskBound)
    assert bound.point == InsufficientEvidence(shortage=Shortage.NO_DECIDED_TRIALS, decided=0, abstained=4)
    assert bound.bounds == bound.limits == Interval(lower=0.0, upper=1.0)


def test_a_one_sided_witness_shows_bounds_and_no_point() -> None:
    bound = risk_bound(PairCounts(pass_fail=2, linked=_linked(8)), two_sided_witness=False)
    assert isinstance(bound, RiskBound)
    assert bound.point == InsufficientEvidence(shortage=Shortage.ONE_SIDED_WITNESS, decided=2, abstained=8)
    assert bound.bounds == Interval(lower=0.2, upper=1.0)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
def test_the_point_lies_inside_the_bounds_and_these_inside_the_limits(passes: int, failures: int, linked: int) -> None:
    bound = risk_bound(PairCounts(pass_pass=passes, pass_fail=failures, linked=_linked(linked)))
    if isinstance(bound, RiskBound):
        assert bound.limits.lower <= bound.bounds.lower <= bound.bounds.upper <= bound.limits.upper
        if isinstance(bound.point, Rate):
            assert bound.bounds.lower <= bound.point.value <= bound.bounds.upper


def test_fidelity_counts_agreement_in_both_directions() -> None:
    counts = PairCounts(pass_pass=12, pass_fail=3, fail_pass=1, fail_fail=4, linked=_linked(7))
    fidelity = verdict_fidelity(counts)
    assert isinstance(fidelity, VerdictFidelity)
    assert fidelity.counts == counts
    assert (fidelity.agreement.events, fidelity.agreement.trials, fidelity.agreement.value) == (16, 20, 0.8)
    assert fidelity.agreement.interval.lower == pytest.approx(beta.ppf(0.025, 16, 5))
    assert fidelity.agreement.interval.upper == pytest.approx(beta.ppf(0.975, 17, 4))
    assert (fidelity.complements_risk, fidelity.no_failure_seen) == (False, False)


def test_fidelity_says_when_it_is_only_the_complement_of_the_risk() -> None:
    counts = PairCounts(pass_pass=9, pass_fail=1)
    fidelity, bound = verdict_fidelity(counts), risk_bound(counts)
    assert isinstance(fidelity, VerdictFidelity)
    assert isinstance(bound, RiskBound)
    assert isinstance(bound.point, Rate)
    assert fidelity.complements_risk
    assert fidelity.agreement.value == pytest.approx(1 - bound.point.value)


@pytest.mark.parametrize("counts", [PairCounts(pass_pass=9), PairCounts(pass_pass=9, fail_pass=1)])
def test_fidelity_says_when_the_target_never_failed(counts: PairCounts) -> None:
    fidelity = verdict_fidelity(counts)
    assert isinstance(fidelity, VerdictFidelity)
    assert fidelity.no_failure_seen


def test_a_failure_that_the_source_caught_is_a_failure_seen() -> None:
    fidelity = verdict_fidelity(PairCounts(pass_pass=9, fail_fail=1))
    assert isinstance(fidelity, VerdictFidelity)
    assert not fidelity.no_failure_seen


def test_without_binary_pairs_there_is_no_fidelity() -> None:
    counts = PairCounts(linked=_linked(5), source_abstain=3, fail_abstain=2)
    assert verdict_fidelity(counts) == InsufficientEvidence(shortage=Shortage.NO_BINARY_PAIRS, decided=0, abstained=5)


def test_the_confidence_is_the_caller_s() -> None:
    counts = PairCounts(pass_pass=9, pass_fail=1)
    narrow, wide = risk_bound(counts, confidence=0.9), risk_bound(counts, confidence=0.99)
    assert isinstance(narrow, RiskBound)
    assert isinstance(wide, RiskBound)
    assert wide.limits.upper > narrow.limits.upper
    with pytest.raises(CountsError):
        verdict_fidelity(counts, confidence=1.0)
