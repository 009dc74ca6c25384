"""Properties of judging under any camera: the truth is never contradicted, and less seeing only abstains.

A hidden device crosses at one instant. A camera catches it at any instants, with any intervals that contain them, any
noise below the guard band and any order of arrival. Whatever it proves must be so.
"""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from simverity_engine.properties.table import judge
from simverity_engine.terms import GRID, Boundary, PropertyId, SubjectId, Verdict
from simverity_engine.trace.quantise import quantise
from simverity_engine.trace.samples import Sample
from simverity_engine.trace.trace import Trace
from simverity_engine.witness.effect import Crossing, crossing
from tests.engine.examples import GROUP, LAMP, LEVELS, OFF, ON, OTHER, T0, group_trace, sampled, trace

EFFECT = PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE
FANOUT = PropertyId.FANOUT_COMPLETION
ORDER = PropertyId.EFFECT_ORDER
seconds = st.floats(min_value=-1.0, max_value=4.0)
delays = st.floats(min_value=0.001, max_value=3.9) | st.none()
slack = st.floats(min_value=0.0, max_value=0.3)

STEADY = ((), (-0.9,), tuple(-0.9 + index / 4 for index in range(20)))
"""Frames that are there besides those drawn: none, one that shows the initial state, or four a second."""


@st.composite
def filmed(draw: st.DrawFn, delay: float | None, subject: SubjectId = LAMP) -> tuple[Sample, ...]:
    """Frames of a lamp that crosses to on ``delay`` after dispatch (None: never), ramping over up to 0.2 s.

    They arrive in the order of their capture, up to 0.3 s late with any jitter; the camera knows only that they are at
    most ``width`` old.
    """
    width = draw(st.floats(min_value=0.3, max_value=0.6))
    jitter = draw(st.sampled_from((0.0, 0.001, 0.3)))
    ramp = draw(st.floats(min_value=0.0, max_value=0.2))
    captures = sorted({*draw(st.lists(seconds, min_size=1, max_size=40)), *draw(st.sampled_from(STEADY))})
    frames: list[Sample] = []
    arrival = -9.0
    for capture in captures:
        arrival = max(arrival, capture + draw(st.floats(min_value=0.0, max_value=jitter)))
        level = draw(st.floats(min_value=-1.9, max_value=1.9)) + _level(capture, delay, ramp)
        frames.append(Sample(earliest=T0 + arrival - width, latest=T0 + arrival, level=level))
    return tuple(draw(st.permutations(frames)))


def _level(capture: float, delay: float | None, ramp: float) -> float:
    """Return 20 before, 120 after, and 70 exactly ``delay`` after dispatch, rising over ``ramp`` around it."""
    if delay is None or capture < delay - ramp / 2:
        return LEVELS.off
    if capture >= delay + ramp / 2:
        return LEVELS.on
    return LEVELS.off + 100 * ((capture - delay) / ramp + 0.5)


def verdicts(trial: Trace, property_id: PropertyId = EFFECT) -> list[tuple[Boundary, Verdict]]:
    return [
        (one.boundary, one.finding.verdict)
        for one in judge(trial)
        if one.property_id is property_id and (one.boundary.kind == "grid" or property_id is ORDER)
    ]


def _true(delay: float | None, boundary: Boundary) -> Verdict:
    return Verdict.PASS if delay is not None and delay <= boundary.seconds else Verdict.FAIL


@given(st.data(), delays)
def test_no_verdict_contradicts_the_truth(data: st.DataObject, delay: float | None) -> None:
    trial = trace(sampled(data.draw(filmed(delay))))
    for judged in (trial, quantise(trial)):
        for boundary, verdict in verdicts(judged):
            assert verdict in (_true(delay, boundary), Verdict.ABSTAIN)


@given(st.data(), delays, delays)
def test_no_verdict_on_a_group_contradicts_the_truth(
    data: st.DataObject, first: float | None, second: float | None
) -> None:
    channels = (sampled(data.draw(filmed(first))), sampled(data.draw(filmed(second)), subject=OTHER))
    trial = group_trace(*channels)
    for boundary, verdict in verdicts(trial, FANOUT):
        both = {_true(first, boundary), _true(second, boundary)}
        assert verdict in (Verdict.FAIL if Verdict.FAIL in both else Verdict.PASS, Verdict.ABSTAIN)
    ((_, order),) = verdicts(trial, ORDER)
    inverted = second is not None and (first is None or second < first)
    assert order is not (Verdict.PASS if inverted else Verdict.FAIL) or first == second


@given(st.data(), delays)
def test_the_effect_lies_in_the_interval(data: st.DataObject, delay: float | None) -> None:
    found = crossing(sampled(data.draw(filmed(delay))), direction=ON, dispatched_at=T0)
    if isinstance(found, Crossing):
        assert delay is None or found.last_old <= T0 + delay
        assert found.first_new is None or (delay is not None and T0 + delay <= found.first_new)


@given(st.data(), delays)
def test_a_pass_stays_a_pass_and_a_failure_was_one_before(data: st.DataObject, delay: float | None) -> None:
    order = [verdict for _, verdict in verdicts(trace(sampled(data.draw(filmed(delay)))))]
    rank = {Verdict.FAIL: 0, Verdict.ABSTAIN: 1, Verdict.PASS: 2}
    assert [rank[one] for one in order] == sorted(rank[one] for one in order)


@given(st.data(), delays)
def test_a_slower_camera_only_abstains(data: st.DataObject, delay: float | None) -> None:
    frames = data.draw(filmed(delay))
    kept = data.draw(st.lists(st.booleans(), min_size=len(frames), max_size=len(frames)))
    fast = dict(verdicts(trace(sampled(frames))))
    slow = dict(verdicts(trace(sampled(frame for frame, keep in zip(frames, kept, strict=True) if keep))))
    for boundary in GRID:
        if fast[boundary] is not Verdict.ABSTAIN:
            assert slow[boundary] in (fast[boundary], Verdict.ABSTAIN)


@given(st.data(), delays, slack, slack)
def test_wider_intervals_only_abstain(data: st.DataObject, delay: float | None, earlier: float, later: float) -> None:
    frames = data.draw(filmed(delay))
    wide = [replace(f, earliest=f.earliest - earlier, latest=f.latest + later) for f in frames]
    sharp, blurred = dict(verdicts(trace(sampled(frames)))), dict(verdicts(trace(sampled(wide))))
    for boundary in GRID:
        if sharp[boundary] is not Verdict.ABSTAIN:
            assert blurred[boundary] in (sharp[boundary], Verdict.ABSTAIN)


@given(st.data(), delays)
def test_the_order_in_which_frames_arrive_does_not_matter(data: st.DataObject, delay: float | None) -> None:
    frames = data.draw(filmed(delay))
    shuffled = data.draw(st.permutations(frames))
    assert judge(trace(sampled(frames))) == judge(trace(sampled(shuffled)))


@given(st.data(), delays)
def test_off_mirrors_on(data: st.DataObject, delay: float | None) -> None:
    frames = [replace(frame, level=round(frame.level * 8) / 8) for frame in data.draw(filmed(delay))]
    mirrored = [replace(frame, level=140.0 - frame.level) for frame in frames]
    assert verdicts(trace(sampled(frames))) == verdicts(trace(sampled(mirrored), direction=OFF))


@given(st.data(), delays)
def test_quantising_keeps_every_verdict_on_the_effect(data: st.DataObject, delay: float | None) -> None:
    """Levels stay clear of the guard band's edges by the noise's bound except on a ramp: compare without one."""
    frames = [frame for frame in data.draw(filmed(delay)) if not 67.9 < frame.level < 72.1]
    trial = trace(sampled(frames))
    assert verdicts(quantise(trial)) == verdicts(trial)


@given(st.lists(st.tuples(st.floats(min_value=-2, max_value=15), st.floats(min_value=0, max_value=255)), max_size=20))
def test_judging_answers_whatever_the_camera_saw(series: list[tuple[float, float]]) -> None:
    samples = [Sample(earliest=T0 + at, latest=T0 + at + 0.1, level=level) for at, level in series]
    both = group_trace(sampled(samples), sampled(samples, subject=OTHER), quiet=(sampled(samples, subject=GROUP),))
    for outcome in judge(both):
        assert (outcome.finding.reason is not None) == (outcome.finding.verdict is Verdict.ABSTAIN)
