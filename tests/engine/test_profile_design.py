from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from simverity_engine.profile.design import declared_boundary
from simverity_engine.terms import GRID
from tests.engine.examples import OFF, ON
from tests.engine.sessions import manifest, row


@given(st.integers(min_value=0, max_value=2**32), st.integers(min_value=1, max_value=5))
def test_every_boundary_is_declared_equally_often(seed: int, blocks: int) -> None:
    declared = manifest(row("a", ON, repetitions=60), seed=seed)
    boundaries = Counter(declared_boundary(declared, declared.rows[0].row, n) for n in range(blocks * len(GRID)))
    assert boundaries == dict.fromkeys(GRID, blocks)


def test_the_papers_design_gives_240_trials_with_10_in_each_cell() -> None:
    lamps = manifest(*(row(f"{lamp}-{way}", way, repetitions=60) for lamp in "ab" for way in (ON, OFF)))
    cells = Counter((one.row, declared_boundary(lamps, one.row, n)) for one in lamps.rows for n in range(60))
    assert cells.total() == 240
    assert set(cells.values()) == {10}


def test_the_declared_boundary_depends_on_the_seed() -> None:
    orders = {
        tuple(declared_boundary(manifest(seed=seed), row("lamp-on", ON).row, n).label for n in range(6))
        for seed in range(20)
    }
    assert len(orders) > 10


def test_a_row_under_another_name_declares_the_same() -> None:
    real = manifest(row("lamp-on", ON), row("lamp-off", OFF))
    named = manifest(row("row-1", ON), row("row-2", OFF))
    for before, after in zip(real.rows, named.rows, strict=True):
        assert [declared_boundary(real, before.row, n) for n in range(12)] == [
            declared_boundary(named, after.row, n) for n in range(12)
        ]
