"""The six stages of a trace, each observed or unavailable with a reason, and whether a trial was watched."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ..terms import Path, Reason, Stage, Verdict
from ..witness.effect import Crossing, crossing
from .reports import compare
from .samples import EffectChannel, LoggedChannel, NoChannel
from .trace import Goal, Trace


class Note(StrEnum):
    """What an observed time is a time of."""

    EVENT = "event"
    INGESTION = "ingestion"
    REPORT = "report"
    OPTIMISTIC_ECHO = "optimistic_echo"
    EFFECT_LOG = "effect_log"
    WITNESS_INTERVAL = "witness_interval"


class Absence(StrEnum):
    """Why a stage has no time."""

    NOT_WATCHED = "not_watched"
    DID_NOT_HAPPEN = "did_not_happen"
    WITNESS_SILENT = "witness_silent"


@dataclass(frozen=True, slots=True, kw_only=True)
class StageObservation:
    """One stage: when it happened, or why that is not known.

    ``earliest`` and ``latest`` are seconds after dispatch (negative before it). ``earliest`` is None where there is no
    lower bound: an ingestion time bounds the physical source from above only. ``reason`` says why a witness was silent.
    """

    stage: Stage
    earliest: float | None = None
    latest: float | None = None
    note: Note | None = None
    unavailable: Absence | None = None
    reason: Reason | None = None


REQUIRED: dict[Path, tuple[Stage, ...]] = {
    Path.SINGLE_LIGHT: (Stage.REQUEST, Stage.DISPATCH, Stage.SOFTWARE_FEEDBACK, Stage.OBSERVABLE_EFFECT),
    Path.MULTI_TARGET: (Stage.REQUEST, Stage.DISPATCH, Stage.SOFTWARE_FEEDBACK, Stage.OBSERVABLE_EFFECT),
    Path.SENSOR_TO_EFFECT: (
        Stage.REQUEST,
        Stage.SOURCE_REPORT,
        Stage.DISPATCH,
        Stage.SOFTWARE_FEEDBACK,
        Stage.OBSERVABLE_EFFECT,
    ),
    Path.CROSS_DEVICE: (Stage.REQUEST, Stage.DISPATCH, Stage.SOFTWARE_FEEDBACK, Stage.OBSERVABLE_EFFECT),
}
"""The stages that must have been watched for a trial of the path to be complete (METHOD 5)."""


def align(trace: Trace) -> tuple[StageObservation, ...]:
    """Return the six stages in order.

    The effect of several targets spans from the first that may have happened to the last that is proven.
    """
    return (
        _instant(trace, Stage.REQUEST, trace.requested_at),
        _source_report(trace),
        _instant(trace, Stage.AGENT_READ, trace.agent_read_at),
        StageObservation(stage=Stage.DISPATCH, earliest=0.0, latest=0.0, note=Note.EVENT),
        _software_feedback(trace),
        _observable_effect(trace),
    )


def watched(trace: Trace, path: Path) -> bool:
    """Whether every stage that the path requires was watched.

    What was watched and did not happen is complete. A void trial is not.
    """
    return trace.void is None and all(_watched(trace, stage) for stage in REQUIRED[path])


def _watched(trace: Trace, stage: Stage) -> bool:
    if stage is Stage.REQUEST:
        return trace.requested_at is not None
    if stage is Stage.SOURCE_REPORT:
        return trace.source_reported_at is not None
    if stage is Stage.SOFTWARE_FEEDBACK:
        return _listened_to_the_end(trace)
    if stage is Stage.OBSERVABLE_EFFECT:
        return bool(trace.goals) and all(_window_came_back(trace, goal) for goal in trace.goals)
    return True


def _listened_to_the_end(trace: Trace) -> bool:
    return trace.closed_at is not None and trace.closed_at >= trace.dispatched_at + trace.settle_until


def _window_came_back(trace: Trace, goal: Goal) -> bool:
    """Whether a witness answered for the target, be it only to say that this window proves nothing."""
    return not isinstance(trace.channel(goal.subject), NoChannel)


def _instant(trace: Trace, stage: Stage, at: float | None) -> StageObservation:
    if at is None:
        return StageObservation(stage=stage, unavailable=Absence.NOT_WATCHED)
    since = at - trace.dispatched_at
    return StageObservation(stage=stage, earliest=since, latest=since, note=Note.EVENT)


def _source_report(trace: Trace) -> StageObservation:
    """The source itself acted no later than its report came in; how much earlier is not known."""
    if trace.source_reported_at is None:
        return StageObservation(stage=Stage.SOURCE_REPORT, unavailable=Absence.NOT_WATCHED)
    latest = trace.source_reported_at - trace.dispatched_at
    return StageObservation(stage=Stage.SOURCE_REPORT, latest=latest, note=Note.INGESTION)


def _software_feedback(trace: Trace) -> StageObservation:
    """The first report after dispatch that shows a target in its goal state; an optimistic echo says that it is one."""
    goals = {goal.subject: goal.state for goal in trace.goals} | {trace.subject: trace.direction}
    agreeing = [
        report
        for report in trace.feedback
        if report.at >= trace.dispatched_at
        and report.subject in goals
        and compare(report.state, goals[report.subject]) is Verdict.PASS
    ]
    if agreeing:
        first = min(agreeing, key=lambda report: report.at)
        since = first.at - trace.dispatched_at
        note = Note.OPTIMISTIC_ECHO if first.assumed else Note.REPORT
        return StageObservation(stage=Stage.SOFTWARE_FEEDBACK, earliest=since, latest=since, note=note)
    absence = Absence.DID_NOT_HAPPEN if _listened_to_the_end(trace) else Absence.NOT_WATCHED
    return StageObservation(stage=Stage.SOFTWARE_FEEDBACK, unavailable=absence)


def _observable_effect(trace: Trace) -> StageObservation:
    seen = [
        crossing(trace.channel(goal.subject), direction=goal.state, dispatched_at=trace.dispatched_at)
        for goal in trace.goals
    ]
    silent = next((one for one in seen if isinstance(one, Reason)), None)
    known = [one for one in seen if isinstance(one, Crossing)]
    if silent is not None or not known:
        answered = any(_window_came_back(trace, goal) for goal in trace.goals)
        absence = Absence.WITNESS_SILENT if answered else Absence.NOT_WATCHED
        return StageObservation(stage=Stage.OBSERVABLE_EFFECT, unavailable=absence, reason=silent)
    ends = [one.first_new for one in known if one.first_new is not None]
    if len(ends) < len(known):
        return StageObservation(stage=Stage.OBSERVABLE_EFFECT, unavailable=Absence.DID_NOT_HAPPEN)
    logged = all(isinstance(channel, LoggedChannel) for channel in _channels(trace))
    return StageObservation(
        stage=Stage.OBSERVABLE_EFFECT,
        earliest=min(one.last_old for one in known) - trace.dispatched_at,
        latest=max(ends) - trace.dispatched_at,
        note=Note.EFFECT_LOG if logged else Note.WITNESS_INTERVAL,
    )


def _channels(trace: Trace) -> list[EffectChannel]:
    return [trace.channel(goal.subject) for goal in trace.goals]
