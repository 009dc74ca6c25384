from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simverity_engine.profile.counts import Grouping, Tally
from simverity_engine.profile.predictors import TABLE, Prediction, PredictorId, Uncovered, predictor
from simverity_engine.profile.profile import RiskProfile
from simverity_engine.profile.row import PredictionRow, Query
from simverity_engine.terms import Direction, Path, Rung
from tests.engine.profiles import LAMP, OTHER, READ, profile, query, row, rows


def asked(fitted: RiskProfile, predictor_id: PredictorId, one: Query) -> Prediction:
    """A prediction that must be there."""
    found = fitted.predict(predictor_id, one)
    assert isinstance(found, Prediction)
    return found


def held_out(**changes: object) -> Query:
    """A query on a path that calibration never measured."""
    return query(path=Path.SENSOR_TO_EFFECT, **changes)


def test_the_table_has_the_six_predictors_of_the_method() -> None:
    assert {row.predictor_id: row.ladder for row in TABLE} == {
        PredictorId.SIMULATOR_VERDICT: (),
        PredictorId.GLOBAL: (Grouping.PROPERTY,),
        PredictorId.SCALAR_LATENCY: (Grouping.BOUNDARY,),
        PredictorId.PATH_ONLY: (Grouping.PATH, Grouping.BOUNDARY, Grouping.PROPERTY_AND_RUNG),
        PredictorId.STRONG_LOOKUP: (Grouping.DEVICE_LATENCY,),
        PredictorId.SIMVERITY: (
            Grouping.FULL,
            Grouping.WITHOUT_PATH,
            Grouping.WITHOUT_BOUNDARY,
            Grouping.PROPERTY_AND_RUNG,
        ),
    }
    assert {grouping: grouping.fields for grouping in predictor(PredictorId.SIMVERITY).ladder} == {
        Grouping.FULL: ("property", "facet", "boundary", "path", "rung"),
        Grouping.WITHOUT_PATH: ("property", "facet", "boundary", "rung"),
        Grouping.WITHOUT_BOUNDARY: ("property", "facet", "rung"),
        Grouping.PROPERTY_AND_RUNG: ("property", "rung"),
    }


def test_the_simulator_says_one_in_a_hundred_whatever_was_measured() -> None:
    found = asked(profile(rows(query(), 9, 9)), PredictorId.SIMULATOR_VERDICT, query(rung=Rung.SIMULATOR))
    assert found == Prediction(risk=0.01, level=1, grouping=None, support=None)


FITTED = profile(
    rows(query(), 7, 8),
    rows(query(path=Path.MULTI_TARGET, devices=(LAMP, OTHER)), 2, 4),
    rows(query(boundary="3"), 0, 5),
    rows(query(direction=Direction.ON, action="light.turn_on"), 1, 10, latency=0.02),
    rows(query(rung=Rung.SOFTWARE), 0, 50, latency=0.001),
    rows(query(property_id=READ), 3, 3),
)


@pytest.mark.parametrize(
    ("one", "level", "failures", "trials"),
    [
        (query(), 1, 7, 8),
        (held_out(), 2, 9, 12),
        (held_out(boundary="0.05"), 3, 9, 17),
        (query(direction=Direction.ON, boundary="0.05"), 3, 1, 10),
        (query(property_id=READ, direction=Direction.ON), 4, 3, 3),
    ],
)
def test_the_profile_backs_off_path_then_boundary_then_direction(
    one: Query, level: int, failures: int, trials: int
) -> None:
    found = asked(FITTED, PredictorId.SIMVERITY, one)
    assert (found.level, found.support) == (level, Tally(trials=trials, failures=failures))
    assert found.risk == (failures + 0.5) / (trials + 1)


@pytest.mark.parametrize(
    ("one", "level", "failures", "trials"),
    [(query(), 1, 8, 18), (held_out(), 2, 10, 22), (held_out(boundary="0.05"), 3, 10, 27)],
)
def test_path_only_backs_off_path_then_boundary_and_pools_directions(
    one: Query, level: int, failures: int, trials: int
) -> None:
    found = asked(FITTED, PredictorId.PATH_ONLY, one)
    assert (found.level, found.support) == (level, Tally(trials=trials, failures=failures))


def test_the_global_rate_pools_everything_of_a_property() -> None:
    assert asked(FITTED, PredictorId.GLOBAL, held_out(rung=Rung.SIMULATOR)).support == Tally(trials=77, failures=10)


def test_a_rung_never_answers_for_another() -> None:
    only_software = profile(rows(query(rung=Rung.SOFTWARE), 0, 50))
    for predictor_id in (
        PredictorId.SCALAR_LATENCY,
        PredictorId.PATH_ONLY,
        PredictorId.STRONG_LOOKUP,
        PredictorId.SIMVERITY,
    ):
        assert isinstance(only_software.predict(predictor_id, query()), Uncovered)


def test_what_no_level_supports_is_uncovered_and_not_a_half() -> None:
    found = FITTED.predict(PredictorId.SIMVERITY, query(site="elsewhere"))
    assert found == Uncovered(levels=4)


def test_the_lookup_counts_the_devices_latencies_beyond_the_boundary_over_all_paths() -> None:
    fitted = profile(
        [row(query(), failed=True, latency=at) for at in (0.2, 0.3, 0.4, None)],
        [row(query(path=Path.MULTI_TARGET), failed=True, latency=0.26)],
    )
    found = asked(fitted, PredictorId.STRONG_LOOKUP, held_out())
    assert found.support == Tally(trials=5, failures=4)
    assert found.risk == (4 + 0.5) / (5 + 1)


def test_the_lookup_of_several_devices_is_that_of_the_worst() -> None:
    fitted = profile(rows(query(), 0, 4, latency=0.1), rows(query(devices=(OTHER,)), 4, 4, latency=0.9))
    found = asked(fitted, PredictorId.STRONG_LOOKUP, query(devices=(LAMP, OTHER)))
    assert found.risk == 0.9


def test_the_lookup_needs_every_device() -> None:
    fitted = profile(rows(query(), 0, 4))
    assert isinstance(fitted.predict(PredictorId.STRONG_LOOKUP, query(devices=(LAMP, OTHER))), Uncovered)


def test_the_lookup_knows_nothing_of_reports() -> None:
    assert isinstance(FITTED.predict(PredictorId.STRONG_LOOKUP, query(property_id=READ)), Uncovered)


CALIBRATED = st.builds(
    row,
    st.builds(
        query,
        boundary=st.sampled_from(["0.05", "0.1", "3"]),
        direction=st.sampled_from(Direction),
        path=st.sampled_from([Path.SINGLE_LIGHT, Path.MULTI_TARGET]),
    ),
    failed=st.booleans(),
)


@given(
    st.lists(CALIBRATED, min_size=1, max_size=30),
    st.builds(held_out, boundary=st.sampled_from(["0.05", "0.1", "0.25", "3"]), direction=st.sampled_from(Direction)),
)
def test_on_a_held_out_path_scalar_latency_and_path_only_coincide(found: list[PredictionRow], one: Query) -> None:
    fitted = profile(found)
    scalar = fitted.predict(PredictorId.SCALAR_LATENCY, one)
    path = fitted.predict(PredictorId.PATH_ONLY, one)
    if isinstance(scalar, Uncovered):
        assert isinstance(path, Uncovered) or path.level == 3
    else:
        assert isinstance(path, Prediction)
        assert (path.risk, path.level) == (scalar.risk, 2)
