"""Standing cells: what a trial moves, what a change of coordinates takes away, and that a checkpoint keeps it all."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from custom_components.simverity.audit.standing import Standing
from custom_components.simverity.audit.views import SubjectRecord, view_subject
from custom_components.simverity.coordinator import Before, Explanation, LedgerState, SubjectView, WitnessState
from custom_components.simverity.engine.canonical import Json, canonical_bytes, plain
from custom_components.simverity.engine.properties.table import judge
from custom_components.simverity.engine.standing.policy import StandingPolicy
from custom_components.simverity.engine.standing.state import Acknowledgement
from custom_components.simverity.engine.standing.suspects import Side
from custom_components.simverity.engine.terms import (
    GRID,
    Digest,
    Direction,
    Disposition,
    Path,
    Reason,
    Rung,
    Source,
    SubjectId,
    TrialId,
    settled_boundary,
)
from custom_components.simverity.engine.trace.samples import NoChannel
from custom_components.simverity.engine.trace.trace import Feedback, Goal, Trace

LAMP = SubjectId("lamp")
HERE, ELSEWHERE = Digest("a" * 64), Digest("b" * 64)


def _trace(hour: int, *, obeyed: bool, void: Reason | None = None) -> Trace:
    """Return an unwitnessed trial in which the lamp reported that it obeyed, or never reported."""
    return Trace(
        trial=TrialId(str(hour)),
        rung=Rung.PHYSICAL,
        path=Path.SINGLE_LIGHT,
        direction=Direction.ON,
        subject=LAMP,
        goals=(Goal(subject=LAMP, state=Direction.ON),),
        dispatched_at=0.0,
        wall_dispatched=f"2026-12-{1 + hour // 24:02}T{hour % 24:02}:00:00+00:00",
        settle_from=4.0,
        settle_until=4.6,
        boundaries=(*GRID, settled_boundary(4.0)),
        feedback=(Feedback(subject=LAMP, at=0.05, state="on" if obeyed else "off"),),
        channels=(NoChannel(subject=LAMP, reason=Reason.NO_WITNESS),),
        void=void,
        closed_at=4.6,
    )


def _fold(standing: Standing, hours: range, *, obeyed: bool, coordinates: Digest = HERE) -> bool:
    turned = False
    for hour in hours:
        trace = _trace(hour, obeyed=obeyed)
        turned = standing.fold(trace, judge(trace), coordinates)
    return turned


def _view(standing: Standing, ledger: LedgerState = LedgerState.SOUND) -> SubjectView:
    record = SubjectRecord(
        cells=standing.cells_of(LAMP), tally=standing.tally_of(LAMP), looks=(), policy=standing.policy
    )
    return view_subject(LAMP, "light.lamp", record=record, ledger=ledger, witness=WitnessState.NONE)


def _disposition(standing: Standing, ledger: LedgerState = LedgerState.SOUND) -> tuple[Disposition, Explanation]:
    view = _view(standing, ledger)
    return view.disposition, view.explanation


@pytest.fixture
def standing() -> Standing:
    return Standing(StandingPolicy())


def test_seventy_four_clean_hours_clear_and_not_one_fewer(standing: Standing) -> None:
    assert _fold(standing, range(73), obeyed=True) is False
    assert _disposition(standing) == (Disposition.ABSTAIN, Explanation.NOT_ENOUGH_TRIALS)
    assert _fold(standing, range(73, 74), obeyed=True) is True
    assert _disposition(standing) == (Disposition.CLEAR, Explanation.CLEARED)


def test_three_failures_of_a_dead_device_escalate(standing: Standing) -> None:
    _fold(standing, range(74), obeyed=True)
    assert _fold(standing, range(74, 77), obeyed=False) is True
    assert _disposition(standing) == (Disposition.ESCALATE, Explanation.CHANGE_DETECTED)


@pytest.mark.parametrize(
    ("ledger", "explanation"),
    [
        (LedgerState.VERIFYING, Explanation.LEDGER_UNVERIFIED),
        (LedgerState.DAMAGED, Explanation.LEDGER_UNUSABLE),
        (LedgerState.MISSING, Explanation.LEDGER_UNUSABLE),
    ],
)
def test_nothing_clears_beside_a_ledger_that_is_not_sound(
    standing: Standing, ledger: LedgerState, explanation: Explanation
) -> None:
    _fold(standing, range(74), obeyed=True)
    assert _disposition(standing, ledger) == (Disposition.ABSTAIN, explanation)


@pytest.mark.parametrize("ledger", list(LedgerState))
def test_a_refusal_stays_whatever_the_ledger_is(standing: Standing, ledger: LedgerState) -> None:
    _fold(standing, range(3), obeyed=False)
    assert _disposition(standing, ledger)[0] is Disposition.ESCALATE


def test_changed_coordinates_take_a_clearance_away(standing: Standing) -> None:
    _fold(standing, range(74), obeyed=True)
    assert standing.note_coordinates(LAMP, HERE) is False
    assert standing.note_coordinates(LAMP, ELSEWHERE) is True
    assert _disposition(standing)[0] is Disposition.ABSTAIN


def test_changed_coordinates_do_not_lift_a_refusal(standing: Standing) -> None:
    _fold(standing, range(3), obeyed=False)
    standing.note_coordinates(LAMP, ELSEWHERE)
    assert _disposition(standing) == (Disposition.ESCALATE, Explanation.CARRIED_OVER)


def test_the_value_before_a_change_stays_readable(standing: Standing) -> None:
    _fold(standing, range(73), obeyed=True)
    assert _view(standing).before is None
    standing.note_coordinates(LAMP, ELSEWHERE)
    before = _view(standing).before
    assert before == Before(failures=0, decided=73, upper_limit=pytest.approx(0.0506, abs=1e-4))
    standing.adopt(StandingPolicy(tolerance=0.1))
    assert _view(standing).before == before, "nothing came since"
    _fold(standing, range(73, 75), obeyed=False, coordinates=ELSEWHERE)
    standing.note_coordinates(LAMP, HERE)
    after = _view(standing).before
    assert after is not None
    assert (after.failures, after.decided) == (2, 75)


def test_clearing_is_expected_at_the_pace_of_the_last_counted_trials(standing: Standing) -> None:
    _fold(standing, range(2), obeyed=True)
    assert _view(standing).expected_clear is None, "two trials are no pace"
    _fold(standing, range(2, 14), obeyed=True)
    assert _view(standing).expected_clear == datetime(2026, 12, 1, 13, tzinfo=UTC) + timedelta(hours=60)
    _fold(standing, range(14, 74), obeyed=True)
    assert _view(standing).expected_clear is None, "it is clear"


def test_another_policy_takes_a_clearance_away_and_judges_from_then_on(standing: Standing) -> None:
    _fold(standing, range(74), obeyed=True)
    assert standing.adopt(StandingPolicy()) is False
    assert standing.adopt(StandingPolicy(tolerance=0.1)) is True
    assert _disposition(standing)[0] is Disposition.ABSTAIN
    _fold(standing, range(74, 74 + 35), obeyed=True)
    assert _disposition(standing)[0] is Disposition.ABSTAIN
    _fold(standing, range(74 + 35, 74 + 36), obeyed=True)
    assert _disposition(standing)[0] is Disposition.CLEAR


def test_another_policy_does_not_lift_a_refusal(standing: Standing) -> None:
    _fold(standing, range(3), obeyed=False)
    standing.adopt(StandingPolicy(tolerance=0.2))
    assert _disposition(standing) == (Disposition.ESCALATE, Explanation.CARRIED_OVER)


def test_where_nothing_watches_the_device_or_its_feedback_is_suspect(standing: Standing) -> None:
    _fold(standing, range(1), obeyed=True)
    assert _view(standing).suspect is None
    _fold(standing, range(1, 2), obeyed=False)
    assert _view(standing).suspect is Side.EITHER


def test_an_acknowledgement_lifts_a_refusal(standing: Standing) -> None:
    _fold(standing, range(3), obeyed=False)
    acknowledgement = Acknowledgement(reason="the bulb was loose", expires_at=2e9)
    assert standing.acknowledge(LAMP, acknowledgement, 1.8e9) == 1
    assert standing.acknowledge(LAMP, acknowledgement, 1.8e9) == 0
    assert _disposition(standing) == (Disposition.ABSTAIN, Explanation.ACKNOWLEDGED)


def test_a_void_trial_is_counted_and_moves_nothing(standing: Standing) -> None:
    trace = _trace(0, obeyed=True, void=Reason.SUPERSEDED)
    standing.fold(trace, judge(trace), HERE)
    assert standing.cells_of(LAMP) == ()
    assert standing.tally_of(LAMP).trials == 1
    assert dict(standing.tally_of(LAMP).undecided) == {Reason.SUPERSEDED: 1}


def test_the_source_is_the_accepted_call_where_nothing_witnesses(standing: Standing) -> None:
    _fold(standing, range(1), obeyed=True)
    assert [(cell.key.source, cell.key.boundary) for cell in standing.cells_of(LAMP)] == [
        (Source.ACCEPTED_CALL, "settled")
    ]


def test_a_checkpoint_brings_everything_back(standing: Standing) -> None:
    standing.adopt(StandingPolicy(tolerance=0.02, one_in=1))
    _fold(standing, range(5), obeyed=True)
    _fold(standing, range(5, 7), obeyed=False)
    standing.note_coordinates(LAMP, ELSEWHERE)
    stored: Json = json.loads(canonical_bytes(standing.to_json()))
    other = Standing(StandingPolicy())
    assert other.load(stored)
    assert other.cells_of(LAMP) == standing.cells_of(LAMP)
    assert other.tally_of(LAMP) == standing.tally_of(LAMP)
    assert other.policy == standing.policy


@pytest.mark.parametrize(
    "damaged",
    [
        None,
        [],
        {},
        {"policy": plain(StandingPolicy()), "cells": {}},
        {"policy": plain(StandingPolicy()), "cells": {"x": {}}, "subjects": {}},
        {"policy": plain(StandingPolicy()), "cells": {}, "subjects": {"a": {"trials": -0.5}}},
    ],
)
def test_a_damaged_checkpoint_changes_nothing(standing: Standing, damaged: Json) -> None:
    _fold(standing, range(2), obeyed=True)
    before = standing.cells_of(LAMP)
    assert not standing.load(damaged)
    assert standing.cells_of(LAMP) == before
