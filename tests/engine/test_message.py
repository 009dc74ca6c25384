"""Strict reading: what is missing, unknown, of the wrong kind or not finite is refused by name."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from simverity_engine.errors import MessageError
from simverity_engine.message import Fields, elements, flag, integer, member, number, several, text
from simverity_engine.terms import Direction


def test_fields_are_read_by_name_and_kind() -> None:
    fields = Fields({"a": "x", "b": [1, 2], "c": None, "d": 2}, "m")
    assert fields.get("a", text) == "x"
    assert fields.each("b", integer) == (1, 2)
    assert fields.optional("c", number) is None
    assert fields.optional("d", number) == 2.0
    fields.close()


@pytest.mark.parametrize(
    ("read", "value", "result"),
    [
        (text, "", ""),
        (flag, False, False),
        (integer, -3, -3),
        (number, 3, 3.0),
        (number, 0.5, 0.5),
        (member(Direction), "on", Direction.ON),
        (several(integer, 2), [1, 2], (1, 2)),
    ],
)
def test_a_value_of_its_kind_is_read(read: Callable[[object, str], object], value: object, result: object) -> None:
    assert read(value, "m.f") == result


@pytest.mark.parametrize(
    ("read", "value", "complaint"),
    [
        (text, 1, "m.f must be a string"),
        (flag, 1, "m.f must be true or false"),
        (integer, True, "m.f must be a whole number"),
        (integer, 1.0, "m.f must be a whole number"),
        (number, True, "m.f must be a number"),
        (number, "1", "m.f must be a number"),
        (number, float("nan"), "m.f must be finite"),
        (number, float("inf"), "m.f must be finite"),
        (number, 10**400, "m.f must be finite"),
        (member(Direction), "up", "m.f must be one of on, off"),
        (member(Direction), None, "m.f must be a string"),
        (several(integer, 2), [1], "m.f must have 2 elements"),
        (several(integer, 2), [1, "x"], r"m.f\[1\] must be a whole number"),
        (elements, {}, "m.f must be a list"),
        (Fields, [], "m.f must be an object"),
    ],
)
def test_anything_else_is_refused(read: Callable[[object, str], object], value: object, complaint: str) -> None:
    with pytest.raises(MessageError, match=f"^{complaint}$"):
        read(value, "m.f")


def test_a_missing_field_is_named() -> None:
    with pytest.raises(MessageError, match=r"^m\.a is missing$"):
        Fields({}, "m").get("a", text)


def test_an_unknown_field_is_named() -> None:
    fields = Fields({"a": "x", "z": 1, "y": 2}, "m")
    fields.get("a", text)
    with pytest.raises(MessageError, match=r"^m has unknown fields: y, z$"):
        fields.close()
