"""``observable_effect_after_write``, ``settled_postcondition`` and ``cross_device_quiet`` on hand-worked traces."""

from __future__ import annotations

import pytest

from simverity_engine.terms import PropertyId, Reason
from simverity_engine.trace.samples import EffectChannel, NoChannel
from simverity_engine.trace.trace import Feedback
from tests.engine.examples import (
    LAMP,
    ON,
    OTHER,
    film,
    findings,
    logged,
    marks,
    report,
    sampled,
    steps,
    trace,
)

EFFECT = PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE
SETTLED = PropertyId.SETTLED_POSTCONDITION
QUIET = PropertyId.CROSS_DEVICE_QUIET
LOW = "below_resolution"


def camera(*changes: tuple[float, float]) -> EffectChannel:
    """Ten frames a second, each captured at most 20 ms before it arrived."""
    return sampled(film(steps((-1.0, 20.0), *changes)))


@pytest.mark.parametrize(
    ("channel", "expected"),
    [
        # old until 0.18, new by 0.30
        (camera((0.25, 120.0)), f"F F {LOW} P P P P"),
        # old until 2.98, new by 3.1
        (camera((3.05, 120.0)), f"F F F F F {LOW} P"),
        # old until 2.88, new by 3.0
        (camera((2.95, 120.0)), "F F F F F P P"),
        (camera(), "F F F F F F F"),
        # dimmed to just above the middle: an effect, though no settled state
        (camera((0.05, 73.0)), f"{LOW} P P P P P outside_levels"),
        (camera((0.25, 120.0), (5.0, 20.0)), " ".join([*["not_one_way"] * 6, "F"])),
        (sampled(()), " ".join(["no_sample"] * 7)),
        (NoChannel(subject=LAMP, reason=Reason.WITNESS_OFFLINE), " ".join(["witness_offline"] * 7)),
        (logged((0.25, ON)), "F F P P P P P"),
        (logged(until=0.4), f"F F F {LOW} {LOW} {LOW} no_sample"),
    ],
)
def test_the_effect_at_every_boundary(channel: EffectChannel, expected: str) -> None:
    assert marks(trace(channel), EFFECT) == expected


def test_a_target_without_a_channel_has_no_witness() -> None:
    assert marks(trace(sampled((), subject=OTHER)), EFFECT) == " ".join(["no_witness"] * 7)


def test_the_finding_bounds_the_effect_after_dispatch() -> None:
    found = findings(trace(camera((0.25, 120.0))), EFFECT)["1"]
    assert found.earliest == pytest.approx(0.18)
    assert found.latest == pytest.approx(0.3)


def test_without_an_effect_there_is_no_latest() -> None:
    found = findings(trace(camera()), EFFECT)["1"]
    assert found.earliest == pytest.approx(11.98)
    assert found.latest is None


@pytest.mark.parametrize(("moved", "expected"), [(0.0051, "clock_step"), (0.005, "P"), (-0.2, "clock_step")])
def test_a_clock_step_puts_the_dispatch_in_doubt(moved: float, expected: str) -> None:
    assert marks(trace(logged((0.01, ON)), clock_moved=moved), EFFECT) == " ".join([*[expected] * 6, "P"])


LIT = camera((0.25, 120.0))


@pytest.mark.parametrize(
    ("channel", "reports", "expected"),
    [
        (LIT, (report(0.1, "on"),), "P"),
        (LIT, (), "F"),
        (camera(), (report(0.1, "on"),), "F"),
        (LIT, (report(0.1, "on"), report(11.0, "off")), "F"),
        (LIT, (report(0.1, "on"), report(12.0, "off")), "F"),
        (LIT, (report(0.1, "on"), report(12.5, "off")), "P"),
        (LIT, (report(0.1, "on"), report(11.0, "unavailable")), "state_unknown"),
        (LIT, (report(10.0, "on"),), "P"),
        (LIT, (report(10.1, "on"),), "F"),
        (camera((0.25, 120.0), (11.0, 20.0)), (report(0.1, "on"),), "F"),
        (camera((0.25, 73.0)), (report(0.1, "on"),), "outside_levels"),
        (camera((0.25, 73.0)), (report(0.1, "off"),), "F"),
        (NoChannel(subject=LAMP, reason=Reason.NO_WITNESS), (report(0.1, "on"),), "no_witness"),
        (logged((0.1, ON)), (report(0.1, "on"),), "P"),
    ],
    ids=[
        "both",
        "never reported",
        "never happened",
        "report reverts",
        "reverts at the end",
        "reverts after",
        "unavailable",
        "reported just in time",
        "reported too late",
        "fell back",
        "half-way",
        "half-way and denied",
        "unwitnessed",
        "edge",
    ],
)
def test_settled_needs_report_and_witness(channel: EffectChannel, reports: tuple[Feedback, ...], expected: str) -> None:
    assert marks(trace(channel, feedback=reports), SETTLED) == expected


def test_settled_does_not_mind_a_clock_step() -> None:
    assert marks(trace(LIT, feedback=(report(0.1, "on"),), clock_moved=1.0), SETTLED) == "P"


@pytest.mark.parametrize(
    ("channel", "expected"),
    [
        (sampled(film(steps((-1.0, 20.0))), subject=OTHER), "P"),
        (sampled(film(steps((-1.0, 20.0), (1.0, 120.0))), subject=OTHER), "F"),
        (NoChannel(subject=OTHER, reason=Reason.UNQUALIFIED), "unqualified"),
    ],
)
def test_a_quiet_device_is_judged_up_to_the_settled_end(channel: EffectChannel, expected: str) -> None:
    assert marks(trace(LIT, quiet=(channel,)), QUIET, OTHER) == expected
