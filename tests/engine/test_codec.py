"""Quantised traces and their stored form: nothing is lost, no verdict gains, hostile bytes are refused."""

from __future__ import annotations

import json
import random
import zlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simverity_engine.canonical import canonical_bytes
from simverity_engine.errors import MessageError
from simverity_engine.properties.table import judge
from simverity_engine.terms import Reason, SubjectId
from simverity_engine.trace.codec import MAX_ENCODED, MAX_INFLATED, decode, encode, trace_digest
from simverity_engine.trace.quantise import quantise
from simverity_engine.trace.samples import NoChannel, Sample, SampledChannel
from simverity_engine.trace.trace import Feedback, Goal, PreState, Return, Trace
from tests.engine.examples import (
    LAMP,
    LEVELS,
    OFF,
    ON,
    OTHER,
    T0,
    film,
    frame,
    group_trace,
    logged,
    report,
    returned,
    sampled,
    steps,
    trace,
)

PATCHED = replace(LEVELS, reference_on=34.0, reference_off=30.0, reference_spread=0.5)


def noisy_channel(subject: str, seed: int, *, seconds: float = 5.0, noise: float = 1.0) -> SampledChannel:
    """Sixty frames a second with frame-to-frame jitter, noise on both patches, on a monotonic clock of weeks."""
    chance = random.Random(seed)  # noqa: S311 - seeded noise, no secret
    samples = []
    for index in range(round(seconds * 60)):
        captured = -0.5 + index / 60 + chance.gauss(0, 0.0005)
        bright = captured > 0.03
        samples.append(
            frame(
                captured - 0.0201234,
                captured + 0.0061234,
                (120.0 if bright else 20.0) + chance.gauss(0, noise),
                (34.0 if bright else 30.0) + chance.gauss(0, noise / 3),
            )
        )
    return sampled(samples, subject=SubjectId(subject), levels=PATCHED)


def rich() -> Trace:
    """A trace that uses every field and every kind of channel."""
    return group_trace(
        noisy_channel("lamp", 1, seconds=1.0),
        logged((0.0312345, ON), (0.5, OFF), subject=OTHER),
        feedback=(
            report(0.04567, "on", assumed=True),
            Feedback(subject=OTHER, at=T0 + 0.05, state="on", repeated=True, context_matches=False),
        ),
        returned=Return(at=T0 + 0.0123456, states=((LAMP, "on"), (OTHER, "off")), error="TimeoutError"),
        pre_states=(PreState(subject=LAMP, value=None, age=None), PreState(subject=OTHER, value="off", age=3.14159)),
        source_reported_at=T0 - 1.00005,
        agent_read_at=T0 - 0.5,
        clock_moved=-0.00123,
        quiet=(
            NoChannel(subject=SubjectId("tv"), reason=Reason.NO_WITNESS),
            sampled((frame(-0.1, 0.1, 7.0), frame(0.0, 0.2, 7.5, 3.0)), faults=(Reason.ARRIVAL_GAP,)),
        ),
    )


EXAMPLES = {
    "rich": rich(),
    "bare": trace(requested_at=None, closed_at=None),
    "void": trace(logged(), void=Reason.SUPERSEDED),
    "filmed": trace(sampled(film(steps((-1.0, 20.0), (0.25, 120.0)))), returned=returned(0.1, "on")),
    "empty window": trace(sampled(())),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_was_stored_comes_back(name: str) -> None:
    example = EXAMPLES[name]
    assert decode(encode(example)) == quantise(example)
    assert encode(decode(encode(example))) == encode(example)
    assert judge(decode(encode(example))) == judge(quantise(example))


@pytest.mark.parametrize("name", EXAMPLES)
def test_quantising_again_changes_nothing(name: str) -> None:
    once = quantise(EXAMPLES[name])
    assert quantise(once) == once


def test_bounds_move_outwards_by_less_than_a_tick() -> None:
    plain = replace(
        EXAMPLES["bare"],
        dispatched_at=0.0,
        channels=(sampled((Sample(earliest=-0.01234, latest=0.56781, level=3.14159, reference=2.71828),)),),
    )
    channel = quantise(plain).channels[0]
    assert isinstance(channel, SampledChannel)
    assert channel.samples == (Sample(earliest=-0.0124, latest=0.5679, level=3.14, reference=2.7),)


def test_reports_move_later_and_ends_of_watching_earlier() -> None:
    moved = quantise(
        replace(
            trace(logged((0.01231, ON), until=5.00019), feedback=(report(0.01239, "on"),)),
            clock_moved=0.00501,
            closed_at=T0 + 12.00019,
        )
    )
    assert moved.dispatched_at == 0.0
    assert moved.feedback[0].at == 0.0124
    assert moved.channels == (
        replace(logged((0.0124 - T0, ON), until=5.0001 - T0), effects=((0.0124, ON),), watched_until=5.0001),
    )
    assert moved.clock_moved == 0.0051
    assert moved.closed_at == 12.0001


def test_a_nanosecond_off_a_tick_is_the_tick() -> None:
    on_a_long_uptime = replace(trace(feedback=()), dispatched_at=8_640_000.3, closed_at=8_640_000.3 + 12.0)
    assert quantise(on_a_long_uptime).closed_at == 12.0


@pytest.mark.parametrize("lamps", [1, 2])
@pytest.mark.parametrize("noise", [0.1, 1.0, 3.0])
def test_five_noisy_seconds_at_sixty_frames_stay_under_four_kilobytes(lamps: int, noise: float) -> None:
    channels = [noisy_channel(name, seed, noise=noise) for seed, name in enumerate(("lamp", "other")[:lamps])]
    stored = encode(trace(*channels) if lamps == 1 else group_trace(*channels))
    assert len(stored) < 4096


def test_the_digest_is_of_the_content() -> None:
    first, second = EXAMPLES["filmed"], EXAMPLES["empty window"]
    assert trace_digest(first) == trace_digest(decode(encode(first)))
    assert trace_digest(first) != trace_digest(second)
    shifted = replace(quantise(first), dispatched_at=0.0)
    assert trace_digest(shifted) == trace_digest(first)


@pytest.mark.parametrize("level", [float("nan"), float("inf")])
def test_a_level_that_is_no_number_cannot_be_stored(level: float) -> None:
    with pytest.raises(MessageError, match="a level of"):
        encode(trace(sampled((frame(0.0, 0.1, level),))))


@pytest.mark.parametrize("at", [float("nan"), float("-inf")])
def test_a_time_that_is_no_number_cannot_be_stored(at: float) -> None:
    with pytest.raises(MessageError, match="a time of"):
        encode(trace(requested_at=at))


def document() -> dict[str, object]:
    loaded: dict[str, object] = json.loads(zlib.decompress(encode(rich())))
    return loaded


def packed(content: object) -> bytes:
    return zlib.compress(canonical_bytes(content))  # type: ignore[arg-type]


def test_a_document_made_by_hand_is_read() -> None:
    assert decode(packed(document())) == quantise(rich())


@pytest.mark.parametrize(
    ("stored", "complaint"),
    [
        (b"", "cut short"),
        (b"not deflated", "does not inflate"),
        (encode(rich())[:-1], "cut short"),
        (encode(rich()) + b"x", "followed by something else"),
        (b"\0" * (MAX_ENCODED + 1), "too large"),
        (zlib.compress(b" " * (MAX_INFLATED + 1)), "too large"),
        (zlib.compress(b"\xff"), "not canonical JSON"),
        (zlib.compress(b"{"), "not canonical JSON"),
        (zlib.compress(b'{"a": 1}'), "not canonical JSON"),
        (zlib.compress(b'{"a":1,"a":1}'), "not canonical JSON"),
        (zlib.compress(b'{"a":NaN}'), "not canonical JSON"),
        (zlib.compress(b'{"a":1e999}'), "not canonical JSON"),
        (zlib.compress(b"9" * 5000), "not canonical JSON"),
        (zlib.compress(b"[" * 200_000), "not canonical JSON"),
        (zlib.compress(b"[]"), "trace must be an object"),
        (zlib.compress(b"{}"), "trace.form is missing"),
    ],
)
def test_hostile_bytes_are_refused(stored: bytes, complaint: str) -> None:
    with pytest.raises(MessageError, match=complaint):
        decode(stored)


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("form", 2, "trace.form is not 1"),
        ("extra", 1, "trace has unknown fields: extra"),
        ("rung", "attic", "trace.rung must be one of"),
        ("settle", [1.0], "trace.settle must have 2 elements"),
        ("goals", [["lamp"]], r"trace.goals\[0\] must have 2 or 3 elements"),
        ("pre_states", [["lamp"]], r"trace.pre_states\[0\] must have 4 elements"),
        ("closed_at", 0.5, "trace.closed_at must be a whole number"),
        ("void", "bored", "trace.void must be one of"),
        ("channels", [{"kind": "rumour", "subject": "x"}], r"trace.channels\[0\].kind must be none, logged or sampled"),
    ],
)
def test_a_wrong_field_is_named(field: str, value: object, complaint: str) -> None:
    with pytest.raises(MessageError, match=complaint):
        decode(packed(document() | {field: value}))


def test_columns_of_different_lengths_are_refused() -> None:
    changed = document()
    channels = changed["channels"]
    assert isinstance(channels, list)
    channels[0]["level"].pop()
    with pytest.raises(MessageError, match="columns of samples differ in length"):
        decode(packed(changed))


finite = st.floats(min_value=-50, max_value=50, allow_nan=False)


@given(
    times=st.lists(st.tuples(finite, st.floats(min_value=0, max_value=2)), max_size=30),
    levels=st.lists(st.floats(min_value=0, max_value=255), min_size=30, max_size=30),
    references=st.lists(st.none() | st.floats(min_value=0, max_value=255), min_size=30, max_size=30),
    uptime=st.floats(min_value=0, max_value=1e7),
)
def test_any_window_survives(
    times: list[tuple[float, float]], levels: list[float], references: list[float | None], uptime: float
) -> None:
    samples = tuple(
        Sample(earliest=uptime + at, latest=uptime + at + width, level=level, reference=reference)
        for (at, width), level, reference in zip(times, levels, references, strict=False)
    )
    example = replace(trace(sampled(samples), requested_at=None, closed_at=None), dispatched_at=uptime)
    stored = encode(example)
    assert decode(stored) == quantise(example)
    kept = quantise(example).channels[0]
    assert isinstance(kept, SampledChannel)
    for before, after in zip(samples, kept.samples, strict=True):
        assert after.earliest <= before.earliest - uptime + 2e-9
        assert after.latest >= before.latest - uptime - 2e-9


@given(st.binary(max_size=200))
def test_no_bytes_crash_the_decoder(stored: bytes) -> None:
    with pytest.raises(MessageError):
        decode(stored)


def test_a_level_that_was_asked_for_comes_back() -> None:
    goals = (Goal(subject=LAMP, state=ON, asked="brightness=191±8"),)
    kept = decode(encode(replace(trace(logged((0.03, ON))), goals=goals)))
    assert kept.goals == goals
