"""The frozen manifest and the order of its trials."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simverity_engine.errors import ManifestError
from simverity_engine.session.manifest import SessionManifest, check_manifest, manifest_digest
from simverity_engine.session.plan import PlannedTrial, plan
from simverity_engine.terms import AT_RETURN, Boundary, Direction, Path, SubjectId, settled_boundary
from tests.engine.examples import GROUP, LAMP, OFF, ON, OTHER
from tests.engine.sessions import key, manifest, row

TWO_LAMPS = (
    row("lamp-on", ON, repetitions=10),
    row("lamp-off", OFF, repetitions=10),
    row("other-on", ON, repetitions=10, targets=(OTHER,)),
    row("other-off", OFF, repetitions=10, targets=(OTHER,)),
    row("both-on", ON, repetitions=5, targets=(LAMP, OTHER)),
    row("both-off", OFF, repetitions=5, targets=(LAMP, OTHER)),
)


def preparations(trials: tuple[PlannedTrial, ...]) -> int:
    """Count the trials before which some target that was moved already stands wrong."""
    standing: dict[SubjectId, Direction] = {}
    count = 0
    for trial in trials:
        count += any(standing.get(t, trial.row.direction.opposite) is trial.row.direction for t in trial.row.targets)
        standing |= dict.fromkeys(trial.row.targets, trial.row.direction)
    return count


def test_the_settled_boundary_follows_the_grid() -> None:
    assert [boundary.label for boundary in manifest().boundaries] == ["0.05", "0.1", "0.25", "0.5", "1", "3", "settled"]
    assert manifest().settle_until == 12.0


def test_the_digest_changes_with_every_declaration() -> None:
    changed = [manifest(), manifest(seed=8), manifest(n_min=3), manifest(rows=TWO_LAMPS), manifest(settle_from=4.0)]
    assert len({manifest_digest(one) for one in changed}) == len(changed)
    assert manifest_digest(manifest()) == manifest_digest(manifest())


@pytest.mark.parametrize(
    ("declared", "complaint"),
    [
        (manifest(schema=2), "schema 2 is not 1"),
        (replace(manifest(), rows=()), "there are no rows"),
        (manifest(row("a", ON), row("a", OFF)), "two rows have the same name"),
        (manifest(grid=(Boundary(seconds=0.5), Boundary(seconds=0.25))), "the boundaries must rise"),
        (manifest(grid=(Boundary(seconds=0.0),)), "the boundaries must rise"),
        (manifest(grid=(AT_RETURN,)), "the boundaries must rise"),
        (manifest(grid=(settled_boundary(4.0),)), "the boundaries must rise"),
        (manifest(grid=(Boundary(seconds=0.5), settled_boundary(4.0))), "the boundaries must rise"),
        (manifest(settle_from=3.0), "the boundaries must rise"),
        (manifest(settle_window=0.0), "the settled window must last"),
        (manifest(n_min=0), "n_min must be at least 1"),
        (manifest(confidence=1.0), "the confidence must lie between 0 and 1"),
        (manifest(confidence=0.0), "the confidence must lie between 0 and 1"),
        (manifest(completeness=0.0), "the completeness must lie above 0"),
        (manifest(completeness=1.01), "the completeness must lie above 0"),
        (manifest(row("a", ON, repetitions=0)), "row a has no repetitions"),
        (manifest(row("a", ON, targets=(LAMP, LAMP))), "row a must name each target once"),
        (manifest(row("a", ON, subject=OTHER)), "row a must have its subject as its only target"),
        (manifest(row("a", ON, path=Path.MULTI_TARGET)), "row a needs more than one target"),
        (manifest(replace(row("a", ON), targets=())), "row a must name each target once"),
        (manifest(row("a", ON, quiet=(OTHER, LAMP))), "row a asks a device to move and to keep quiet"),
        (manifest(row("a", ON, targets=(LAMP, OTHER), quiet=(GROUP,))), "row a asks a device to move"),
        (manifest(row("a", ON, service="light")), "row a must name a service"),
        (manifest(row("a", ON, service="light.")), "row a must name a service"),
        (manifest(row("a", ON, service="light.turn.on")), "row a must name a service"),
    ],
)
def test_a_contradiction_is_named(declared: SessionManifest, complaint: str) -> None:
    with pytest.raises(ManifestError, match=complaint):
        check_manifest(declared)
    with pytest.raises(ManifestError, match=complaint):
        plan(declared)


def test_a_sound_manifest_is_accepted() -> None:
    check_manifest(manifest(*TWO_LAMPS, row("p3", ON, path=Path.SENSOR_TO_EFFECT, subject=GROUP, quiet=(OTHER,))))


def test_the_least_and_the_strictest_are_accepted() -> None:
    check_manifest(manifest(row("a", ON, repetitions=1), n_min=1, completeness=1.0))


def test_every_repetition_is_there_once_and_numbered_in_order() -> None:
    trials = plan(manifest(*TWO_LAMPS))
    assert sorted(trial.key for trial in trials) == sorted(
        key(one.row, repetition) for one in TWO_LAMPS for repetition in range(one.repetitions)
    )
    assert [trial.index for trial in trials] == list(range(50))


def test_a_seed_gives_one_order_and_another_seed_another() -> None:
    first, again, other = (plan(manifest(*TWO_LAMPS, seed=seed)) for seed in (1, 1, 2))
    assert first == again
    assert [trial.key for trial in first] != [trial.key for trial in other]


def test_one_lamp_alternates_without_any_preparation() -> None:
    trials = plan(manifest(row("lamp-on", ON, repetitions=20), row("lamp-off", OFF, repetitions=20)))
    assert preparations(trials) == 0


def test_lamps_are_mixed_rather_than_done_one_after_the_other() -> None:
    rows = TWO_LAMPS[:4]
    for seed in range(20):
        first_half = plan(manifest(*rows, seed=seed))[:20]
        of_lamp = sum(trial.row.subject == LAMP for trial in first_half)
        assert 4 <= of_lamp <= 16


@given(st.integers(min_value=0, max_value=2**53))
def test_a_preparation_is_planned_only_where_no_waiting_trial_could_do_without(seed: int) -> None:
    waiting = list(plan(manifest(*TWO_LAMPS, seed=seed)))
    standing: dict[SubjectId, Direction] = {}

    def ready(trial: PlannedTrial) -> bool:
        return all(standing.get(target) is not trial.row.direction for target in trial.row.targets)

    while waiting:
        trial = waiting.pop(0)
        assert ready(trial) or not any(map(ready, waiting))
        standing |= dict.fromkeys(trial.row.targets, trial.row.direction)


@given(st.integers(min_value=0, max_value=2**53))
def test_few_preparations_are_needed_whatever_the_seed(seed: int) -> None:
    """A shuffled order would need one before about half of the 50 trials."""
    assert preparations(plan(manifest(*TWO_LAMPS, seed=seed))) <= 15
