"""What a predictor is asked about, and the rows that answer: (trial, property, declared boundary), pass or fail."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ..session.manifest import TrialKey
from ..terms import Direction, Path, PropertyId, Reason, Rung, SessionId, Source, Stage, SubjectId

DIRECTED = frozenset(
    {
        PropertyId.REPORTED_COMPLETION,
        PropertyId.REPORTED_READ_AFTER_WRITE,
        PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE,
        PropertyId.SETTLED_POSTCONDITION,
        PropertyId.FANOUT_COMPLETION,
    }
)
"""Properties about reaching the commanded state, whose class is that state; the others' is the stage they read."""


def facet_of(property_id: PropertyId, direction: Direction) -> str:
    """Return what METHOD 7 calls "direction or stage" of a property's class."""
    return direction.value if property_id in DIRECTED else Stage.OBSERVABLE_EFFECT.value


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Query:
    """What a predictor may know of a trial before it runs.

    ``boundary`` is the declared boundary's label. ``action`` is the service, ``devices`` what must change, in order.
    ``site`` is the home.
    """

    site: str
    property_id: PropertyId
    boundary: str
    direction: Direction
    path: Path
    rung: Rung
    action: str
    devices: tuple[SubjectId, ...]

    @property
    def facet(self) -> str:
        """The direction or the stage."""
        return facet_of(self.property_id, self.direction)


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """How long one device of a trial took: ``seconds`` is the midpoint of (A, B] after dispatch.

    None: it was not seen to take effect while it was watched, later than any boundary.
    """

    device: SubjectId
    seconds: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionRow:
    """One cleared and decided trial under one property.

    ``reset`` names the stretch between two device resets in which the trial ran. ``latencies`` are there for the
    observable effect alone, one for each device whose crossing is known.
    """

    session: SessionId
    key: TrialKey
    reset: str
    source: Source
    query: Query
    failed: bool
    latencies: tuple[Latency, ...] = ()


class Fate(StrEnum):
    """Why a trial is no row of a property."""

    BLOCKED = "blocked"
    SOURCE_ABSTAINED = "source_abstained"
    ABSTAINED = "abstained"
    ONE_SIDED = "one_sided"
    VOID = "void"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """One trial that is no row of one property.

    ``reason`` is the target's abstention or the void's; None where the fate says it all.
    """

    session: SessionId
    path: Path
    rung: Rung
    property_id: PropertyId
    fate: Fate
    reason: Reason | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRows:
    """What one session contributes: every (trial, property) of both rungs is in exactly one of the two."""

    rows: tuple[PredictionRow, ...]
    left_out: tuple[LeftOut, ...]
