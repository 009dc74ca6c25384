"""Armed windows: what they take, when they close, and what makes them say nothing."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest
from addon.tests.footage import CameraModel, LampModel, simulate

from simverity_witness.cameras.frames import DecodedFrame
from simverity_witness.measurement import Spot
from simverity_witness.qualification.judgement import judge
from simverity_witness.qualification.record import QualificationRecord
from simverity_witness.regions import PixelBox
from simverity_witness.terms import Channel, Fault, Tier
from simverity_witness.timing import Timing
from simverity_witness.windows import ArmedLamp, ClosedWindow, Span, Window

BOX = PixelBox(left=0, top=0, right=10, bottom=10)
ZERO = 500.0
"""Our clock minus the stream's at capture."""


@dataclass(slots=True)
class FakeCamera:
    camera: str = "living"
    epoch: int = 1
    clock_jumps: int = 0
    offset: float | None = ZERO + 0.005

    def offset_at(self, instant: float) -> float | None:
        return self.offset


@dataclass(slots=True, kw_only=True)
class FakePicture:
    value: float = 20.0
    back: float = 55.0
    colour: float = 6.0
    print_: int = 0

    def level(self, box: PixelBox, channel: Channel) -> float:
        return self.value

    def clipped(self, box: PixelBox) -> float:
        return 0.0

    def fingerprint(self) -> int:
        return self.print_

    def background(self) -> float:
        return self.back

    def saturation(self) -> float:
        return self.colour


def record(camera: CameraModel | None = None) -> QualificationRecord:
    return judge(simulate([LampModel("desk")], camera or CameraModel(clock_zero=ZERO)).footage)[0]


@dataclass(slots=True, kw_only=True)
class Rig:
    """A window on one lamp, dispatched at 2000, closing at 2001, looking half a second back."""

    record: QualificationRecord
    camera: FakeCamera = field(default_factory=FakeCamera)
    closed: list[ClosedWindow] = field(default_factory=list)
    window: Window = field(init=False)
    number: int = 0
    reference: PixelBox | None = BOX

    def __post_init__(self) -> None:
        assert self.record.timing is not None
        lamp = ArmedLamp(
            spot=Spot(lamp="desk", region=BOX, reference=self.reference), record=self.record, timing=self.record.timing
        )
        self.window = Window(
            window="w-1",
            camera=self.camera,
            lamps=[lamp],
            span=Span(opens_at=1999.5, closes_at=2001.0),
            on_closed=self.closed.append,
        )

    @property
    def timing(self) -> Timing:
        assert self.record.timing is not None
        return self.record.timing

    def show(self, captured: float, picture: FakePicture | None = None, *, late: float = 0.005) -> None:
        self.number += 1
        shown = picture or FakePicture(print_=self.number)
        stamp = captured - ZERO if self.timing.tier is Tier.STREAM_CLOCK else None
        self.window.take(
            DecodedFrame(number=self.number, epoch=1, stamp=stamp, arrival=captured + late, key=True, picture=shown)
        )

    def film(self, start: float = 1999.0, end: float = 2001.5, interval: float = 1 / 60) -> None:
        for number in range(round((end - start) / interval)):
            self.show(start + number * interval)

    def result(self, now: float) -> ClosedWindow:
        self.window.tick(now)
        assert len(self.closed) == 1
        return self.closed[0]


def test_a_window_closes_with_the_first_frame_certainly_after_its_end() -> None:
    rig = Rig(record=record())
    rig.film()
    closed = rig.result(2001.2)
    samples = dict(closed.lamps)["desk"]
    assert closed.faults == ()
    assert closed.tier is Tier.STREAM_CLOCK
    assert samples[0].latest >= 1999.5 > samples[0].latest - 1 / 60
    assert samples[-1].earliest >= 2001.0 > samples[-2].earliest


def test_intervals_contain_the_captures_and_no_more_than_they_must() -> None:
    rig = Rig(record=record())
    rig.film()
    samples = dict(rig.result(2001.2).lamps)["desk"]
    hi, lo = rig.timing.offset_hi, rig.timing.offset_lo
    assert hi is not None
    assert lo is not None
    captured = [1999.0 + number / 60 for number in range(30, 30 + len(samples))]
    for sample, true in zip(samples, captured, strict=True):
        assert sample.earliest <= true <= sample.latest
        assert sample.latest - sample.earliest == pytest.approx(hi - lo + rig.timing.frame_interval, abs=0.005)


def test_a_frame_that_comes_twice_counts_once() -> None:
    rig = Rig(record=record())
    rig.film(end=2000.0)
    frame = DecodedFrame(number=rig.number, epoch=1, stamp=1499.99, arrival=2000.0, key=True, picture=FakePicture())
    rig.window.take(frame)
    stamps = [sample.latest for sample in dict(rig.result(2010.0).lamps)["desk"]]
    assert len(stamps) == len(set(stamps))


def test_a_window_closes_by_itself_when_nothing_comes() -> None:
    # Field case G18: the picture never arrives.
    rig = Rig(record=record())
    rig.window.tick(2001.5)
    assert rig.closed == []
    closed = rig.result(2003.0)
    assert closed.faults == (Fault.NO_SAMPLE,)
    assert rig.window.finished()


def test_a_closed_window_takes_nothing_more() -> None:
    rig = Rig(record=record())
    rig.film()
    rig.result(2001.2)
    rig.show(2001.6)
    rig.window.tick(2002.0)
    assert len(rig.closed) == 1


def test_a_reconnect_ends_the_window_with_a_fault() -> None:
    rig = Rig(record=record())
    rig.film(end=2000.5)
    rig.window.interrupt(Fault.STREAM_RESTARTED)
    assert rig.result(2000.6).faults == (Fault.STREAM_RESTARTED,)


def test_a_stream_clock_that_is_set_anew_faults_a_window_that_relies_on_it() -> None:
    rig = Rig(record=record())
    rig.film(end=2000.5)
    rig.camera.clock_jumps = 1
    rig.film(start=2000.5)
    assert rig.result(2001.2).faults == (Fault.STREAM_RESTARTED,)


def test_a_stream_clock_that_contradicts_itself_faults_the_window() -> None:
    rig = Rig(record=record())
    rig.film()
    rig.camera.offset = None
    assert Fault.STREAM_RESTARTED in rig.result(2010.0).faults


def test_stamps_out_of_order_fault_the_window() -> None:
    rig = Rig(record=record())
    rig.film(end=2000.5)
    rig.show(2000.45)
    rig.film(start=2000.5)
    assert rig.result(2001.2).faults == (Fault.STREAM_RESTARTED,)


def test_repeated_pictures_fault_the_window() -> None:
    rig = Rig(record=record())
    rig.film(end=2000.0)
    for number in range(60):
        rig.show(2000.0 + number / 60, FakePicture(print_=7))
    assert rig.result(2010.0).faults == (Fault.NO_SAMPLE,)


def test_a_window_allows_the_repetitions_of_a_thrifty_encoder() -> None:
    rig = Rig(record=replace(record(), longest_stale=1.5))
    rig.film(end=2000.0)
    for number in range(60):
        rig.show(2000.0 + number / 60, FakePicture(print_=7))
    assert rig.result(2010.0).faults == ()


def test_a_changed_background_counts_only_without_a_reference_patch() -> None:
    patched, bare = Rig(record=record()), Rig(record=record(), reference=None)
    for rig in (patched, bare):
        for number in range(150):
            rig.show(1999.0 + number / 60, FakePicture(print_=number, back=120.0))
    assert patched.result(2001.4).faults == ()
    assert bare.result(2001.4).faults == (Fault.NIGHT_SWITCH,)
    assert not bare.window.night_is_certain


def test_infrared_faults_the_window() -> None:
    rig = Rig(record=record())
    rig.film(end=2000.2)
    for number in range(60):
        rig.show(2000.2 + number / 60, FakePicture(print_=1000 + number, colour=0.5))
    assert Fault.NIGHT_SWITCH in rig.result(2001.4).faults
    assert rig.window.night_is_certain


def test_a_gap_longer_than_any_at_qualification_faults_arrival_times() -> None:
    slow = record(CameraModel(stamped=False, fps=30.0, late=(0.01, 0.02)))
    assert slow.timing is not None
    assert slow.timing.tier is Tier.ARRIVAL
    rig = Rig(record=slow)
    rig.film(end=2000.2, interval=1 / 30)
    rig.film(start=2000.2 + slow.timing.arrival_gap_limit, interval=1 / 30)
    assert rig.result(2010.0).faults == (Fault.ARRIVAL_GAP,)


def test_a_gap_does_not_matter_to_a_stream_clock() -> None:
    rig = Rig(record=record())
    rig.film(end=2000.2)
    rig.film(start=2000.7)
    assert rig.result(2001.2).faults == ()
