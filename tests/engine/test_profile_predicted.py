from __future__ import annotations

import dataclasses
from dataclasses import replace

import pytest

from simverity_engine.cells import CellKey
from simverity_engine.profile.predicted import NotPredicted, PredictedRisk, predicted_risk
from simverity_engine.statistics.fidelity import PairCounts, ReasonCount
from simverity_engine.terms import Direction, Path, Reason, Rung, Source
from tests.engine.profiles import EFFECT, LAMP, profile, query, rows

PROFILE = profile(rows(query(), 7, 8))
KEY = CellKey(
    property_id=EFFECT,
    boundary="0.25",
    direction=Direction.OFF,
    path=Path.SENSOR_TO_EFFECT,
    rung=Rung.PHYSICAL,
    source=Source.TWIN,
    subject=LAMP,
)


def shown(key: CellKey = KEY, *, measured: PairCounts | None = None) -> PredictedRisk | NotPredicted:
    """What the cell would show."""
    return predicted_risk(PROFILE, key, site="home", action="light.turn_off", devices=(LAMP,), measured=measured)


def test_a_cell_that_was_never_measured_is_predicted_with_its_level() -> None:
    found = shown()
    assert isinstance(found, PredictedRisk)
    assert found.label == "predicted (backoff level 2)"
    assert found.prediction.risk == 7.5 / 9
    assert found.key == KEY


@pytest.mark.parametrize("measured", [PairCounts(pass_pass=1), PairCounts(pass_fail=1)])
def test_a_measured_cell_is_never_predicted(measured: PairCounts) -> None:
    assert shown(measured=measured) is NotPredicted.MEASURED


def test_a_linked_abstention_is_a_measurement_too() -> None:
    counts = PairCounts(linked=(ReasonCount(reason=Reason.BELOW_RESOLUTION, count=1),))
    assert shown(measured=counts) is NotPredicted.MEASURED


def test_a_cell_that_was_only_blocked_is_still_unmeasured() -> None:
    assert isinstance(shown(measured=PairCounts(fail_fail=3)), PredictedRisk)


@pytest.mark.parametrize("source", [Source.REPORTED_CLAIM, Source.ACCEPTED_CALL, Source.SIMULATOR])
def test_another_source_is_not_predicted(source: Source) -> None:
    assert shown(replace(KEY, source=source)) is NotPredicted.OTHER_SOURCE


def test_what_no_level_supports_shows_nothing() -> None:
    key = replace(KEY, rung=Rung.SOFTWARE, source=Source.ACCEPTED_CALL)
    assert shown(key) is NotPredicted.UNCOVERED


def test_a_prediction_has_no_disposition_and_no_interval() -> None:
    assert {field.name for field in dataclasses.fields(PredictedRisk)} == {"key", "prediction"}
