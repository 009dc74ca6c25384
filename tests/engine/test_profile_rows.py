from __future__ import annotations

from dataclasses import replace

from simverity_engine.profile.design import declared_boundary
from simverity_engine.profile.row import Fate, LeftOut, PredictionRow, SessionRows, facet_of
from simverity_engine.profile.rows import Origin, rows_of
from simverity_engine.session.pairing import TrialPair, judged, pair
from simverity_engine.terms import Path, PropertyId, Reason, Rung, Source
from simverity_engine.trace.samples import FrozenLevels
from simverity_engine.trace.trace import Trace
from tests.engine.examples import (
    GROUP,
    LAMP,
    LEVELS,
    OFF,
    ON,
    OTHER,
    film,
    group_trace,
    report,
    returned,
    sampled,
    steps,
    trace,
)
from tests.engine.sessions import key, manifest, row, twin_of

ORIGIN = Origin(site="home", reset="reset-1")
EVERY_BOUNDARY = (0.05, 0.1, 0.25, 0.5, 1.0, 3.0)
EFFECT, READ = PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE, PropertyId.REPORTED_READ_AFTER_WRITE
DECISIVE = FrozenLevels(on=120.0, off=20.0, guard=2.0, two_sided=((ON, EVERY_BOUNDARY), (OFF, EVERY_BOUNDARY)))


def switched(at: float, *, levels: FrozenLevels = DECISIVE, **changes: object) -> Trace:
    """A lamp that is seen at 100 Hz to go on ``at`` seconds after dispatch, and reports 50 ms after dispatch."""
    channel = sampled(film(steps((-0.5, 20.0), (at, 120.0), rate=100.0), width=0.01), levels=levels)
    calls = {"feedback": (report(0.05, "on"),), "returned": returned(0.002, "off")}
    return trace(channel, **(calls | changes))  # type: ignore[arg-type]


def read(*pairs: TrialPair, repetitions: int = 6) -> SessionRows:
    """The rows of a session that planned one lamp going on."""
    return rows_of(manifest(row("lamp-on", ON, repetitions=repetitions)), pairs, ORIGIN)


def paired(real: Trace, *, works: bool = True, repetition: int = 0, twin: Trace | None = None) -> TrialPair:
    """One trial with its twin."""
    double = twin if twin is not None else twin_of(real, works=works)
    return pair([judged(key(repetition=repetition), real)], [judged(key(repetition=repetition), double)])[0]


def one(found: SessionRows, property_id: PropertyId, rung: Rung = Rung.PHYSICAL) -> PredictionRow:
    """The only row of a property on a rung."""
    (only,) = [r for r in found.rows if r.query.property_id is property_id and r.query.rung is rung]
    return only


def fates(found: SessionRows, rung: Rung = Rung.PHYSICAL) -> dict[PropertyId, tuple[Fate, Reason | None]]:
    """Why properties gave no row on a rung."""
    return {one.property_id: (one.fate, one.reason) for one in found.left_out if one.rung is rung}


def test_a_trial_contributes_each_timed_property_at_the_boundary_it_declared() -> None:
    pairs = [paired(switched(0.3), repetition=n) for n in range(6)]
    found = read(*pairs)
    declared = manifest(row("lamp-on", ON, repetitions=6))
    for number in range(6):
        boundary = declared_boundary(declared, key().row, number).label
        mine = [r for r in found.rows if r.key.repetition == number and r.query.rung is Rung.PHYSICAL]
        assert {r.query.property_id: r.query.boundary for r in mine} == {
            PropertyId.REPORTED_COMPLETION: "return",
            READ: boundary,
            EFFECT: boundary,
            PropertyId.SETTLED_POSTCONDITION: "settled",
        }


def test_the_target_fails_where_the_effect_came_after_the_declared_boundary() -> None:
    found = read(*(paired(switched(0.3), repetition=n) for n in range(6)))
    effects = [r for r in found.rows if r.query.property_id is EFFECT and r.query.rung is Rung.PHYSICAL]
    assert {float(r.query.boundary): r.failed for r in effects} == {
        0.05: True,
        0.1: True,
        0.25: True,
        0.5: False,
        1.0: False,
        3.0: False,
    }


def test_the_physical_row_rests_on_the_twin_and_the_twins_on_its_accepted_call() -> None:
    found = read(paired(switched(0.3)))
    assert one(found, EFFECT).source is Source.TWIN
    assert one(found, EFFECT, Rung.SOFTWARE).source is Source.ACCEPTED_CALL


def test_a_latency_is_the_midpoint_of_the_interval_of_the_effect() -> None:
    (latency,) = one(read(paired(switched(0.3))), EFFECT).latencies
    # The last old frame was captured from 0.28 s on, the first new one until 0.30 s.
    assert latency.device == LAMP
    assert latency.seconds is not None
    assert abs(latency.seconds - 0.29) < 1e-6


def test_a_twins_latency_is_its_log_under_the_physical_devices_name() -> None:
    (latency,) = one(read(paired(switched(0.3))), EFFECT, Rung.SOFTWARE).latencies
    assert latency.device == LAMP
    assert latency.seconds is not None
    assert abs(latency.seconds - 0.001) < 1e-6


def test_an_effect_that_never_came_has_no_seconds() -> None:
    (latency,) = one(read(paired(switched(99.0))), EFFECT).latencies
    assert latency.seconds is None


def test_what_the_twin_failed_is_blocked() -> None:
    assert fates(read(paired(switched(0.3), works=False)))[EFFECT][0] is Fate.BLOCKED


def test_what_the_twin_left_open_is_source_abstained() -> None:
    twin = replace(twin_of(switched(0.3)), void=Reason.FOREIGN_CONTEXT)
    found = read(paired(switched(0.3), twin=twin))
    assert fates(found)[EFFECT][0] is Fate.SOURCE_ABSTAINED
    assert fates(found, Rung.SOFTWARE)[EFFECT] == (Fate.VOID, Reason.FOREIGN_CONTEXT)


def test_an_abstaining_target_is_left_out_with_its_reason() -> None:
    found = read(paired(trace(feedback=(report(0.01, "on"),))))
    assert fates(found)[EFFECT] == (Fate.ABSTAINED, Reason.NO_WITNESS)


def test_a_witness_that_could_only_convict_gives_no_row() -> None:
    slow = replace(LEVELS, two_sided=())
    assert fates(read(paired(switched(0.6, levels=slow))))[EFFECT] == (Fate.ONE_SIDED, None)


def test_a_void_trial_is_counted_under_every_property_of_its_path() -> None:
    found = read(paired(switched(0.3, void=Reason.SUPERSEDED)))
    assert set(fates(found)) == {
        PropertyId.REPORTED_COMPLETION,
        READ,
        EFFECT,
        PropertyId.SETTLED_POSTCONDITION,
        PropertyId.CROSS_DEVICE_QUIET,
    }
    assert set(fates(found).values()) == {(Fate.VOID, Reason.SUPERSEDED)}


def test_a_refused_twin_clears_nothing_on_the_software_rung() -> None:
    twin = replace(twin_of(switched(0.3)), returned=returned(0.001, "on", error="ServiceNotFound"))
    assert fates(read(paired(switched(0.3), twin=twin)), Rung.SOFTWARE)[EFFECT][0] is Fate.BLOCKED


def group_pair(*crossings: float) -> TrialPair:
    """Two lamps of one command, with its twin."""
    channels = (
        sampled(film(steps((-0.5, 20.0), (at, 120.0), rate=100.0), width=0.01), subject=subject, levels=DECISIVE)
        for at, subject in zip(crossings, (LAMP, OTHER), strict=True)
    )
    feedback = tuple(report(0.05, "on", subject=subject) for subject in (LAMP, OTHER, GROUP))
    return paired(group_trace(*channels, feedback=feedback))


def test_several_targets_are_one_row_and_all_must_pass() -> None:
    declared = manifest(row("lamp-on", ON, repetitions=6, targets=(LAMP, OTHER)))
    found = rows_of(declared, [group_pair(0.001, 2.0)], ORIGIN)
    effect = one(found, EFFECT)
    assert effect.query.devices == (LAMP, OTHER)
    assert effect.query.path is Path.MULTI_TARGET
    assert effect.failed is (float(effect.query.boundary) < 2.0)
    assert [latency.device for latency in effect.latencies] == [LAMP, OTHER]


def test_twins_run_alone_give_rows_of_the_software_rung() -> None:
    declared = manifest(row("lamp-on", ON, repetitions=6))
    found = rows_of(declared, (), ORIGIN, twins=[judged(key(), twin_of(switched(0.3)))])
    assert {r.query.rung for r in found.rows} == {Rung.SOFTWARE}
    assert one(found, EFFECT, Rung.SOFTWARE).query.devices == (LAMP,)


def test_every_trial_and_property_is_a_row_or_left_out_once() -> None:
    found = read(*(paired(switched(0.3), repetition=n) for n in range(6)), repetitions=6)
    seen = [(r.key, r.query.rung, r.query.property_id) for r in found.rows]
    assert len(seen) == len(set(seen))
    assert len(found.rows) + len(found.left_out) == 6 * 2 * 4


def test_the_facet_is_the_direction_or_the_stage() -> None:
    assert facet_of(EFFECT, OFF) == "off"
    assert facet_of(PropertyId.CROSS_DEVICE_QUIET, OFF) == "observable_effect"
    assert isinstance(read(paired(switched(0.3, void=Reason.SUPERSEDED))).left_out[0], LeftOut)
