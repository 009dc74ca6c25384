"""A real session on real parts: what it finds about an ordinary, a gated, a lying and a badly filmed lamp."""

import pytest

from simverity_engine.terms import Verdict
from testbed.rig.archive import truth_of
from testbed.rig.card import Cell
from testbed.rig.registry import registered_entities
from tests.e2e.agreement import Compared, compare, reads_after_return
from tests.e2e.setting import DESK, GATED, LYING, REPETITIONS, SHELF, VIEWS, AuditedHome, Evidence

pytestmark = [pytest.mark.realtime, pytest.mark.asyncio(loop_scope="session")]

COMPLETION, READ = "reported_completion", "reported_read_after_write"
OBSERVABLE, SETTLED = "observable_effect_after_write", "settled_postcondition"


def cells(evidence: Evidence, subject: str, property_id: str, *, source: str = "twin") -> list[Cell]:
    """Return the cells of one property of one subject; there must be some."""
    found = [
        cell
        for cell in evidence.card.cells
        if (cell.subject, cell.property_id, cell.source) == (subject, property_id, source)
    ]
    assert found
    return found


def comparisons(home: AuditedHome, evidence: Evidence) -> list[Compared]:
    found: list[Compared] = []
    for trial in evidence.trials:
        truths = {target: truth_of(trial, home.view(target), evidence.crossings) for target in trial.targets}
        found += compare(trial.trace, truths)
    return found


async def test_the_session_is_valid(evidence: Evidence) -> None:
    assert evidence.outcome.valid, evidence.outcome.reasons


async def test_every_planned_trial_is_in_the_ledger(evidence: Evidence) -> None:
    assert len(evidence.trials) == len(VIEWS) * 2 * REPETITIONS


async def test_completion_fails_where_the_call_returns_before_the_acknowledgement(
    home: AuditedHome, evidence: Evidence
) -> None:
    found = cells(evidence, home.subject(DESK), COMPLETION)
    assert [(cell.failed, cell.decided) for cell in found] == [(REPETITIONS, REPETITIONS)] * 2


async def test_the_ordinary_lamp_still_burns_a_quarter_second_after_off(home: AuditedHome, evidence: Evidence) -> None:
    found = {(cell.direction, cell.boundary): cell.failed for cell in cells(evidence, home.subject(DESK), OBSERVABLE)}
    assert found["off", "0.25"] == REPETITIONS
    assert found["off", "0.5"] == 0


async def test_the_ordinary_lamp_settles(home: AuditedHome, evidence: Evidence) -> None:
    found = cells(evidence, home.subject(DESK), SETTLED)
    assert [(cell.failed, cell.decided) for cell in found] == [(0, REPETITIONS)] * 2


async def test_a_gated_lamp_has_the_new_state_when_its_call_returns(home: AuditedHome, evidence: Evidence) -> None:
    found = cells(evidence, home.subject(GATED), COMPLETION)
    assert [(cell.failed, cell.decided) for cell in found] == [(0, REPETITIONS)] * 2


async def test_no_read_of_a_gated_lamp_fails_at_any_boundary(home: AuditedHome, evidence: Evidence) -> None:
    found = cells(evidence, home.subject(GATED), READ)
    assert {cell.boundary for cell in found} >= {"0.05", "0.1", "0.25", "0.5", "1", "3"}
    assert [(cell.failed, cell.decided) for cell in found] == [(0, REPETITIONS)] * len(found)


async def test_no_read_of_a_gated_lamp_fails_once_its_call_has_returned(home: AuditedHome, evidence: Evidence) -> None:
    verdicts = [
        verdict
        for trial in evidence.trials
        if trial.targets == (home.subject(GATED),)
        for verdict in reads_after_return(trial.trace)
    ]
    assert len(verdicts) >= REPETITIONS * 2
    assert set(verdicts) == {Verdict.PASS}


async def test_the_witness_escalates_a_lamp_that_lies_while_the_software_says_pass(
    home: AuditedHome, evidence: Evidence
) -> None:
    subject = home.subject(LYING)
    seen = [c for c in cells(evidence, subject, OBSERVABLE, source="reported_claim") if c.boundary == "1"]
    assert "escalate" in {cell.disposition for cell in seen}
    assert sum(cell.failed for cell in cells(evidence, subject, READ) if cell.boundary == "1") == 0


async def test_no_verdict_of_the_witness_contradicts_the_truth(home: AuditedHome, evidence: Evidence) -> None:
    found = comparisons(home, evidence)
    assert any(one.decided and one.truly is False for one in found)
    assert any(one.decided and one.truly is True for one in found)
    assert [one for one in found if one.disagrees] == []


async def test_a_slow_camera_leaves_the_boundary_before_the_crossing_open(
    home: AuditedHome, evidence: Evidence
) -> None:
    going_off = [cell for cell in cells(evidence, home.subject(SHELF), OBSERVABLE) if cell.direction == "off"]
    # The light crosses at 0.37 s. A frame that arrives by then was captured up to twice the camera's latency earlier,
    # at least 0.2 s at this cadence: enough to prove it still lit at 0.05 s, never at 0.25 s.
    near = [cell for cell in going_off if cell.boundary == "0.25"]
    assert sum(cell.decided for cell in near) == 0
    assert {reason for cell in near for reason in cell.reasons} == {"below_resolution"}
    assert {owner for cell in near for owner in cell.owners} == {"instrument"}
    earlier = [cell for cell in going_off if cell.boundary in {"0.05", "0.1"}]
    assert all(cell.failed == cell.decided for cell in earlier)


async def test_a_slow_camera_still_shows_the_settled_state(home: AuditedHome, evidence: Evidence) -> None:
    found = cells(evidence, home.subject(SHELF), SETTLED)
    assert [(cell.failed, cell.decided) for cell in found] == [(0, REPETITIONS)] * 2


async def test_no_virtual_edge_is_left(home: AuditedHome, evidence: Evidence) -> None:
    assert evidence.trials
    async with home.rig.home.socket() as socket:
        registry = await registered_entities(socket)
    edges = [
        entry.entity_id
        for entry in registry
        if entry.platform == "simverity" and entry.entity_id.partition(".")[0] in {"light", "switch"}
    ]
    assert edges == []
