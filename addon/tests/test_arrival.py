"""The arrival of a frame is the read time of its last transport packet."""

from __future__ import annotations

import random

from simverity_witness.cameras.arrival import PACKET, ArrivalIndex

VIDEO, AUDIO = 256, 257


def packet(stream: int, *, starts: bool) -> bytes:
    head = bytes([0x47, (0x40 if starts else 0) | stream >> 8, stream & 0xFF, 0x10])
    # Bodies are full of sync bytes: only the distance of 188 may tell packets apart.
    return head + b"\x47" * (PACKET - len(head))


def unit(stream: int, count: int) -> bytes:
    return b"".join(packet(stream, starts=number == 0) for number in range(count))


def test_a_frame_arrives_with_its_last_packet_not_with_the_next_frame() -> None:
    index = ArrivalIndex()
    index.feed(unit(VIDEO, 3), 1.0)
    index.feed(unit(VIDEO, 2), 2.0)
    assert index.arrival(0) == 1.0
    assert index.arrival(3 * PACKET) == 2.0


def test_a_frame_that_comes_in_pieces_arrives_with_the_last_piece() -> None:
    index, frame = ArrivalIndex(), unit(VIDEO, 3)
    index.feed(frame[:200], 1.0)
    assert index.arrival(0) == 1.0
    index.feed(frame[200:-1], 2.0)
    index.feed(frame[-1:], 3.0)
    assert index.arrival(0) == 3.0


def test_other_streams_in_between_do_not_count() -> None:
    index = ArrivalIndex()
    index.feed(packet(VIDEO, starts=True), 1.0)
    index.feed(unit(AUDIO, 2), 2.0)
    index.feed(packet(VIDEO, starts=False), 3.0)
    index.feed(unit(AUDIO, 2), 4.0)
    assert index.arrival(0) == 3.0
    assert index.arrival(PACKET) == 2.0


def test_however_the_bytes_are_cut_every_frame_gets_the_time_of_its_last_byte() -> None:
    chance = random.Random(7)
    sizes = [chance.randint(1, 9) for _ in range(200)]
    stream = b"".join(unit(VIDEO, size) for size in sizes)
    index, position, read = ArrivalIndex(), 0, []
    while position < len(stream):
        piece = stream[position : position + chance.choice([1, 50, 188, 333, 1316, 4000])]
        position += len(piece)
        read.append(position)
        index.feed(piece, float(len(read)))
    start = 0
    for size in sizes:
        end = start + size * PACKET
        expected = next(number for number, until in enumerate(read, 1) if until >= end)
        assert index.arrival(start) == float(expected)
        start = end


def test_garbage_before_and_between_packets_is_skipped() -> None:
    index = ArrivalIndex()
    index.feed(b"\x00" * 100 + unit(VIDEO, 2), 1.0)
    assert index.arrival(100) == 1.0
    index.feed(b"\x00" * 50, 2.0)
    index.feed(unit(VIDEO, 1), 3.0)
    assert index.arrival(150 + 2 * PACKET) == 3.0


def test_memory_is_bounded() -> None:
    index = ArrivalIndex()
    for number in range(5000):
        index.feed(unit(VIDEO, 1), float(number))
    assert index.arrival(0) is None
    assert index.arrival(4999 * PACKET) == 4999.0
