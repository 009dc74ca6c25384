"""Reading one JSON object strictly: every field has a type and a bound, and a wrong one is named."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from enum import StrEnum
from typing import TypeVar

from .errors import ErrorCode, RequestError
from .regions import Region

type Json = bool | int | float | str | list[Json] | dict[str, Json] | None

MAX_TEXT = 255
MAX_URL = 2048
_SIDES = 4
_Choice = TypeVar("_Choice", bound=StrEnum)


def refuse(field: str, why: str) -> RequestError:
    """Return the refusal of one field."""
    return RequestError(ErrorCode.BAD_REQUEST, f"{field}: {why}")


def parse_object(text: str) -> dict[str, Json]:
    """Return the JSON object in ``text``.

    Raises:
        RequestError: ``bad_request`` if it is not JSON (not-a-number included), or no object.
    """
    try:
        value: Json = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise refuse("message", "is not JSON") from error
    if not isinstance(value, dict):
        raise refuse("message", "is not an object")
    return value


def _no_constant(name: str) -> Json:
    raise ValueError(name)


class Fields:
    """The fields of one object, taken one by one; ``finish`` refuses what nobody asked for.

    Every method raises RequestError (``bad_request``) naming the field.
    """

    def __init__(self, content: dict[str, Json]) -> None:
        """Take the object."""
        self._content = dict(content)

    def text(self, name: str, limit: int = MAX_TEXT) -> str:
        """Take a string that is not empty."""
        value = self._take(name)
        if not isinstance(value, str) or not 0 < len(value) <= limit:
            raise refuse(name, f"must be a text of 1 to {limit} characters")
        return value

    def whole(self, name: str) -> int:
        """Take a positive whole number."""
        value = self._take(name)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < 2**53:
            raise refuse(name, "must be a positive whole number")
        return value

    def number(self, name: str, *, low: float = 0.0, high: float = 1e12) -> float:
        """Take a finite number within bounds."""
        return _number(name, self._take(name), low, high)

    def flag(self, name: str) -> bool:
        """Take true or false."""
        value = self._take(name)
        if not isinstance(value, bool):
            raise refuse(name, "must be true or false")
        return value

    def choice(self, name: str, choices: type[_Choice]) -> _Choice:
        """Take one word of a closed set."""
        value = self._take(name)
        try:
            return choices(str(value))
        except ValueError:
            raise refuse(name, f"must be one of {', '.join(choices)}") from None

    def texts(self, name: str, limit: int) -> tuple[str, ...]:
        """Take a list of 1 to ``limit`` different strings."""
        value = self._take(name)
        if not isinstance(value, list) or not 0 < len(value) <= limit:
            raise refuse(name, f"must be a list of 1 to {limit} texts")
        found = tuple(item for item in value if isinstance(item, str) and 0 < len(item) <= MAX_TEXT)
        if len(found) != len(value) or len(set(found)) != len(found):
            raise refuse(name, "must hold different texts")
        return found

    def numbers(self, name: str, limit: int, *, low: float, high: float) -> tuple[float, ...]:
        """Take a list of 1 to ``limit`` finite numbers within bounds."""
        value = self._take(name)
        if not isinstance(value, list) or not 0 < len(value) <= limit:
            raise refuse(name, f"must be a list of 1 to {limit} numbers")
        return tuple(_number(name, item, low, high) for item in value)

    def region(self, name: str) -> Region:
        """Take ``[x, y, width, height]``; whether it lies in a frame is for the camera to say."""
        return _region(name, self._take(name))

    def region_or_null(self, name: str) -> Region | None:
        """Take a region or null."""
        value = self._take(name)
        return None if value is None else _region(name, value)

    def finish(self) -> None:
        """Refuse fields that nobody took."""
        if self._content:
            raise refuse(min(self._content), "is not a field of this request")

    def _take(self, name: str) -> Json:
        if name not in self._content:
            raise refuse(name, "is missing")
        return self._content.pop(name)


def _number(name: str, value: Json, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise refuse(name, f"must be a number from {low:g} to {high:g}")
    return float(value)


def _region(name: str, value: Json) -> Region:
    sides: Sequence[Json] = value if isinstance(value, list) else ()
    numbers = [float(side) for side in sides if isinstance(side, int | float) and not isinstance(side, bool)]
    if len(sides) != _SIDES or len(numbers) != _SIDES or not all(math.isfinite(n) and abs(n) < 1e6 for n in numbers):  # noqa: PLR2004 - far outside any frame
        raise refuse(name, "must be [x, y, width, height]")
    x, y, width, height = numbers
    return Region(x=x, y=y, width=width, height=height)
