"""From a session's pairs to rows: one for each trial and property, at the boundary that the trial declared.

On the physical rung the twin's pass is the clearance. On the software rung the twin's own trace is the target, and the
accepted call the clearance. A command with several targets is one trial: all of them must pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..cells import twin_verdicts
from ..properties.common import crossing_of
from ..properties.fanout_completion import all_of
from ..properties.finding import Finding
from ..properties.table import TABLE
from ..session.manifest import ManifestRow, SessionManifest, TrialKey
from ..session.pairing import JudgedTrial, TrialPair
from ..terms import PropertyId, Reason, Rung, Source, Verdict
from ..trace.trace import Trace
from ..witness.effect import Crossing
from .design import declared_boundary
from .row import Fate, Latency, LeftOut, PredictionRow, Query, SessionRows

AT_DECLARED_BOUNDARY = frozenset(
    {
        PropertyId.REPORTED_READ_AFTER_WRITE,
        PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE,
        PropertyId.FANOUT_COMPLETION,
    }
)
"""Properties that are judged over the grid, of which a trial contributes the boundary it declared; the others have one
boundary of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a session's trials ran: the home, and the stretch between two device resets."""

    site: str
    reset: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged:
    """One property of one trial on one rung, over all targets."""

    property_id: PropertyId
    boundary: str
    cleared: Verdict
    target: Finding
    two_sided: bool


def rows_of(
    manifest: SessionManifest, pairs: Iterable[TrialPair], origin: Origin, *, twins: Iterable[JudgedTrial] = ()
) -> SessionRows:
    """Return the rows of a session, and what is not one.

    ``twins`` are those that were run alone, in a session that never touched the physical rung.
    """
    by_row = {row.row: row for row in manifest.rows}
    found: list[PredictionRow | LeftOut] = []

    def take(judged: JudgedTrial, properties: Iterable[_Judged]) -> None:
        trial = _Trial(key=judged.key, row=by_row[judged.key.row], trace=judged.trace, origin=origin)
        found.extend(trial.voids() if judged.trace.void is not None else map(trial.sort, properties))

    for pair in pairs:
        declared = declared_boundary(manifest, pair.key.row, pair.key.repetition).label
        take(pair.physical, _physical(pair, declared))
        take(pair.twin, _software(pair.twin, declared))
    for twin in twins:
        take(twin, _software(twin, declared_boundary(manifest, twin.key.row, twin.key.repetition).label))
    return SessionRows(
        rows=tuple(one for one in found if isinstance(one, PredictionRow)),
        left_out=tuple(one for one in found if isinstance(one, LeftOut)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trial:
    """A trial on one rung, with what a row takes from it."""

    key: TrialKey
    row: ManifestRow
    trace: Trace
    origin: Origin

    def voids(self) -> list[LeftOut]:
        """Count a void trial under every property that its path has."""
        reason = self.trace.void
        return [self._left_out(row.property_id, Fate.VOID, reason) for row in TABLE if self.trace.path in row.paths]

    def sort(self, judged: _Judged) -> PredictionRow | LeftOut:
        """Make a row of a cleared and decided property; say why of any other."""
        fate = _fate(judged)
        if fate is not None:
            return self._left_out(judged.property_id, fate, judged.target.reason)
        return PredictionRow(
            session=self.key.session,
            key=self.key,
            reset=self.origin.reset,
            source=Source.TWIN if self.trace.rung is Rung.PHYSICAL else Source.ACCEPTED_CALL,
            query=Query(
                site=self.origin.site,
                property_id=judged.property_id,
                boundary=judged.boundary,
                direction=self.trace.direction,
                path=self.trace.path,
                rung=self.trace.rung,
                action=self.row.service,
                devices=self.row.targets,
            ),
            failed=judged.target.verdict is Verdict.FAIL,
            latencies=self._latencies(judged.property_id),
        )

    def _left_out(self, property_id: PropertyId, fate: Fate, reason: Reason | None) -> LeftOut:
        return LeftOut(
            session=self.key.session,
            path=self.trace.path,
            rung=self.trace.rung,
            property_id=property_id,
            fate=fate,
            reason=reason,
        )

    def _latencies(self, property_id: PropertyId) -> tuple[Latency, ...]:
        if property_id is not PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE:
            return ()
        trace = self.trace
        # Only entity ids may differ between the rungs, so that the order of the goals is that of the row's targets.
        crossings = [
            (device, crossing_of(trace, goal)) for device, goal in zip(self.row.targets, trace.goals, strict=True)
        ]
        return tuple(
            Latency(device=device, seconds=_midpoint(seen, trace.dispatched_at))
            for device, seen in crossings
            if isinstance(seen, Crossing)
        )


def _midpoint(seen: Crossing, dispatched_at: float) -> float | None:
    return None if seen.first_new is None else (seen.last_old + seen.first_new) / 2 - dispatched_at


def _fate(judged: _Judged) -> Fate | None:
    """Return why there is no row: first for the source, then for the target, then for the witness."""
    if judged.cleared is not Verdict.PASS:
        return Fate.BLOCKED if judged.cleared is Verdict.FAIL else Fate.SOURCE_ABSTAINED
    if judged.target.verdict is Verdict.ABSTAIN:
        return Fate.ABSTAINED
    return None if judged.two_sided else Fate.ONE_SIDED


def _physical(pair: TrialPair, declared: str) -> tuple[_Judged, ...]:
    """Return the physical trial's properties; the twin's verdict over all targets is the clearance."""
    cells = [one for one in twin_verdicts(pair) if _contributes(one.key.property_id, one.key.boundary, declared)]
    found: list[_Judged] = []
    for property_id in dict.fromkeys(one.key.property_id for one in cells):
        mine = [one for one in cells if one.key.property_id is property_id]
        found.append(
            _Judged(
                property_id=property_id,
                boundary=mine[0].key.boundary,
                cleared=_all_verdicts([one.verdicts.source for one in mine]),
                target=_over_targets(
                    [Finding(verdict=one.verdicts.target, reason=one.verdicts.reason) for one in mine]
                ),
                two_sided=all(one.two_sided for one in mine),
            )
        )
    return tuple(found)


def _software(twin: JudgedTrial, declared: str) -> tuple[_Judged, ...]:
    """Return the twin's own properties; that its call was accepted is the clearance. Its log decides both ways."""
    trace = twin.trace
    refused = trace.returned is not None and trace.returned.error is not None
    outcomes = [one for one in twin.outcomes if _contributes(one.property_id, one.boundary.label, declared)]
    return tuple(
        _Judged(
            property_id=property_id,
            boundary=next(one.boundary.label for one in outcomes if one.property_id is property_id),
            cleared=Verdict.FAIL if refused else Verdict.PASS,
            target=_over_targets([one.finding for one in outcomes if one.property_id is property_id]),
            two_sided=True,
        )
        for property_id in dict.fromkeys(one.property_id for one in outcomes)
    )


def _contributes(property_id: PropertyId, boundary: str, declared: str) -> bool:
    return boundary == declared or property_id not in AT_DECLARED_BOUNDARY


def _all_verdicts(verdicts: Sequence[Verdict]) -> Verdict:
    return next((one for one in (Verdict.FAIL, Verdict.ABSTAIN) if one in verdicts), Verdict.PASS)


def _over_targets(findings: Sequence[Finding]) -> Finding:
    """Return the only finding with its own reason, or what all of several amount to."""
    return findings[0] if len(findings) == 1 else all_of(tuple(findings))
