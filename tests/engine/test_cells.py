"""Cell keys, and how a trial's verdicts fall into cells by the source of the clearance."""

from __future__ import annotations

from dataclasses import replace

import pytest

from simverity_engine.cells import CellKey, CellVerdicts, claims, tally, twin_verdicts
from simverity_engine.errors import MessageError
from simverity_engine.properties.table import judge
from simverity_engine.session.pairing import judged, pair
from simverity_engine.statistics.fidelity import PairCounts, ReasonCount, VerdictPair
from simverity_engine.terms import Path, PropertyId, Reason, Rung, Source, SubjectId, Verdict
from simverity_engine.trace.samples import NoChannel
from simverity_engine.trace.trace import Feedback, Trace
from tests.engine.examples import (
    GROUP,
    LAMP,
    OFF,
    ON,
    OTHER,
    film,
    group_trace,
    logged,
    report,
    returned,
    sampled,
    trace,
)
from tests.engine.examples import steps as series
from tests.engine.sessions import key, pairs_of, twin_of

EFFECT = PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE
READ = PropertyId.REPORTED_READ_AFTER_WRITE
SETTLED = PropertyId.SETTLED_POSTCONDITION
FANOUT = PropertyId.FANOUT_COMPLETION
P, F, A = Verdict.PASS, Verdict.FAIL, Verdict.ABSTAIN
CAMERA = sampled(film(series((-1.0, 20.0), (0.25, 120.0))))
"""Old until 0.18 s, new by 0.30 s; two-sided for on at 0.5, 1 and 3 s."""


def cell(
    property_id: PropertyId = EFFECT,
    boundary: str = "0.25",
    *,
    source: Source = Source.TWIN,
    subject: SubjectId = LAMP,
    path: Path = Path.SINGLE_LIGHT,
) -> CellKey:
    return CellKey(
        property_id=property_id,
        boundary=boundary,
        direction=ON,
        path=path,
        rung=Rung.PHYSICAL,
        source=source,
        subject=subject,
    )


def by_key(found: tuple[CellVerdicts, ...]) -> dict[CellKey, CellVerdicts]:
    assert len({one.key for one in found}) == len(found)
    return {one.key: one for one in found}


def verdicts(source: Verdict, target: Verdict, reason: Reason | None = None) -> VerdictPair:
    return VerdictPair(source=source, target=target, reason=reason)


def test_a_key_is_one_stable_line() -> None:
    assert cell().text == "observable_effect_after_write/0.25/on/single_light/physical/twin/lamp"


@pytest.mark.parametrize("subject", ["lamp", "a/b c", ""])
def test_a_key_is_read_back(subject: str) -> None:
    one = cell(subject=SubjectId(subject))
    assert CellKey.parse(one.text) == one


@pytest.mark.parametrize("line", ["", "a/b", cell().text.replace("twin", "rumour"), cell().text.replace("on/", "up/")])
def test_a_line_that_is_no_key_is_refused(line: str) -> None:
    with pytest.raises(MessageError, match="is not a cell key"):
        CellKey.parse(line)


def test_a_twins_pass_is_the_clearance_of_the_same_property_and_boundary() -> None:
    (one,) = pairs_of(trace(CAMERA, feedback=(report(0.3, "on"),), returned=returned(0.01, "off")))
    found = by_key(twin_verdicts(one))
    assert len(found) == len(one.physical.outcomes)
    assert found[cell(EFFECT, "0.1")].verdicts == verdicts(P, F)
    assert found[cell(EFFECT, "0.25")].verdicts == verdicts(P, A, Reason.BELOW_RESOLUTION)
    assert found[cell(EFFECT, "0.5")].verdicts == verdicts(P, P)
    assert found[cell(READ, "0.25")].verdicts == verdicts(P, F)
    assert found[cell(SETTLED, "settled")].verdicts == verdicts(P, P)
    completion = found[cell(PropertyId.REPORTED_COMPLETION, "return")].verdicts
    assert completion == verdicts(P, F)


def test_a_twin_that_fails_blocks() -> None:
    (one,) = pairs_of(trace(CAMERA), works=False)
    assert by_key(twin_verdicts(one))[cell(EFFECT, "0.5")].verdicts == verdicts(F, P)


def test_a_group_and_its_members_are_cells_of_their_own() -> None:
    real = group_trace(CAMERA, sampled((), subject=OTHER, faults=(Reason.ARRIVAL_GAP,)))
    (one,) = pairs_of(real)
    found = by_key(twin_verdicts(one))
    multi = Path.MULTI_TARGET
    assert found[cell(EFFECT, "0.5", path=multi)].verdicts == verdicts(P, P)
    assert found[cell(EFFECT, "0.5", path=multi, subject=OTHER)].verdicts == verdicts(P, A, Reason.ARRIVAL_GAP)
    assert found[cell(FANOUT, "0.5", path=multi, subject=GROUP)].verdicts == verdicts(P, A, Reason.ARRIVAL_GAP)


def test_a_void_trial_is_void_in_every_cell_of_its_twin() -> None:
    (one,) = pairs_of(trace(CAMERA, void=Reason.SUPERSEDED))
    found = by_key(twin_verdicts(one))
    assert len(found) == len(one.twin.outcomes)
    assert found[cell(EFFECT, "0.5")].verdicts == verdicts(P, A, Reason.SUPERSEDED)


def test_a_void_twin_clears_nothing() -> None:
    real = trace(CAMERA)
    (one,) = pair([judged(key(), real)], [judged(key(), replace(twin_of(real), void=Reason.FOREIGN_CONTEXT))])
    assert by_key(twin_verdicts(one))[cell(EFFECT, "0.5")].verdicts == verdicts(A, P)


def test_a_witness_is_two_sided_where_it_qualified_to_be() -> None:
    found = by_key(twin_verdicts(pairs_of(trace(CAMERA))[0]))
    assert [found[cell(EFFECT, at)].two_sided for at in ("0.05", "0.1", "0.25", "0.5", "1", "3")] == [
        False,
        False,
        False,
        True,
        True,
        True,
    ]
    assert found[cell(READ, "0.05")].two_sided
    assert found[cell(SETTLED, "settled")].two_sided


def test_a_fan_out_is_two_sided_where_all_its_witnesses_are() -> None:
    slow = replace(CAMERA, subject=OTHER, levels=replace(CAMERA.levels, two_sided=((ON, (1.0,)),)))
    found = by_key(twin_verdicts(pairs_of(group_trace(CAMERA, slow))[0]))
    sided = [found[cell(FANOUT, at, path=Path.MULTI_TARGET, subject=GROUP)].two_sided for at in ("0.5", "1", "3")]
    assert sided == [False, True, False]
    assert found[cell(FANOUT, "settled", path=Path.MULTI_TARGET, subject=GROUP)].two_sided


def test_a_log_decides_at_any_boundary() -> None:
    found = by_key(twin_verdicts(pairs_of(trace(logged((0.01, ON))))[0]))
    assert found[cell(EFFECT, "0.05")].two_sided


def claimed(passive: Trace) -> dict[CellKey, VerdictPair]:
    return {one.key: one.verdicts for one in claims(passive, judge(passive))}


def test_what_was_shown_at_a_boundary_is_the_claim_that_the_witness_audits() -> None:
    found = claimed(trace(CAMERA, feedback=(report(0.05, "on"),)))
    shown = Source.REPORTED_CLAIM
    assert found == {
        **{cell(EFFECT, at, source=shown): verdicts(P, F) for at in ("0.05", "0.1")},
        cell(EFFECT, "0.25", source=shown): verdicts(P, A, Reason.BELOW_RESOLUTION),
        **{cell(EFFECT, at, source=shown): verdicts(P, P) for at in ("0.5", "1", "3")},
        cell(EFFECT, "settled", source=shown): verdicts(P, P),
    }


def test_a_report_that_is_wrong_about_a_working_lamp_is_a_false_alarm() -> None:
    """The settled postcondition fails, since state and witness disagree; the claim is audited by the witness alone."""
    found = claimed(trace(CAMERA, feedback=(report(0.05, "on"), report(5.2, "off"))))
    assert found[cell(EFFECT, "settled", source=Source.REPORTED_CLAIM)] == verdicts(F, P)


def test_a_claim_that_comes_late_blocks_before() -> None:
    found = claimed(trace(CAMERA, feedback=(report(0.8, "on"),)))
    assert found[cell(EFFECT, "0.5", source=Source.REPORTED_CLAIM)] == verdicts(F, P)


def test_a_witness_that_could_not_see_still_makes_it_a_reported_claim() -> None:
    offline = trace(NoChannel(subject=LAMP, reason=Reason.WITNESS_OFFLINE), feedback=(report(0.02, "on"),))
    assert claimed(offline)[cell(EFFECT, "1", source=Source.REPORTED_CLAIM)] == verdicts(P, A, Reason.WITNESS_OFFLINE)


@pytest.mark.parametrize(
    ("reports", "target"),
    [((report(0.02, "on"),), verdicts(P, P)), ((), verdicts(P, F))],
)
def test_without_a_witness_the_accepted_call_is_audited_by_the_settled_report(
    reports: tuple[Feedback, ...], target: VerdictPair
) -> None:
    assert claimed(trace(feedback=reports)) == {cell(READ, "settled", source=Source.ACCEPTED_CALL): target}


def test_a_call_that_raised_was_not_accepted() -> None:
    found = claimed(trace(feedback=(report(0.02, "on"),), returned=returned(0.1, "on", error="ServiceValidationError")))
    assert found == {cell(READ, "settled", source=Source.ACCEPTED_CALL): verdicts(F, P)}
    fine = claimed(trace(feedback=(report(0.02, "on"),), returned=returned(0.1, "on")))
    assert fine == {cell(READ, "settled", source=Source.ACCEPTED_CALL): verdicts(P, P)}


def test_a_groups_claim_is_audited_by_all_its_members() -> None:
    """The report says that all is on; one member stays dark (case D1)."""
    reports = tuple(report(0.1, "on", subject=subject) for subject in (GROUP, LAMP, OTHER))
    dark = sampled(film(series((-1.0, 20.0))), subject=OTHER)
    found = claimed(group_trace(CAMERA, dark, feedback=reports))
    shown = {"source": Source.REPORTED_CLAIM, "path": Path.MULTI_TARGET}
    assert found[cell(FANOUT, "1", subject=GROUP, **shown)] == verdicts(P, F)  # type: ignore[arg-type]
    assert found[cell(EFFECT, "1", subject=LAMP, **shown)] == verdicts(P, P)  # type: ignore[arg-type]
    assert found[cell(EFFECT, "1", subject=OTHER, **shown)] == verdicts(P, F)  # type: ignore[arg-type]


def test_a_group_with_an_unwitnessed_member_is_an_accepted_call() -> None:
    found = claimed(group_trace(CAMERA))
    sources = {(one.subject, one.source) for one in found}
    assert sources == {
        (LAMP, Source.REPORTED_CLAIM),
        (OTHER, Source.ACCEPTED_CALL),
        (GROUP, Source.ACCEPTED_CALL),
    }


def test_a_command_without_targets_is_only_an_accepted_call() -> None:
    assert {one.source for one in claimed(group_trace(goals=()))} == {Source.ACCEPTED_CALL}


def test_a_void_trace_claims_nothing() -> None:
    assert claimed(trace(CAMERA, void=Reason.SUPERSEDED)) == {}


def test_cells_count_trials_and_never_add_up() -> None:
    trials = (
        trace(CAMERA),
        trace(logged((0.2, ON))),
        trace(logged()),
        trace(CAMERA, void=Reason.SUPERSEDED),
    )
    counted = tally(one for pairing in pairs_of(*trials) for one in twin_verdicts(pairing))
    assert list(counted) == sorted(counted)
    void = (ReasonCount(reason=Reason.SUPERSEDED, count=1),)
    assert counted[cell(EFFECT, "0.25")] == PairCounts(
        pass_pass=1, pass_fail=1, linked=(ReasonCount(reason=Reason.BELOW_RESOLUTION, count=1),), void=void
    )
    assert counted[cell(EFFECT, "0.5")] == PairCounts(pass_pass=2, pass_fail=1, void=void)


def test_directions_are_cells_of_their_own() -> None:
    off = trace(logged((0.2, OFF), initial=ON), direction=OFF)
    keys = {one.key.direction for pairing in pairs_of(off) for one in twin_verdicts(pairing)}
    assert keys == {OFF}
