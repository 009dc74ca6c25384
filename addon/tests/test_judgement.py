"""From simulated footage to records: what is frozen, what is refused, and that no bound is ever wrong."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from addon.tests.footage import BOUNDARIES, CameraModel, LampModel, simulate

from simverity_witness import answers
from simverity_witness.fields import Json
from simverity_witness.qualification.judgement import judge
from simverity_witness.qualification.record import QualificationRecord
from simverity_witness.terms import Channel, Refusal, State, Tier
from simverity_witness.timing import StreamOffsets, captured_between

GOLDEN = Path(__file__).parents[2] / "contracts" / "qualification_record.json"
# The camera of field case G13: a lamp on mains frequency, sampled at 10 frames a second.
G13 = np.array([92, 71, 64, 80, 104, 115, 108, 88, 69, 66, 83, 107, 114, 101, 80], np.float64)


def only(records: tuple[QualificationRecord, ...]) -> QualificationRecord:
    assert len(records) == 1
    return records[0]


def test_a_good_lamp_qualifies_at_t2() -> None:
    record = only(judge(simulate([LampModel("desk")]).footage))
    assert record.refusals == ()
    assert record.qualified
    assert record.timing is not None
    assert record.timing.tier is Tier.STREAM_CLOCK
    assert record.channel is Channel.LUMA
    assert record.levels is not None
    assert record.levels.on == pytest.approx(140.0, abs=0.5)
    assert record.levels.off == pytest.approx(20.0, abs=0.5)
    assert record.levels.guard == 2.0
    assert [len(reference.frames) for reference in record.references] == [5] * 10
    assert sum(strobe.direction is State.ON for strobe in record.strobes) == 20


def test_references_are_settled_frames_a_second_apart() -> None:
    simulated = simulate([LampModel("desk", off_delay=0.9)])
    record = only(judge(simulated.footage))
    for reference in record.references:
        stamps = [frame.stamp for frame in reference.frames]
        assert all(later - earlier >= 0.999 for earlier, later in pairwise(stamps))
        level = 140.0 if reference.state is State.ON else 20.0
        assert all(abs(frame.level - level) < 3.0 for frame in reference.frames)


@pytest.mark.parametrize(
    "camera",
    [
        CameraModel(),
        CameraModel(late=(0.001, 0.25), fps=30.0),
        CameraModel(clock_rate=1.00005),
        CameraModel(fps=12.0, late=(0.2, 0.5)),
        CameraModel(stamped=False, fps=30.0, late=(0.01, 0.03)),
        CameraModel(stamped=False, fps=12.0, late=(0.2, 0.5)),
    ],
)
def test_no_capture_time_lies_outside_its_interval(camera: CameraModel) -> None:
    simulated = simulate([LampModel("desk"), LampModel("shelf", on_delay=0.08, off_delay=0.6)], camera)
    for record, watched in zip(judge(simulated.footage), simulated.footage.lamps, strict=True):
        timing = record.timing
        assert timing is not None
        hi, lo = timing.offset_hi, timing.offset_lo
        offsets = None if hi is None or lo is None else StreamOffsets(hi=hi, lo=lo)
        drift = 0.01 if camera.clock_rate != 1.0 else 0.0
        for captured, stamp, arrival in zip(
            simulated.captured, watched.series.stamp, watched.series.arrival, strict=True
        ):
            span = captured_between(timing, offsets, stamp=float(stamp), arrival=float(arrival))
            assert span is not None
            assert span[0] - drift <= captured <= span[1] + drift


def test_every_strobe_bounds_the_true_effect_and_decides_accordingly() -> None:
    simulated = simulate([LampModel("desk", off_delay=0.37)])
    record = only(judge(simulated.footage))
    truth = sorted(simulated.crossed.values())
    assert len(record.strobes) == len(truth) == 40
    for strobe, crossed in zip(record.strobes, truth, strict=True):
        assert strobe.earliest is not None
        assert strobe.latest is not None
        assert strobe.earliest < crossed <= strobe.latest
        expected = tuple(
            b
            for b in BOUNDARIES
            if strobe.latest <= strobe.commanded_at + b or strobe.earliest >= strobe.commanded_at + b
        )
        assert strobe.decided == expected
        for boundary in strobe.decided:
            assert (strobe.latest <= strobe.commanded_at + boundary) == (crossed <= strobe.commanded_at + boundary)


def test_a_camera_without_a_clock_gets_arrival_bounds() -> None:
    camera = CameraModel(stamped=False, fps=30.0, late=(0.01, 0.03))
    record = only(judge(simulate([LampModel("desk")], camera).footage))
    assert record.qualified
    assert record.timing is not None
    assert record.timing.tier is Tier.ARRIVAL
    assert record.timing.offset_hi is record.timing.offset_lo is None
    longest_on = max(s.first_new_arrival - s.commanded_at for s in record.strobes if s.direction is State.ON)
    assert record.timing.arrival_bound == longest_on


def test_a_slow_camera_decides_fewer_boundaries() -> None:
    slow = CameraModel(stamped=False, fps=12.0, late=(0.2, 0.5))
    record = only(judge(simulate([LampModel("desk")], slow).footage))
    assert record.qualified
    assert dict(record.two_sided)[State.ON] == (1.0, 3.0)
    fast = only(judge(simulate([LampModel("desk", off_delay=0.37)]).footage))
    assert dict(fast.two_sided)[State.OFF] == BOUNDARIES


def test_a_clock_ten_times_too_fast_is_not_believed() -> None:
    # Field case G12: pts 0, 10.5, 21, 31.5 at arrivals 0, 1, 2, 3.
    record = only(judge(simulate([LampModel("desk")], CameraModel(clock_rate=10.5)).footage))
    assert record.timing is not None
    assert record.timing.tier is Tier.ARRIVAL


def test_a_clock_set_anew_is_not_believed() -> None:
    record = only(judge(simulate([LampModel("desk")], clock_jumps=1).footage))
    assert record.timing is not None
    assert record.timing.tier is Tier.ARRIVAL


def test_other_lamps_strobes_bound_the_camera_too() -> None:
    slow, quick = LampModel("slow", on_delay=0.3, off_delay=0.4), LampModel("quick", on_delay=0.01)
    alone = only(judge(simulate([slow]).footage)).timing
    together = judge(simulate([slow, quick]).footage)[0].timing
    assert alone is not None
    assert together is not None
    assert alone.offset_lo is not None
    assert together.offset_lo is not None
    assert alone.offset_lo < together.offset_lo


@pytest.mark.parametrize(
    ("lamp", "refusal"),
    [
        (LampModel("desk", on=29.0), Refusal.CONTRAST_TOO_LOW),
        (LampModel("desk", noise=15.0), Refusal.CONTRAST_TOO_LOW),
        (LampModel("desk", reference_gain=0.4), Refusal.REFERENCE_FOLLOWS_LAMP),
        (LampModel("desk", clipped=0.02), Refusal.CLIPPING),
        (LampModel("desk", disobeys=frozenset({3, 4, 5, 6})), Refusal.LAMP_DID_NOT_FOLLOW),
        (LampModel("desk", on_delay=9.0, off_delay=9.0), Refusal.LAMP_DID_NOT_FOLLOW),
    ],
)
def test_what_speaks_against_a_lamp_is_named(lamp: LampModel, refusal: Refusal) -> None:
    record = only(judge(simulate([lamp]).footage))
    assert refusal in record.refusals
    assert not record.qualified


def test_a_lamp_that_lights_another_one_too_much_is_refused() -> None:
    lamps = [LampModel("desk", cross={"shelf": 40.0}), LampModel("shelf")]
    desk, shelf = judge(simulate(lamps).footage)
    assert Refusal.CROSS_RESPONSE in desk.refusals
    assert desk.cross_response[0].response == pytest.approx(40.0, abs=1.0)
    assert shelf.refusals == ()
    assert shelf.cross_response[0].response == pytest.approx(0.0, abs=1.0)


def test_many_small_cross_responses_count_together() -> None:
    others = [LampModel(f"other {n}") for n in range(4)]
    desk = LampModel("desk", cross={other.name: 9.0 for other in others})
    record = judge(simulate([desk, *others], CameraModel(fps=15.0)).footage)[0]
    assert [one.response for one in record.cross_response] == pytest.approx([9.0] * 4, abs=0.5)
    assert Refusal.CROSS_RESPONSE in record.refusals


def test_a_small_cross_response_is_part_of_life() -> None:
    lamps = [LampModel("desk", cross={"shelf": 5.0}), LampModel("shelf", cross={"desk": 5.0})]
    assert [record.refusals for record in judge(simulate(lamps).footage)] == [(), ()]


def test_a_flickering_picture_is_refused() -> None:
    camera = CameraModel(fps=10.0, wobble=G13 - G13.mean())
    record = only(judge(simulate([LampModel("desk")], camera).footage))
    assert Refusal.FLICKER in record.refusals


def test_a_camera_seven_seconds_late_is_no_witness() -> None:
    # Field case G1: the picture lags by 7 s; the strobes show long after their holds, or not at all.
    record = only(judge(simulate([LampModel("desk")], CameraModel(fps=1.0, late=(6.9, 7.1))).footage))
    assert not record.qualified


def test_a_coloured_lamp_is_read_in_its_own_channel() -> None:
    record = only(judge(simulate([LampModel("desk", on=50.0, colour=(0.1, 0.2, 4.0))]).footage))
    assert record.channel is Channel.BLUE
    assert record.levels is not None
    assert record.levels.on == pytest.approx(140.0, abs=1.0)
    assert record.qualified


def test_too_few_strobes_and_references_are_said_so() -> None:
    record = only(judge(simulate([LampModel("desk")], strobes=4, references=2).footage))
    assert set(record.refusals) == {Refusal.TOO_FEW_STROBES, Refusal.TOO_FEW_REFERENCES}
    assert dict(record.two_sided) == {State.ON: (), State.OFF: ()}


def test_references_that_were_not_obeyed_are_left_out() -> None:
    simulated = simulate([LampModel("desk")], strobes=30, references=7)
    planned = simulated.footage.lamps[0].strobes
    disobeyed = next(strobe.index for strobe in planned if strobe.reference and strobe.index > 4)
    lamp = LampModel("desk", disobeys=frozenset({disobeyed}))
    record = only(judge(simulate([lamp], strobes=30, references=7).footage))
    assert len(record.references) == 13
    assert record.refusals == ()


def test_the_record_has_the_agreed_form() -> None:
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    ours = answers.record(judge(simulate([LampModel("desk"), LampModel("shelf")]).footage)[0])
    assert _shape(json.loads(json.dumps(ours, allow_nan=False))) == _shape(golden)


def _shape(value: Json, name: str = "") -> object:
    """Return the keys of every object; of a list what its members have in common."""
    if isinstance(value, dict):
        return {key: _shape(item, key) for key, item in value.items()}
    if isinstance(value, list):
        shapes = [_shape(item, name) for item in value]
        return [
            shape for number, shape in enumerate(shapes) if isinstance(shape, dict) and shape not in shapes[:number]
        ]
    return None
