"""Whether a session may count: completeness, settled control, and strobes at start and end (METHOD 5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from ..terms import Direction, SubjectId
from ..trace.alignment import watched
from ..trace.samples import SampledChannel
from ..trace.trace import Trace
from ..witness.settled import Window, settled_reading
from .manifest import SessionManifest

CONTROL_SHARE = 0.95
"""Part of the witnessed trials whose settled reading must lie near one of the frozen levels."""
STROBES_PER_STATE = 2
"""Strobes of each reference state that must classify right, at the start and again at the end."""
STROBES_REPEATED = 1
"""Strobes of a state that may have had to be repeated."""


class Phase(StrEnum):
    """When a strobe of the reference states was done."""

    START = "start"
    END = "end"


class Unsound(StrEnum):
    """Why a session does not count."""

    NO_TRIALS = "no_trials"
    INCOMPLETE = "incomplete"
    NO_WITNESSED_TRIAL = "no_witnessed_trial"
    SETTLED_CONTROL = "settled_control"
    STROBES_MISSING = "strobes_missing"
    STROBES_WRONG = "strobes_wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceStrobe:
    """One commanded reference state of one witnessed target, and what the witness saw (None: neither)."""

    subject: SubjectId
    phase: Phase
    state: Direction
    observed: Direction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionValidity:
    """Whether a session counts, and from what.

    ``completeness`` is watched of planned trials, ``control`` the share of ``controlled`` trials (those whose witness
    windows came back without a fault) that settled near one of the two levels; None where there was nothing to divide.
    """

    valid: bool
    planned: int
    watched: int
    completeness: float | None
    controlled: int
    control: float | None
    reasons: tuple[Unsound, ...]


def assess(
    manifest: SessionManifest, *, traces: Sequence[Trace], strobes: Iterable[ReferenceStrobe]
) -> SessionValidity:
    """Judge a session from its physical traces, which may be fewer than planned, and its strobes."""
    planned = sum(row.repetitions for row in manifest.rows)
    complete = sum(watched(trace, trace.path) for trace in traces)
    readings = [near for trace in traces if trace.void is None for near in _settled_near_a_level(trace)]
    completeness = complete / planned if planned else None
    control = sum(readings) / len(readings) if readings else None
    unsound = [
        *([] if planned and traces else [Unsound.NO_TRIALS]),
        *([] if completeness is not None and completeness >= manifest.completeness else [Unsound.INCOMPLETE]),
        *_control(control),
        *_strobes(_witnessed(manifest, traces), tuple(strobes)),
    ]
    return SessionValidity(
        valid=not unsound,
        planned=planned,
        watched=complete,
        completeness=completeness,
        controlled=len(readings),
        control=control,
        reasons=tuple(unsound),
    )


def _control(share: float | None) -> list[Unsound]:
    if share is None:
        return [Unsound.NO_WITNESSED_TRIAL]
    return [] if share >= CONTROL_SHARE else [Unsound.SETTLED_CONTROL]


def _settled_near_a_level(trace: Trace) -> tuple[bool, ...]:
    """Return whether all the trial's targets settled near one of their levels; nothing if no window can tell.

    A window with an instrument's fault abstains under that reason and proves nothing about the levels.
    """
    window = Window(start=trace.dispatched_at + trace.settle_from, end=trace.dispatched_at + trace.settle_until)
    told = [
        channel
        for channel in trace.channels
        if isinstance(channel, SampledChannel) and not channel.faults and channel.subject in trace.targets
    ]
    if not told:
        return ()
    return (all(isinstance(settled_reading(channel, window), Direction) for channel in told),)


def _witnessed(manifest: SessionManifest, traces: Sequence[Trace]) -> set[SubjectId]:
    sampled = (c.subject for trace in traces for c in trace.channels if isinstance(c, SampledChannel))
    return {*(subject for subject, _ in manifest.qualifications), *sampled}


def _strobes(subjects: set[SubjectId], strobes: tuple[ReferenceStrobe, ...]) -> list[Unsound]:
    missing = wrong = False
    for subject, phase, state in product(subjects, Phase, Direction):
        seen = [s.observed for s in strobes if (s.subject, s.phase, s.state) == (subject, phase, state)]
        right = seen.count(state)
        missing |= len(seen) < STROBES_PER_STATE
        wrong |= len(seen) >= STROBES_PER_STATE and (right < STROBES_PER_STATE or len(seen) - right > STROBES_REPEATED)
    return [*([Unsound.STROBES_MISSING] if missing else []), *([Unsound.STROBES_WRONG] if wrong else [])]
