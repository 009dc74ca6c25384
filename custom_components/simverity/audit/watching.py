"""Watches open trials: arms the witness at dispatch, gathers reports, and closes each into a self-contained trace."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ..adapters.bus_observer import Report
from ..adapters.clocks import Clocks
from ..engine.levels import Level, claim
from ..engine.terms import (
    GRID,
    Boundary,
    Direction,
    Path,
    Reason,
    Rung,
    SubjectId,
    TrialId,
    settled_boundary,
)
from ..engine.trace.quantise import quantise
from ..engine.trace.samples import EffectChannel, NoChannel, SampledChannel
from ..engine.trace.trace import Feedback, Goal, PreState, Return, Trace
from ..engine.witness.settled import Window, settled_reading
from .witnesses import Armed, Qualified, Witnesses

SHORTEST_LOOKBACK = 0.5
"""Seconds before dispatch from which frames are wanted: the initial state must be seen."""
_UNAVAILABLE = "unavailable"
_REMEMBERED = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Settling:
    """The settled window, in seconds after dispatch; until ``fades_for`` the device is meant to be on its way."""

    start: float
    until: float
    fades_for: float = 0.0

    @property
    def window(self) -> float:
        """How long the window lasts, without the noise of the subtraction."""
        return round(self.until - self.start, 6)

    def after(self, *, fade: float, least: float) -> Settling:
        """Return the window for a command that fades for so long, and then needs at least so long to settle."""
        start = round(fade + max(self.start, least), 6)
        return Settling(start=start, until=round(start + self.window, 6), fades_for=fade)

    @property
    def boundaries(self) -> tuple[Boundary, ...]:
        """The boundaries at which a trial is judged: nothing is owed while the device is meant to be on its way."""
        grid = (point for point in GRID if self.fades_for <= point.seconds < self.start)
        return (*grid, settled_boundary(self.start))


@dataclass(slots=True)
class OpenTrial:
    """A trial from its dispatch on. ``contexts`` are the ids of the commands that belong to it.

    ``asked`` are the levels that were asked of targets; a witness of on and off says nothing about them. ``quiet`` are
    devices that must not react.
    """

    trial: TrialId
    path: Path
    direction: Direction
    subject: SubjectId
    goals: tuple[Goal, ...]
    dispatched_at: float
    wall_dispatched: str
    settling: Settling
    pre_states: tuple[PreState, ...]
    contexts: set[str]
    asked: dict[SubjectId, tuple[Level, ...]] = field(default_factory=dict)
    quiet: tuple[SubjectId, ...] = ()
    requested_at: float | None = None
    returned: Return | None = None
    reports: list[Report] = field(default_factory=list)
    armed: Armed | None = None
    lookback: float = SHORTEST_LOOKBACK
    qualified: dict[SubjectId, Qualified] = field(default_factory=dict)
    silent: dict[SubjectId, Reason] = field(default_factory=dict)
    void: Reason | None = None
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def targets(self) -> frozenset[SubjectId]:
        """The subjects that must change."""
        return frozenset(goal.subject for goal in self.goals)

    def asked_of(self, subject: SubjectId) -> tuple[Level, ...]:
        """Return the levels that a target's reports must show; of a group, those of its members."""
        return self.asked.get(subject, () if subject in self.targets else next(iter(self.asked.values()), ()))

    def end(self, reason: Reason) -> None:
        """Make the trial void and close it early; the first reason stays."""
        self.void = self.void or reason
        self.ended.set()


class Watching:
    """All trials that are open now. ``on_report`` is the observer's consumer."""

    def __init__(self, clocks: Clocks, witnesses: Witnesses) -> None:
        """Watch nothing yet."""
        self._clocks = clocks
        self._witnesses = witnesses
        self._by_subject: dict[SubjectId, list[OpenTrial]] = {}

    def open(self, trial: OpenTrial) -> OpenTrial:
        """Start to gather, and arm the witness at once."""
        for subject in (*(goal.subject for goal in trial.goals), *trial.quiet):
            found = self._witnesses.testifying(subject)
            if isinstance(found, Qualified) and subject in trial.asked:
                trial.silent[subject] = Reason.NOT_APPLICABLE
            elif isinstance(found, Qualified):
                trial.qualified[subject] = found
            else:
                trial.silent[subject] = found
        watched = trial.qualified.values()
        trial.lookback = max((SHORTEST_LOOKBACK, *(min(one.glance, one.remembers) for one in watched)))
        if watched:
            trial.armed = self._witnesses.arm(
                trial.trial,
                watched,
                dispatched_at=trial.dispatched_at,
                close_at=trial.dispatched_at + trial.settling.until,
                lookback=trial.lookback,
            )
        for subject in {trial.subject, *trial.targets}:
            self._by_subject.setdefault(subject, []).append(trial)
        return trial

    def open_trials(self, subjects: Iterable[SubjectId]) -> tuple[OpenTrial, ...]:
        """Return the open trials that have one of the subjects as target or address."""
        found = {id(trial): trial for subject in subjects for trial in self._by_subject.get(subject, ())}
        return tuple(found.values())

    def on_report(self, report: Report) -> None:
        """Keep a report for every open trial that it concerns."""
        for trial in self._by_subject.get(report.subject, ()):
            trial.reports.append(report)
            if report.state == _UNAVAILABLE and report.subject in trial.targets:
                trial.end(Reason.UNAVAILABLE_IN_WINDOW)

    async def async_close(self, trial: OpenTrial) -> Trace:
        """Wait for the end of the settled window and for the witness, and return the trace, in whole ticks.

        A trial that became void is closed without waiting for either.
        """
        try:
            await self.async_wait(trial)
            if trial.armed is not None and trial.void is None:
                await self._witnesses.async_collect(trial.armed)
        finally:
            self.drop(trial)
        channels = tuple(_channel(trial, goal.subject) for goal in trial.goals)
        quiet = tuple(_channel(trial, subject) for subject in trial.quiet)
        return self.trace(trial, Rung.PHYSICAL, channels, quiet)

    async def async_wait(self, trial: OpenTrial) -> None:
        """Wait for the end of the settled window, or until the trial became void."""
        remaining = trial.dispatched_at + trial.settling.until - self._clocks.monotonic()
        if remaining > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(remaining):
                    await trial.ended.wait()

    def drop(self, trial: OpenTrial) -> None:
        """Stop gathering for a trial."""
        for subject in {trial.subject, *trial.targets}:
            others = [other for other in self._by_subject.get(subject, ()) if other is not trial]
            if others:
                self._by_subject[subject] = others
            else:
                self._by_subject.pop(subject, None)
        if trial.armed is not None:
            self._witnesses.disarm(trial.armed)

    def trace(
        self,
        trial: OpenTrial,
        rung: Rung,
        channels: tuple[EffectChannel, ...],
        quiet: tuple[EffectChannel, ...] = (),
    ) -> Trace:
        """Return what is known of a trial by now; ``quiet`` are the channels of devices that must not react."""
        witnessed = (_seen_before(channel, trial) for channel in channels)
        return quantise(
            Trace(
                trial=trial.trial,
                rung=rung,
                path=trial.path,
                direction=trial.direction,
                subject=trial.subject,
                goals=trial.goals,
                dispatched_at=trial.dispatched_at,
                wall_dispatched=trial.wall_dispatched,
                settle_from=trial.settling.start,
                settle_until=trial.settling.until,
                boundaries=trial.settling.boundaries,
                pre_states=(*trial.pre_states, *(seen for seen in witnessed if seen is not None)),
                requested_at=trial.requested_at,
                returned=trial.returned,
                feedback=tuple(_feedback(report, trial) for report in trial.reports),
                channels=channels,
                quiet=quiet,
                clock_moved=self._clocks.moved_since(trial.dispatched_at),
                void=trial.void,
                closed_at=self._clocks.monotonic(),
            )
        )


class OwnContexts:
    """The contexts of commands that the audit itself gives: they are never passive trials."""

    def __init__(self) -> None:
        """Know of none."""
        self._recent: deque[str] = deque(maxlen=_REMEMBERED)
        self._known: set[str] = set()

    def add(self, context_id: str) -> None:
        """Remember a context before its command is given."""
        if len(self._recent) == _REMEMBERED:
            self._known.discard(self._recent[0])
        self._recent.append(context_id)
        self._known.add(context_id)

    def own(self, context_id: str, parent_id: str | None) -> bool:
        """Whether a command comes from the audit, or from something that the audit's command set off."""
        return context_id in self._known or parent_id in self._known


def settled_states(trace: Trace) -> dict[SubjectId, Direction | None]:
    """Return where a witness saw each target stand over the settled window; None where it cannot tell."""
    window = Window(start=trace.dispatched_at + trace.settle_from, end=trace.dispatched_at + trace.settle_until)
    found: dict[SubjectId, Direction | None] = {}
    for channel in trace.channels:
        if isinstance(channel, SampledChannel):
            reading = settled_reading(channel, window)
            found[channel.subject] = reading if isinstance(reading, Direction) else None
    return found


def _channel(trial: OpenTrial, subject: SubjectId) -> EffectChannel:
    qualified = trial.qualified.get(subject)
    if qualified is None or trial.armed is None:
        return NoChannel(subject=subject, reason=trial.silent.get(subject, Reason.NO_WITNESS))
    window = trial.armed.window_of(qualified.lamp)
    if isinstance(window, Reason):
        return NoChannel(subject=subject, reason=window)
    return SampledChannel(
        subject=subject,
        levels=qualified.levels,
        samples=window.samples,
        tier=window.tier,
        qualification=qualified.qualification,
        armed_at=trial.armed.armed_at,
        faults=window.faults,
    )


def _seen_before(channel: EffectChannel, trial: OpenTrial) -> PreState | None:
    """Return how a witness saw a target stand before dispatch, if it could tell."""
    if not isinstance(channel, SampledChannel):
        return None
    # A frame that came in later may show what the command did, however early it can have been captured.
    before = tuple(sample for sample in channel.samples if sample.latest <= trial.dispatched_at)
    stood = settled_reading(
        replace(channel, samples=before), Window(start=trial.dispatched_at - trial.lookback, end=trial.dispatched_at)
    )
    if not isinstance(stood, Direction):
        return None
    return PreState(subject=channel.subject, value=stood.value, age=0.0, source="witness")


def _feedback(report: Report, trial: OpenTrial) -> Feedback:
    contexts = trial.contexts
    return Feedback(
        subject=report.subject,
        at=report.at,
        state=claim(report.state, trial.asked_of(report.subject), report.attributes),
        assumed=report.assumed,
        repeated=report.repeated,
        context_matches=report.context_id in contexts or report.parent_id in contexts,
    )
