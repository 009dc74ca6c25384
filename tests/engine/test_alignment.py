"""The six stages of a trace, and what makes a trial complete (METHOD 5)."""

from __future__ import annotations

import pytest

from simverity_engine.terms import Path, Reason, Stage
from simverity_engine.trace.alignment import Absence, Note, StageObservation, align, watched
from simverity_engine.trace.samples import EffectChannel, NoChannel
from simverity_engine.trace.trace import Trace
from tests.engine.examples import GROUP, LAMP, ON, OTHER, T0, film, group_trace, logged, report, sampled, steps, trace

LIT = sampled(film(steps((-1.0, 20.0), (0.25, 120.0))))


def stage(aligned: Trace, wanted: Stage) -> StageObservation:
    return next(one for one in align(aligned) if one.stage is wanted)


def times(one: StageObservation) -> tuple[float | None, float | None]:
    earliest, latest = one.earliest, one.latest
    return None if earliest is None else round(earliest, 6), None if latest is None else round(latest, 6)


def test_the_stages_come_in_order() -> None:
    assert [one.stage for one in align(trace(LIT))] == list(Stage)


def test_dispatch_is_the_origin() -> None:
    dispatch = stage(trace(LIT), Stage.DISPATCH)
    assert (times(dispatch), dispatch.note) == ((0.0, 0.0), Note.EVENT)


def test_an_instant_is_seen_or_was_not_watched() -> None:
    seen = trace(LIT, requested_at=T0 - 0.2, agent_read_at=T0 - 0.1)
    assert times(stage(seen, Stage.REQUEST)) == (-0.2, -0.2)
    assert times(stage(seen, Stage.AGENT_READ)) == (-0.1, -0.1)
    unseen = stage(trace(LIT, requested_at=None), Stage.REQUEST)
    assert (times(unseen), unseen.unavailable) == ((None, None), Absence.NOT_WATCHED)


def test_an_ingestion_bounds_the_source_from_above_only() -> None:
    source = stage(trace(LIT, source_reported_at=T0 - 0.5), Stage.SOURCE_REPORT)
    assert (times(source), source.note) == ((None, -0.5), Note.INGESTION)
    assert stage(trace(LIT), Stage.SOURCE_REPORT).unavailable is Absence.NOT_WATCHED


def test_feedback_is_the_first_report_of_the_goal_after_dispatch() -> None:
    reports = (
        report(0.4, "on"),
        report(0.2, "on"),
        report(0.1, "off"),
        report(-0.1, "on"),
        report(0.1, "on", subject=OTHER),
    )
    found = stage(trace(LIT, feedback=reports), Stage.SOFTWARE_FEEDBACK)
    assert (times(found), found.note) == ((0.2, 0.2), Note.REPORT)


def test_a_report_at_the_instant_of_dispatch_is_feedback() -> None:
    assert times(stage(trace(LIT, feedback=(report(0.0, "on"),)), Stage.SOFTWARE_FEEDBACK)) == (0.0, 0.0)


def test_an_optimistic_echo_says_that_it_is_one() -> None:
    reports = (report(0.02, "on", assumed=True), report(0.2, "on"))
    assert stage(trace(LIT, feedback=reports), Stage.SOFTWARE_FEEDBACK).note is Note.OPTIMISTIC_ECHO


def test_a_groups_own_report_is_feedback() -> None:
    found = stage(group_trace(LIT, feedback=(report(0.3, "on", subject=GROUP),)), Stage.SOFTWARE_FEEDBACK)
    assert times(found) == (0.3, 0.3)


@pytest.mark.parametrize(
    ("closed_at", "absence"),
    [(T0 + 12.0, Absence.DID_NOT_HAPPEN), (T0 + 11.9, Absence.NOT_WATCHED), (None, Absence.NOT_WATCHED)],
)
def test_no_feedback_happened_only_if_someone_listened_to_the_end(closed_at: float | None, absence: Absence) -> None:
    assert stage(trace(LIT, closed_at=closed_at), Stage.SOFTWARE_FEEDBACK).unavailable is absence


def test_a_witnessed_effect_is_an_interval() -> None:
    effect = stage(trace(LIT), Stage.OBSERVABLE_EFFECT)
    assert (times(effect), effect.note) == ((0.18, 0.3), Note.WITNESS_INTERVAL)


def test_an_edges_effect_is_from_its_log() -> None:
    effect = stage(trace(logged((0.03, ON))), Stage.OBSERVABLE_EFFECT)
    assert (times(effect), effect.note) == ((0.03, 0.03), Note.EFFECT_LOG)


def test_the_effect_of_a_group_spans_all_its_targets() -> None:
    effect = stage(group_trace(LIT, logged((0.9, ON), subject=OTHER)), Stage.OBSERVABLE_EFFECT)
    assert (times(effect), effect.note) == ((0.18, 0.9), Note.WITNESS_INTERVAL)


@pytest.mark.parametrize(
    ("channels", "absence", "reason"),
    [
        ((logged(), logged((0.9, ON), subject=OTHER)), Absence.DID_NOT_HAPPEN, None),
        ((LIT,), Absence.WITNESS_SILENT, Reason.NO_WITNESS),
        ((), Absence.NOT_WATCHED, Reason.NO_WITNESS),
        (
            (sampled(()), sampled((), subject=OTHER)),
            Absence.WITNESS_SILENT,
            Reason.NO_SAMPLE,
        ),
    ],
)
def test_an_effect_that_is_not_known_says_why(
    channels: tuple[EffectChannel, ...], absence: Absence, reason: Reason | None
) -> None:
    effect = stage(group_trace(*channels), Stage.OBSERVABLE_EFFECT)
    assert (times(effect), effect.unavailable, effect.reason) == ((None, None), absence, reason)


def test_without_targets_there_is_no_effect_to_watch() -> None:
    assert stage(trace(goals=()), Stage.OBSERVABLE_EFFECT).unavailable is Absence.NOT_WATCHED


FAULTY = sampled((), faults=(Reason.ARRIVAL_GAP,))
OFFLINE = NoChannel(subject=LAMP, reason=Reason.WITNESS_OFFLINE)


@pytest.mark.parametrize(
    ("trial", "complete"),
    [
        (trace(LIT), True),
        (trace(FAULTY), True),
        (trace(sampled(film(steps((-1.0, 20.0))))), True),
        (trace(OFFLINE), False),
        (trace(), False),
        (trace(LIT, goals=()), False),
        (trace(LIT, requested_at=None), False),
        (trace(LIT, closed_at=None), False),
        (trace(LIT, closed_at=T0 + 11.9), False),
        (trace(LIT, void=Reason.SUPERSEDED), False),
        (group_trace(LIT), False),
        (group_trace(LIT, sampled((), subject=OTHER)), True),
    ],
    ids=[
        "watched",
        "a fault that came back",
        "watched and did not happen",
        "no window",
        "no channel",
        "no targets",
        "no request",
        "never closed",
        "closed early",
        "void",
        "one of two",
        "both",
    ],
)
def test_a_trial_is_complete_when_its_stages_were_watched(trial: Trace, *, complete: bool) -> None:
    assert watched(trial, trial.path) is complete


def test_a_sensors_path_needs_its_report() -> None:
    assert not watched(trace(LIT), Path.SENSOR_TO_EFFECT)
    assert watched(trace(LIT, source_reported_at=T0 - 0.5), Path.SENSOR_TO_EFFECT)
    assert watched(trace(LIT), Path.CROSS_DEVICE)
