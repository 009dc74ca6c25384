"""Counts per class: how many rows, how many failed. Counts of parts add up to the counts of the whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from ..terms import Boundary, Direction, PropertyId, Rung, SubjectId
from .errors import ProfileError
from .row import PredictionRow, Query

type Values = tuple[str, ...]
"""A class's values, in the order of its grouping's fields."""


class Grouping(StrEnum):
    """Which fields of a query make its class. The home comes first unless homes are pooled."""

    FULL = "property,facet,boundary,path,rung"
    WITHOUT_PATH = "property,facet,boundary,rung"
    WITHOUT_BOUNDARY = "property,facet,rung"
    PROPERTY_AND_RUNG = "property,rung"
    PATH = "property,boundary,path,rung"
    BOUNDARY = "property,boundary,rung"
    PROPERTY = "property"
    DEVICE_LATENCY = "action,direction,device,rung,boundary"

    @property
    def fields(self) -> Values:
        """The names of the fields, in order."""
        return tuple(self.value.split(","))


OF_ROWS = tuple(grouping for grouping in Grouping if grouping is not Grouping.DEVICE_LATENCY)
"""Groupings that count rows; the remaining one counts latencies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """``failures`` (k) of ``trials`` (n)."""

    trials: int = 0
    failures: int = 0

    def __post_init__(self) -> None:
        """Refuse what is no count.

        Raises:
            ProfileError: not 0 <= failures <= trials.
        """
        if not 0 <= self.failures <= self.trials:
            raise ProfileError(f"{self.failures} of {self.trials} is not a count of trials")

    def __add__(self, other: Tally) -> Tally:
        """Count both."""
        return Tally(trials=self.trials + other.trials, failures=self.failures + other.failures)

    @property
    def jeffreys(self) -> float:
        """(k + 1/2) / (n + 1): the mean of the posterior that Jeffreys' prior gives, never 0 or 1."""
        return (self.failures + 0.5) / (self.trials + 1)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class LatencyClass:
    """A device's latencies under one command on one rung, counted against one boundary (its label)."""

    site: str
    action: str
    direction: Direction
    device: SubjectId
    rung: Rung
    boundary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """Rows and latencies as they are counted, before any class: what a partition of evidence amounts to.

    ``late`` counts as failures the latencies longer than the boundary.
    """

    rows: Mapping[Query, Tally]
    late: Mapping[LatencyClass, Tally]

    def __add__(self, other: Counted) -> Counted:
        """Count both."""
        return Counted(rows=merged(self.rows, other.rows), late=merged(self.late, other.late))


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassCounts:
    """Counts by class: what a profile is made of. Counts of parts add up to those of the whole."""

    groups: Mapping[Grouping, Mapping[Values, Tally]]

    def __add__(self, other: ClassCounts) -> ClassCounts:
        """Count both."""
        return ClassCounts(
            groups={grouping: merged(self.groups[grouping], other.groups[grouping]) for grouping in Grouping}
        )

    @property
    def trials(self) -> int:
        """How many rows were counted."""
        return sum(tally.trials for tally in self.groups[Grouping.PROPERTY].values())


NOTHING_COUNTED = ClassCounts(groups={grouping: {} for grouping in Grouping})


def counted(rows: Iterable[PredictionRow], grid: Iterable[Boundary]) -> Counted:
    """Count rows, and the latencies of the observable effect against every boundary of the grid."""
    by_query: dict[Query, Tally] = {}
    late: dict[LatencyClass, Tally] = {}
    boundaries = tuple(grid)
    for row in rows:
        by_query[row.query] = by_query.get(row.query, Tally()) + Tally(trials=1, failures=int(row.failed))
        for latency in row.latencies:
            for boundary in boundaries:
                key = LatencyClass(
                    site=row.query.site,
                    action=row.query.action,
                    direction=row.query.direction,
                    device=latency.device,
                    rung=row.query.rung,
                    boundary=boundary.label,
                )
                missed = latency.seconds is None or latency.seconds > boundary.seconds
                late[key] = late.get(key, Tally()) + Tally(trials=1, failures=int(missed))
    return Counted(rows=by_query, late=late)


def merged[K](one: Mapping[K, Tally], other: Mapping[K, Tally]) -> dict[K, Tally]:
    """Add two mappings of counts."""
    total = dict(one)
    for key, tally in other.items():
        known = total.get(key)
        total[key] = tally if known is None else known + tally
    return total


def classify(query: Query, grouping: Grouping, *, pool_sites: bool) -> tuple[Values, ...]:
    """Return the classes of a query: one, or one for each device where devices are looked up."""
    if grouping is not Grouping.DEVICE_LATENCY:
        return (_values(query, grouping, pool_sites=pool_sites),)
    if query.property_id is not PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE:
        return ()
    head = () if pool_sites else (query.site,)
    return tuple(
        (*head, query.action, query.direction.value, device, query.rung.value, query.boundary)
        for device in query.devices
    )


def group(counts: Counted, *, pool_sites: bool) -> ClassCounts:
    """Sum counts into the classes of every grouping."""
    groups: dict[Grouping, dict[Values, Tally]] = {grouping: {} for grouping in Grouping}
    for query, tally in counts.rows.items():
        for grouping in OF_ROWS:
            _add(groups[grouping], _values(query, grouping, pool_sites=pool_sites), tally)
    for one, tally in counts.late.items():
        head = () if pool_sites else (one.site,)
        values = (*head, one.action, one.direction.value, one.device, one.rung.value, one.boundary)
        _add(groups[Grouping.DEVICE_LATENCY], values, tally)
    return ClassCounts(groups=groups)


def _add(classes: dict[Values, Tally], values: Values, tally: Tally) -> None:
    classes[values] = classes.get(values, Tally()) + tally


def _values(query: Query, grouping: Grouping, *, pool_sites: bool) -> Values:
    known = {
        "property": query.property_id.value,
        "facet": query.facet,
        "boundary": query.boundary,
        "path": query.path.value,
        "rung": query.rung.value,
    }
    head = () if pool_sites else (query.site,)
    return (*head, *(known[name] for name in grouping.fields))
