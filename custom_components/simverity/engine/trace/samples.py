"""What a witness saw: levels with the interval in which each was captured."""

from __future__ import annotations

from dataclasses import dataclass

from ..terms import Direction, Reason, SubjectId, Tier

SAME_BOUNDARY = 1e-6
"""Seconds by which two figures for one boundary may differ: they come from different machines' decimals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One frame reduced to two numbers.

    ``earliest`` and ``latest`` bound the capture on the monotonic clock of Home Assistant, in seconds;
    ``level`` is the lamp region's mean in camera levels (0 to 255), ``reference`` the reference patch's.
    """

    earliest: float
    latest: float
    level: float
    reference: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenLevels:
    """What qualification froze about one lamp in one camera.

    ``on`` and ``off`` are the settled levels, ``guard`` is b, half the width of the undecided band around the
    midpoint, all in camera levels. ``reference_*`` bound where the reference patch may be at testimony.
    ``two_sided`` lists, per direction, the boundaries (seconds) at which the witness may convict and clear.
    """

    on: float
    off: float
    guard: float
    reference_on: float | None = None
    reference_off: float | None = None
    reference_spread: float = 0.0
    two_sided: tuple[tuple[Direction, tuple[float, ...]], ...] = ()

    def level(self, state: Direction) -> float:
        """Return the settled level of a state."""
        return self.on if state is Direction.ON else self.off

    @property
    def contrast(self) -> float:
        """D, the distance between the settled levels."""
        return abs(self.on - self.off)

    def decides(self, direction: Direction, seconds: float) -> bool:
        """Whether the witness qualified to convict and to clear at a boundary."""
        return any(
            abs(seconds - boundary) < SAME_BOUNDARY
            for state, boundaries in self.two_sided
            if state is direction
            for boundary in boundaries
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledChannel:
    """A camera's testimony on one target over one armed window.

    ``faults`` are instrument reasons that make the whole window abstain (a reconnect, a night switch, a late reply).
    """

    subject: SubjectId
    levels: FrozenLevels
    samples: tuple[Sample, ...]
    tier: Tier
    qualification: str
    armed_at: float
    faults: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedChannel:
    """A virtual edge's own effect log: exact times, no device model.

    ``effects`` are (monotonic seconds, state) in order; ``initial`` is the edge's state before dispatch;
    ``watched_until`` is when the log was read.
    """

    subject: SubjectId
    initial: Direction
    effects: tuple[tuple[float, Direction], ...]
    watched_until: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NoChannel:
    """Nothing testifies on this target, and why."""

    subject: SubjectId
    reason: Reason


EffectChannel = SampledChannel | LoggedChannel | NoChannel
