"""The simulation of standing dispositions: it is the engine's own arithmetic, and every stated bound holds."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.simulation import (
    POLICY,
    Trials,
    cleared_by_evidence,
    exactly_by_evidence,
    exactly_by_fresh_starts,
    first_alarms,
    homes_at,
    main,
    simulate,
)
from simverity_engine.standing.clearing import ClearingEvidence, log_evidence
from simverity_engine.standing.revocation import ChangeDetector

HOMES = 1_000


def by_engine(failed: Trials, *, restart: str) -> list[bool]:
    """Play every home through the engine's e-process."""
    cleared = []
    for row in failed:
        evidence, ever = ClearingEvidence(), False
        for one in row:
            evidence = evidence.counted(failed=bool(one))
            ever = ever or log_evidence(evidence, POLICY.tolerance) >= POLICY.log_demand
            if restart == "carry" and one:
                evidence = evidence.restarted()
        cleared.append(ever)
    return cleared


@pytest.mark.parametrize("restart", ["never", "carry"])
def test_the_engine_clears_the_same_homes(restart: str) -> None:
    failed = homes_at(0.02, 40, 200, seed=9)
    found = cleared_by_evidence(failed, restart=restart)
    assert found.tolist() == by_engine(failed, restart=restart)
    assert 0 < found.sum() < len(found)


def test_the_engine_rings_at_the_same_trials() -> None:
    failed = homes_at(0.2, 20, 150, seed=10)
    expected = []
    for row in failed:
        detector, rang = ChangeDetector(), 0
        for number, one in enumerate(row, start=1):
            detector = detector.after(failed=bool(one), tolerance=POLICY.tolerance)
            if detector.level >= POLICY.alarm:
                rang = number
                break
        expected.append(rang)
    assert first_alarms(failed).tolist() == expected
    assert np.count_nonzero(expected) > 10


@pytest.mark.parametrize("looks", [10, 74, 90])
def test_what_is_exact_agrees_with_every_way_that_trials_can_go(looks: int) -> None:
    """Up to 130 trials only homes with no failure at all can clear: 74 passes in a row, from the first trial."""
    assert exactly_by_evidence(0.05, looks) == pytest.approx(0.95**74 if looks >= 74 else 0.0)


def test_the_chance_of_a_run_is_that_of_the_textbook() -> None:
    """Of all ways to have 74 passes in a row within 75 trials: the first 74, or a failure and then 74 (Feller)."""
    assert exactly_by_fresh_starts(0.05, 75) == pytest.approx(0.95**74 * (1 + 0.05))


def test_the_e_process_keeps_its_promise_at_the_limit_exactly() -> None:
    assert exactly_by_evidence(0.05, 400) < exactly_by_evidence(0.05, 500) < 0.04


def test_every_stated_bound_holds() -> None:
    assert [one for one in simulate(HOMES) if not one.holds] == []


def test_the_command_prints_what_holds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--homes", "100"]) in {0, 1}
    assert "wrongly cleared by the e-process" in capsys.readouterr().out
    main(["--homes", "100", "--json"])
    assert '"name"' in capsys.readouterr().out
