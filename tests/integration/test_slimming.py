"""A trial of any length fits into the ledger, and nothing that is judged from it changes."""

from __future__ import annotations

import random

import pytest

from custom_components.simverity.audit.slimming import LARGEST, fit
from custom_components.simverity.engine.properties.table import judge
from custom_components.simverity.engine.terms import (
    GRID,
    Direction,
    Path,
    Reason,
    Rung,
    SubjectId,
    Tier,
    TrialId,
    Verdict,
    settled_boundary,
)
from custom_components.simverity.engine.trace.codec import encode
from custom_components.simverity.engine.trace.quantise import quantise
from custom_components.simverity.engine.trace.samples import FrozenLevels, Sample, SampledChannel
from custom_components.simverity.engine.trace.trace import Goal, Trace

LEVELS = FrozenLevels(on=142.0, off=20.0, guard=2.0, reference_on=30.0, reference_off=30.0, reference_spread=0.5)
FRAME = 1 / 60


def _channel(subject: str, chance: random.Random, *, seconds: float, effect: float) -> SampledChannel:
    frames = int((seconds + 0.5) / FRAME)
    samples = [
        Sample(
            earliest=(at := number * FRAME - 0.5) - 0.012,
            latest=at + 0.012 + chance.uniform(0, 0.0005),
            level=(142.0 if at >= effect else 20.0) + chance.gauss(0, 0.3),
            reference=30.0 + chance.gauss(0, 0.2),
        )
        for number in range(frames)
    ]
    return SampledChannel(
        subject=SubjectId(subject),
        levels=LEVELS,
        samples=tuple(samples),
        tier=Tier.STREAM_CLOCK,
        qualification="q",
        armed_at=0.001,
    )


def _trace(targets: int, settle_from: float, settle_until: float, effect: float = 0.36) -> Trace:
    chance = random.Random(targets)  # noqa: S311 - noise, no secret
    subjects = [f"{number:032x}" for number in range(targets)]
    return quantise(
        Trace(
            trial=TrialId("trial"),
            rung=Rung.PHYSICAL,
            path=Path.SINGLE_LIGHT if targets == 1 else Path.MULTI_TARGET,
            direction=Direction.ON,
            subject=SubjectId(subjects[0] if targets == 1 else "group"),
            goals=tuple(Goal(subject=SubjectId(subject), state=Direction.ON) for subject in subjects),
            dispatched_at=0.0,
            wall_dispatched="2026-12-01T00:00:00+00:00",
            settle_from=settle_from,
            settle_until=settle_until,
            boundaries=(*GRID, settled_boundary(settle_from)),
            channels=tuple(_channel(subject, chance, seconds=settle_until, effect=effect) for subject in subjects),
            closed_at=settle_until,
        )
    )


@pytest.mark.parametrize("targets", [1, 2, 3])
@pytest.mark.parametrize(("settle_from", "settle_until"), [(4.0, 4.6), (10.0, 12.0), (60.0, 62.0)])
def test_a_trial_fits_and_is_judged_the_same(targets: int, settle_from: float, settle_until: float) -> None:
    trace = _trace(targets, settle_from, settle_until)
    slim = fit(trace)
    assert len(encode(slim)) <= LARGEST
    assert judge(slim) == judge(trace)


def test_a_lamp_that_stays_dark_fits_and_still_fails() -> None:
    trace = _trace(1, 60.0, 62.0, effect=1e9)
    slim = fit(trace)
    assert len(encode(slim)) <= LARGEST
    assert judge(slim) == judge(trace)


def test_a_trace_that_fits_is_left_alone() -> None:
    trace = _trace(1, 4.0, 4.6)
    assert fit(trace) is trace


def test_a_trial_of_too_many_targets_abstains_rather_than_getting_lost() -> None:
    slim = fit(_trace(60, 4.0, 4.6))
    verdicts = {outcome.finding.reason for outcome in judge(slim) if outcome.finding.verdict is Verdict.ABSTAIN}
    assert Reason.NO_SAMPLE in verdicts
