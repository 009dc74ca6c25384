"""``fanout_completion`` and ``effect_order``: what a command to several targets owes."""

from __future__ import annotations

import pytest

from simverity_engine.terms import PropertyId, Reason, SubjectId
from simverity_engine.trace.samples import EffectChannel, NoChannel
from simverity_engine.trace.trace import Goal
from tests.engine.examples import GROUP, LAMP, ON, OTHER, film, group_trace, logged, marks, sampled, steps

FANOUT, ORDER = PropertyId.FANOUT_COMPLETION, PropertyId.EFFECT_ORDER
LOW = "below_resolution"
BLIND = NoChannel(subject=OTHER, reason=Reason.UNQUALIFIED)


def other(*changes: tuple[float, float]) -> EffectChannel:
    return sampled(film(steps((-1.0, 20.0), *changes)), subject=OTHER)


def first(*changes: tuple[float, float]) -> EffectChannel:
    return sampled(film(steps((-1.0, 20.0), *changes)))


@pytest.mark.parametrize(
    ("channels", "expected"),
    [
        ((logged((0.03, ON)), logged((0.3, ON), subject=OTHER)), "F F F P P P P"),
        ((logged((0.03, ON)), logged(subject=OTHER)), "F F F F F F F"),
        ((logged((0.03, ON)), BLIND), " ".join(["unwitnessed_target"] * 7)),
        ((logged(), BLIND), "F F F F F F F"),
        ((logged((0.03, ON)),), " ".join(["unwitnessed_target"] * 7)),
        ((logged((0.03, ON)), other((0.25, 120.0))), f"F F {LOW} P P P P"),
        ((logged((0.03, ON)), other((0.25, 73.0))), f"F F {LOW} P P P outside_levels"),
        ((first((0.25, 120.0), (3.0, 20.0)), BLIND), " ".join([*["unwitnessed_target"] * 6, "F"])),
    ],
    ids=["late one", "missing one", "unwitnessed", "failing and unwitnessed", "no channel", "slow", "half-way", "back"],
)
def test_a_fan_out_is_complete_when_every_target_is(channels: tuple[EffectChannel, ...], expected: str) -> None:
    assert marks(group_trace(*channels), FANOUT, GROUP) == expected


def test_a_clock_step_is_no_missing_witness() -> None:
    judged = group_trace(logged((0.03, ON)), logged((0.03, ON), subject=OTHER), clock_moved=0.1)
    assert marks(judged, FANOUT, GROUP) == " ".join([*["clock_step"] * 6, "P"])


def test_a_target_that_already_stood_there_is_not_an_unwitnessed_one() -> None:
    judged = group_trace(logged((0.03, ON)), logged(initial=ON, subject=OTHER))
    assert marks(judged, FANOUT, GROUP) == " ".join([*["initial_state"] * 6, "P"])


@pytest.mark.parametrize(
    ("channels", "expected"),
    [
        ((logged((0.03, ON)), logged((0.04, ON), subject=OTHER)), "P"),
        ((logged((0.03, ON)), logged((0.03, ON), subject=OTHER)), "P"),
        ((logged((0.04, ON)), logged((0.03, ON), subject=OTHER)), "F"),
        # The camera knows (0.18, 0.30] and (0.38, 0.50]: in order; the other way round, inverted.
        ((first((0.25, 120.0)), other((0.45, 120.0))), "P"),
        ((first((0.45, 120.0)), other((0.25, 120.0))), "F"),
        # (0.18, 0.30] and (0.28, 0.40] overlap.
        ((first((0.25, 120.0)), other((0.35, 120.0))), LOW),
        ((first((0.35, 120.0)), other((0.25, 120.0))), LOW),
        # A target that never takes effect: the one after it precedes it; the one before it leaves it open.
        ((first(), other((0.25, 120.0))), "F"),
        ((first((0.25, 120.0)), other()), LOW),
        ((first(), other()), LOW),
        ((first((0.25, 120.0)), BLIND), "unqualified"),
    ],
)
def test_effects_come_in_the_order_of_the_command(channels: tuple[EffectChannel, ...], expected: str) -> None:
    assert marks(group_trace(*channels), ORDER, GROUP) == expected


def test_one_proven_inversion_among_three_is_enough() -> None:
    third = SubjectId("third")
    goals = tuple(Goal(subject=subject, state=ON) for subject in (LAMP, OTHER, third))
    channels = (logged((0.5, ON)), BLIND, logged((0.1, ON), subject=third))
    assert marks(group_trace(*channels, goals=goals), ORDER, GROUP) == "F"


def test_every_step_must_be_in_order() -> None:
    third = SubjectId("third")
    goals = tuple(Goal(subject=subject, state=ON) for subject in (LAMP, OTHER, third))
    first_two = (logged((0.1, ON)), logged((0.3, ON), subject=OTHER))
    assert marks(group_trace(*first_two, logged((0.2, ON), subject=third), goals=goals), ORDER, GROUP) == "F"
    assert marks(group_trace(*first_two, logged((0.4, ON), subject=third), goals=goals), ORDER, GROUP) == "P"


def test_one_target_has_no_order() -> None:
    assert marks(group_trace(logged((0.03, ON)), goals=(Goal(subject=LAMP, state=ON),)), ORDER, GROUP) == (
        "not_applicable"
    )
