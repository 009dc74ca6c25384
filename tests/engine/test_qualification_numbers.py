"""Every number that a witness froze is computed again, and every refusal of its own stands."""

from __future__ import annotations

import pytest

from simverity_engine.terms import Direction
from tests.engine.qualification_example import (
    DISAGREE,
    TIMED,
    Change,
    Message,
    judged,
    on_arrival,
    put,
    reasons,
)


@pytest.mark.parametrize(
    "change",
    [
        put(-0.051 + 0.062, "timing", "offset_lo"),
        put(None, "timing", "offset_lo"),
        put(None, "timing", "offset_hi"),
        put("T3", "timing", "tier"),
        put(-0.001, "strobes", 0, "first_new_arrival"),
    ],
    ids=["bounds cross", "no lower bound", "no upper bound", "arrival without a bound", "seen before the command"],
)
def test_an_impossible_clock_is_refused(change: Change) -> None:
    assert reasons(change) == ("lying_clock", DISAGREE)


@pytest.mark.parametrize(
    "change",
    [
        put(None, "timing"),
        put(None, "levels"),
        put(120.06, "levels", "on"),
        put(19.94, "levels", "off"),
        put(70.2, "levels", "midpoint"),
        put(1.9, "levels", "guard"),
        put(0.6, "levels", "spread"),
        put(31.2, "levels", "reference_on"),
        put(None, "levels", "reference_off"),
        put(0.1, "levels", "reference_spread"),
        # Strobe 1 came at 10 s, 400 s before the record was made: drift allows 1 + 40 ms.
        put(10.05 + 0.042, "strobes", 1, "first_new_stamp"),
        put(9.9, "strobes", 1, "first_new_stamp"),
        put(0.0, "strobes", 0, "first_new_arrival"),
        put(None, "strobes", 1, "first_new_stamp"),
        put([0.25, 0.5], "strobes", 1, "decided"),
        put([0.05, 0.1, 0.25, 0.5], "strobes", 1, "decided"),
        put([0.1, 0.25], "two_sided", "on"),
        put([0.1, 0.25, 0.5, 1.0], "two_sided", "off"),
    ],
    ids=[
        "no timing",
        "no levels",
        "on",
        "off",
        "midpoint",
        "guard",
        "spread",
        "reference on",
        "reference off",
        "reference spread",
        "upper bound",
        "lower bound",
        "seen at the command",
        "no stamp",
        "decides more",
        "decides less",
        "two-sided at more",
        "two-sided at less",
    ],
)
def test_every_frozen_number_is_computed_again(change: Change) -> None:
    assert reasons(change) == (DISAGREE,)


def test_bounds_that_meet_are_possible() -> None:
    assert reasons(put(0.01, "timing", "offset_lo")) == ()


@pytest.mark.parametrize(("bound", "found"), [(0.06, ()), (0.01, ()), (0.0, (DISAGREE,)), (0.062, (DISAGREE,))])
def test_the_arrival_bound_is_the_faster_class_longest_time(bound: float, found: tuple[str, ...]) -> None:
    """On shows after 0.06 s at the latest, off after 0.41 s. Another lamp may have been faster still."""
    assert reasons(on_arrival, put(bound, "timing", "arrival_bound")) == found


@pytest.mark.parametrize(("boundary", "index"), [(0.06, 1), (0.3205, 0)])
def test_a_strobe_at_the_very_edge_may_decide_or_not(boundary: float, index: int) -> None:
    """Strobe 1 (on) is seen 0.06 s after its command, strobe 0 (off) was still old after 0.32 s: a rounding decides."""

    def edge(*, decides: bool) -> Change:
        def change(message: Message) -> None:
            for one in message["strobes"]:
                one["decided"] = [boundary, *one["decided"]]
            message["two_sided"] = {"on": [boundary, *TIMED], "off": [boundary, *TIMED]}
            if not decides:
                del message["strobes"][index]["decided"][0]

        return change

    assert reasons(edge(decides=True)) == ()
    assert reasons(edge(decides=False)) == ()


def test_the_arrival_bound_is_a_class_longest_time_not_its_usual_one() -> None:
    """One on-strobe was seen after 0.09 s."""
    slow = put(10.09, "strobes", 1, "first_new_arrival")
    assert reasons(on_arrival, slow, put(0.09, "timing", "arrival_bound")) == ()


@pytest.mark.parametrize("state", [0, 1])
def test_the_patch_spread_is_that_of_its_more_restless_state(state: int) -> None:
    """References 0 and 1 are one on and one off; the patch of one of them is two levels off."""

    def restless(message: Message) -> None:
        for frame in message["references"][state]["frames"]:
            frame["reference"] += 2.0
        message["levels"]["reference_spread"] = 2.0

    assert reasons(restless) == ()


def test_a_witness_that_decides_19_of_20_times_is_two_sided() -> None:
    """Off strobes 0 and 2 become slow to be seen: they decide nothing at 0.5 s."""

    def slow(*indices: int) -> Change:
        def change(message: Message) -> None:
            for index in indices:
                message["strobes"][index] |= {"latest": None, "decided": [0.1, 0.25]}

        return change

    assert reasons(slow(0)) == ()
    assert reasons(slow(0, 2)) == (DISAGREE,)
    levels = judged(slow(0, 2), put([0.1, 0.25], "two_sided", "off")).levels
    assert levels is not None
    assert dict(levels.two_sided)[Direction.OFF] == (0.1, 0.25)


def test_a_strobe_without_an_old_frame_can_only_pass() -> None:
    """Off is seen by 0.41 s: without a lower bound nothing decides at 0.1 and 0.25 s."""
    assert reasons(put(None, "strobes", 0, "earliest")) == (DISAGREE,)
    assert reasons(put(None, "strobes", 0, "earliest"), put([0.5], "strobes", 0, "decided")) == ()


ALL_OURS = (
    "too_few_references",
    "contrast_too_low",
    "levels_overlap",
    "spread_too_large",
    "reference_follows_lamp",
    "cross_response",
    "clipping",
)
"""Refusals that the readings in a record decide."""


def refuse(*codes: str) -> Change:
    def change(message: Message) -> None:
        message["verdict"] = "refused"
        message["refusals"] = list(codes)

    return change


@pytest.mark.parametrize(
    ("codes", "found"),
    [
        (("contrast_too_low",), ("contrast_too_low", DISAGREE)),
        (("lamp_did_not_follow",), ("lamp_did_not_follow",)),
        (ALL_OURS, (*ALL_OURS, DISAGREE)),
        (("clipping", "stale_frames"), ("clipping", "stale_frames")),
    ],
)
def test_a_refusal_stands_and_is_doubted_only_where_the_readings_tell(
    codes: tuple[str, ...], found: tuple[str, ...]
) -> None:
    assert reasons(refuse(*codes)) == found


def test_a_refusal_keeps_what_the_engine_finds_besides() -> None:
    change = put(0.5, "references", 0, "frames", 0, "clipped")
    assert reasons(change, refuse("flicker")) == ("clipping", "flicker")
