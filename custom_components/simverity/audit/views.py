"""What one audited entity's evidence amounts to, for the snapshot: its headline cell, the worse of both directions.

The headline is the observable effect at the boundary at which decisions are read, where the software's own claim is
the clearance; without a witness it is the settled report after an accepted call (METHOD 6, DESIGN 7).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from ..coordinator import (
    Basis,
    Before,
    Explanation,
    FalseClearance,
    HeadlineView,
    LedgerState,
    SubjectView,
    WitnessState,
)
from ..engine.canonical import plain
from ..engine.cells import CellKey
from ..engine.standing.clearing import ClearingEvidence
from ..engine.standing.policy import StandingPolicy
from ..engine.standing.state import SECONDS_PER_DAY, Outlook, StandingState, expected_clear_time, outlook, worse
from ..engine.standing.suspects import broken_side
from ..engine.statistics.binomial import two_sided, upper_limit
from ..engine.terms import Direction, Disposition, PropertyId, Source, SubjectId
from .standing_cell import StandingCell, SubjectTally

_KEPT_FIGURES = 4096
_LEAST_FOR_PACE = 3
"""Counted trials from which a pace is read."""
DECISION_SECONDS = 1.0
"""The boundary at which decisions are read, until an agent's own read-back has been measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLook:
    """One headline cell of the last valid session's card: one look, with the exact interval for its n."""

    key: CellKey
    disposition: Disposition
    failures: int
    decided: int
    abstained: int
    agreed: int = 0
    compared: int = 0
    failures_seen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectRecord:
    """All that was concluded about a subject: its standing cells, its tally, and the last valid session's looks.

    ``set_aside``: an admin has acknowledged what stood against the subject, and that has not expired.
    """

    cells: tuple[StandingCell, ...]
    tally: SubjectTally
    looks: tuple[SessionLook, ...]
    policy: StandingPolicy
    set_aside: bool = False


def looks_of(card: Mapping[str, Any]) -> dict[SubjectId, tuple[SessionLook, ...]]:
    """Return the headline cells of a session's card (its JSON), by subject."""
    looks: dict[SubjectId, list[SessionLook]] = {}
    for cell in card.get("cells", ()):
        key = CellKey(
            property_id=PropertyId(cell["key"]["property_id"]),
            boundary=cell["key"]["boundary"],
            direction=Direction(cell["key"]["direction"]),
            path=cell["key"]["path"],
            rung=cell["key"]["rung"],
            source=Source(cell["key"]["source"]),
            subject=SubjectId(cell["key"]["subject"]),
        )
        if not _speaks(key) or (key.source is Source.REPORTED_CLAIM and not cell["two_sided"]):
            continue
        look = SessionLook(
            key=key,
            disposition=Disposition(cell["disposition"]),
            failures=cell["failures"],
            decided=cell["decided"],
            abstained=cell["abstained"],
            **_agreement(cell["counts"]),
        )
        looks.setdefault(key.subject, []).append(look)
    return {subject: tuple(_headline(found, lambda look: look.key)) for subject, found in looks.items()}


def view_subject(
    subject: SubjectId,
    entity_id: str,
    *,
    record: SubjectRecord,
    ledger: LedgerState,
    witness: WitnessState,
) -> SubjectView:
    """Return what is known about a subject; unless the ledger is sound, nothing clears."""
    looks, tally, policy = record.looks, record.tally, record.policy
    cells = [cell for cell in record.cells if _speaks(cell.key)]
    two_sided_cells = [cell for cell in cells if cell.two_sided] or cells
    spoken = list(_headline(two_sided_cells, lambda cell: cell.key))
    stands = _worst(_standing_disposition(cell) for cell in spoken)
    looked = _worst(look.disposition for look in looks)
    disposition = worse(stands, looked) if looks else stands
    if ledger is not LedgerState.SOUND and disposition is Disposition.CLEAR:
        disposition = Disposition.ABSTAIN
    by_session = bool(looks) and (not spoken or (looked is Disposition.ESCALATE and stands is not Disposition.ESCALATE))
    headline = _look_headline(looks) if by_session else _standing_headline(spoken, policy)
    failed = _last_failed(spoken)
    return SubjectView(
        subject=subject,
        entity_id=entity_id,
        disposition=disposition,
        explanation=_explanation(disposition, spoken, looked, ledger=ledger, record=record),
        carried_over=any(cell.state.carried_over for cell in spoken),
        headline=headline,
        trials=tally.trials,
        abstentions=tuple(sorted(tally.undecided.items())),
        last_false_clearance=None if failed is None else failed.at,
        false_clearance=failed,
        clean_audits_to_clear=max(
            (figures_of(cell.state.clearing, policy).clean_audits_to_clear for cell in spoken), default=None
        ),
        witness=witness,
        expected_clear=None if disposition is Disposition.CLEAR else _expected_clear(spoken, policy),
        suspect=broken_side({cell.key: cell.counts for cell in record.cells}, _decision(spoken)),
        log_evidence=min((figures_of(cell.state.clearing, policy).log_evidence for cell in spoken), default=0.0),
        before=_before(spoken),
    )


def _decision(spoken: Iterable[StandingCell]) -> str:
    """Return the boundary at which decisions are read."""
    return next((cell.key.boundary for cell in spoken), f"{DECISION_SECONDS:g}")


def _expected_clear(spoken: Iterable[StandingCell], policy: StandingPolicy) -> datetime | None:
    """Return when the last direction is expected to clear at its pace; None while one has no pace."""
    expected = [_expected(cell, policy) for cell in spoken]
    last = [one for one in expected if one is not None]
    return datetime.fromtimestamp(max(last), UTC) if last and len(last) == len(expected) else None


def _expected(cell: StandingCell, policy: StandingPolicy) -> float | None:
    if len(cell.counted_at) < _LEAST_FOR_PACE:
        return None
    first, latest = cell.counted_at[0], cell.counted_at[-1]
    days = (latest - first) / SECONDS_PER_DAY
    pace = (len(cell.counted_at) - 1) / days if days > 0 else 0.0
    return expected_clear_time(figures_of(cell.state.clearing, policy).clean_audits_to_clear, pace, latest)


def _before(spoken: Iterable[StandingCell]) -> Before | None:
    """Return what the worse direction showed before its coordinates changed."""
    earlier = [cell.earlier for cell in spoken if cell.earlier is not None]
    if not earlier:
        return None
    worst = max(earlier, key=lambda one: (one.failures / one.decided, -one.decided))
    return Before(failures=worst.failures, decided=worst.decided, upper_limit=worst.upper_limit)


def _last_failed(spoken: Iterable[StandingCell]) -> FalseClearance | None:
    """Return the last failure of the cells that speak; at other boundaries a healthy lamp fails too."""
    failures = (
        FalseClearance(
            at=datetime.fromisoformat(cell.last_failure),
            direction=cell.key.direction,
            source=cell.key.source,
            property_id=cell.key.property_id,
            boundary=cell.key.boundary,
        )
        for cell in spoken
        if cell.last_failure is not None
    )
    return max(failures, key=lambda failure: failure.at, default=None)


def _agreement(counts: Mapping[str, int]) -> dict[str, Any]:
    """Return verdict fidelity as counts, from the four fields of binary pairs."""
    same = counts["pass_pass"] + counts["fail_fail"]
    return {
        "agreed": same,
        "compared": same + counts["pass_fail"] + counts["fail_pass"],
        "failures_seen": counts["pass_fail"] + counts["fail_fail"] > 0,
    }


@lru_cache(maxsize=_KEPT_FIGURES)
def figures_of(clearing: ClearingEvidence, policy: StandingPolicy) -> Outlook:
    """Return the figures beside a disposition; they take milliseconds and depend on nothing but the counts."""
    return outlook(StandingState(clearing=clearing), policy)


def _speaks(key: CellKey) -> bool:
    """Whether a cell may be somebody's headline."""
    if key.source is Source.REPORTED_CLAIM:
        return key.property_id is PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE and key.boundary != "settled"
    return key.source is Source.ACCEPTED_CALL


def _headline[T](cells: Iterable[T], key_of: Any) -> Iterable[T]:
    """Return per direction the cell that speaks: witnessed before reported, then nearest to the decision boundary."""
    best: dict[Direction, tuple[tuple[bool, float], T]] = {}
    for cell in cells:
        key: CellKey = key_of(cell)
        distance = 0.0 if key.boundary == "settled" else abs(float(key.boundary) - DECISION_SECONDS)
        rank = (key.source is not Source.REPORTED_CLAIM, distance)
        if key.direction not in best or rank < best[key.direction][0]:
            best[key.direction] = (rank, cell)
    witnessed = any(not rank[0] for rank, _ in best.values())
    return [cell for rank, cell in best.values() if rank[0] is not witnessed]


def _standing_disposition(cell: StandingCell) -> Disposition:
    cleared = cell.state.disposition is Disposition.CLEAR
    return Disposition.ABSTAIN if cleared and not cell.two_sided else cell.state.disposition


def _worst(dispositions: Iterable[Disposition]) -> Disposition:
    found = list(dispositions)
    if not found:
        return Disposition.ABSTAIN
    result = found[0]
    for other in found[1:]:
        result = worse(result, other)
    return result


def _badness(disposition: Disposition, failures: int, decided: int) -> tuple[int, float, int]:
    """Return what the worse of two directions is larger in: its disposition, its share, and how little it rests on."""
    return list(Disposition).index(disposition), failures / decided if decided else 0.0, -decided


def _standing_headline(cells: list[StandingCell], policy: StandingPolicy) -> HeadlineView | None:
    if not cells:
        return None
    cell = max(cells, key=lambda one: _badness(_standing_disposition(one), one.counts.pass_fail, one.counts.decided))
    k, n = cell.counts.pass_fail, cell.counts.decided
    return HeadlineView(
        property_id=cell.key.property_id,
        boundary=cell.key.boundary,
        direction=cell.key.direction,
        source=cell.key.source,
        basis=Basis.STANDING,
        failures=k,
        decided=n,
        abstained=cell.counts.abstained,
        interval=None,
        upper_limit=figures_of(cell.state.clearing, policy).upper_limit,
        agreed=cell.counts.pass_pass + cell.counts.fail_fail,
        compared=cell.counts.binary,
        failures_seen=cell.counts.pass_fail + cell.counts.fail_fail > 0,
    )


def _look_headline(looks: tuple[SessionLook, ...]) -> HeadlineView:
    look = max(looks, key=lambda one: _badness(one.disposition, one.failures, one.decided))
    k, n, a = look.failures, look.decided, look.abstained
    interval = two_sided(k, n) if n else None
    return HeadlineView(
        property_id=look.key.property_id,
        boundary=look.key.boundary,
        direction=look.key.direction,
        source=look.key.source,
        basis=Basis.ONE_LOOK,
        failures=k,
        decided=n,
        abstained=a,
        interval=None if interval is None else (interval.lower, interval.upper),
        upper_limit=upper_limit(k + a, n + a) if n else None,
        agreed=look.agreed,
        compared=look.compared,
        failures_seen=look.failures_seen,
    )


def _explanation(
    disposition: Disposition,
    cells: list[StandingCell],
    looked: Disposition,
    *,
    ledger: LedgerState,
    record: SubjectRecord,
) -> Explanation:
    if disposition is not Disposition.ABSTAIN:
        return Explanation.CLEARED if disposition is Disposition.CLEAR else _refusal(cells, looked)
    if ledger is not LedgerState.SOUND:
        verifying = ledger is LedgerState.VERIFYING
        return Explanation.LEDGER_UNVERIFIED if verifying else Explanation.LEDGER_UNUSABLE
    if record.set_aside or any(cell.state.acknowledgement is not None for cell in cells):
        return Explanation.ACKNOWLEDGED
    return Explanation.NO_TRIALS_YET if record.tally.trials == 0 else _shortage(cells, looked)


def _shortage(cells: list[StandingCell], looked: Disposition) -> Explanation:
    if any(not cell.two_sided for cell in cells):
        return Explanation.WITNESS_UNDECIDED
    return Explanation.CLEARED_ONCE if looked is Disposition.CLEAR else Explanation.NOT_ENOUGH_TRIALS


def _refusal(cells: list[StandingCell], looked: Disposition) -> Explanation:
    refusing = [cell for cell in cells if cell.state.disposition is Disposition.ESCALATE]
    if looked is Disposition.ESCALATE or not refusing:
        return Explanation.SEEN_TO_FAIL
    carried = all(cell.state.carried_over for cell in refusing)
    return Explanation.CARRIED_OVER if carried else Explanation.CHANGE_DETECTED


def cell_message(cell: StandingCell, policy: StandingPolicy) -> dict[str, Any]:
    """Return a standing cell as JSON values."""
    counts, figures = cell.counts, figures_of(cell.state.clearing, policy)
    return {
        "cell": cell.key.text,
        "subject": cell.key.subject,
        "property": cell.key.property_id.value,
        "boundary": cell.key.boundary,
        "direction": cell.key.direction.value,
        "path": cell.key.path.value,
        "rung": cell.key.rung.value,
        "source": cell.key.source.value,
        "disposition": _standing_disposition(cell).value,
        "carried_over": cell.state.carried_over,
        "two_sided": cell.two_sided,
        "failures": counts.pass_fail,
        "decided": counts.decided,
        "abstained": counts.abstained,
        "blocked": counts.blocked,
        "source_abstained": counts.source_abstain,
        "before_dispatch": sum(entry.count for entry in counts.before_dispatch),
        "void": sum(entry.count for entry in counts.void),
        "reasons": {entry.reason.value: entry.count for entry in (*counts.linked, *counts.before_dispatch)},
        "log_evidence": figures.log_evidence,
        "upper_limit": figures.upper_limit,
        "clean_audits_to_clear": figures.clean_audits_to_clear,
        "last_failure": cell.last_failure,
        "before": None if cell.earlier is None else plain(cell.earlier),
    }
