"""One decoder for everybody who measures, and none while nobody does."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from addon.tests.test_windows import FakePicture

from simverity_witness.cameras.frames import DecodedFrame, EncodedFrame
from simverity_witness.cameras.projection import Projection
from simverity_witness.clock import monotonic
from simverity_witness.picture import Picture
from simverity_witness.terms import Fault

GROUP = 10


class FakeDecoder:
    """Gives each picture ``lag`` frames late, and tells its maker what it was fed."""

    def __init__(self, home: DecoderMaker) -> None:
        self._home = home
        self._held: list[int] = []

    def decode(self, frame: EncodedFrame) -> list[tuple[int, Picture]]:
        if frame.payload == b"broken":
            raise ValueError(frame.number)
        self._home.fed.append(frame.number)
        self._held.append(frame.number)
        ready, self._held = self._held[: -self._home.lag or None], self._held[len(self._held) - self._home.lag :]
        return [(number, FakePicture(print_=number)) for number in ready]

    def flush(self) -> list[tuple[int, Picture]]:
        ready, self._held = self._held, []
        return [(number, FakePicture(print_=number)) for number in ready]


class DecoderMaker:
    """Opens fake decoders."""

    def __init__(self, lag: int) -> None:
        self.lag = lag
        self.opened = 0
        self.fed: list[int] = []

    def __call__(self) -> FakeDecoder:
        self.opened += 1
        return FakeDecoder(self)


class Listener:
    """A measurer that waits for a frame."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.faults: list[Fault] = []
        self.ticks: list[tuple[float, int]] = []
        self.over = False
        self._came = threading.Condition()

    def take(self, frame: DecodedFrame) -> None:
        with self._came:
            if frame.number not in self.numbers:
                self.numbers.append(frame.number)
            self._came.notify_all()

    def interrupt(self, fault: Fault) -> None:
        self.faults.append(fault)

    def tick(self, now: float) -> None:
        self.ticks.append((now, self.numbers[-1] if self.numbers else -1))

    def finished(self) -> bool:
        return self.over

    def wait_for(self, number: int) -> None:
        with self._came:
            assert self._came.wait_for(lambda: number in self.numbers, 5.0)


class Stream:
    """A projection that runs, and frames a tenth of a second apart that end now."""

    def __init__(self, lag: int) -> None:
        self.maker = DecoderMaker(lag)
        self.projection = Projection()
        self.projection.restart(self.maker)
        self.started = monotonic() - 3.0
        self.count = 0
        self.thread = threading.Thread(target=self.projection.run, daemon=True)
        self.thread.start()

    def arrival(self, number: int) -> float:
        return self.started + number * 0.1

    def send(self, count: int, payload: bytes = b"x") -> None:
        for _ in range(count):
            self.projection.append(
                EncodedFrame(
                    number=self.count,
                    epoch=1,
                    stamp=None,
                    arrival=self.arrival(self.count),
                    key=self.count % GROUP == 0,
                    payload=payload,
                )
            )
            self.count += 1


@pytest.fixture(params=[0, 2])
def stream(request: pytest.FixtureRequest) -> Iterator[Stream]:
    running = Stream(request.param)
    yield running
    running.projection.stop()
    running.thread.join(5.0)
    assert not running.thread.is_alive()


def test_nothing_is_decoded_while_nobody_measures(stream: Stream) -> None:
    stream.send(30)
    assert (stream.maker.opened, stream.maker.fed) == (0, [])


def test_decoding_begins_at_the_key_frame_before_what_is_asked(stream: Stream) -> None:
    stream.send(28)
    listener = Listener()
    stream.projection.join(listener, since=stream.arrival(8))
    stream.send(5)
    listener.wait_for(25)
    assert listener.numbers[:26] == list(range(26))
    assert stream.maker.opened == 1


def test_a_newcomer_catches_up_and_then_shares_the_decoder(stream: Stream) -> None:
    stream.send(28)
    first, second = Listener(), Listener()
    stream.projection.join(first, since=stream.arrival(22))
    first.wait_for(25)
    stream.projection.join(second, since=stream.arrival(15))
    second.wait_for(25)
    fed = len(stream.maker.fed)
    stream.send(7)
    second.wait_for(32)
    first.wait_for(32)
    assert second.numbers == list(range(10, second.numbers[-1] + 1))
    assert first.numbers == list(range(first.numbers[0], first.numbers[-1] + 1))
    assert len(stream.maker.fed) - fed == 7


def test_who_has_finished_is_shown_nothing_more_and_the_last_one_stops_the_decoder(stream: Stream) -> None:
    stream.send(20)
    listener = Listener()
    stream.projection.join(listener, since=stream.arrival(10))
    listener.wait_for(15)
    listener.over = True
    stream.send(1)
    _eventually(lambda: not stream.projection._measurers)
    fed = len(stream.maker.fed)
    stream.send(9)
    assert len(stream.maker.fed) == fed


def test_who_leaves_is_dropped(stream: Stream) -> None:
    stream.send(20)
    listener = Listener()
    stream.projection.join(listener, since=stream.arrival(10))
    listener.wait_for(15)
    stream.projection.leave(listener)
    assert listener not in stream.projection._measurers


def test_a_reconnect_interrupts_everybody_and_starts_with_a_new_decoder(stream: Stream) -> None:
    stream.send(20)
    listener = Listener()
    stream.projection.join(listener, since=stream.arrival(10))
    listener.wait_for(15)
    stream.projection.interrupt(Fault.STREAM_RESTARTED)
    assert listener.faults == [Fault.STREAM_RESTARTED]
    stream.projection.restart(stream.maker)
    stream.send(15)
    listener.wait_for(30)
    assert stream.maker.opened == 2


def test_the_end_of_a_camera_interrupts_everybody(stream: Stream) -> None:
    stream.send(20)
    listener = Listener()
    stream.projection.join(listener, since=stream.arrival(10))
    listener.wait_for(15)
    ticks = len(listener.ticks)
    stream.projection.stop()
    stream.thread.join(5.0)
    assert listener.faults == [Fault.STREAM_RESTARTED]
    assert len(listener.ticks) > ticks


def test_the_clock_is_told_although_nothing_comes(stream: Stream) -> None:
    listener = Listener()
    joined = monotonic()
    stream.projection.join(listener, since=joined)
    _eventually(lambda: any(at >= joined for at, _ in listener.ticks))


def test_no_deadline_passes_before_what_had_arrived_by_then_was_shown(stream: Stream) -> None:
    stream.send(30)
    listener = Listener()
    stream.projection.join(listener, since=stream.arrival(0))
    listener.wait_for(25)
    for at, shown in listener.ticks:
        arrived = min(29, int((at - stream.started) / 0.1))
        assert shown >= arrived - stream.maker.lag - 1


def test_a_decoder_that_fails_is_replaced_and_nobody_is_forgotten(stream: Stream) -> None:
    stream.send(15)
    listener = Listener()
    stream.projection.join(listener, since=stream.arrival(10))
    listener.wait_for(12)
    stream.send(5, payload=b"broken")
    stream.send(10)
    listener.wait_for(26)


def _eventually(holds: object) -> None:
    assert callable(holds)
    until = monotonic() + 5.0
    while not holds():
        assert monotonic() < until
        threading.Event().wait(0.01)
