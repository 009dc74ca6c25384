"""The audit card of hand-made sessions: counts, bounds, dispositions, accounting and hashes."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from simverity_engine.canonical import canonical_bytes, digest
from simverity_engine.cells import CellKey
from simverity_engine.session.card import AuditCard, CardCell, OwnerCount, PooledRow, build_card, dispose
from simverity_engine.session.manifest import SessionManifest, manifest_digest
from simverity_engine.session.pairing import TrialPair, judged
from simverity_engine.statistics.binomial import Interval
from simverity_engine.statistics.fidelity import InsufficientEvidence, PairCounts, RiskBound, Shortage, VerdictFidelity
from simverity_engine.terms import Disposition, Owner, Path, PropertyId, Reason, Rung, Source
from simverity_engine.trace.codec import trace_digest
from simverity_engine.trace.samples import NoChannel
from simverity_engine.trace.trace import Trace
from tests.engine.examples import LAMP, OFF, ON, OTHER, film, group_trace, logged, report, sampled, steps, trace
from tests.engine.sessions import key, manifest, pairs_of, row, valid

EFFECT = PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE
LIT = trace(sampled(film(steps((-1.0, 20.0), (0.25, 120.0)))), feedback=(report(0.05, "on"),))
"""Old until 0.18 s, new by 0.30 s."""
DARK = trace(sampled(film(steps((-1.0, 20.0)))), feedback=(report(0.05, "on"),))
VOID = trace(void=Reason.NOT_DISPATCHED)
SUPERSEDED = trace(sampled(()), void=Reason.SUPERSEDED)


def of(*trials: Trace, **changes: object) -> AuditCard:
    declared = manifest(row("lamp-on", ON, repetitions=len(trials)), **changes)
    pairs = pairs_of(*trials)
    return build_card(declared, pairs=pairs, validity=valid(declared, pairs))


def cell_of(card: AuditCard, boundary: str, source: Source = Source.TWIN) -> CardCell:
    found = card.cell(
        CellKey(
            property_id=EFFECT,
            boundary=boundary,
            direction=ON,
            path=Path.SINGLE_LIGHT,
            rung=Rung.PHYSICAL,
            source=source,
            subject=LAMP,
        )
    )
    assert found is not None
    return found


def test_a_cell_without_failures_in_a_valid_session_is_clear_for_this_session() -> None:
    cell = cell_of(of(*[LIT] * 10, n_min=10), "0.5")
    assert (cell.trials, cell.failures, cell.decided, cell.abstained, cell.cleared) == (10, 0, 10, 0, 10)
    assert cell.disposition is Disposition.CLEAR
    assert cell.interval_label == "one look"
    assert isinstance(cell.risk, RiskBound)
    # Clopper and Pearson for 0 of 10: two-sided 1 - 0.025^(1/10), one-sided 1 - 0.05^(1/10).
    assert not isinstance(cell.risk.point, InsufficientEvidence)
    assert cell.risk.point.interval.lower == 0.0
    assert cell.risk.point.interval.upper == pytest.approx(1 - 0.025**0.1)
    assert cell.risk.point.upper == pytest.approx(1 - 0.05**0.1)
    assert isinstance(cell.fidelity, VerdictFidelity)
    assert cell.fidelity.complements_risk
    assert cell.fidelity.no_failure_seen


def test_one_false_clearance_escalates() -> None:
    cell = cell_of(of(*[LIT] * 19, DARK, n_min=10), "0.5")
    assert (cell.failures, cell.decided, cell.disposition) == (1, 20, Disposition.ESCALATE)
    assert isinstance(cell.risk, RiskBound)
    assert not isinstance(cell.risk.point, InsufficientEvidence)
    assert cell.risk.point.value == 0.05


def test_too_few_decided_trials_abstain() -> None:
    assert cell_of(of(*[LIT] * 9, n_min=10), "0.5").disposition is Disposition.ABSTAIN


def test_a_witness_that_can_only_convict_shows_bounds_and_no_point() -> None:
    """At 0.25 s the witness did not qualify: ten trials abstain, owned by the instrument."""
    cell = cell_of(of(*[LIT] * 10), "0.25")
    assert (cell.decided, cell.abstained, cell.two_sided, cell.disposition) == (0, 10, False, Disposition.ABSTAIN)
    assert isinstance(cell.risk, RiskBound)
    assert cell.risk.point == InsufficientEvidence(shortage=Shortage.ONE_SIDED_WITNESS, decided=0, abstained=10)
    assert cell.risk.bounds == Interval(lower=0.0, upper=1.0)
    assert isinstance(cell.fidelity, InsufficientEvidence)
    assert [entry for entry in cell.owners if entry.count] == [OwnerCount(owner=Owner.INSTRUMENT, count=10)]


def test_a_witness_that_can_only_convict_still_convicts() -> None:
    cell = cell_of(of(*[DARK] * 3), "0.25")
    assert (cell.failures, cell.two_sided, cell.disposition) == (3, False, Disposition.ESCALATE)


def test_a_claim_is_counted_beside_the_twin_never_with_it() -> None:
    card = of(LIT, LIT, DARK)
    for source in (Source.TWIN, Source.REPORTED_CLAIM):
        assert (cell_of(card, "0.5", source).failures, cell_of(card, "0.5", source).decided) == (1, 3)
    assert cell_of(card, "0.05", Source.REPORTED_CLAIM).failures == 3


def test_blocks_abstaining_sources_and_voids_are_counted_outside_the_risk() -> None:
    declared = manifest(row("lamp-on", ON, repetitions=7))
    lit, offline = pairs_of(LIT)[0], trace(NoChannel(subject=LAMP, reason=Reason.WITNESS_OFFLINE))
    void_twin = replace(lit.twin.trace, void=Reason.FOREIGN_CONTEXT)
    mixed = (
        lit,
        *pairs_of(LIT, works=False),
        *pairs_of(SUPERSEDED),
        *pairs_of(offline, offline),
        *(replace(lit, twin=judged(lit.key, void_twin)) for _ in range(2)),
    )
    pairs = tuple(replace(one, key=key(repetition=index)) for index, one in enumerate(mixed))
    cell = cell_of(build_card(declared, pairs=pairs, validity=valid(declared, pairs)), "0.5")
    assert (cell.trials, cell.decided, cell.blocked, cell.source_abstained, cell.voided) == (7, 1, 1, 2, 1)
    assert (cell.abstained, cell.cleared) == (0, 1)
    assert [entry for entry in cell.owners if entry.count] == [OwnerCount(owner=Owner.INSTRUMENT, count=2)]


@pytest.mark.parametrize(
    ("counts", "valid_session", "two_sided", "disposition"),
    [
        (PairCounts(pass_pass=10), True, True, Disposition.CLEAR),
        (PairCounts(pass_pass=9), True, True, Disposition.ABSTAIN),
        (PairCounts(pass_pass=10), False, True, Disposition.ABSTAIN),
        (PairCounts(pass_pass=10), True, False, Disposition.ABSTAIN),
        (PairCounts(pass_pass=10, pass_fail=1), True, True, Disposition.ESCALATE),
        (PairCounts(pass_fail=1), False, False, Disposition.ESCALATE),
        (PairCounts(pass_pass=10, fail_fail=5), True, True, Disposition.CLEAR),
        (PairCounts(), True, True, Disposition.ABSTAIN),
    ],
)
def test_dispositions(counts: PairCounts, *, valid_session: bool, two_sided: bool, disposition: Disposition) -> None:
    assert dispose(counts, valid=valid_session, two_sided=two_sided, n_min=10) is disposition


def test_an_invalid_session_clears_nothing() -> None:
    declared = manifest(row("lamp-on", ON, repetitions=20))
    pairs = pairs_of(*[LIT] * 18)
    card = build_card(declared, pairs=pairs, validity=valid(declared, pairs))
    assert not card.validity.valid
    assert Disposition.CLEAR not in {cell.disposition for cell in card.cells}
    assert Disposition.CLEAR in {cell.disposition for cell in of(*[LIT] * 18).cells}
    assert card.accounting.missing == 2


def test_every_planned_trial_is_accounted_for() -> None:
    declared = manifest(row("lamp-on", ON, repetitions=5), row("lamp-off", OFF, repetitions=2))
    pairs = pairs_of(LIT, DARK, VOID, SUPERSEDED, SUPERSEDED)
    accounting = build_card(declared, pairs=pairs, validity=valid(declared, pairs)).accounting
    assert (accounting.planned, accounting.recorded, accounting.missing) == (7, 5, 2)
    assert (accounting.dispatched, accounting.watched) == (4, 2)
    assert [(entry.reason.value, entry.count) for entry in accounting.voids] == [
        ("not_dispatched", 1),
        ("superseded", 2),
    ]
    assert accounting.twin_voids == ()
    assert accounting.paths == ("single_light",)


def test_a_pooled_row_counts_pairs_of_distinct_trials_and_gives_no_interval() -> None:
    declared = manifest(row("both", ON, repetitions=2, targets=(LAMP, OTHER)))
    lit = sampled(film(steps((-1.0, 20.0), (0.25, 120.0))))
    pairs = pairs_of(*[group_trace(lit, logged(subject=OTHER))] * 2, name="both")
    card = build_card(declared, pairs=pairs, validity=valid(declared, pairs))
    pooled = next(
        one for one in card.pooled if (one.property_id, one.boundary, one.source) == (EFFECT, "0.5", Source.TWIN)
    )
    assert pooled == PooledRow(
        property_id=EFFECT,
        boundary="0.5",
        direction=ON,
        source=Source.TWIN,
        trials=2,
        pairs=4,
        failures=2,
        decided=4,
        abstained=0,
    )


def test_the_hashes_bind_the_card() -> None:
    declared = manifest(row("lamp-on", ON, repetitions=2))
    pairs = pairs_of(LIT, DARK)
    hashes = build_card(declared, pairs=pairs, validity=valid(declared, pairs)).hashes
    assert hashes.manifest == manifest_digest(declared)
    assert (hashes.monitors, hashes.coordinates) == (declared.monitors, declared.coordinates)
    assert hashes.qualifications == declared.qualifications
    assert hashes.trials == digest(
        [
            [f"s-1/lamp-on/{index}", trace_digest(one.physical.trace), trace_digest(one.twin.trace)]
            for index, one in enumerate(pairs)
        ]
    )


def root(declared: SessionManifest, pairs: tuple[TrialPair, ...]) -> str:
    return build_card(declared, pairs=pairs, validity=valid(declared, pairs)).hashes.trials


def test_the_root_depends_on_the_trials_and_not_on_their_order() -> None:
    declared = manifest(row("lamp-on", ON, repetitions=2))
    pairs = pairs_of(LIT, DARK)
    assert root(declared, pairs) == root(declared, pairs[::-1])
    assert root(declared, pairs) != root(declared, pairs_of(LIT, LIT))


def test_the_json_is_canonical_and_complete() -> None:
    card = of(LIT, DARK)
    loaded = json.loads(card.to_json())
    assert canonical_bytes(loaded).decode() == card.to_json()
    assert loaded["schema"] == 1
    assert loaded["validity"]["valid"] is True
    assert len(loaded["cells"]) == len(card.cells)
    cell = next(one for one in loaded["cells"] if one["key"]["boundary"] == "0.5" and one["key"]["source"] == "twin")
    assert (cell["failures"], cell["decided"], cell["disposition"]) == (1, 2, "escalate")


def test_a_cell_that_no_trial_has_is_not_there() -> None:
    absent = replace(cell_of(of(LIT, LIT), "0.5").key, subject=OTHER)
    assert of(LIT, LIT).cell(absent) is None


def test_a_session_without_trials_has_an_empty_card() -> None:
    declared = manifest()
    card = build_card(declared, pairs=(), validity=valid(declared, ()))
    assert (card.cells, card.pooled, card.accounting.missing) == ((), (), 4)
