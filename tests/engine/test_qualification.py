"""The engine's own judgement of qualification records: every rule of METHOD 4 at its edge."""

from __future__ import annotations

import pytest

from simverity_engine.terms import Direction
from simverity_engine.witness.qualification import Recheck, Refusal, parse_record, recheck
from tests.engine.qualification_example import (
    DISAGREE,
    TIMED,
    Change,
    Message,
    all_levels,
    frames,
    golden,
    judged,
    lying_stamps,
    on_arrival,
    put,
    reasons,
)


def test_the_golden_record_is_qualified() -> None:
    result = recheck(parse_record(golden("qualification_record")))
    assert result.qualified
    assert result.reasons == ()
    assert result.levels is not None
    assert (result.levels.on, result.levels.off, result.levels.guard) == (142.09, 20.19, 2.0)
    assert dict(result.levels.two_sided) == {
        Direction.ON: (0.1, 0.25, 0.5, 1.0, 3.0, 4.0),
        Direction.OFF: (0.05, 0.1, 0.25, 0.5, 1.0, 3.0, 4.0),
    }


def test_the_golden_refusal_is_refused_for_the_witness_own_reasons() -> None:
    result = recheck(parse_record(golden("qualification_refused")))
    assert result == Recheck(qualified=False, reasons=(Refusal.CONTRAST_TOO_LOW, Refusal.TOO_FEW_STROBES), levels=None)


def test_a_record_by_hand_freezes_what_its_readings_give() -> None:
    levels = judged().levels
    assert levels is not None
    # Reference medians 120, 120.5, 119.5, 120, 120.2: their median 120, the worst deviation 0.5, twice that below 2.
    assert (levels.on, levels.off, levels.guard) == (120.0, 20.0, 2.0)
    assert (levels.reference_on, levels.reference_off, levels.reference_spread) == (31.0, 30.0, 0.0)
    assert dict(levels.two_sided) == {Direction.ON: tuple(TIMED), Direction.OFF: tuple(TIMED)}


def test_the_guard_grows_with_the_spread_up_to_a_quarter_of_the_contrast() -> None:
    """One on-reference 4 levels off: S = 4, b = 8; D = 100, so that a quarter would be 25."""

    def drifted(message: Message) -> None:
        message["references"][0]["frames"] = frames(1000.0, 124.0, 31.0)
        message["levels"] |= {"on": 120.2, "spread": 3.8, "guard": 7.6, "midpoint": 70.1}

    levels = judged(drifted).levels
    # The medians are now 124, 120.5, 119.5, 120, 120.2: median 120.2, the worst deviation 3.8.
    assert levels is not None
    assert levels.guard == pytest.approx(7.6)


def test_without_a_reference_patch_none_is_frozen() -> None:
    def unpatched(message: Message) -> None:
        message["reference_region"] = None
        message["levels"] |= {"reference_on": None, "reference_off": None, "reference_spread": None}

    levels = judged(unpatched).levels
    assert levels is not None
    assert (levels.reference_on, levels.reference_off, levels.reference_spread) == (None, None, 0.0)


def drop_one_reference(message: Message) -> None:
    del message["references"][0]


def drop_one_frame(message: Message) -> None:
    del message["references"][0]["frames"][0]


@pytest.mark.parametrize(
    "change", [drop_one_reference, drop_one_frame, put(None, "references", 0, "frames", 2, "reference")]
)
def test_five_references_of_five_frames_in_each_state(change: Change) -> None:
    assert reasons(change) == ("too_few_references", DISAGREE)


@pytest.mark.parametrize(("off", "found"), [(110.1, ("contrast_too_low", DISAGREE)), (110.0, ())])
def test_the_contrast_must_be_ten_levels(off: float, found: tuple[str, ...]) -> None:
    assert reasons(all_levels(120.0, off)) == found


@pytest.mark.parametrize(("deviation", "qualified"), [(0.9, True), (1.1, False)])
def test_the_contrast_must_be_twenty_times_the_pooled_mad(deviation: float, *, qualified: bool) -> None:
    """D = 20; three of five frames deviate by the given amount, so that it is the pooled median: the limit is 1."""

    def noisy(message: Message) -> None:
        all_levels(40.0, 20.0)(message)
        for reference in message["references"]:
            middle = 40.0 if reference["state"] == "on" else 20.0
            for frame, shift in zip(
                reference["frames"], (0, deviation, -deviation, deviation, -deviation), strict=True
            ):
                frame["level"] = middle + shift

    assert reasons(noisy) == (() if qualified else ("contrast_too_low", DISAGREE))


@pytest.mark.parametrize(("on", "off"), [(120.0, 20.0), (20.0, 120.0)])
@pytest.mark.parametrize(("stray", "overlap"), [(0.0, False), (0.5, False), (1.0, True)])
def test_the_levels_must_lie_apart(on: float, off: float, stray: float, *, overlap: bool) -> None:
    """One off-reference that far towards on: the median level hides it, the sides do not."""

    def strayed(message: Message) -> None:
        all_levels(on, off)(message)
        message["references"][1]["frames"] = frames(1000.0, off + stray * (on - off))

    assert ("levels_overlap" in reasons(strayed)) is overlap


@pytest.mark.parametrize(("off_by", "qualified"), [(24.9, True), (25.0, True), (25.1, False)])
def test_the_contrast_must_be_four_times_the_worst_deviation(off_by: float, *, qualified: bool) -> None:
    def drifted(message: Message) -> None:
        all_levels(120.0, 20.0)(message)
        message["references"][1]["frames"] = frames(1000.0, 20.0 + off_by)
        message["levels"] |= {"spread": off_by, "guard": min(25.0, 2 * off_by)}

    assert reasons(drifted) == (() if qualified else ("spread_too_large", DISAGREE))


def test_inverted_levels_qualify() -> None:
    assert judged(all_levels(20.0, 120.0)).qualified


@pytest.mark.parametrize(("reference", "qualified"), [(55.0, True), (55.1, False)])
def test_the_reference_patch_must_not_follow_the_lamp(reference: float, *, qualified: bool) -> None:
    def follows(message: Message) -> None:
        for one in message["references"]:
            if one["state"] == "on":
                one["frames"] = frames(one["frames"][0]["stamp"], one["frames"][0]["level"], reference)
        message["levels"]["reference_on"] = reference

    assert reasons(follows) == (() if qualified else ("reference_follows_lamp", DISAGREE))


@pytest.mark.parametrize(
    ("responses", "qualified"),
    [((25.0,), True), ((-12.0, 13.0), True), ((12.6, -12.6), False), ((50.0,), False), ((-26.0,), False)],
)
def test_other_lamps_must_not_be_seen(responses: tuple[float, ...], *, qualified: bool) -> None:
    crossed = [{"lamp": f"lamp {index}", "response": response} for index, response in enumerate(responses)]
    assert reasons(put(crossed, "cross_response")) == (() if qualified else ("cross_response", DISAGREE))


@pytest.mark.parametrize(("clipped", "qualified"), [(0.0099, True), (0.01, False)])
def test_one_percent_must_not_clip(clipped: float, *, qualified: bool) -> None:
    change = put(clipped, "references", 0, "frames", 0, "clipped")
    assert reasons(change) == (() if qualified else ("clipping", DISAGREE))


@pytest.mark.parametrize(("level", "qualified"), [(144.7, True), (144.9, False)])
def test_a_settled_level_must_not_swing_by_a_quarter(level: float, *, qualified: bool) -> None:
    """The lowest frame of the reference is at 119.8; a quarter of the contrast is 25."""
    change = put(level, "references", 0, "frames", 3, "level")
    assert reasons(change) == (() if qualified else ("flicker", DISAGREE))


@pytest.mark.parametrize(
    ("kind", "second", "found"),
    [
        # Frames that arrive a second apart may have been captured half a second apart.
        ([], 1000.5, ()),
        ([], 1000.49, ("repeated_frames", DISAGREE)),
        ([on_arrival], 1000.9995, ()),
        ([on_arrival], 1000.998, ("repeated_frames", DISAGREE)),
        ([lying_stamps], 1000.1, ()),
        ([lying_stamps], 1000.0, ("repeated_frames", DISAGREE)),
    ],
)
def test_frames_must_be_distinct_and_a_second_apart(kind: list[Change], second: float, found: tuple[str, ...]) -> None:
    assert reasons(*kind, put(second, "references", 0, "frames", 1, "stamp")) == found


def test_one_strobe_without_a_stamp_does_not_make_stamps_arrivals() -> None:
    unstamped = put(None, "strobes", 1, "first_new_stamp")
    assert reasons(unstamped, put(1000.6, "references", 0, "frames", 1, "stamp")) == (DISAGREE,)


def drop_one_strobe(message: Message) -> None:
    del message["strobes"][0]


def test_twenty_strobes_in_each_direction() -> None:
    assert reasons(drop_one_strobe) == ("too_few_strobes", DISAGREE)
