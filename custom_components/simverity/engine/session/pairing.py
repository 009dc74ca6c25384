"""Physical trials and their twins, matched one to one by trial identity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import PairingError
from ..properties.finding import Outcome
from ..properties.table import judge
from ..terms import SubjectId
from ..trace.trace import Trace
from .manifest import TrialKey


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedTrial:
    """One trial on one rung, with the outcomes that its trace gives."""

    key: TrialKey
    trace: Trace
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialPair:
    """A physical trial and its twin on the software rung."""

    key: TrialKey
    physical: JudgedTrial
    twin: JudgedTrial

    @property
    def counterparts(self) -> dict[SubjectId, SubjectId]:
        """The physical subject for each subject of the twin: only entity ids differ, so that position decides."""
        return dict(zip(_subjects(self.twin.trace), _subjects(self.physical.trace), strict=True))


def judged(key: TrialKey, trace: Trace) -> JudgedTrial:
    """Judge a trace by the frozen monitors."""
    return JudgedTrial(key=key, trace=trace, outcomes=judge(trace))


def pair(physical: Iterable[JudgedTrial], twins: Iterable[JudgedTrial]) -> tuple[TrialPair, ...]:
    """Match every physical trial with its twin, in the order of the physical trials.

    Raises:
        PairingError: a trial is there twice, is missing on one rung, or its twin ran another command.
    """
    reals, doubles = tuple(physical), tuple(twins)
    by_key = {trial.key: trial for trial in doubles}
    complaints = [
        *_repeated("physical trial", reals),
        *_repeated("twin", doubles),
        *(f"no twin of {trial.key.text}" for trial in reals if trial.key not in by_key),
        *(f"no physical trial for twin {key.text}" for key in by_key if key not in {trial.key for trial in reals}),
    ]
    if complaints:
        raise PairingError("; ".join(complaints))
    pairs = tuple(TrialPair(key=trial.key, physical=trial, twin=by_key[trial.key]) for trial in reals)
    for one in pairs:
        if _command(one.physical.trace) != _command(one.twin.trace):
            raise PairingError(f"{one.key.text}: the twin ran another command than the physical trial")
    return pairs


def _repeated(what: str, trials: tuple[JudgedTrial, ...]) -> list[str]:
    counted = Counter(trial.key for trial in trials)
    return [f"{what} {key.text} is there {count} times" for key, count in counted.items() if count > 1]


def _command(trace: Trace) -> tuple[object, ...]:
    """Return what must agree between the rungs: everything about the command except who is addressed."""
    return (
        trace.path,
        trace.direction,
        tuple((goal.state, goal.subject == trace.subject) for goal in trace.goals),
        len(trace.quiet),
        trace.boundaries,
        trace.settle_from,
        trace.settle_until,
    )


def _subjects(trace: Trace) -> tuple[SubjectId, ...]:
    return (
        trace.subject,
        *(goal.subject for goal in trace.goals),
        *(channel.subject for channel in trace.quiet),
    )
