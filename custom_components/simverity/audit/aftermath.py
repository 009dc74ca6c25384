"""Listens on after a trial has closed: a late arrival, a revert or a repeated command is appended, never rewritten."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ..adapters.bus_observer import Command, CommandTarget, Report
from ..engine.canonical import Json
from ..engine.levels import Level, claim
from ..engine.terms import Direction, SubjectId, TrialId
from ..engine.trace.reports import UNKNOWN_STATES, reported_state
from ..engine.trace.trace import Trace

LISTENS_FOR, LISTENS_LONGER = 600.0, 10_800.0
"""Seconds after closing: ten minutes; three hours to what moves as slowly as a heating."""
_SLOW = frozenset({"climate", "water_heater"})
_MOST = 20
"""Amendments of one trial: a device that flaps for hours says nothing new."""


class Amendment(StrEnum):
    """What came after a trial had closed."""

    LATE_ARRIVAL = "late_arrival"
    """The state that was asked for is reported at last."""
    REVERT = "revert"
    """The state was there, and is gone though nobody asked: the change did not survive."""
    REPEATED = "repeated"
    """The same was asked for again."""


@dataclass(slots=True)
class _Followed:
    trial: TrialId
    goal: Direction
    dispatched_at: float
    until: float
    arrived: bool
    asked: tuple[Level, ...] = ()
    amended: int = 0


type KeepAmendment = Callable[[Json], Coroutine[Any, Any, None]]


class Aftermath:
    """Follows the last closed trial of each subject.

    ``domain_of`` returns a subject's domain; ``keep`` appends an amendment and is run by ``spawn``.
    """

    def __init__(
        self,
        *,
        domain_of: Callable[[SubjectId], str],
        keep: KeepAmendment,
        spawn: Callable[[Coroutine[Any, Any, None], str], Any],
    ) -> None:
        """Follow nothing yet."""
        self._domain_of = domain_of
        self._keep = keep
        self._spawn = spawn
        self._followed: dict[SubjectId, _Followed] = {}

    def follow(self, trace: Trace, now: float, asked: Mapping[SubjectId, tuple[Level, ...]]) -> None:
        """Listen on for every target of a trial that counted and closed at ``now`` (monotonic) and ``asked`` levels."""
        if trace.void is not None or trace.closed_at is None:
            return
        for goal in trace.goals:
            slow = self._domain_of(goal.subject) in _SLOW
            shown = reported_state(trace, goal.subject, trace.closed_at)
            self._followed[goal.subject] = _Followed(
                trial=trace.trial,
                goal=goal.state,
                dispatched_at=now - (trace.closed_at - trace.dispatched_at),
                until=now + (LISTENS_LONGER if slow else LISTENS_FOR),
                arrived=shown == goal.state.value,
                asked=asked.get(goal.subject, ()),
            )

    def on_report(self, report: Report) -> None:
        """Hear a report: it may have come late, or take back what was there."""
        if (known := self._current(report.subject, report.at)) is None or report.state in UNKNOWN_STATES:
            return
        shown = claim(report.state, known.asked, report.attributes)
        if shown in UNKNOWN_STATES:
            return
        there = shown == known.goal.value
        if there is not known.arrived:
            known.arrived = there
            kind = Amendment.LATE_ARRIVAL if there else Amendment.REVERT
            self._amend(report.subject, known, kind, report.at)

    def on_command(self, command: Command, target: CommandTarget) -> None:
        """Hear a command: the same once more is appended; another one ends what a trial may still be blamed for."""
        if (known := self._current(target.subject, command.dispatched_at)) is None:
            return
        if target.goal is known.goal and target.asked == known.asked:
            self._amend(target.subject, known, Amendment.REPEATED, command.dispatched_at)
        else:
            self.forget(target.subject)

    def forget(self, subject: SubjectId) -> None:
        """Follow a subject no longer."""
        self._followed.pop(subject, None)

    def _current(self, subject: SubjectId, at: float) -> _Followed | None:
        known = self._followed.get(subject)
        if known is not None and at > known.until:
            self.forget(subject)
            return None
        return known

    def _amend(self, subject: SubjectId, known: _Followed, kind: Amendment, at: float) -> None:
        known.amended += 1
        if known.amended > _MOST:
            return
        payload: Json = {
            "trial": known.trial,
            "subject": subject,
            "kind": kind.value,
            "after": round(at - known.dispatched_at, 3),
        }
        self._spawn(self._keep(payload), f"simverity amendment of {known.trial}")
