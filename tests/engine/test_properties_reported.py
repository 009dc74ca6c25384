"""The two properties that read what the software claims: at the return of the call, and at each boundary."""

from __future__ import annotations

from dataclasses import replace

import pytest

from simverity_engine.terms import PropertyId, Reason, Verdict
from simverity_engine.trace.reports import compare
from simverity_engine.trace.trace import Feedback, PreState, Return
from tests.engine.examples import GROUP, LAMP, OFF, ON, OTHER, T0, group_trace, marks, report, returned, trace

COMPLETION, READ = PropertyId.REPORTED_COMPLETION, PropertyId.REPORTED_READ_AFTER_WRITE
STEP = "clock_step"


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (None, "return_not_observed"),
        (returned(0.1, "on"), "P"),
        (returned(0.1, "off"), "F"),
        (returned(0.1, "unavailable"), "state_unknown"),
        (returned(0.1, "unknown"), "state_unknown"),
        (returned(0.1, None), "state_unknown"),
        (returned(0.1, "on", error="HomeAssistantError"), "F"),
    ],
)
def test_completion_is_the_state_read_as_the_call_returns(call: Return | None, expected: str) -> None:
    assert marks(trace(returned=call), COMPLETION) == expected


@pytest.mark.parametrize(
    ("lamp", "other", "group", "expected"),
    [
        ("on", "on", "on", "P"),
        ("on", "on", None, "P"),
        ("on", "on", "off", "F"),
        ("on", "off", "on", "F"),
        ("on", None, "on", "state_unknown"),
        (None, None, None, "state_unknown"),
    ],
)
def test_completion_of_a_group_is_that_of_all_its_members(
    lamp: str | None, other: str | None, group: str | None, expected: str
) -> None:
    """A group that reports on as soon as one member is on has not completed."""
    states = tuple((s, state) for s, state in ((LAMP, lamp), (OTHER, other), (GROUP, group)) if state is not None)
    assert marks(group_trace(returned=Return(at=T0 + 0.1, states=states)), COMPLETION, GROUP) == expected


def test_a_command_without_targets_completes_by_its_subject() -> None:
    call = Return(at=T0 + 0.1, states=((GROUP, "on"),))
    assert marks(group_trace(goals=(), returned=call), COMPLETION, GROUP) == "P"
    assert marks(group_trace(goals=(), returned=replace(call, states=())), COMPLETION, GROUP) == "state_unknown"


def test_completion_does_not_depend_on_the_clock() -> None:
    assert marks(trace(returned=returned(0.1, "on"), clock_moved=1.0), COMPLETION) == "P"


@pytest.mark.parametrize(
    ("reports", "expected"),
    [
        ((), "F F F F F F F"),
        ((report(0.1, "on"),), "F P P P P P P"),
        ((report(0.11, "on"),), "F F P P P P P"),
        ((report(0.02, "on", assumed=True), report(0.2, "off"), report(0.6, "on")), "P P F F P P P"),
        ((report(0.6, "on"), report(0.2, "off"), report(0.02, "on")), "P P F F P P P"),
        ((report(0.2, "unavailable"), report(2.0, "on")), "F F state_unknown state_unknown state_unknown P P"),
        ((report(0.2, "on", subject=OTHER),), "F F F F F F F"),
        ((report(5.0, "on"),), "F F F F F F P"),
        ((report(-0.5, "on"),), "P P P P P P P"),
    ],
    ids=["silent", "at the boundary", "after it", "reverts", "unordered", "unavailable", "other", "late", "earlier"],
)
def test_a_read_shows_the_last_report_or_what_was_there_before(reports: tuple[Feedback, ...], expected: str) -> None:
    assert marks(trace(feedback=reports), READ) == expected


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ((), "state_unknown"),
        ((PreState(subject=LAMP, value=None, age=None),), "state_unknown"),
        ((PreState(subject=LAMP, value="on", age=1.0),), "P"),
        ((PreState(subject=OTHER, value="on", age=1.0),), "state_unknown"),
        (
            (
                PreState(subject=LAMP, value="off", age=0.1, source="witness"),
                PreState(subject=LAMP, value="on", age=60.0),
            ),
            "P",
        ),
        ((PreState(subject=LAMP, value="off", age=0.1, source="witness"),), "F"),
    ],
    ids=["none", "no value", "stale claim", "other", "claim before witness", "witness alone"],
)
def test_before_any_report_the_pre_state_is_shown(before: tuple[PreState, ...], expected: str) -> None:
    assert marks(trace(pre_states=before), READ).split()[0] == expected


def test_a_clock_step_leaves_only_the_settled_read() -> None:
    moved = trace(feedback=(report(0.02, "on"),), clock_moved=-0.0051)
    assert marks(moved, READ) == f"{STEP} {STEP} {STEP} {STEP} {STEP} {STEP} P"
    assert marks(trace(feedback=(report(0.02, "on"),), clock_moved=0.005), READ) == "P P P P P P P"


def test_a_group_is_right_only_when_all_its_members_are() -> None:
    reports = (report(0.02, "on", subject=GROUP), report(0.02, "on"), report(0.3, "on", subject=OTHER))
    judged = group_trace(feedback=reports)
    assert marks(judged, READ, LAMP) == "P P P P P P P"
    assert marks(judged, READ, OTHER) == "F F F P P P P"
    assert marks(judged, READ, GROUP) == "F F F P P P P"


def test_a_group_that_itself_reports_late_is_not_right_before() -> None:
    reports = (report(0.4, "on", subject=GROUP), report(0.02, "on"), report(0.02, "on", subject=OTHER))
    assert marks(group_trace(feedback=reports), READ, GROUP) == "F F F P P P P"


def test_a_group_that_never_reports_is_not_right_though_its_members_are() -> None:
    reports = (report(0.02, "on"), report(0.02, "on", subject=OTHER))
    assert marks(group_trace(feedback=reports), READ, GROUP) == "F F F F F F F"


def test_a_group_without_a_state_of_its_own_is_its_members() -> None:
    pre = tuple(PreState(subject=subject, value="off", age=1.0) for subject in (LAMP, OTHER))
    reports = (report(0.02, "on"), report(0.2, "on", subject=OTHER))
    assert marks(group_trace(feedback=reports, pre_states=pre), READ, GROUP) == "F F P P P P P"


def test_a_group_that_reports_without_having_been_seen_before_has_a_state_of_its_own() -> None:
    pre = tuple(PreState(subject=subject, value="off", age=1.0) for subject in (LAMP, OTHER))
    reports = (report(0.02, "on"), report(0.02, "on", subject=OTHER), report(0.02, "off", subject=GROUP))
    assert marks(group_trace(feedback=reports, pre_states=pre), READ, GROUP) == "F F F F F F F"


def test_a_clock_step_leaves_only_the_settled_read_of_a_group() -> None:
    reports = (report(0.02, "on"), report(0.02, "on", subject=OTHER), report(0.02, "on", subject=GROUP))
    judged = group_trace(feedback=reports, clock_moved=0.02)
    assert marks(judged, READ, GROUP) == f"{STEP} {STEP} {STEP} {STEP} {STEP} {STEP} P"


@pytest.mark.parametrize(
    ("state", "answer"),
    [
        ("on", Verdict.PASS),
        ("off", Verdict.FAIL),
        ("unknown", Reason.STATE_UNKNOWN),
        ("unavailable", Reason.STATE_UNKNOWN),
        ("", Reason.STATE_UNKNOWN),
        (None, Reason.STATE_UNKNOWN),
    ],
)
def test_a_state_that_claims_nothing_decides_nothing(state: str | None, answer: Verdict | Reason) -> None:
    assert compare(state, ON) is answer


def test_off_is_compared_with_off() -> None:
    assert compare("off", OFF) is Verdict.PASS
