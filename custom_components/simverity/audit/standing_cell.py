"""One standing cell and the tally of a subject, with their form in the checkpoint."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..engine.canonical import Json, plain
from ..engine.cells import CellKey
from ..engine.standing.clearing import always_valid_upper_limit
from ..engine.standing.policy import StandingPolicy
from ..engine.standing.record import from_json, to_json
from ..engine.standing.state import StandingState, change_coordinates
from ..engine.statistics.fidelity import PairCounts, ReasonCount
from ..engine.terms import Digest, Reason

_KEPT_TIMES = 20
"""Counted trials whose times are kept: today's pace is theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierValue:
    """What a cell showed before its coordinates changed: ``failures`` of ``decided``, and the always-valid limit."""

    failures: int
    decided: int
    upper_limit: float


@dataclass(slots=True)
class StandingCell:
    """One cell. ``two_sided`` turns False for good once its witness could only convict there.

    ``counted_at`` are the times of the last trials that counted towards clearing, in seconds since the Unix epoch.
    """

    key: CellKey
    state: StandingState = field(default_factory=StandingState)
    counts: PairCounts = field(default_factory=PairCounts)
    two_sided: bool = True
    last_failure: str | None = None
    counted_at: tuple[float, ...] = ()
    earlier: EarlierValue | None = None

    def note_counted(self, at: float) -> None:
        """Remember when a trial counted towards clearing."""
        self.counted_at = (*self.counted_at, at)[-_KEPT_TIMES:]

    def change_coordinates(self, policy: StandingPolicy) -> None:
        """Start clearing anew, and keep what was shown until now, unless nothing came since the last change."""
        evidence = self.state.clearing
        if self.counts.decided and (self.earlier is None or evidence.failures + evidence.passes):
            limit = always_valid_upper_limit(evidence, policy.log_demand)
            self.earlier = EarlierValue(failures=self.counts.pass_fail, decided=self.counts.decided, upper_limit=limit)
        self.state = change_coordinates(self.state)

    def to_json(self) -> Json:
        """Return the cell for the checkpoint; its key names it there."""
        return {
            "state": to_json(self.state),
            "counts": plain(self.counts),
            "two_sided": self.two_sided,
            "last_failure": self.last_failure,
            "counted_at": list(self.counted_at),
            "earlier": None if self.earlier is None else plain(self.earlier),
        }


@dataclass(slots=True)
class SubjectTally:
    """All trials of a subject, whatever became of them; ``undecided`` by reason, voids included."""

    trials: int = 0
    undecided: Counter[Reason] = field(default_factory=Counter)
    coordinates: Digest | None = None

    def to_json(self) -> Json:
        """Return the tally for the checkpoint."""
        return {
            "trials": self.trials,
            "undecided": {reason.value: count for reason, count in self.undecided.items()},
            "coordinates": self.coordinates,
        }


def added_counts(one: PairCounts, other: PairCounts) -> PairCounts:
    """Return the counts of two sets of trials together."""
    return PairCounts(
        pass_pass=one.pass_pass + other.pass_pass,
        pass_fail=one.pass_fail + other.pass_fail,
        fail_pass=one.fail_pass + other.fail_pass,
        fail_fail=one.fail_fail + other.fail_fail,
        fail_abstain=one.fail_abstain + other.fail_abstain,
        linked=_added_reasons(one.linked, other.linked),
        before_dispatch=_added_reasons(one.before_dispatch, other.before_dispatch),
        source_abstain=one.source_abstain + other.source_abstain,
        void=_added_reasons(one.void, other.void),
    )


def read_cell(text: str, record: Json) -> StandingCell:
    """Read a cell back.

    Raises:
        EngineError, TypeError, ValueError, KeyError: the record is not what ``to_json`` writes.
    """
    counts = record_part(record, "counts")
    fields = record if isinstance(record, Mapping) else {}
    last = fields.get("last_failure")
    return StandingCell(
        key=CellKey.parse(text),
        state=from_json(record_part(record, "state")),
        counts=PairCounts(
            pass_pass=_whole(counts["pass_pass"]),
            pass_fail=_whole(counts["pass_fail"]),
            fail_pass=_whole(counts["fail_pass"]),
            fail_fail=_whole(counts["fail_fail"]),
            fail_abstain=_whole(counts["fail_abstain"]),
            linked=_reasons(counts["linked"]),
            before_dispatch=_reasons(counts["before_dispatch"]),
            source_abstain=_whole(counts["source_abstain"]),
            void=_reasons(counts["void"]),
        ),
        two_sided=fields.get("two_sided") is True,
        last_failure=last if isinstance(last, str) else None,
        counted_at=tuple(_real(at) for at in _listed(fields.get("counted_at"))),
        earlier=None if fields.get("earlier") is None else _earlier(record_part(record, "earlier")),
    )


def read_tally(record: Json) -> SubjectTally:
    """Read a tally back.

    Raises:
        TypeError, ValueError: the record is not what ``to_json`` writes.
    """
    undecided = record_part(record, "undecided")
    fields = record if isinstance(record, Mapping) else {}
    coordinates = fields.get("coordinates")
    return SubjectTally(
        trials=_whole(fields.get("trials")),
        undecided=Counter({Reason(reason): _whole(count) for reason, count in undecided.items()}),
        coordinates=Digest(coordinates) if isinstance(coordinates, str) else None,
    )


def record_part(value: Json, name: str) -> Mapping[str, Json]:
    """Return an object inside an object.

    Raises:
        TypeError: there is none.
    """
    part = value.get(name) if isinstance(value, Mapping) else None
    if not isinstance(part, Mapping):
        raise TypeError(name)
    return part


def _added_reasons(one: tuple[ReasonCount, ...], other: tuple[ReasonCount, ...]) -> tuple[ReasonCount, ...]:
    counted: Counter[Reason] = Counter()
    for entry in (*one, *other):
        counted[entry.reason] += entry.count
    return tuple(ReasonCount(reason=reason, count=counted[reason]) for reason in sorted(counted))


def _reasons(value: Json) -> tuple[ReasonCount, ...]:
    if not isinstance(value, list) or not all(isinstance(entry, Mapping) for entry in value):
        raise TypeError("reasons")
    return tuple(ReasonCount(reason=Reason(entry["reason"]), count=_whole(entry["count"])) for entry in value)


def _earlier(record: Mapping[str, Json]) -> EarlierValue:
    return EarlierValue(
        failures=_whole(record.get("failures")),
        decided=_whole(record.get("decided")),
        upper_limit=_real(record.get("upper_limit")),
    )


def _listed(value: Json) -> list[Json]:
    if value is not None and not isinstance(value, list):
        raise TypeError("list")
    return value or []


def _real(value: Json) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise TypeError("number")
    return float(value)


def _whole(value: Json) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("count")
    return value
