"""A sensor's qualification: what it may testify on follows from its interval, and what speaks against it is found."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simverity_engine.canonical import plain
from simverity_engine.errors import MessageError
from simverity_engine.terms import Direction, Reason, SubjectId, Tier, Verdict
from simverity_engine.trace.samples import Sample, SampledChannel
from simverity_engine.witness.effect import Crossing, crossing
from simverity_engine.witness.qualification import recheck
from simverity_engine.witness.record import QualificationRecord, parse_record, record_message
from simverity_engine.witness.scale import FULL_SCALE, Quantity, SensorReport
from simverity_engine.witness.sensor import (
    Listening,
    Observed,
    SensorStrobe,
    followed,
    heard_in,
    pace_for,
    qualification_record,
    reach,
)
from tests.engine.sensor_example import observed

SLOW = 20.0


def record(seen: Observed) -> QualificationRecord:
    """The record after its way through the ledger."""
    return parse_record(record_message(qualification_record(seen)))


def able(seen: Observed, direction: Direction) -> tuple[float, ...]:
    found = recheck(record(seen))
    assert found.qualified, found.reasons
    assert found.levels is not None
    return dict(found.levels.two_sided)[direction]


def refusals(seen: Observed) -> set[str]:
    found = recheck(record(seen))
    assert not found.qualified
    return {reason.value for reason in found.reasons}


def test_a_meter_qualifies_in_steps_of_its_own() -> None:
    made = record(observed())
    assert made.instrument is not None
    assert (made.instrument.scale.unit, made.instrument.scale.step) == ("W", 0.1)
    assert made.levels is not None
    assert (made.levels.on, made.levels.off) == (pytest.approx(600, abs=2), pytest.approx(4, abs=2))
    assert made.timing is not None
    assert made.timing.tier is Tier.ARRIVAL
    assert recheck(made).qualified


@pytest.mark.parametrize(("interval", "first"), [(0.1, 0.5), (1.0, 3.0)])
def test_the_interval_decides_at_which_boundaries_a_meter_may_convict_and_clear(interval: float, first: float) -> None:
    for direction in Direction:
        boundaries = able(observed(interval=interval), direction)
        assert first in boundaries
        assert min(boundaries) > interval / 2


def test_a_slow_sensor_qualifies_and_decides_at_no_boundary_of_the_grid() -> None:
    assert [able(observed(interval=SLOW), direction) for direction in Direction] == [(), ()]


def test_a_report_may_have_been_measured_twice_the_longest_delay_before_it_came_in() -> None:
    made = record(observed(interval=1.0))
    assert made.timing is not None
    assert made.timing.arrival_bound is not None
    assert 0.9 <= made.timing.arrival_bound <= 1.2
    assert reach(made.timing, Quantity.VALUE) == 2 * made.timing.arrival_bound
    assert made.timing.arrival_gap_limit == pytest.approx(1.05)


def test_the_longest_interval_bounds_a_report_that_comes_faster_than_the_sensor_reports() -> None:
    made = record(observed(interval=1.0))
    assert made.timing is not None
    quick = replace(made.timing, arrival_bound=0.1)
    assert reach(quick, Quantity.VALUE) == pytest.approx(1.0)
    assert reach(quick, Quantity.BINARY) == pytest.approx(0.2)
    assert reach(replace(quick, arrival_bound=None), Quantity.BINARY) == 0.0


def test_an_effect_below_ten_steps_is_no_effect() -> None:
    dim = observed(feel=lambda _at, lit, _chance: "9" if lit else "1", unit="lx")
    assert "contrast_too_low" in refusals(dim)
    bright = observed(feel=lambda _at, lit, _chance: "11" if lit else "1", unit="lx")
    assert recheck(record(bright)).qualified


def test_a_sensor_that_feels_nothing_is_refused() -> None:
    blind = observed(feel=lambda _at, _lit, chance: f"{20 + chance.uniform(-1, 1):.1f}")
    assert "contrast_too_low" in refusals(blind)


def test_a_sensor_whose_readings_wander_as_far_as_the_effect_is_refused() -> None:
    def wandering(at: float, lit: bool, _chance: random.Random) -> str:
        return f"{(60 if lit else 20) + at / 4:.0f}"

    assert refusals(observed(feel=wandering, unit="lx")) & {"spread_too_large", "levels_overlap"}


def test_a_sensor_that_is_silent_while_nothing_changes_has_no_references() -> None:
    seen = observed(interval=1.0)
    kept: list[SensorReport] = []
    for report in seen.reports:
        if not kept or abs(float(kept[-1].text) - float(report.text)) > 10:
            kept.append(report)
    assert "too_few_references" in refusals(replace(seen, reports=tuple(kept)))


def test_a_sensor_that_never_shows_one_direction_has_too_few_strobes() -> None:
    seen = observed()
    short = replace(seen, strobes=tuple(s for s in seen.strobes if s.reference or s.state is Direction.ON))
    assert "too_few_strobes" in refusals(short)


def test_a_sensor_that_never_moves_is_refused() -> None:
    assert "contrast_too_low" in refusals(observed(feel=lambda _at, _lit, _chance: "20.0"))


def test_a_counter_testifies_by_its_rate() -> None:
    total = [0.0, 90.0]

    def counting(at: float, lit: bool, _chance: random.Random) -> str:
        total[0] += (60.0 if lit else 0.5) * (at - total[1])
        total[1] = at
        return f"{total[0]:.1f}"

    made = record(observed(interval=1.0, feel=counting, quantity=Quantity.RATE, unit="Wh"))
    assert made.instrument is not None
    assert made.instrument.scale.step == pytest.approx(0.1)
    assert recheck(made).qualified


def test_a_counter_that_cannot_resolve_the_load_is_refused() -> None:
    total = [0.0, 90.0]

    def coarse(at: float, lit: bool, _chance: random.Random) -> str:
        total[0] += (60.0 if lit else 0.5) / 3600 * (at - total[1])
        total[1] = at
        return f"{total[0]:.2f}"

    assert "contrast_too_low" in refusals(observed(interval=1.0, feel=coarse, quantity=Quantity.RATE, unit="Wh"))


def test_a_contact_that_reports_changes_only_qualifies_by_its_reports() -> None:
    seen = observed(interval=None, quantity=Quantity.BINARY, unit="")
    made = record(seen)
    assert made.levels is not None
    assert (made.levels.on, made.levels.off, made.levels.spread) == (FULL_SCALE, 0.0, 0.0)
    assert able(seen, Direction.ON) == (0.25, 0.5, 1.0, 3.0)


def test_a_strobe_is_followed_where_its_last_reading_looks_like_its_state() -> None:
    seen = observed()
    assert [followed(replace(seen, strobes=seen.strobes[:n]), s) for n, s in enumerate(seen.strobes)] == [
        s.state for s in seen.strobes
    ]


def test_a_strobe_that_nothing_was_said_about_cannot_be_told() -> None:
    seen = observed()
    later = SensorStrobe(state=Direction.ON, at=seen.made_at + 9, until=seen.made_at + 10, reference=False)
    assert followed(seen, later) is None


def test_a_strobe_that_was_not_obeyed_looks_like_the_other_state() -> None:
    seen = observed()
    disobeyed = replace(seen.strobes[6], state=seen.strobes[6].state.opposite)
    assert followed(replace(seen, strobes=seen.strobes[:6]), disobeyed) is seen.strobes[6].state


@pytest.mark.parametrize(
    ("interval", "shortest", "reference"), [(None, 2.0, 9.5), (1.0, 3.5, 13.0), (20.0, 60.5, 141.0)]
)
def test_strobes_are_held_as_long_as_the_interval_demands(
    interval: float | None, shortest: float, reference: float
) -> None:
    pace = pace_for(interval)
    assert (pace.shortest, pace.reference) == (pytest.approx(shortest), pytest.approx(reference))
    assert pace.longest - pace.shortest >= (interval or 0.0)


# --- testimony


def told(
    made: QualificationRecord, *reports: tuple[float, str], since: float = 99.0, until: float = 115.0
) -> tuple[tuple[Sample, ...], tuple[Reason, ...]]:
    """What a sensor says around a command at 100 s, looked at from ``since`` on."""
    said = tuple(SensorReport(at=at, text=text) for at, text in reports)
    return heard_in(said, made, Listening(dispatched_at=100.0, lookback=100.0 - since, until=until))


def every_second(*texts: str, start: float = 98.5) -> tuple[tuple[float, str], ...]:
    return tuple((start + number, text) for number, text in enumerate(texts))


def test_a_sensor_that_reports_all_the_while_testifies() -> None:
    samples, faults = told(record(observed()), *every_second(*["60.0"] * 17))
    assert faults == ()
    assert len(samples) == 17


def test_a_sensor_that_fell_silent_does_not() -> None:
    made = record(observed())
    assert told(made, *every_second(*["60.0"] * 9))[1] == (Reason.ARRIVAL_GAP,)
    assert told(made)[1] == (Reason.ARRIVAL_GAP,)


def test_a_sensor_that_went_away_in_the_window_does_not() -> None:
    went = told(record(observed()), *every_second(*["60.0"] * 5, "unavailable", *["60.0"] * 11))
    assert went == ((), (Reason.STREAM_RESTARTED,))


def test_what_was_unknown_before_the_window_is_left_out() -> None:
    samples, _ = told(record(observed()), *every_second("unknown", *["60.0"] * 16))
    assert samples[0].latest == 99.5


def test_a_counter_speaks_of_the_time_since_the_report_before() -> None:
    made = record(observed())
    assert made.instrument is not None
    rate = replace(made.instrument.scale, quantity=Quantity.RATE)
    counter = replace(made, instrument=replace(made.instrument, scale=rate))
    samples, _ = told(counter, *every_second(*(str(60 * n) for n in range(18)), start=97.5))
    assert samples[0].latest == 98.5


def test_a_silent_contact_says_nothing_and_a_speaking_one_is_read_again() -> None:
    made = record(observed(interval=None, quantity=Quantity.BINARY, unit=""))
    silent, faults = told(made, (10.0, "off"))
    assert (len(silent), faults) == (1, ())
    speaking, _ = told(made, (10.0, "off"), (100.5, "on"))
    assert [one.level for one in speaking] == [0.0, *[FULL_SCALE] * 15]


def test_daylight_beyond_both_levels_before_the_command_narrows_the_claim() -> None:
    assert told(record(observed()), *every_second(*["90.0"] * 17))[1] == (Reason.AMBIENT_UNSUITABLE,)


def test_daylight_that_comes_in_the_window_makes_it_void_and_a_spike_does_not() -> None:
    made = record(observed())
    for beyond in ("90.0", "-20.0"):
        assert told(made, *every_second(*["0.4"] * 5, beyond, beyond, *["0.4"] * 10))[1] == (Reason.OUTSIDE_LEVELS,)
        assert told(made, *every_second(*["0.4"] * 5, beyond, *["60.0"] * 11))[1] == ()


@pytest.mark.parametrize("missing", ["instrument", "timing", "levels"])
def test_nothing_is_heard_of_a_sensor_that_is_not_qualified(missing: str) -> None:
    bare = replace(record(observed()), **{missing: None})  # type: ignore[arg-type]
    assert told(bare, *every_second(*["60.0"] * 17)) == ((), (Reason.UNQUALIFIED,))


@settings(max_examples=60, deadline=None)
@given(
    effect=st.floats(0.01, 8.0),
    phase=st.floats(0.0, 1.0),
    lag=st.floats(0.0, 0.1),
    boundary=st.sampled_from([0.05, 0.25, 1.0, 3.0]),
)
def test_no_verdict_contradicts_when_the_device_truly_moved(
    effect: float, phase: float, lag: float, boundary: float
) -> None:
    made, levels = QUALIFIED, LEVELS
    assert levels is not None
    reports = [(95.0 + phase + n, "60.0" if 95.0 + phase + n >= 100.0 + effect else "0.4") for n in range(22)]
    samples, faults = told(made, *((at + lag, text) for at, text in reports))
    channel = SampledChannel(
        subject=SubjectId("plug"),
        levels=levels,
        samples=samples,
        tier=Tier.ARRIVAL,
        qualification="q-1",
        armed_at=100.0,
        faults=faults,
    )
    seen = crossing(channel, direction=Direction.ON, dispatched_at=100.0)
    assert isinstance(seen, Crossing)
    verdict = seen.verdict_by(100.0 + boundary)
    assert verdict is Verdict.ABSTAIN or (verdict is Verdict.PASS) is (effect <= boundary)


QUALIFIED = record(observed())
LEVELS = recheck(QUALIFIED).levels


# --- the record


def test_the_record_of_a_camera_has_no_instrument() -> None:
    message = record_message(qualification_record(observed()))
    del message["instrument"]
    assert parse_record(message).instrument is None
    assert parse_record({**message, "instrument": None}).instrument is None


def test_a_step_is_above_nothing() -> None:
    message = record_message(qualification_record(observed()))
    instrument = message["instrument"]
    assert isinstance(instrument, dict)
    scale = instrument["scale"]
    assert isinstance(scale, dict)
    scale["step"] = 0
    with pytest.raises(MessageError, match="step"):
        parse_record(message)


def test_a_record_reads_as_it_was_written() -> None:
    made = qualification_record(observed())
    assert plain(parse_record(record_message(made))) == plain(made)
