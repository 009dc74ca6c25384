"""The self-contained record of one trial: all that its verdicts are computed from."""

from __future__ import annotations

from dataclasses import dataclass

from ..terms import Boundary, Direction, Path, Reason, Rung, SubjectId, TrialId
from .samples import EffectChannel, NoChannel


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """What the command asked of one target.

    ``asked`` is the level that was asked for beyond on and off, as text (``brightness=191±8``); ``on`` then means that
    it is there, and reports of other levels are kept as what they showed.
    """

    subject: SubjectId
    state: Direction
    asked: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PreState:
    """How a target stood before dispatch.

    ``value`` is the reported state string or None, ``age`` the seconds since it was last written before dispatch,
    ``source`` is ``reported`` or ``witness``.
    """

    subject: SubjectId
    value: str | None
    age: float | None
    source: str = "reported"


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """One software report on one target (a claim, not an observation).

    ``at`` is monotonic seconds; ``state`` the state string; ``assumed`` marks an optimistic echo
    (``assumed_state``); ``repeated`` a report that changed nothing.
    """

    subject: SubjectId
    at: float
    state: str
    assumed: bool = False
    repeated: bool = False
    context_matches: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Return:
    """The blocking call's return, seen only by our own driver.

    ``states`` were read in the same coroutine step as the return; ``error`` is the exception's class name.
    """

    at: float
    states: tuple[tuple[SubjectId, str], ...]
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Everything observed of one trial. Times are seconds on one monotonic clock.

    ``subject`` is what the command addressed (a lamp, or the group whose members are the other goals);
    ``goals`` has one goal per target that must physically change, in the order in which the command lists them;
    ``wall_dispatched`` is a label (UTC, ISO 8601). ``requested_at`` and ``agent_read_at`` are None when not seen;
    ``source_reported_at`` is the *ingestion* of the sensor's report.
    ``clock_moved`` is how far wall minus monotonic moved since the last check, in seconds.
    ``settle_from`` to ``settle_until`` (seconds after dispatch) is the settled window.
    ``quiet`` are channels of devices that the command must not touch.
    """

    trial: TrialId
    rung: Rung
    path: Path
    direction: Direction
    subject: SubjectId
    goals: tuple[Goal, ...]
    dispatched_at: float
    wall_dispatched: str
    settle_from: float
    settle_until: float
    boundaries: tuple[Boundary, ...]
    pre_states: tuple[PreState, ...] = ()
    requested_at: float | None = None
    source_reported_at: float | None = None
    agent_read_at: float | None = None
    returned: Return | None = None
    feedback: tuple[Feedback, ...] = ()
    channels: tuple[EffectChannel, ...] = ()
    quiet: tuple[EffectChannel, ...] = ()
    clock_moved: float = 0.0
    void: Reason | None = None
    closed_at: float | None = None

    @property
    def targets(self) -> tuple[SubjectId, ...]:
        """The subjects that must physically change, in the order of the command."""
        return tuple(goal.subject for goal in self.goals)

    def channel(self, subject: SubjectId) -> EffectChannel:
        """Return what testifies on a target; a target without a channel has no witness."""
        for channel in self.channels:
            if channel.subject == subject:
                return channel
        return NoChannel(subject=subject, reason=Reason.NO_WITNESS)
