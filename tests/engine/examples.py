"""Small traces for the engine's tests, worked by hand: dispatch at 100 s, lamps at 20 (off) and 120 (on) levels.

The midpoint is 70, the contrast 100, the guard band 2 levels wide on either side, a quarter of the contrast 25.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from simverity_engine.properties.finding import Finding, Outcome
from simverity_engine.properties.table import judge
from simverity_engine.terms import (
    GRID,
    Direction,
    Path,
    PropertyId,
    Reason,
    Rung,
    SubjectId,
    Tier,
    TrialId,
    settled_boundary,
)
from simverity_engine.trace.samples import EffectChannel, FrozenLevels, LoggedChannel, Sample, SampledChannel
from simverity_engine.trace.trace import Feedback, Goal, PreState, Return, Trace

T0 = 100.0
ON, OFF = Direction.ON, Direction.OFF
LAMP, OTHER, GROUP = SubjectId("lamp"), SubjectId("other"), SubjectId("group")
LEVELS = FrozenLevels(on=120.0, off=20.0, guard=2.0, two_sided=((ON, (0.5, 1.0, 3.0)), (OFF, (1.0, 3.0))))
WINDOW = (10.0, 12.0)


def frame(earliest: float, latest: float, level: float, reference: float | None = None) -> Sample:
    """A frame whose capture interval is given in seconds after dispatch."""
    return Sample(earliest=T0 + earliest, latest=T0 + latest, level=level, reference=reference)


def film(series: Iterable[tuple[float, float]], *, width: float = 0.02) -> tuple[Sample, ...]:
    """Frames that arrive at (seconds after dispatch, level), each captured at most ``width`` before."""
    return tuple(frame(arrival - width, arrival, level) for arrival, level in series)


def steps(*changes: tuple[float, float], until: float = 12.0, rate: float = 10.0) -> list[tuple[float, float]]:
    """A series of ``rate`` frames a second from 0.5 s before dispatch; each change is (from second, level)."""
    count = round((until + 0.5) * rate) + 1
    times = [round(-0.5 + index / rate, 6) for index in range(count)]
    return [(at, [level for since, level in changes if since <= at][-1]) for at in times]


def sampled(
    samples: Iterable[Sample],
    *,
    subject: SubjectId = LAMP,
    levels: FrozenLevels = LEVELS,
    faults: tuple[Reason, ...] = (),
) -> SampledChannel:
    """A camera's channel."""
    return SampledChannel(
        subject=subject,
        levels=levels,
        samples=tuple(samples),
        tier=Tier.STREAM_CLOCK,
        qualification="q-1",
        armed_at=T0,
        faults=faults,
    )


def logged(
    *effects: tuple[float, Direction], initial: Direction = OFF, until: float = 12.0, subject: SubjectId = LAMP
) -> LoggedChannel:
    """An edge's log; times in seconds after dispatch."""
    return LoggedChannel(
        subject=subject,
        initial=initial,
        effects=tuple((T0 + at, state) for at, state in effects),
        watched_until=T0 + until,
    )


def report(at: float, state: str, *, subject: SubjectId = LAMP, assumed: bool = False) -> Feedback:
    """A software report, ``at`` seconds after dispatch."""
    return Feedback(subject=subject, at=T0 + at, state=state, assumed=assumed)


def trace(
    *channels: EffectChannel,
    direction: Direction = ON,
    feedback: tuple[Feedback, ...] = (),
    returned: Return | None = None,
    **changes: object,
) -> Trace:
    """A single-light trace of ``LAMP`` that was watched to its end."""
    plain = Trace(
        trial=TrialId("s/r/0"),
        rung=Rung.PHYSICAL,
        path=Path.SINGLE_LIGHT,
        direction=direction,
        subject=LAMP,
        goals=(Goal(subject=LAMP, state=direction),),
        dispatched_at=T0,
        wall_dispatched="2026-12-01T03:00:00+00:00",
        settle_from=WINDOW[0],
        settle_until=WINDOW[1],
        boundaries=(*GRID, settled_boundary(WINDOW[0])),
        pre_states=(PreState(subject=LAMP, value=direction.opposite.value, age=60.0),),
        requested_at=T0 - 0.01,
        returned=returned,
        feedback=feedback,
        channels=channels,
        closed_at=T0 + WINDOW[1],
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def group_trace(*channels: EffectChannel, direction: Direction = ON, **changes: object) -> Trace:
    """A two-lamp trace whose command addresses ``GROUP``."""
    goals = (Goal(subject=LAMP, state=direction), Goal(subject=OTHER, state=direction))
    pre = tuple(PreState(subject=s, value=direction.opposite.value, age=60.0) for s in (GROUP, LAMP, OTHER))
    common = {"path": Path.MULTI_TARGET, "subject": GROUP, "goals": goals, "pre_states": pre}
    return trace(*channels, direction=direction, **(common | changes))  # type: ignore[arg-type]


def returned(at: float, state: str | None, *, error: str | None = None, subject: SubjectId = LAMP) -> Return:
    """A call's return with the state that was read in the same step."""
    return Return(at=T0 + at, states=() if state is None else ((subject, state),), error=error)


def findings(
    judged: Trace | Iterable[Outcome], property_id: PropertyId, subject: SubjectId = LAMP
) -> dict[str, Finding]:
    """The findings of one property on one subject, by boundary label."""
    outcomes = judge(judged) if isinstance(judged, Trace) else judged
    return {
        outcome.boundary.label: outcome.finding
        for outcome in outcomes
        if outcome.property_id is property_id and outcome.subject == subject
    }


def marks(judged: Trace | Iterable[Outcome], property_id: PropertyId, subject: SubjectId = LAMP) -> str:
    """The same as one line: P, F, or the reason for an abstention, in the order of the boundaries."""
    found = findings(judged, property_id, subject).values()
    return " ".join(str(finding.reason or finding.verdict.value[0].upper()) for finding in found)
