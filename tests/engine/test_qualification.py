"""The engine's own judgement of qualification records: every rule at its edge, every frozen number recomputed."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from simverity_engine.errors import MessageError
from simverity_engine.terms import Direction
from simverity_engine.witness.qualification import Recheck, Refusal, expired, parse_record, recheck

CONTRACTS = Path(__file__).parents[2] / "contracts"
DISAGREE = "witness_and_engine_disagree"
TIMED = [0.1, 0.25, 0.5]

type Message = dict[str, Any]
type Change = Callable[[Message], object]


def golden(name: str) -> Message:
    loaded: Message = json.loads((CONTRACTS / f"{name}.json").read_text())
    return loaded


def strobe(index: int, direction: str) -> Message:
    """A strobe 10 s after the one before. On shows after 0.05 s, off after 0.4 s; a frame arrives 10 ms late."""
    at = 10.0 * index
    shows = at + (0.05 if direction == "on" else 0.4)
    return {
        "direction": direction,
        "commanded_at": at,
        "first_new_stamp": shows,
        "first_new_arrival": shows + 0.01,
        "earliest": shows - 0.08,
        "latest": shows + 0.01,
        "decided": [0.1, 0.25, 0.5],
    }


def frames(first: float, level: float, reference: float = 30.0) -> list[Message]:
    """Five frames a second apart that deviate from their median by 0, 0.1, 0.1, 0.2 and 0.2 levels."""
    deviations = (0.0, 0.1, -0.1, 0.2, -0.2)
    return [
        {"stamp": first + index, "level": level + deviation, "reference": reference, "clipped": 0.0}
        for index, deviation in enumerate(deviations)
    ]


def small() -> Message:
    """A qualified record with round numbers: on 120, off 20, S = 0.5, guard 2 levels, offsets from -0.05 to 0.01."""
    references = [
        {"state": state, "frames": frames(1000.0 + 20 * index, level + shift, 30.0 + (state == "on"))}
        for index, shift in enumerate((0.0, 0.5, -0.5, 0.0, 0.2))
        for state, level in (("on", 120.0), ("off", 20.0))
    ]
    return {
        "version": 1,
        "qualification": "q-9",
        "lamp": "lamp",
        "camera": "living",
        "epoch": 3,
        "boot_id": "boot",
        "region": [0.0, 0.0, 1.0, 1.0],
        "reference_region": [0.8, 0.1, 0.1, 0.1],
        "channel": "luma",
        "made_at": 410.0,
        "valid_for": 3600.0,
        "references": references,
        "cross_response": [],
        "strobes": [strobe(index, "on" if index % 2 else "off") for index in range(40)],
        "timing": {
            "tier": "T2",
            "offset_hi": 0.01,
            "offset_lo": -0.05,
            "frame_interval": 0.02,
            "arrival_bound": None,
            "arrival_gap_limit": 0.03,
        },
        "levels": {
            "on": 120.0,
            "off": 20.0,
            "midpoint": 70.0,
            "guard": 2.0,
            "spread": 0.5,
            "reference_on": 31.0,
            "reference_off": 30.0,
            "reference_spread": 0.0,
        },
        "two_sided": {"on": TIMED, "off": TIMED},
        "verdict": "qualified",
        "refusals": [],
    }


def judged(*changes: Change) -> Recheck:
    message = small()
    for change in changes:
        change(message)
    return recheck(parse_record(message))


def reasons(*changes: Change) -> tuple[str, ...]:
    return tuple(reason.value for reason in judged(*changes).reasons)


def put(value: object, *path: str | int) -> Change:
    """A change of one place in the message."""

    def change(message: Any) -> None:
        for step in path[:-1]:
            message = message[step]
        message[path[-1]] = value

    return change


def all_levels(on: float, off: float) -> Change:
    """A change of every reference's frames to the same deviations around other levels, and of the frozen numbers."""

    def change(message: Message) -> None:
        for reference in message["references"]:
            reference["frames"] = frames(1000.0, on if reference["state"] == "on" else off)
        contrast = abs(on - off)
        message["levels"] |= {
            "on": on,
            "off": off,
            "midpoint": (on + off) / 2,
            "guard": min(contrast / 4, 2.0),
            "spread": 0.0,
            "reference_on": 30.0,
        }

    return change


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


@pytest.mark.parametrize(("off_by", "qualified"), [(24.9, True), (25.1, False)])
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


def on_arrival(message: Message) -> None:
    """A camera without a stream clock: stamps are arrivals, on takes at most 0.06 s to be seen."""
    for one in message["strobes"]:
        one["first_new_stamp"] = None
    message["timing"] |= {"tier": "T3", "offset_hi": None, "offset_lo": None, "arrival_bound": 0.06}


def lying_stamps(message: Message) -> None:
    """A stream clock that is not believed: judged by arrival, though every frame has a stamp."""
    on_arrival(message)
    for one in message["strobes"]:
        one["first_new_stamp"] = one["commanded_at"]


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
        put(10.05 + 0.045, "strobes", 1, "first_new_stamp"),
        put(9.9, "strobes", 1, "first_new_stamp"),
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
        "no stamp",
        "decides more",
        "decides less",
        "two-sided at more",
        "two-sided at less",
    ],
)
def test_every_frozen_number_is_computed_again(change: Change) -> None:
    assert reasons(change) == (DISAGREE,)


@pytest.mark.parametrize(("bound", "found"), [(0.06, ()), (0.01, ()), (0.0, (DISAGREE,)), (0.062, (DISAGREE,))])
def test_the_arrival_bound_is_the_faster_class_longest_time(bound: float, found: tuple[str, ...]) -> None:
    """On shows after 0.06 s at the latest, off after 0.41 s. Another lamp may have been faster still."""
    assert reasons(on_arrival, put(bound, "timing", "arrival_bound")) == found


def test_a_strobe_at_the_very_edge_may_decide_or_not() -> None:
    """Strobe 1 at 10 s, seen by 10.06 s: at 0.06 s a rounding decides, and the witness may say either."""

    def edge(*, decides: bool) -> Change:
        def change(message: Message) -> None:
            for one in message["strobes"]:
                one["decided"] = [0.06, *one["decided"]]
            message["two_sided"] = {"on": [0.06, *TIMED], "off": [0.06, *TIMED]}
            if not decides:
                del message["strobes"][1]["decided"][0]

        return change

    assert reasons(edge(decides=True)) == ()
    assert reasons(edge(decides=False)) == ()


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


@pytest.mark.parametrize(
    ("now", "boot", "epoch", "gone"),
    [
        (410.0, "boot", 3, False),
        (4009.9, "boot", 3, False),
        (4010.0, "boot", 3, True),
        (409.9, "boot", 3, True),
        (500.0, "another", 3, True),
        (500.0, "boot", 4, True),
    ],
)
def test_a_record_expires(now: float, boot: str, epoch: int, *, gone: bool) -> None:
    assert expired(parse_record(small()), now=now, boot_id=boot, epoch=epoch) is gone


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (put(2, "version"), "record.version is not 1"),
        (put("x", "epoch"), "record.epoch must be a whole number"),
        (put([0.5, 0.5, 0.6, 0.1], "region"), "record.region must lie inside the frame"),
        (put([-0.1, 0.5, 0.1, 0.1], "region"), "record.region must lie inside the frame"),
        (put([0.1, 0.5, 0.1, 0], "reference_region"), "record.reference_region must lie inside the frame"),
        (put("dim", "references", 0, "state"), r"record.references\[0\].state must be one of on, off"),
        (put("x", "references", 0, "frames", 1, "level"), r"record.references\[0\].frames\[1\].level must be a number"),
        (put(["x"], "strobes", 0, "decided"), r"record.strobes\[0\].decided\[0\] must be a number"),
        (put("T4", "timing", "tier"), "record.timing.tier must be one of T1, T2, T3"),
        (put({"on": []}, "two_sided"), "record.two_sided.off is missing"),
        (put(["tired"], "refusals"), r"record.refusals\[0\] must be one of"),
        (put("refused", "verdict"), "record.verdict contradicts record.refusals"),
        (put(["clipping"], "refusals"), "record.verdict contradicts record.refusals"),
        (put(1, "colour"), "record has unknown fields: colour"),
        (put(1, "levels", "colour"), "record.levels has unknown fields: colour"),
        (put([{"lamp": "x"}], "cross_response"), r"record.cross_response\[0\].response is missing"),
    ],
)
def test_a_malformed_record_names_the_field(change: Change, complaint: str) -> None:
    message = deepcopy(small())
    change(message)
    with pytest.raises(MessageError, match=complaint):
        parse_record(message)
