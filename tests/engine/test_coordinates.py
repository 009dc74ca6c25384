"""A value's coordinates: any change is seen, and nothing else is."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from simverity_engine.coordinates import Coordinates, coordinates_digest, session_coordinates_digest
from simverity_engine.terms import Digest, Path

LAMP = Coordinates(
    device="Maker Bulb 7",
    firmware="1.2.0",
    integration="mqtt",
    integration_version="a" * 64,
    path=Path.SINGLE_LIGHT,
    camera="living",
    region=(0.1, 0.2, 0.1, 0.2),
    policy=Digest("p" * 64),
)
CHANGES: dict[str, object] = {
    "device": "Maker Bulb 8",
    "firmware": None,
    "integration": "zha",
    "integration_version": "b" * 64,
    "path": Path.MULTI_TARGET,
    "camera": None,
    "region": (0.1, 0.2, 0.1, 0.3),
    "policy": Digest("r" * 64),
}


def test_the_changes_below_cover_every_coordinate() -> None:
    assert {field.name for field in fields(Coordinates)} == set(CHANGES)


@pytest.mark.parametrize("name", CHANGES)
def test_every_coordinate_changes_the_digest(name: str) -> None:
    changed = replace(LAMP, **{name: CHANGES[name]})  # type: ignore[arg-type]
    assert coordinates_digest(changed) != coordinates_digest(LAMP)


def test_equal_coordinates_have_equal_digests() -> None:
    assert coordinates_digest(replace(LAMP)) == coordinates_digest(LAMP)


def test_a_session_depends_on_all_of_its_rows_in_order() -> None:
    other = replace(LAMP, device="Other")
    orders = {session_coordinates_digest(rows) for rows in ((LAMP,), (LAMP, other), (other, LAMP))}
    assert len(orders) == 3
