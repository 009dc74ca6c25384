"""RFC 8785 against its own published examples, and against properties that it implies."""

from __future__ import annotations

import hashlib
import json
import math
import struct
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, IntEnum, StrEnum
from types import MappingProxyType
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simverity_engine.canonical import (
    MAX_DEPTH,
    MAX_SAFE_INTEGER,
    Json,
    NotCanonicalError,
    canonical_bytes,
    digest,
    plain,
)

APPENDIX_B = [
    ("0000000000000000", "0"),
    ("8000000000000000", "0"),
    ("0000000000000001", "5e-324"),
    ("8000000000000001", "-5e-324"),
    ("7fefffffffffffff", "1.7976931348623157e+308"),
    ("ffefffffffffffff", "-1.7976931348623157e+308"),
    ("4340000000000000", "9007199254740992"),
    ("c340000000000000", "-9007199254740992"),
    ("4430000000000000", "295147905179352830000"),
    ("44b52d02c7e14af5", "9.999999999999997e+22"),
    ("44b52d02c7e14af6", "1e+23"),
    ("44b52d02c7e14af7", "1.0000000000000001e+23"),
    ("444b1ae4d6e2ef4e", "999999999999999700000"),
    ("444b1ae4d6e2ef4f", "999999999999999900000"),
    ("444b1ae4d6e2ef50", "1e+21"),
    ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
    ("3eb0c6f7a0b5ed8d", "0.000001"),
    ("41b3de4355555553", "333333333.3333332"),
    ("41b3de4355555554", "333333333.33333325"),
    ("41b3de4355555555", "333333333.3333333"),
    ("41b3de4355555556", "333333333.3333334"),
    ("41b3de4355555557", "333333333.33333343"),
    ("becbf647612f3696", "-0.0000033333333333333333"),
    ("43143ff3c1cb0959", "1424953923781206.2"),
]

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner)
    ),
    max_leaves=12,
)


def _double(bits: str) -> float:
    return cast("float", struct.unpack(">d", bytes.fromhex(bits))[0])


@pytest.mark.parametrize(("bits", "text"), APPENDIX_B)
def test_numbers_are_written_as_appendix_b_prints_them(bits: str, text: str) -> None:
    assert canonical_bytes(_double(bits)) == text.encode()


def test_the_combined_sample_gives_the_published_bytes() -> None:
    sample = json.loads(
        r"""{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}"""
    )
    published = (
        "7b 22 6c 69 74 65 72 61 6c 73 22 3a 5b 6e 75 6c 6c 2c 74 72 75 65 2c 66 61 6c 73 65 5d 2c 22 6e 75 6d 62 65 72"
        "73 22 3a 5b 33 33 33 33 33 33 33 33 33 2e 33 33 33 33 33 33 33 2c 31 65 2b 33 30 2c 34 2e 35 2c 30 2e 30 30 32"
        "2c 31 65 2d 32 37 5d 2c 22 73 74 72 69 6e 67 22 3a 22 e2 82 ac 24 5c 75 30 30 30 66 5c 6e 41 27 42 5c 22 5c 5c"
        "5c 5c 5c 22 2f 22 7d"
    )
    assert canonical_bytes(sample) == bytes.fromhex(published)


def test_keys_are_sorted_by_utf16_code_units() -> None:
    sample = {
        "\u20ac": "Euro Sign",
        "\r": "Carriage Return",
        "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One",
        "\U0001f600": "Emoji: Grinning Face",
        "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis",
    }
    published_order = [
        "Carriage Return",
        "One",
        "Control",
        "Latin Small Letter O With Diaeresis",
        "Euro Sign",
        "Emoji: Grinning Face",
        "Hebrew Letter Dalet With Dagesh",
    ]
    assert list(json.loads(canonical_bytes(sample)).values()) == published_order


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({}, "{}"),
        ([], "[]"),
        ((), "[]"),
        ({"b": [1, (2, None)], "a": True}, '{"a":true,"b":[1,[2,null]]}'),
        (False, "false"),
        (MAX_SAFE_INTEGER, "9007199254740991"),
        (1e16, "10000000000000000"),
        (123.456, "123.456"),
        (0.05, "0.05"),
        (1e-7, "1e-7"),
        ("\u007f/\b\f\t\u001f", '"\u007f/\\b\\f\\t\\u001f"'),
    ],
)
def test_layout(value: Json, text: str) -> None:
    assert canonical_bytes(value) == text.encode()


@pytest.mark.parametrize(
    "value",
    [math.nan, math.inf, -math.inf, 2**53, -(2**53), "\ud800", {"\udfff": 1}, {1: 2}, b"bytes", {1, 2}, object()],
    ids=repr,
)
def test_what_json_cannot_hold_faithfully_is_refused(value: object) -> None:
    with pytest.raises(NotCanonicalError):
        canonical_bytes(cast("Json", value))


def test_nesting_is_accepted_up_to_the_limit_and_refused_beyond() -> None:
    value: Json = 0
    for _ in range(MAX_DEPTH):
        value = [value]
    assert canonical_bytes(value) == b"[" * MAX_DEPTH + b"0" + b"]" * MAX_DEPTH
    with pytest.raises(NotCanonicalError):
        canonical_bytes([value])


@given(json_values)
def test_canonical_bytes_read_back_as_the_same_value(value: Json) -> None:
    # A JSON number is a double, so that is how it is read back.
    assert json.loads(canonical_bytes(value), parse_int=float) == value


@given(json_values)
def test_canonical_bytes_are_a_fixed_point(value: Json) -> None:
    once = canonical_bytes(value)
    assert canonical_bytes(json.loads(once, parse_int=float)) == once


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), st.integers(0, 9)))
def test_insertion_order_does_not_matter(value: dict[str, int]) -> None:
    reversed_order = dict(reversed(value.items()))
    assert canonical_bytes(reversed_order) == canonical_bytes(value)


def test_the_digest_is_sha256_of_the_canonical_bytes() -> None:
    assert digest({"b": 1, "a": [2.0]}) == hashlib.sha256(b'{"a":[2],"b":1}').hexdigest()


class _Colour(StrEnum):
    RED = "red"


class _Level(IntEnum):
    HIGH = 3


class _Pair(Enum):
    BOTH = (1, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Inner:
    colour: _Colour
    wait: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outer:
    inner: _Inner
    levels: tuple[float, ...]
    labels: frozenset[str]
    counts: MappingProxyType[_Colour, int]


def test_plain_turns_nested_dataclasses_into_json() -> None:
    value = _Outer(
        inner=_Inner(colour=_Colour.RED, wait=timedelta(milliseconds=250)),
        levels=(1.5, 2.0),
        labels=frozenset({"b", "a", "c"}),
        counts=MappingProxyType({_Colour.RED: 4}),
    )
    assert plain(value) == {
        "inner": {"colour": "red", "wait": 0.25},
        "levels": [1.5, 2.0],
        "labels": ["a", "b", "c"],
        "counts": {"red": 4},
    }


@pytest.mark.parametrize(
    ("value", "expected"),
    [(None, None), (True, True), (_Level.HIGH, 3), (_Pair.BOTH, [1, 2]), ([1], [1]), ({2, 1}, [1, 2])],
)
def test_plain_of_single_values(value: object, expected: Json) -> None:
    assert plain(value) == expected


def test_plain_enums_leave_no_enum_behind() -> None:
    assert type(plain(_Colour.RED)) is str
    assert type(plain(_Level.HIGH)) is int


@pytest.mark.parametrize("value", [object(), _Inner, b"x", {1: 2}], ids=repr)
def test_plain_refuses_what_has_no_json_form(value: object) -> None:
    with pytest.raises(NotCanonicalError):
        plain(value)
