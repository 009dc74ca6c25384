"""The policy of a home: the draw of one in k, and its form in the ledger."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simverity_engine.canonical import canonical_bytes, plain
from simverity_engine.standing.policy import PolicyError, StandingPolicy
from simverity_engine.standing.record import policy_from_json
from simverity_engine.standing.state import ClearedTrial, StandingError, StandingState, observe
from simverity_engine.terms import Disposition, Verdict

NAMES = [f"trial-{number}" for number in range(6000)]
DRAWN = StandingPolicy(one_in=3, seed=7)


def _observe(state: StandingState, name: str, policy: StandingPolicy, verdict: Verdict = Verdict.PASS) -> StandingState:
    return observe(state, ClearedTrial(verdict=verdict, wall_time=0.0, trial=name), policy)


def test_one_in_k_is_drawn() -> None:
    share = sum(DRAWN.draws(name) for name in NAMES) / len(NAMES)
    assert share == pytest.approx(1 / 3, abs=4 * (1 / 3 * 2 / 3 / len(NAMES)) ** 0.5)


def test_every_trial_is_drawn_where_one_in_one_is() -> None:
    assert all(StandingPolicy(one_in=1).draws(name) for name in NAMES[:50])


def test_another_seed_draws_others() -> None:
    other = StandingPolicy(one_in=3, seed=8)
    assert [DRAWN.draws(name) for name in NAMES] != [other.draws(name) for name in NAMES]


@pytest.mark.parametrize("verdict", [Verdict.PASS, Verdict.FAIL])
def test_what_a_trial_showed_has_no_part_in_the_draw(verdict: Verdict) -> None:
    for name in NAMES[:50]:
        clearing = _observe(StandingState(), name, DRAWN, verdict).clearing
        assert clearing.passes + clearing.failures == DRAWN.draws(name)


def test_drawn_trials_clear_without_blocks() -> None:
    state = StandingState()
    drawn = [name for name in NAMES if DRAWN.draws(name)]
    for name in drawn[:73]:
        state = _observe(state, name, DRAWN)
    assert state.disposition is Disposition.ABSTAIN
    assert _observe(state, drawn[73], DRAWN).disposition is Disposition.CLEAR


def test_what_is_not_drawn_still_revokes() -> None:
    state = StandingState(disposition=Disposition.CLEAR)
    for name in [name for name in NAMES if not DRAWN.draws(name)][:3]:
        state = _observe(state, name, DRAWN, Verdict.FAIL)
    assert state.disposition is Disposition.ESCALATE


@given(
    policy=st.builds(
        StandingPolicy,
        tolerance=st.floats(0.005, 0.5),
        error=st.floats(0.001, 0.2),
        block=st.integers(1, 86_400).map(lambda seconds: timedelta(seconds=seconds)),
        strict=st.booleans(),
        one_in=st.none() | st.integers(1, 100),
        seed=st.integers(0, 2**32 - 1),
    )
)
def test_the_ledger_gives_a_policy_back(policy: StandingPolicy) -> None:
    assert policy_from_json(json.loads(canonical_bytes(plain(policy)))) == policy


@pytest.mark.parametrize(
    "damage",
    [
        lambda record: record.pop("tolerance"),
        lambda record: record.update(strict=1),
        lambda record: record.update(one_in=0.5),
        lambda record: record.update(block="1 h"),
    ],
)
def test_a_damaged_policy_is_none(damage: Callable[[dict[str, Any]], None]) -> None:
    record = json.loads(canonical_bytes(plain(DRAWN)))
    damage(record)
    with pytest.raises(StandingError):
        policy_from_json(record)


def test_a_draw_of_none_is_refused() -> None:
    with pytest.raises(PolicyError):
        StandingPolicy(one_in=0)
