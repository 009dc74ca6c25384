"""The cells in which evidence is counted, and how the verdicts of a trial fall into them.

A cell counts trials: boundaries, properties and the targets of one trial are cells of their own and never add up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .errors import MessageError
from .properties.finding import Finding, Outcome
from .session.pairing import TrialPair
from .statistics.fidelity import PairCounts, VerdictPair, count_pairs
from .terms import Boundary, Direction, Path, PropertyId, Reason, Rung, Source, SubjectId, Verdict
from .trace.samples import NoChannel, SampledChannel
from .trace.trace import Trace

_SEPARATOR = "/"
_PARTS = 7


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class CellKey:
    """Where a trial counts. ``boundary`` is the boundary's label, ``rung`` where the target was observed."""

    property_id: PropertyId
    boundary: str
    direction: Direction
    path: Path
    rung: Rung
    source: Source
    subject: SubjectId

    @property
    def text(self) -> str:
        """The key in one stable line; the subject comes last, so that it may contain anything."""
        return _SEPARATOR.join(
            (self.property_id, self.boundary, self.direction, self.path, self.rung, self.source, self.subject)
        )

    @classmethod
    def parse(cls, text: str) -> CellKey:
        """Read the key back from its line.

        Raises:
            MessageError: the line is not a cell key.
        """
        parts = text.split(_SEPARATOR, _PARTS - 1)
        if len(parts) < _PARTS:
            raise MessageError(f"{text!r} is not a cell key")
        property_id, boundary, direction, path, rung, source, subject = parts
        try:
            return cls(
                property_id=PropertyId(property_id),
                boundary=boundary,
                direction=Direction(direction),
                path=Path(path),
                rung=Rung(rung),
                source=Source(source),
                subject=SubjectId(subject),
            )
        except ValueError as error:
            raise MessageError(f"{text!r} is not a cell key: {error}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class CellVerdicts:
    """What one trial says in one cell.

    ``two_sided`` is False where the witness could only convict: it did not qualify to clear at this boundary.
    """

    key: CellKey
    verdicts: VerdictPair
    two_sided: bool


type _Place = tuple[SubjectId, PropertyId, Boundary]


def twin_verdicts(pair: TrialPair) -> tuple[CellVerdicts, ...]:
    """Return the cells in which the twin's verdict is the clearance and the physical one the target.

    A void physical trial is counted as void wherever its twin has an outcome, a void twin as no clearance.
    """
    mapped = pair.counterparts
    source = {_place(outcome, mapped): outcome.finding for outcome in pair.twin.outcomes}
    target = {_place(outcome): outcome.finding for outcome in pair.physical.outcomes}
    trace = pair.physical.trace
    nothing = Finding.abstain(Reason.NOT_APPLICABLE)
    void = None if trace.void is None else Finding.abstain(trace.void)
    return tuple(
        _verdicts(trace, place, Source.TWIN, source.get(place, nothing).verdict, void or target.get(place, nothing))
        for place in dict.fromkeys((*target, *source))
    )


def claims(trace: Trace, outcomes: Iterable[Outcome]) -> tuple[CellVerdicts, ...]:
    """Return the cells of one trace whose clearance is what the software itself claimed.

    Where something witnesses, the state shown at a boundary is the clearance and the observable effect there the
    target. Where nothing does, the accepted call is the clearance, and the settled reported state the target.
    """
    found = {_place(outcome): outcome.finding for outcome in outcomes}
    cells: list[CellVerdicts] = []
    for (subject, property_id, boundary), finding in found.items():
        read = found.get((subject, PropertyId.REPORTED_READ_AFTER_WRITE, boundary))
        place = (subject, property_id, boundary)
        if read is not None and property_id in _WITNESSED and _is_witnessed(trace, subject):
            cells.append(_verdicts(trace, place, Source.REPORTED_CLAIM, read.verdict, finding))
        if (
            property_id is PropertyId.REPORTED_READ_AFTER_WRITE
            and boundary.kind == "settled"
            and not _is_witnessed(trace, subject)
        ):
            cells.append(_verdicts(trace, place, Source.ACCEPTED_CALL, _accepted(trace), finding))
    return tuple(cells)


def tally(verdicts: Iterable[CellVerdicts]) -> dict[CellKey, PairCounts]:
    """Count the trials of every cell, in the order of the keys."""
    by_cell: dict[CellKey, list[VerdictPair]] = {}
    for one in verdicts:
        by_cell.setdefault(one.key, []).append(one.verdicts)
    return {key: count_pairs(by_cell[key]) for key in sorted(by_cell)}


_WITNESSED = frozenset({PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE, PropertyId.FANOUT_COMPLETION})
"""Properties that the witness alone decides, so that a report of the same state can be audited by them."""


def _accepted(trace: Trace) -> Verdict:
    refused = trace.returned is not None and trace.returned.error is not None
    return Verdict.FAIL if refused else Verdict.PASS


def _is_witnessed(trace: Trace, subject: SubjectId) -> bool:
    """Whether a witness is set up for the subject, or for every target of a group, whether or not it could see."""
    targets = (subject,) if subject in trace.targets else trace.targets
    return bool(targets) and all(
        not isinstance(channel, NoChannel) or channel.reason is not Reason.NO_WITNESS
        for channel in map(trace.channel, targets)
    )


def _place(outcome: Outcome, mapped: Mapping[SubjectId, SubjectId] | None = None) -> _Place:
    subject = outcome.subject if mapped is None else mapped[outcome.subject]
    return subject, outcome.property_id, outcome.boundary


def _verdicts(trace: Trace, place: _Place, source: Source, cleared: Verdict, target: Finding) -> CellVerdicts:
    subject, property_id, boundary = place
    key = CellKey(
        property_id=property_id,
        boundary=boundary.label,
        direction=trace.direction,
        path=trace.path,
        rung=trace.rung,
        source=source,
        subject=subject,
    )
    pair = VerdictPair(source=cleared, target=target.verdict, reason=target.reason)
    return CellVerdicts(key=key, verdicts=pair, two_sided=_two_sided(trace, place))


_TIMED = frozenset({PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE, PropertyId.FANOUT_COMPLETION})
"""Properties whose verdict at a boundary of the grid needs a witness that decides that fast."""


def _two_sided(trace: Trace, place: _Place) -> bool:
    subject, property_id, boundary = place
    if property_id not in _TIMED or boundary.kind != "grid":
        return True
    goals = [goal for goal in trace.goals if subject in (goal.subject, trace.subject)]
    return all(
        channel.levels.decides(goal.state, boundary.seconds)
        for goal in goals
        if isinstance(channel := trace.channel(goal.subject), SampledChannel)
    )
