from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simverity_engine.profile.counts import NOTHING_COUNTED, Counted, Grouping, Tally, classify, counted, group, merged
from simverity_engine.profile.errors import ProfileError
from simverity_engine.profile.row import PredictionRow
from simverity_engine.terms import GRID, Boundary, Direction, Path, PropertyId, Rung
from tests.engine.profiles import LAMP, OTHER, READ, count, query, row, rows


@given(st.integers(min_value=0, max_value=1000), st.integers(min_value=0, max_value=1000))
def test_jeffreys_is_the_mean_of_the_posterior_and_never_certain(failures: int, passes: int) -> None:
    tally = Tally(trials=failures + passes, failures=failures)
    assert tally.jeffreys == (failures + 0.5) / (failures + passes + 1)
    assert 0 < tally.jeffreys < 1


@pytest.mark.parametrize(("failures", "trials"), [(-1, 0), (2, 1), (1, 0)])
def test_what_is_no_count_is_refused(failures: int, trials: int) -> None:
    with pytest.raises(ProfileError):
        Tally(trials=trials, failures=failures)


ROWS = st.builds(
    row,
    st.builds(
        query,
        site=st.sampled_from(["home", "cabin"]),
        boundary=st.sampled_from([boundary.label for boundary in GRID]),
        direction=st.sampled_from(Direction),
        path=st.sampled_from(Path),
        rung=st.sampled_from([Rung.SOFTWARE, Rung.PHYSICAL]),
        devices=st.sampled_from([(LAMP,), (LAMP, OTHER)]),
    ),
    failed=st.booleans(),
    latency=st.none() | st.floats(min_value=0, max_value=5),
)


@given(st.lists(ROWS, max_size=20), st.integers(min_value=0, max_value=20))
def test_the_counts_of_parts_add_up_to_those_of_the_whole(found: list[PredictionRow], cut: int) -> None:
    parts = counted(found[cut:], GRID) + counted(found[:cut], GRID)
    assert parts == counted(found, GRID)
    for pool_sites in (False, True):
        whole = group(counted(found, GRID), pool_sites=pool_sites)
        classes = [group(counted(part, GRID), pool_sites=pool_sites) for part in (found[:cut], found[cut:])]
        assert group(parts, pool_sites=pool_sites) == whole
        assert classes[0] + classes[1] + NOTHING_COUNTED == whole
        assert whole.trials == len(found)


@given(st.lists(ROWS, max_size=20))
def test_every_grouping_counts_every_row_once(found: list[PredictionRow]) -> None:
    groups = group(counted(found, GRID), pool_sites=False).groups
    for grouping in Grouping:
        total = sum((tally for tally in groups[grouping].values()), Tally())
        latencies = sum(len(one.latencies) for one in found) * len(GRID)
        assert total.trials == (latencies if grouping is Grouping.DEVICE_LATENCY else len(found))


def test_a_latency_is_late_at_every_shorter_boundary() -> None:
    counts = count([row(query(), failed=True, latency=0.3), row(query(), failed=True, latency=None)])
    late = {float(key.boundary): tally.failures for key, tally in counts.late.items()}
    assert late == {0.05: 2, 0.1: 2, 0.25: 2, 0.5: 1, 1.0: 1, 3.0: 1}
    assert {tally.trials for tally in counts.late.values()} == {2}


def test_a_latency_of_exactly_the_boundary_is_not_late() -> None:
    (tally,) = counted([row(query(), failed=False, latency=0.25)], [Boundary(seconds=0.25)]).late.values()
    assert tally == Tally(trials=1, failures=0)


def test_homes_are_kept_apart_unless_they_are_pooled() -> None:
    counts = count(rows(query(), 1, 2), rows(query(site="cabin"), 0, 3))
    apart, pooled = (group(counts, pool_sites=pool).groups[Grouping.PROPERTY] for pool in (False, True))
    assert set(apart) == {("home", "observable_effect_after_write"), ("cabin", "observable_effect_after_write")}
    assert pooled == {("observable_effect_after_write",): Tally(trials=5, failures=1)}
    late = group(counts, pool_sites=True).groups[Grouping.DEVICE_LATENCY]
    assert late["light.turn_off", "off", LAMP, "physical", "0.5"] == Tally(trials=5, failures=0)


def test_a_class_has_the_values_of_its_groupings_fields() -> None:
    asked = query(devices=(LAMP, OTHER))
    effect = "observable_effect_after_write"
    assert classify(asked, Grouping.FULL, pool_sites=False) == (
        ("home", effect, "off", "0.25", "single_light", "physical"),
    )
    assert classify(asked, Grouping.PROPERTY_AND_RUNG, pool_sites=True) == ((effect, "physical"),)
    assert classify(asked, Grouping.DEVICE_LATENCY, pool_sites=False) == (
        ("home", "light.turn_off", "off", LAMP, "physical", "0.25"),
        ("home", "light.turn_off", "off", OTHER, "physical", "0.25"),
    )
    assert classify(query(property_id=READ), Grouping.DEVICE_LATENCY, pool_sites=True) == ()


def test_the_rung_is_in_every_class_but_the_global_one() -> None:
    assert [one for one in Grouping if "rung" not in one.fields] == [Grouping.PROPERTY]


def test_only_the_observable_effect_has_latencies() -> None:
    assert count(rows(query(property_id=PropertyId.SETTLED_POSTCONDITION, boundary="settled"), 0, 2)).late == {}


def test_merging_leaves_its_parts_alone() -> None:
    one = {query(): Tally(trials=1)}
    assert merged(one, one) == {query(): Tally(trials=2)}
    assert one == {query(): Tally(trials=1)}
    assert Counted(rows={}, late={}) + Counted(rows=one, late={}) == Counted(rows=one, late={})
