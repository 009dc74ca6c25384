"""The audit card of one session: every cell with its evidence, its bounds, its disposition and its hashes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..canonical import canonical_bytes, digest, plain
from ..cells import CellKey, CellVerdicts, claims, tally, twin_verdicts
from ..statistics.fidelity import (
    InsufficientEvidence,
    PairCounts,
    ReasonCount,
    RiskBound,
    VerdictFidelity,
    risk_bound,
    verdict_fidelity,
)
from ..terms import Digest, Direction, Disposition, Owner, PropertyId, Reason, SessionId, Source, SubjectId
from ..trace.alignment import watched
from ..trace.codec import trace_digest
from ..trace.trace import Trace
from .manifest import SessionManifest, manifest_digest
from .pairing import TrialPair
from .validity import SessionValidity

CARD_SCHEMA = 1
"""The version of the card's form."""
ONE_LOOK = "one look"
"""The label of an exact interval that holds for a number of trials fixed beforehand."""
NEVER_SENT = frozenset({Reason.NOT_DISPATCHED, Reason.NO_SUCH_ENTITY})
"""Voids of trials whose command never went out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerCount:
    """How many abstentions have their cause on one side."""

    owner: Owner
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardCell:
    """One cell of the card.

    ``trials`` are all that have this cell; ``failures`` (k) of ``decided`` (n) cleared trials failed, ``abstained`` (a)
    of the ``cleared`` ones (N) did not decide for a reason that could depend on the outcome. ``blocked`` and
    ``source_abstained`` were never cleared, ``voided`` were no trials. ``owners`` are those of all abstentions.
    """

    key: CellKey
    trials: int
    failures: int
    decided: int
    abstained: int
    cleared: int
    blocked: int
    source_abstained: int
    voided: int
    counts: PairCounts
    owners: tuple[OwnerCount, ...]
    two_sided: bool
    risk: RiskBound | InsufficientEvidence
    fidelity: VerdictFidelity | InsufficientEvidence
    disposition: Disposition
    interval_label: str = ONE_LOOK


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledRow:
    """Several subjects side by side, to read at a glance: counts only, since a pooled interval would not hold.

    ``trials`` are distinct trials; ``pairs`` may be more, since one trial has several targets.
    """

    property_id: PropertyId
    boundary: str
    direction: Direction
    source: Source
    trials: int
    pairs: int
    failures: int
    decided: int
    abstained: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Accounting:
    """Where every planned trial went.

    ``recorded`` have a trace; ``missing`` were planned and have none; ``dispatched`` went out; ``voids`` by reason;
    ``watched`` are complete; ``blocked`` and ``source_abstained`` count verdicts over all cells.
    """

    planned: int
    recorded: int
    missing: int
    dispatched: int
    watched: int
    voids: tuple[ReasonCount, ...]
    twin_voids: tuple[ReasonCount, ...]
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hashes:
    """What binds the card. ``trials`` is the root over the digests of all traces of both rungs, by trial key."""

    manifest: Digest
    monitors: Digest
    coordinates: Digest
    qualifications: tuple[tuple[SubjectId, Digest], ...]
    trials: Digest


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditCard:
    """What one session found. An invalid session's card is a record and counts nowhere."""

    schema: int
    session: SessionId
    declared_at: str
    confidence: float
    n_min: int
    validity: SessionValidity
    accounting: Accounting
    cells: tuple[CardCell, ...]
    pooled: tuple[PooledRow, ...]
    hashes: Hashes

    def to_json(self) -> str:
        """Return the card as canonical JSON."""
        return canonical_bytes(plain(self)).decode()

    def cell(self, key: CellKey) -> CardCell | None:
        """Return one cell, or None if no trial has it."""
        return next((cell for cell in self.cells if cell.key == key), None)


def build_card(manifest: SessionManifest, *, pairs: Sequence[TrialPair], validity: SessionValidity) -> AuditCard:
    """Count a session's pairs into cells: the twin's clearance, and the software's own claim on the physical rung."""
    by_trial = [(pair, _all_verdicts(pair)) for pair in pairs]
    verdicts = [one for _, found in by_trial for one in found]
    one_sided = {one.key for one in verdicts if not one.two_sided}
    return AuditCard(
        schema=CARD_SCHEMA,
        session=manifest.session,
        declared_at=manifest.declared_at,
        confidence=manifest.confidence,
        n_min=manifest.n_min,
        validity=validity,
        accounting=_accounting(manifest, pairs),
        cells=tuple(
            _cell(manifest, key, counts, valid=validity.valid, two_sided=key not in one_sided)
            for key, counts in tally(verdicts).items()
        ),
        pooled=_pooled(by_trial),
        hashes=Hashes(
            manifest=manifest_digest(manifest),
            monitors=manifest.monitors,
            coordinates=manifest.coordinates,
            qualifications=manifest.qualifications,
            trials=_trials_root(pairs),
        ),
    )


def dispose(counts: PairCounts, *, valid: bool, two_sided: bool, n_min: int) -> Disposition:
    """Return what a session's counts amount to: one false clearance escalates, too little of anything abstains."""
    if counts.pass_fail >= 1:
        return Disposition.ESCALATE
    if not valid or not two_sided or counts.decided < n_min:
        return Disposition.ABSTAIN
    return Disposition.CLEAR


def _all_verdicts(pair: TrialPair) -> tuple[CellVerdicts, ...]:
    return (*twin_verdicts(pair), *claims(pair.physical.trace, pair.physical.outcomes))


def _cell(manifest: SessionManifest, key: CellKey, counts: PairCounts, *, valid: bool, two_sided: bool) -> CardCell:
    voided = sum(entry.count for entry in counts.void)
    early = sum(entry.count for entry in counts.before_dispatch)
    return CardCell(
        key=key,
        trials=counts.cleared + early + counts.blocked + counts.source_abstain + voided,
        failures=counts.pass_fail,
        decided=counts.decided,
        abstained=counts.abstained,
        cleared=counts.cleared,
        blocked=counts.blocked,
        source_abstained=counts.source_abstain,
        voided=voided,
        counts=counts,
        owners=_owners((*counts.linked, *counts.before_dispatch)),
        two_sided=two_sided,
        risk=risk_bound(counts, confidence=manifest.confidence, two_sided_witness=two_sided),
        fidelity=verdict_fidelity(counts, confidence=manifest.confidence),
        disposition=dispose(counts, valid=valid, two_sided=two_sided, n_min=manifest.n_min),
    )


def _owners(reasons: Iterable[ReasonCount]) -> tuple[OwnerCount, ...]:
    counted = Counter(dict.fromkeys(Owner, 0))
    for entry in reasons:
        counted[entry.reason.owner] += entry.count
    return tuple(OwnerCount(owner=owner, count=counted[owner]) for owner in Owner)


def _accounting(manifest: SessionManifest, pairs: Sequence[TrialPair]) -> Accounting:
    planned = sum(row.repetitions for row in manifest.rows)
    traces = [pair.physical.trace for pair in pairs]
    return Accounting(
        planned=planned,
        recorded=len(traces),
        missing=planned - len(traces),
        dispatched=sum(trace.void not in NEVER_SENT for trace in traces),
        watched=sum(watched(trace, trace.path) for trace in traces),
        voids=_voids(traces),
        twin_voids=_voids([pair.twin.trace for pair in pairs]),
        paths=tuple(sorted({row.path.value for row in manifest.rows})),
    )


def _voids(traces: Iterable[Trace]) -> tuple[ReasonCount, ...]:
    counted = Counter(trace.void for trace in traces if trace.void is not None)
    return tuple(ReasonCount(reason=reason, count=counted[reason]) for reason in sorted(counted))


def _pooled(by_trial: Sequence[tuple[TrialPair, Sequence[CellVerdicts]]]) -> tuple[PooledRow, ...]:
    pools: dict[tuple[PropertyId, str, Direction, Source], list[tuple[TrialPair, CellVerdicts]]] = {}
    for pair, found in by_trial:
        for one in found:
            key = one.key
            pools.setdefault((key.property_id, key.boundary, key.direction, key.source), []).append((pair, one))
    return tuple(_pooled_row(pool, pools[pool]) for pool in sorted(pools))


def _pooled_row(
    pool: tuple[PropertyId, str, Direction, Source], members: list[tuple[TrialPair, CellVerdicts]]
) -> PooledRow:
    property_id, boundary, direction, source = pool
    counted = tally(one for _, one in members).values()
    return PooledRow(
        property_id=property_id,
        boundary=boundary,
        direction=direction,
        source=source,
        trials=len({pair.key for pair, _ in members}),
        pairs=len(members),
        failures=sum(counts.pass_fail for counts in counted),
        decided=sum(counts.decided for counts in counted),
        abstained=sum(counts.abstained for counts in counted),
    )


def _trials_root(pairs: Sequence[TrialPair]) -> Digest:
    ordered = sorted(pairs, key=lambda pair: pair.key)
    return digest(
        [[pair.key.text, trace_digest(pair.physical.trace), trace_digest(pair.twin.trace)] for pair in ordered]
    )
