"""The clearing test, the change detector and e-BH against the figures of the method."""

from __future__ import annotations

import math
import random
from itertools import count, pairwise
from statistics import median

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simverity_engine.standing.clearing import (
    ClearingEvidence,
    Segment,
    always_valid_upper_limit,
    clean_audits_to_clear,
    log_evidence,
)
from simverity_engine.standing.devices import jointly_clear
from simverity_engine.standing.revocation import ChangeDetector
from simverity_engine.terms import SubjectId

LOG_20 = math.log(20)


def _chance(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 - a repeatable simulation, no secret


@pytest.mark.parametrize(("tolerance", "audits"), [(0.05, 74), (0.10, 36), (0.02, 188), (0.01, 377)])
def test_failure_free_audits_that_clear(tolerance: float, audits: int) -> None:
    assert clean_audits_to_clear(ClearingEvidence(), tolerance, LOG_20) == audits


@pytest.mark.parametrize(("failures", "audits"), [(1, 131), (2, 174)])
def test_audits_that_clear_in_spite_of_failures(failures: int, audits: int) -> None:
    passes = clean_audits_to_clear(ClearingEvidence(failures=failures), 0.05, LOG_20)
    assert passes + failures == audits


def test_evidence_that_suffices_needs_no_more_audits() -> None:
    assert clean_audits_to_clear(ClearingEvidence(passes=74), 0.05, LOG_20) == 0
    assert clean_audits_to_clear(ClearingEvidence(passes=73), 0.05, LOG_20) == 1


@given(st.integers(0, 60), st.integers(0, 400), st.sampled_from([0.01, 0.05, 0.2]))
def test_the_evidence_is_the_mixture_that_the_method_writes(failures: int, passes: int, tolerance: float) -> None:
    points = np.sin((np.arange(32) + 0.5) / 32 * np.arcsin(np.sqrt(tolerance))) ** 2
    logs = failures * np.log(points / tolerance) + passes * np.log((1 - points) / (1 - tolerance))
    expected = np.logaddexp.reduce(logs) - np.log(32)
    evidence = ClearingEvidence(failures=failures, passes=passes)
    assert log_evidence(evidence, tolerance) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(st.floats(0.01, 0.5), st.integers(0, 30), st.integers(0, 200))
def test_at_the_tolerance_the_evidence_is_expected_to_stay(tolerance: float, failures: int, passes: int) -> None:
    # A martingale: E now is the mean of E after one more trial at exactly the tolerance.
    now = ClearingEvidence(failures=failures, passes=passes)
    after_failure = math.exp(log_evidence(now.counted(failed=True), tolerance))
    after_pass = math.exp(log_evidence(now.counted(failed=False), tolerance))
    expected = tolerance * after_failure + (1 - tolerance) * after_pass
    assert expected == pytest.approx(math.exp(log_evidence(now, tolerance)), rel=1e-9)


def _e_after(counted: list[bool | None], tolerance: float) -> float:
    """Follow the method literally: 32 running sums and S; None is a restart."""
    points = [math.sin((j + 0.5) / 32 * math.asin(math.sqrt(tolerance))) ** 2 for j in range(32)]
    carried, sums = 1.0, [0.0] * 32
    for failed in counted:
        if failed is None:
            carried, sums = min(1.0, carried * sum(map(math.exp, sums)) / 32), [0.0] * 32
        elif failed:
            sums = [value + math.log(p / tolerance) for value, p in zip(sums, points, strict=True)]
        else:
            sums = [value + math.log((1 - p) / (1 - tolerance)) for value, p in zip(sums, points, strict=True)]
    return carried * sum(map(math.exp, sums)) / 32


@given(st.lists(st.sampled_from([None, True, False, False, False]), max_size=60))
def test_counts_carry_the_same_evidence_as_running_sums(counted: list[bool | None]) -> None:
    evidence = ClearingEvidence()
    for failed in counted:
        evidence = evidence.restarted() if failed is None else evidence.counted(failed=failed)
    assert math.exp(log_evidence(evidence, 0.05)) == pytest.approx(_e_after(counted, 0.05), rel=1e-9)


def test_a_restart_forgets_the_good_and_keeps_the_bad() -> None:
    assert log_evidence(ClearingEvidence(passes=70).restarted(), 0.05) == 0.0
    bad = ClearingEvidence(failures=4)
    assert log_evidence(bad.restarted(), 0.05) == pytest.approx(log_evidence(bad, 0.05))
    assert log_evidence(bad, 0.05) < -1.0


def test_restarts_without_a_trial_change_nothing() -> None:
    evidence = ClearingEvidence(failures=2, passes=9).restarted()
    assert evidence.restarted() == evidence


def test_equal_segments_in_a_row_are_kept_once() -> None:
    evidence = ClearingEvidence()
    for _ in range(500):
        evidence = evidence.counted(failed=True).restarted()
    evidence = evidence.counted(failed=False).restarted()
    assert evidence.finished == (Segment(failures=1, passes=0, repeats=500), Segment(failures=0, passes=1))


def test_without_evidence_no_risk_is_refuted() -> None:
    assert always_valid_upper_limit(ClearingEvidence(), LOG_20) == 1.0
    assert always_valid_upper_limit(ClearingEvidence(failures=9), LOG_20) == 1.0


@given(st.integers(0, 20), st.integers(1, 500))
def test_the_upper_limit_is_the_smallest_refuted_risk(failures: int, passes: int) -> None:
    evidence = ClearingEvidence(finished=(Segment(failures=1, passes=3),), failures=failures, passes=passes)
    limit = always_valid_upper_limit(evidence, LOG_20)
    assert log_evidence(evidence, limit * (1 + 1e-6)) >= LOG_20 or limit > 0.999
    assert log_evidence(evidence, limit * (1 - 1e-6)) < LOG_20


@given(st.integers(0, 30), st.integers(0, 300))
def test_a_larger_risk_is_easier_to_refute(failures: int, passes: int) -> None:
    evidence = ClearingEvidence(finished=(Segment(failures=2, passes=5),), failures=failures, passes=passes)
    risks = [0.001, 0.01, 0.05, 0.1, 0.3, 0.6, 0.9, 0.99]
    values = [log_evidence(evidence, risk) for risk in risks]
    assert all(smaller <= larger + 1e-9 for smaller, larger in pairwise(values))


def test_the_limit_reaches_the_tolerance_where_the_cell_clears() -> None:
    assert always_valid_upper_limit(ClearingEvidence(passes=74), LOG_20) < 0.05
    assert always_valid_upper_limit(ClearingEvidence(passes=73), LOG_20) > 0.05


def _clears_within(looks: int, rate: float, chance: random.Random, needed: dict[int, int]) -> bool:
    failures = 0
    for trials in range(1, looks + 1):
        failures += chance.random() < rate
        if failures not in needed:
            needed[failures] = clean_audits_to_clear(ClearingEvidence(failures=failures), 0.05, LOG_20)
        if trials - failures >= needed[failures]:
            return True
    return False


def test_a_home_at_the_limit_is_rarely_cleared_however_often_it_is_looked_at() -> None:
    chance, needed = _chance(20260605), dict[int, int]()
    cleared = sum(_clears_within(1500, 0.05, chance, needed) for _ in range(600))
    assert cleared / 600 <= 0.05
    assert cleared > 0


# --- the change detector ----------------------------------------------------------------------------------------


def _trials_to_alarm(rate: float, chance: random.Random, limit: int) -> int | None:
    detector = ChangeDetector()
    for trials in range(1, limit + 1):
        detector = detector.after(failed=chance.random() < rate, tolerance=0.05)
        if detector.level >= 1000:
            return trials
    return None


@pytest.mark.parametrize(("rate", "trials"), [(1.0, 3), (0.5, 7), (0.2, 31)])
def test_a_jump_in_the_risk_is_noticed(rate: float, trials: int) -> None:
    chance = _chance(7)
    waits = [_trials_to_alarm(rate, chance, 2000) for _ in range(151)]
    assert median(wait for wait in waits if wait is not None) == pytest.approx(trials, rel=0.2)
    assert None not in waits


def test_a_healthy_home_is_left_alone() -> None:
    chance = _chance(3)
    assert [_trials_to_alarm(0.01, chance, 4000) for _ in range(10)] == [None] * 10


def test_the_detector_sums_as_the_method_writes() -> None:
    start = np.arcsin(np.sqrt(0.05))
    points = np.sin(start + (np.arange(32) + 0.5) / 32 * (np.pi / 2 - start)) ** 2
    sums = np.zeros(32)
    detector = ChangeDetector()
    for failed in (True, False, False, True):
        sums = (sums + 1) * (points / 0.05 if failed else (1 - points) / 0.95)
        detector = detector.after(failed=failed, tolerance=0.05)
    assert detector.suspicion == pytest.approx(sums, rel=1e-9)
    assert detector.level == pytest.approx(sums.mean(), rel=1e-9)


def _devices(*evidence: float) -> dict[SubjectId, float]:
    return {SubjectId(f"lamp_{number}"): math.log(value) for number, value in zip(count(1), evidence)}


@pytest.mark.parametrize(
    ("evidence", "clear"),
    [
        ((), set()),
        ((20.1,), {"lamp_1"}),
        ((19.9,), set()),
        ((39.0, 1.0), set()),
        ((41.0, 1.0), {"lamp_1"}),
        ((21.0, 20.5), {"lamp_1", "lamp_2"}),  # neither reaches 40, together each need only reach 20
        ((1.0, 31.0, 0.5, 51.0, 1e9), {"lamp_4", "lamp_5"}),  # demands 100, 50, 33.3
        ((21.0, 22.0, 1.0), set()),
    ],
)
def test_several_devices_are_called_clear_by_e_bh(evidence: tuple[float, ...], clear: set[str]) -> None:
    assert jointly_clear(_devices(*evidence), 0.05) == clear
