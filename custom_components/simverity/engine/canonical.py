"""One function makes bytes, one hashes them (RFC 8785, the JSON Canonicalization Scheme).

Everything that is frozen, chained or bound by a digest goes through ``canonical_bytes``, so that two people who
hold the same values hold the same digest.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import timedelta
from enum import Enum

from .errors import EngineError
from .terms import Digest

type Json = str | int | float | bool | Sequence[Json] | Mapping[str, Json] | None
"""What JSON can hold. Integers and floats are both IEEE 754 doubles, as the RFC demands."""

MAX_SAFE_INTEGER = 2**53 - 1
"""The largest integer that a double represents without a neighbour collapsing onto it (RFC 7493)."""
MAX_DEPTH = 64
"""Nesting beyond this is refused rather than left to the interpreter's recursion limit."""

# ECMAScript Number::toString writes plain decimals for exponents in this range, scientific notation outside it.
_PLAIN_DIGITS = 21
_PLAIN_LEADING_ZEROS = 6


class NotCanonicalError(EngineError):
    """The value lies outside what RFC 8785 can represent faithfully."""


def canonical_bytes(value: Json) -> bytes:
    """Return the RFC 8785 form of a JSON value, in UTF-8.

    Raises:
        NotCanonicalError: NaN or infinity, an integer beyond 2^53 - 1, a lone surrogate, a key that is not a string,
            a type outside JSON, or nesting deeper than ``MAX_DEPTH``.
    """
    pieces: list[str] = []
    _write(value, pieces, 0)
    return "".join(pieces).encode()


def digest(value: Json) -> Digest:
    """Return the SHA-256 of the canonical bytes of ``value``, in lower-case hexadecimal."""
    return Digest(hashlib.sha256(canonical_bytes(value)).hexdigest())


def plain(value: object) -> Json:
    """Turn frozen dataclasses and what they hold into the JSON domain.

    Enums become their value, tuples lists, sets lists in the order of their elements' canonical bytes, and
    durations seconds.

    Raises:
        NotCanonicalError: a type that has no agreed JSON form.
    """
    if isinstance(value, Enum):
        return plain(value.value)
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, timedelta):
        return value.total_seconds()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return _plain_collection(value)


def _plain_collection(value: object) -> Json:
    if isinstance(value, Mapping):
        return {_key(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, AbstractSet):
        return sorted((plain(item) for item in value), key=canonical_bytes)
    raise NotCanonicalError(f"{type(value).__name__} has no agreed JSON form")


def _key(key: object) -> str:
    name = plain(key)
    if not isinstance(name, str):
        raise NotCanonicalError(f"a key must be a string, not {type(key).__name__}")
    return name


def _write(value: Json, pieces: list[str], depth: int) -> None:
    if depth > MAX_DEPTH:
        raise NotCanonicalError(f"nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, str):
        pieces.append(_string(value))
    elif isinstance(value, Mapping):
        _write_object(value, pieces, depth)
    elif isinstance(value, (list, tuple)):
        _write_array(value, pieces, depth)
    else:
        pieces.append(_scalar(value))


def _write_object(value: Mapping[str, Json], pieces: list[str], depth: int) -> None:
    for key in value:
        if not isinstance(key, str):
            raise NotCanonicalError(f"a key must be a string, not {type(key).__name__}")
    separator = "{"
    for key in sorted(value, key=_utf16):
        pieces += (separator, _string(key), ":")
        _write(value[key], pieces, depth + 1)
        separator = ","
    pieces.append("}" if value else "{}")


def _write_array(value: Sequence[Json], pieces: list[str], depth: int) -> None:
    separator = "["
    for item in value:
        pieces.append(separator)
        _write(item, pieces, depth + 1)
        separator = ","
    pieces.append("]" if value else "[]")


def _scalar(value: Json) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        if abs(value) > MAX_SAFE_INTEGER:
            raise NotCanonicalError(f"{value} is not exact as a double")
        return str(int(value))
    if isinstance(value, float):
        return _number(float(value))
    raise NotCanonicalError(f"{type(value).__name__} is not JSON")


def _string(value: str) -> str:
    _utf16(value)
    # json escapes exactly what the RFC demands: the two-character escapes, \u00xx below a space, nothing else.
    return json.dumps(value, ensure_ascii=False)


def _utf16(value: str) -> bytes:
    """Order by UTF-16 code units (RFC 8785, 3.2.3); big-endian bytes compare as the units do."""
    try:
        return value.encode("utf-16-be")
    except UnicodeEncodeError as error:
        raise NotCanonicalError("a lone surrogate cannot be written as UTF-8") from error


def _number(value: float) -> str:
    """Format a double as ECMAScript does: the shortest digits that read back the same, laid out by exponent."""
    if not math.isfinite(value):
        raise NotCanonicalError(f"{value} is not JSON")
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent_text = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    all_digits = (whole + fraction).rstrip("0")
    digits = all_digits.lstrip("0")
    # The value is 0.DIGITS times ten to the power of ``point``.
    point = int(exponent_text or "0") + len(whole) - (len(all_digits) - len(digits))
    return sign + _layout(digits, point)


def _layout(digits: str, point: int) -> str:
    if len(digits) <= point <= _PLAIN_DIGITS:
        return digits + "0" * (point - len(digits))
    if 0 < point <= _PLAIN_DIGITS:
        return f"{digits[:point]}.{digits[point:]}"
    if -_PLAIN_LEADING_ZEROS < point <= 0:
        return f"0.{'0' * -point}{digits}"
    tail = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{digits[0]}{tail}e{point - 1:+d}"
