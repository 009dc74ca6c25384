"""The simulation of standing dispositions: it is the engine's own arithmetic, and every stated bound holds."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.simulation import POLICY, Trials, cleared_by_evidence, first_alarms, homes_at, main, simulate
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


def test_every_stated_bound_holds() -> None:
    assert [one for one in simulate(HOMES) if not one.holds] == []


def test_the_command_prints_what_holds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--homes", "100"]) in {0, 1}
    assert "wrongly cleared by the e-process" in capsys.readouterr().out
    main(["--homes", "100", "--json"])
    assert '"name"' in capsys.readouterr().out
