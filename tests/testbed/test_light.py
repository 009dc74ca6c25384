import numpy as np
import pytest

from testbed.light import Curve


def test_a_move_is_linear_between_its_ends_and_rests_outside() -> None:
    curve = Curve(0.0)
    curve.move(starts_at=10.0, level=1.0, duration_s=2.0)

    levels = curve.over(np.array([9.0, 10.0, 10.5, 11.0, 12.0, 99.0]))

    assert levels.tolist() == pytest.approx([0.0, 0.0, 0.25, 0.5, 1.0, 1.0])


def test_a_superseding_move_starts_from_where_the_light_is() -> None:
    curve = Curve(0.0)
    curve.move(starts_at=0.0, level=1.0, duration_s=2.0)
    curve.move(starts_at=1.0, level=0.0, duration_s=1.0)

    assert [curve.at(instant) for instant in (1.0, 1.5, 2.0)] == pytest.approx([0.5, 0.25, 0.0])


def test_a_superseding_move_does_not_rewrite_the_past() -> None:
    curve = Curve(0.0)
    curve.move(starts_at=0.0, level=1.0, duration_s=2.0)
    curve.move(starts_at=1.0, level=0.0, duration_s=1.0)

    assert curve.at(0.5) == pytest.approx(0.25)


def test_a_move_cannot_start_before_the_one_it_follows() -> None:
    curve = Curve(0.0)
    curve.move(starts_at=5.0, level=1.0, duration_s=0.0)

    segment = curve.move(starts_at=4.0, level=0.0, duration_s=1.0)

    assert segment.starts_at == 5.0


def test_a_step_takes_effect_at_its_start() -> None:
    curve = Curve(0.2)
    curve.move(starts_at=1.0, level=0.7, duration_s=0.0)

    assert (curve.at(0.999), curve.at(1.0)) == (0.2, 0.7)


def test_a_long_life_keeps_the_recent_past() -> None:
    curve = Curve(0.0)
    for second in range(10_000):
        curve.move(starts_at=float(second), level=float(second % 2), duration_s=0.0)

    assert [curve.at(instant) for instant in (9_990.5, 9_991.5, 9_999.5)] == [0.0, 1.0, 1.0]
