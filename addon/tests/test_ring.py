"""The ring keeps what an arming may need, begins with a key frame, and stays bounded."""

from __future__ import annotations

from simverity_witness.cameras.frames import EncodedFrame
from simverity_witness.cameras.ring import LOOKBACK, FrameRing


def frame(number: int, arrival: float, *, key: bool, size: int = 10) -> EncodedFrame:
    return EncodedFrame(number=number, epoch=1, stamp=arrival, arrival=arrival, key=key, payload=bytes(size))


def filled(count: int, *, interval: float = 0.1, group: int = 10, ring: FrameRing | None = None) -> FrameRing:
    ring = ring or FrameRing()
    for number in range(count):
        ring.append(frame(number, number * interval, key=number % group == 0))
    return ring


def test_everything_of_the_lookback_is_decodable_at_any_moment() -> None:
    ring = FrameRing()
    for number in range(300):
        ring.append(frame(number, number * 0.1, key=number % 10 == 0))
        entry = ring.entry_for(number * 0.1 - LOOKBACK)
        assert entry is not None
        frames = ring.following(entry, 1000)
        assert frames[0].key
        assert frames[0].arrival <= max(0.0, number * 0.1 - LOOKBACK)
        assert frames[-1].number == number


def test_what_is_older_than_needed_is_forgotten() -> None:
    assert len(filled(3000)) <= 50


def test_frames_without_a_key_frame_before_them_are_not_kept() -> None:
    ring = FrameRing()
    ring.append(frame(1, 0.0, key=False))
    assert len(ring) == 0
    assert ring.entry_for(0.0) is None
    assert ring.following(0, 10) == []


def test_entry_is_the_newest_key_frame_that_had_arrived_else_the_oldest() -> None:
    ring = filled(30)
    assert ring.entry_for(1.55) == 10
    assert ring.entry_for(1.0) == 10
    assert ring.entry_for(-5.0) == 0


def test_following_continues_where_a_reader_was_and_skips_what_was_forgotten() -> None:
    ring = filled(100)
    first = ring.following(0, 1)[0]
    assert first.key
    assert first.number > 0
    assert [one.number for one in ring.following(95, 3)] == [95, 96, 97]
    assert ring.following(100, 3) == []


def test_an_endless_group_is_dropped_whole_and_the_next_key_frame_starts_again() -> None:
    ring = FrameRing(max_frames=50)
    for number in range(80):
        ring.append(frame(number, number * 0.01, key=number == 0))
    assert len(ring) == 0
    ring.append(frame(80, 0.8, key=True))
    assert len(ring) == 1


def test_bytes_are_bounded() -> None:
    ring = FrameRing(max_bytes=1000)
    for number in range(100):
        ring.append(frame(number, number * 0.001, key=number % 5 == 0, size=90))
        assert sum(len(one.payload) for one in ring.following(0, 1000)) <= 1000
