"""The standing disposition of one cell: the rules of its state machine, its policy and its checkpoint."""

from __future__ import annotations

import json
import math
import random
from datetime import timedelta

import pytest

from simverity_engine.canonical import Json, canonical_bytes
from simverity_engine.standing.clearing import (
    ClearingEvidence,
    Segment,
    log_evidence,
)
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
from simverity_engine.terms import Disposition, Reason, Verdict

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
