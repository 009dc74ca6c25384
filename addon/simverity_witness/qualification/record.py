"""The record of one lamp's qualification: every raw reading, what was frozen from them, and what speaks against it."""

from __future__ import annotations

from dataclasses import dataclass

from ..freshness import Scenery
from ..regions import Region
from ..terms import Channel, Refusal, State, Tier
from ..timing import Timing


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceFrame:
    """One settled frame of a reference. Levels in the record's channel; ``clipped`` is a part of the region."""

    stamp: float
    """Stream clock in seconds, the arrival where there is none."""
    level: float
    reference: float | None
    clipped: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One settled reference: the state that the lamp was in, and five frames at least 1 s apart."""

    state: State
    frames: tuple[ReferenceFrame, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossResponse:
    """How far another lamp moves this lamp's region, in levels."""

    lamp: str
    response: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StrobeReading:
    """One strobe that the lamp followed. ``earliest`` and ``latest`` bound the effect: (A, B] of METHOD 2."""

    direction: State
    commanded_at: float
    first_new_stamp: float | None
    first_new_arrival: float
    earliest: float | None
    latest: float | None
    decided: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """The frozen levels of one lamp in one camera, in levels of the record's channel."""

    on: float
    off: float
    guard: float
    spread: float
    reference_on: float | None
    reference_off: float | None
    reference_spread: float | None

    @property
    def midpoint(self) -> float:
        """The level at which the effect counts as happened."""
        return (self.on + self.off) / 2

    @property
    def contrast(self) -> float:
        """D: the distance of the two levels."""
        return abs(self.on - self.off)

    def of(self, state: State) -> float:
        """Return the settled level of a state."""
        return self.on if state is State.ON else self.off


@dataclass(frozen=True, slots=True, kw_only=True)
class QualificationRecord:
    """What a lamp's qualification amounts to. Qualified iff nothing was refused."""

    qualification: str
    lamp: str
    camera: str
    epoch: int
    boot_id: str
    region: Region
    reference_region: Region | None
    channel: Channel
    made_at: float
    valid_for: float
    references: tuple[Reference, ...]
    cross_response: tuple[CrossResponse, ...]
    strobes: tuple[StrobeReading, ...]
    timing: Timing | None
    levels: Levels | None
    two_sided: tuple[tuple[State, tuple[float, ...]], ...]
    refusals: tuple[Refusal, ...]
    scenery: Scenery | None
    longest_stale: float
    """Seconds for which the camera showed nothing new, at most."""
    clock_jumps: int

    @property
    def qualified(self) -> bool:
        """Whether the lamp may be witnessed under this record."""
        return not self.refusals and self.timing is not None and self.levels is not None

    def holds(self, *, now: float, epoch: int, clock_jumps: int) -> bool:
        """Whether the record stands: not expired, the same connection, and the stream clock (if used) not set anew."""
        by_arrival = self.timing is not None and self.timing.tier is Tier.ARRIVAL
        same_clock = by_arrival or clock_jumps == self.clock_jumps
        return self.qualified and same_clock and epoch == self.epoch and now < self.made_at + self.valid_for
