"""A declared table read key by key, so that every complaint names the key and nothing unknown is ignored."""

from enum import StrEnum

from testbed.declaration import Span

type Value = str | int | float | bool | list[Value] | dict[str, Value]


class DeclarationError(Exception):
    """The home's declaration is wrong; the message names the key and what it should be."""


class Table:
    """One TOML table. Every key must be taken exactly by name; ``finish`` refuses the rest."""

    def __init__(self, path: str, values: Value) -> None:
        """Wrap ``values`` found at ``path``.

        Raises:
            DeclarationError: if it is not a table.
        """
        if not isinstance(values, dict):
            raise DeclarationError(f"{path} must be a table")
        self._path = path
        self._left = dict(values)

    def _take(self, key: str, default: Value | None) -> Value:
        value = self._left.pop(key, default)
        if value is None:
            raise DeclarationError(f"{self._name(key)} is missing")
        return value

    def _name(self, key: str) -> str:
        return f"{self._path}.{key}" if self._path else key

    def number(self, key: str, default: float | None = None) -> float:
        """Take a number."""
        value = self._take(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise DeclarationError(f"{self._name(key)} must be a number, not {value!r}")
        return float(value)

    def at_least_zero(self, key: str, default: float | None = None) -> float:
        """Take a number that is not negative."""
        value = self.number(key, default)
        if value < 0:
            raise DeclarationError(f"{self._name(key)} must not be negative, not {value}")
        return value

    def positive(self, key: str, default: float | None = None) -> float:
        """Take a number above zero."""
        value = self.number(key, default)
        if value <= 0:
            raise DeclarationError(f"{self._name(key)} must be above 0, not {value}")
        return value

    def fraction(self, key: str, default: float | None = None) -> float:
        """Take a number in [0, 1]."""
        value = self.number(key, default)
        if not 0 <= value <= 1:
            raise DeclarationError(f"{self._name(key)} must lie in [0, 1], not {value}")
        return value

    def integer(self, key: str, default: int | None = None) -> int:
        """Take a whole number."""
        value = self._take(key, default)
        if isinstance(value, bool) or not isinstance(value, int):
            raise DeclarationError(f"{self._name(key)} must be a whole number, not {value!r}")
        return value

    def flag(self, key: str, *, default: bool | None = None) -> bool:
        """Take true or false."""
        value = self._take(key, default)
        if not isinstance(value, bool):
            raise DeclarationError(f"{self._name(key)} must be true or false, not {value!r}")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        """Take a text."""
        value = self._take(key, default)
        if not isinstance(value, str) or not value:
            raise DeclarationError(f"{self._name(key)} must be a text, not {value!r}")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Take a list of texts."""
        value = self._take(key, None)
        if not isinstance(value, list):
            raise DeclarationError(f"{self._name(key)} must be a list of texts")
        return tuple(self._text_of(key, item) for item in value)

    def _text_of(self, key: str, item: Value) -> str:
        if not isinstance(item, str):
            raise DeclarationError(f"{self._name(key)} must hold texts only, not {item!r}")
        return item

    def choice[Choice: StrEnum](self, key: str, choices: type[Choice], default: str | None = None) -> Choice:
        """Take one of an enumeration's values."""
        value = self.text(key, default)
        try:
            return choices(value)
        except ValueError:
            allowed = ", ".join(choice.value for choice in choices)
            raise DeclarationError(f"{self._name(key)} must be one of {allowed}, not {value!r}") from None

    def numbers(self, key: str, count: int) -> tuple[float, ...]:
        """Take a list of exactly ``count`` numbers."""
        value = self._take(key, None)
        if not isinstance(value, list) or len(value) != count:
            raise DeclarationError(f"{self._name(key)} must be a list of {count} numbers")
        numbers = [float(item) for item in value if isinstance(item, int | float) and not isinstance(item, bool)]
        if len(numbers) != count:
            raise DeclarationError(f"{self._name(key)} must hold numbers only")
        return tuple(numbers)

    def span(self, key: str) -> Span:
        """Take ``[low, high]``."""
        low, high = self.numbers(key, 2)
        try:
            return Span(low=low, high=high)
        except ValueError as error:
            raise DeclarationError(f"{self._name(key)}: {error}") from None

    def table(self, key: str) -> Table:
        """Take a sub-table."""
        return Table(self._name(key), self._take(key, {}))

    def tables(self, key: str) -> dict[str, Table]:
        """Take a table of tables, by name."""
        nested = self.table(key)
        return {name: Table(nested._name(name), value) for name, value in nested._left.items()}  # noqa: SLF001 - same class

    def remaining(self) -> dict[str, Value]:
        """Take everything that is left, as it was written."""
        left, self._left = self._left, {}
        return left

    def over(self, base: dict[str, Value]) -> Table:
        """Move what is left of this table onto a copy of ``base``; this table is then empty.

        The caller finishes the returned table, since unknown keys now live there.
        """
        return Table(self._path, base | self.remaining())

    def keys(self) -> list[str]:
        """Return the keys not yet taken."""
        return list(self._left)

    def finish(self) -> None:
        """Refuse what nobody took: a misspelt key must not fall back to a default silently.

        Raises:
            DeclarationError: if a key is left.
        """
        if self._left:
            raise DeclarationError(f"unknown key {self._name(min(self._left))}")
