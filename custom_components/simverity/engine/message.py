"""Strict reading of messages from outside: every field by name and type, nothing unknown, no half-read values."""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import StrEnum

from .errors import MessageError


class Fields:
    """The fields of one JSON object.

    Reading a field claims it; ``close`` refuses what nobody claimed. ``at`` says where in the message the object is.
    """

    __slots__ = ("_at", "_unread", "_values")

    def __init__(self, value: object, at: str) -> None:
        """Take the object.

        Raises:
            MessageError: it is not a JSON object.
        """
        if not isinstance(value, dict):
            raise MessageError(f"{at} must be an object")
        self._at = at
        self._values: dict[object, object] = value
        self._unread = set(self._values)

    def __contains__(self, name: str) -> bool:
        """Whether the object has a field: one that an older message lacks."""
        return name in self._values

    def path(self, name: str) -> str:
        """Return where in the message a field is."""
        return f"{self._at}.{name}"

    def raw(self, name: str) -> object:
        """Return a field as it is.

        Raises:
            MessageError: it is missing.
        """
        if name not in self._values:
            raise MessageError(f"{self.path(name)} is missing")
        self._unread.discard(name)
        return self._values[name]

    def optional[T](self, name: str, read: Callable[[object, str], T]) -> T | None:
        """Return a field read by ``read``, or None where the message says null."""
        value = self.raw(name)
        return None if value is None else read(value, self.path(name))

    def get[T](self, name: str, read: Callable[[object, str], T]) -> T:
        """Return a field read by ``read``."""
        return read(self.raw(name), self.path(name))

    def each[T](self, name: str, read: Callable[[object, str], T]) -> tuple[T, ...]:
        """Return a list, each element read by ``read``."""
        return tuple(read(item, at) for item, at in elements(self.raw(name), self.path(name)))

    def close(self) -> None:
        """Refuse fields that nobody read.

        Raises:
            MessageError: naming them.
        """
        if self._unread:
            raise MessageError(f"{self._at} has unknown fields: {', '.join(sorted(map(str, self._unread)))}")


def elements(value: object, at: str) -> list[tuple[object, str]]:
    """Return the elements of a list, each with where it is.

    Raises:
        MessageError: it is not a list.
    """
    if not isinstance(value, list):
        raise MessageError(f"{at} must be a list")
    return [(item, f"{at}[{index}]") for index, item in enumerate(value)]


def text(value: object, at: str) -> str:
    """Read a string.

    Raises:
        MessageError: it is not one.
    """
    if not isinstance(value, str):
        raise MessageError(f"{at} must be a string")
    return value


def flag(value: object, at: str) -> bool:
    """Read true or false.

    Raises:
        MessageError: it is neither.
    """
    if not isinstance(value, bool):
        raise MessageError(f"{at} must be true or false")
    return value


def integer(value: object, at: str) -> int:
    """Read a whole number.

    Raises:
        MessageError: it is not one.
    """
    if not isinstance(value, int) or isinstance(value, bool):
        raise MessageError(f"{at} must be a whole number")
    return value


def number(value: object, at: str) -> float:
    """Read a finite number.

    Raises:
        MessageError: it is not one, or too large for a double.
    """
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise MessageError(f"{at} must be a number")
    try:
        read = float(value)
    except OverflowError:
        read = math.inf
    if not math.isfinite(read):
        raise MessageError(f"{at} must be finite")
    return read


def member[E: StrEnum](kind: type[E]) -> Callable[[object, str], E]:
    """Return a reader of one member of a closed set."""

    def read(value: object, at: str) -> E:
        name = text(value, at)
        try:
            return kind(name)
        except ValueError as error:
            raise MessageError(f"{at} must be one of {', '.join(kind)}") from error

    return read


def several[T](read: Callable[[object, str], T], count: int) -> Callable[[object, str], tuple[T, ...]]:
    """Return a reader of a list of exactly ``count`` elements."""

    def read_all(value: object, at: str) -> tuple[T, ...]:
        parts = elements(value, at)
        if len(parts) != count:
            raise MessageError(f"{at} must have {count} elements")
        return tuple(read(item, where) for item, where in parts)

    return read_all
