"""The standing disposition against the figures of the method and the rules of its state machine."""

from __future__ import annotations

import json
import math
import random
from datetime import timedelta
from itertools import count, pairwise
from statistics import median

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simverity_engine.canonical import Json, canonical_bytes
from simverity_engine.standing.clearing import (
    ClearingEvidence,
    Segment,
    always_valid_upper_limit,
    clean_audits_to_clear,
    log_evidence,
)
from simverity_engine.standing.devices import jointly_clear
from simverity_engine.standing.policy import PolicyError, StandingPolicy
from simverity_engine.standing.record import from_json, to_json
from simverity_engine.standing.revocation import ChangeDetector
from simverity_engine.standing.state import (
    Acknowledgement,
    ClearedTrial,
    StandingError,
    StandingState,
    acknowledge,
    change_coordinates,
    expected_clear_time,
    expire,
    observe,
    outlook,
    worse,
)
from simverity_engine.terms import Disposition, Reason, SubjectId, Verdict

PASS, FAIL, ABSTAIN = Verdict.PASS, Verdict.FAIL, Verdict.ABSTAIN
CLEAR, ESCALATE = Disposition.CLEAR, Disposition.ESCALATE
HOUR = 3600.0
POLICY = StandingPolicy()
LOG_20 = math.log(20)


def _chance(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 - a repeatable simulation, no secret


def _trial(verdict: Verdict, wall_time: float) -> ClearedTrial:
    reason = Reason.BELOW_RESOLUTION if verdict is ABSTAIN else None
    return ClearedTrial(verdict=verdict, wall_time=wall_time, reason=reason)


def _hourly(
    verdicts: list[Verdict],
    state: StandingState | None = None,
    policy: StandingPolicy = POLICY,
    start: float = 0.0,
) -> StandingState:
    state = state or StandingState()
    for index, verdict in enumerate(verdicts):
        state = observe(state, _trial(verdict, start + index * HOUR), policy)
    return state


def _cleared() -> StandingState:
    return _hourly([PASS] * 74)


def _escalated() -> StandingState:
    return _hourly([FAIL] * 3)


# --- the clearing test ------------------------------------------------------------------------------------------


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


# --- the state machine ------------------------------------------------------------------------------------------


def test_a_new_cell_abstains_until_the_74th_clean_hour() -> None:
    assert StandingState().disposition is Disposition.ABSTAIN
    assert _hourly([PASS] * 73).disposition is Disposition.ABSTAIN
    assert _hourly([PASS] * 74).disposition is CLEAR


def test_only_the_first_trial_of_a_block_counts_towards_clearing() -> None:
    state = StandingState()
    for minute in range(60):
        state = observe(state, _trial(PASS, minute * 60.0), POLICY)
    assert (state.clearing.failures, state.clearing.passes, state.last_block) == (0, 1, 0)
    state = observe(state, _trial(PASS, HOUR), POLICY)
    assert (state.clearing.passes, state.last_block) == (2, 1)


def test_a_pass_after_a_failure_in_the_same_block_does_not_count() -> None:
    state = observe(StandingState(), _trial(FAIL, 0.0), POLICY)
    state = observe(state, _trial(PASS, 60.0), POLICY)
    assert (state.clearing.failures, state.clearing.passes) == (1, 0)


def test_setting_the_clock_back_does_not_count_an_hour_twice() -> None:
    state = _hourly([PASS, PASS, PASS])
    assert observe(state, _trial(PASS, 0.0), POLICY).clearing == state.clearing


def test_the_block_is_the_policy_s() -> None:
    daily = StandingPolicy(block=timedelta(days=1))
    assert _hourly([PASS] * 48, policy=daily).clearing.passes == 2
    assert daily.block_at(-1.0) == -1


def test_a_linked_abstention_counts_against_clearing_and_not_towards_revocation() -> None:
    state = observe(StandingState(), _trial(ABSTAIN, 0.0), POLICY)
    assert state.clearing.failures == 1
    assert state.detector == ChangeDetector()
    assert _hourly([ABSTAIN] * 50).disposition is Disposition.ABSTAIN


@pytest.mark.parametrize("reason", [None, Reason.UNQUALIFIED, Reason.SUPERSEDED])
def test_an_abstention_that_is_not_linked_to_the_outcome_is_no_evidence(reason: Reason | None) -> None:
    with pytest.raises(StandingError):
        ClearedTrial(verdict=ABSTAIN, wall_time=0.0, reason=reason)


def test_every_trial_feeds_the_detector_even_within_a_block() -> None:
    state = StandingState()
    for second in range(3):
        state = observe(state, _trial(FAIL, float(second)), POLICY)
    assert state.disposition is ESCALATE
    assert state.clearing == ClearingEvidence(finished=(Segment(failures=1, passes=0),))


def test_a_dead_device_escalates_at_its_third_failure() -> None:
    assert _hourly([FAIL] * 2).disposition is Disposition.ABSTAIN
    state = _escalated()
    assert state.disposition is ESCALATE
    assert state.detector == ChangeDetector()


def test_an_alarm_revokes_a_clear_and_takes_its_credit() -> None:
    state = _cleared()
    for index in range(3):
        state = observe(state, _trial(FAIL, (80 + index) * HOUR), POLICY)
    assert state.disposition is ESCALATE
    assert log_evidence(state.clearing, POLICY.tolerance) <= 0.0


def test_a_clear_survives_a_single_failure_unless_strict() -> None:
    failure = _trial(FAIL, 80 * HOUR)
    assert observe(_cleared(), failure, POLICY).disposition is CLEAR
    strict = StandingPolicy(strict=True)
    revoked = observe(_cleared(), failure, strict)
    assert revoked.disposition is ESCALATE
    assert log_evidence(revoked.clearing, 0.05) == 0.0
    assert observe(_cleared(), _trial(PASS, 80 * HOUR), strict).disposition is CLEAR
    assert observe(_cleared(), _trial(ABSTAIN, 80 * HOUR), strict).disposition is CLEAR
    assert observe(StandingState(), failure, strict).disposition is Disposition.ABSTAIN


def test_a_clear_lasts_while_its_evidence_dips_without_an_alarm() -> None:
    state = observe(_cleared(), _trial(FAIL, 80 * HOUR), POLICY)
    assert log_evidence(state.clearing, 0.05) < POLICY.log_demand
    assert state.disposition is CLEAR


def test_an_escalated_cell_can_earn_its_clear() -> None:
    state = _escalated()
    needed = outlook(state, POLICY).clean_audits_to_clear
    assert needed > 74
    assert _hourly([PASS] * (needed - 1), state, start=10 * HOUR).disposition is ESCALATE
    assert _hourly([PASS] * needed, state, start=10 * HOUR).disposition is CLEAR


def test_restarts_give_no_second_chance() -> None:
    # With S reset to 1 after every change this would take 74 audits again; the failures stay on the account.
    state = change_coordinates(_hourly([PASS] * 20 + [FAIL] * 2 + [PASS] * 5))
    assert outlook(state, POLICY).clean_audits_to_clear > 74


def test_new_coordinates_end_a_clear_and_start_its_count_again() -> None:
    state = change_coordinates(_cleared())
    assert (state.disposition, state.carried_over) == (Disposition.ABSTAIN, False)
    assert outlook(state, POLICY).clean_audits_to_clear == 74


def test_new_coordinates_do_not_lift_a_refusal() -> None:
    state = change_coordinates(_escalated())
    assert (state.disposition, state.carried_over) == (ESCALATE, True)
    needed = outlook(state, POLICY).clean_audits_to_clear
    earned = _hourly([PASS] * needed, state, start=10 * HOUR)
    assert (earned.disposition, earned.carried_over) == (CLEAR, False)


def test_new_coordinates_leave_an_abstaining_cell_abstaining() -> None:
    state = change_coordinates(_hourly([PASS] * 5))
    assert (state.disposition, state.carried_over) == (Disposition.ABSTAIN, False)


def test_suspicion_survives_new_coordinates() -> None:
    state = _hourly([FAIL] * 2)
    assert change_coordinates(state).detector == state.detector


def test_an_acknowledged_refusal_comes_back_when_it_expires() -> None:
    lifted = acknowledge(_escalated(), Acknowledgement(reason="new battery", expires_at=100 * HOUR), 10 * HOUR)
    assert lifted.disposition is Disposition.ABSTAIN
    assert expire(lifted, 99 * HOUR) == lifted
    back = expire(lifted, 100 * HOUR)
    assert (back.disposition, back.acknowledgement) == (ESCALATE, None)
    assert observe(lifted, _trial(PASS, 100 * HOUR), POLICY).disposition is ESCALATE
    assert expire(back, 200 * HOUR) == back


def test_an_acknowledgement_takes_the_good_experience() -> None:
    escalated = _hourly([PASS] * 50, _escalated(), start=10 * HOUR)
    lifted = acknowledge(escalated, Acknowledgement(reason="replaced", expires_at=200 * HOUR), 70 * HOUR)
    assert log_evidence(lifted.clearing, 0.05) <= min(0.0, log_evidence(escalated.clearing, 0.05))


def test_an_acknowledged_cell_that_fails_on_escalates_again() -> None:
    lifted = acknowledge(_escalated(), Acknowledgement(reason="new battery", expires_at=100 * HOUR), 10 * HOUR)
    again = _hourly([FAIL] * 3, lifted, start=11 * HOUR)
    assert (again.disposition, again.acknowledgement) == (ESCALATE, None)


def test_an_acknowledged_cell_that_clears_forgets_the_refusal() -> None:
    lifted = acknowledge(_escalated(), Acknowledgement(reason="new lamp", expires_at=1e9), 10 * HOUR)
    needed = outlook(lifted, POLICY).clean_audits_to_clear
    cleared = _hourly([PASS] * needed, lifted, start=11 * HOUR)
    assert (cleared.disposition, cleared.acknowledgement) == (CLEAR, None)
    assert expire(cleared, 2e9).disposition is CLEAR


def test_new_coordinates_do_not_make_an_acknowledgement_permanent() -> None:
    lifted = acknowledge(_escalated(), Acknowledgement(reason="new battery", expires_at=100 * HOUR), 10 * HOUR)
    back = expire(change_coordinates(lifted), 100 * HOUR)
    assert (back.disposition, back.carried_over) == (ESCALATE, True)


@pytest.mark.parametrize(
    ("state", "reason", "expires_at"),
    [(StandingState(), "why not", 100.0), (_escalated(), " ", 100.0), (_escalated(), "late", 10.0)],
    ids=["nothing to acknowledge", "no reason", "already expired"],
)
def test_acknowledgements_that_mean_nothing_are_refused(state: StandingState, reason: str, expires_at: float) -> None:
    with pytest.raises(StandingError):
        acknowledge(state, Acknowledgement(reason=reason, expires_at=expires_at), 10.0)


def test_the_outlook_of_a_clear_cell() -> None:
    shown = outlook(_cleared(), POLICY)
    assert shown.log_demand == pytest.approx(LOG_20)
    assert shown.log_evidence >= shown.log_demand
    assert shown.upper_limit < 0.05
    assert shown.clean_audits_to_clear == 0


def test_the_expected_date_follows_today_s_pace() -> None:
    assert expected_clear_time(74, 2.0, 1000.0) == 1000.0 + 37 * 86_400
    assert expected_clear_time(74, 0.0, 1000.0) is None


@pytest.mark.parametrize(
    ("one", "other", "result"),
    [
        (CLEAR, CLEAR, CLEAR),
        (CLEAR, Disposition.ABSTAIN, Disposition.ABSTAIN),
        (ESCALATE, CLEAR, ESCALATE),
        (Disposition.ABSTAIN, ESCALATE, ESCALATE),
    ],
)
def test_the_worse_of_two_dispositions_is_shown(one: Disposition, other: Disposition, result: Disposition) -> None:
    assert worse(one, other) is result


def _ever_clear(rate: float, trials: int, chance: random.Random) -> bool:
    state = StandingState()
    for hour in range(trials):
        state = observe(state, _trial(FAIL if chance.random() < rate else PASS, hour * HOUR), POLICY)
        if state.disposition is CLEAR:
            return True
    return False


def test_an_unsafe_home_that_alarms_and_restarts_is_not_cleared() -> None:
    chance = _chance(11)
    assert sum(_ever_clear(0.2, 300, chance) for _ in range(20)) == 0


# --- policy, many devices, checkpoints --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong",
    [
        {"tolerance": 0.0},
        {"tolerance": 1.0},
        {"error": 0.0},
        {"error": 1.0},
        {"block": timedelta(0)},
        {"alarm": 1.0},
        {"alarm": math.inf},
    ],
)
def test_a_policy_without_meaning_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(PolicyError):
        StandingPolicy(**wrong)  # type: ignore[arg-type]  # mixed field types, one test


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


_states = [
    StandingState(),
    _cleared(),
    change_coordinates(_escalated()),
    acknowledge(_escalated(), Acknowledgement(reason="new battery", expires_at=100 * HOUR), 10 * HOUR),
    _hourly([FAIL, PASS, ABSTAIN, PASS]),
]


@pytest.mark.parametrize("state", _states)
def test_a_checkpoint_gives_back_the_same_state(state: StandingState) -> None:
    assert from_json(json.loads(canonical_bytes(to_json(state)))) == state


def _damaged(path: str, value: Json) -> Json:
    record = json.loads(canonical_bytes(to_json(_states[3])))
    *parents, last = path.split(".")
    holder = record
    for key in parents:
        holder = holder[int(key) if key.isdigit() else key]
    holder[last] = value
    damaged: Json = record
    return damaged


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("disposition", "fine"),
        ("disposition", 1),
        ("carried_over", 0),
        ("last_block", 1.5),
        ("last_block", True),
        ("extra", 1),
        ("clearing", []),
        ("clearing.failures", -1),
        ("clearing.finished", "none"),
        ("clearing.finished.0.passes", None),
        ("detector.suspicion", [0.0] * 31),
        ("detector.suspicion", [-1.0] + [0.0] * 31),
        ("detector.suspicion", [True] * 32),
        ("detector.suspicion", ["0"] * 32),
        ("detector.suspicion", [math.nan] * 32),
        ("acknowledgement", {"reason": "no end"}),
        ("acknowledgement.reason", 5),
    ],
)
def test_a_damaged_checkpoint_does_not_become_a_standing(path: str, value: Json) -> None:
    with pytest.raises(StandingError):
        from_json(_damaged(path, value))
