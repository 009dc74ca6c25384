"""Which side the cells of a subject speak against."""

from __future__ import annotations

import pytest

from simverity_engine.cells import CellKey
from simverity_engine.standing.suspects import Side, broken_side
from simverity_engine.statistics.fidelity import PairCounts, ReasonCount
from simverity_engine.terms import Direction, Path, PropertyId, Reason, Rung, Source, SubjectId

EFFECT, READ = PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE, PropertyId.REPORTED_READ_AFTER_WRITE
OFFLINE = (ReasonCount(reason=Reason.WITNESS_OFFLINE, count=4),)
UNAVAILABLE = (ReasonCount(reason=Reason.STATE_UNKNOWN, count=4),)


def _key(boundary: str, source: Source = Source.REPORTED_CLAIM, property_id: PropertyId = EFFECT) -> CellKey:
    return CellKey(
        property_id=property_id,
        boundary=boundary,
        direction=Direction.OFF,
        path=Path.SINGLE_LIGHT,
        rung=Rung.PHYSICAL,
        source=source,
        subject=SubjectId("lamp"),
    )


@pytest.mark.parametrize(
    ("cells", "side"),
    [
        ({}, None),
        ({_key("settled"): PairCounts(pass_pass=9), _key("1"): PairCounts(pass_pass=9)}, None),
        ({_key("settled"): PairCounts(pass_pass=9, pass_fail=1)}, Side.DEVICE),
        ({_key("settled"): PairCounts(pass_pass=9, fail_fail=1), _key("1"): PairCounts(pass_fail=3)}, Side.DEVICE),
        ({_key("settled"): PairCounts(pass_pass=9), _key("1"): PairCounts(pass_fail=3)}, Side.FEEDBACK),
        ({_key("settled"): PairCounts(pass_pass=9, fail_pass=1)}, Side.FEEDBACK),
        ({_key("settled"): PairCounts(pass_pass=9), _key("0.25"): PairCounts(pass_fail=3)}, None),
        ({_key("settled", Source.ACCEPTED_CALL, READ): PairCounts(pass_fail=1)}, Side.EITHER),
        ({_key("settled", Source.ACCEPTED_CALL, READ): PairCounts(pass_pass=1)}, None),
        ({_key("1"): PairCounts(before_dispatch=OFFLINE)}, Side.WITNESS),
        ({_key("1"): PairCounts(pass_pass=1, linked=OFFLINE)}, None),
        ({_key("1"): PairCounts(linked=UNAVAILABLE)}, None),
        ({_key("settled", Source.TWIN): PairCounts(pass_fail=1)}, None),
    ],
)
def test_the_side_that_is_broken(cells: dict[CellKey, PairCounts], side: Side | None) -> None:
    assert broken_side(cells, "1") is side
