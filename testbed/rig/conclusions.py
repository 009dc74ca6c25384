"""The four different conclusions that the same executions give, and whether they are the default home's."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from testbed.rig.card import Card, Cell, seconds_of
from testbed.rig.card_table import SHOWN_SOURCE

REPORTS_BY_S = 0.25
"""The default lamps report 40 to 60 ms after dispatch, a group's members one after the other; by then all have."""
OFF_DARK_BY_S = 0.5
"""The default lamps cross their midpoint at 0.36 to 0.38 s going off: the first boundary of the grid after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """A sentence, what it counts, and what contradicts the expected pattern."""

    sentence: str
    objections: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing contradicts it."""
        return not self.objections


def conclusions(card: Card, ordinary: Iterable[str]) -> list[Conclusion]:
    """Return the conclusion about each of the four properties, over the cells of ordinary lamps.

    Args:
        card: the audit card of a session.
        ordinary: registry ids of the lamps that must show the paper's pattern.
    """
    subjects = set(ordinary)
    cells = [cell for cell in card.cells if cell.subject in subjects and cell.source == SHOWN_SOURCE]
    return [
        _completion([cell for cell in cells if cell.property_id == "reported_completion"]),
        _reported([cell for cell in cells if cell.property_id == "reported_read_after_write"]),
        _observable([cell for cell in cells if cell.property_id == "observable_effect_after_write"]),
        _settled([cell for cell in cells if cell.property_id == "settled_postcondition"]),
    ]


def _completion(cells: Sequence[Cell]) -> Conclusion:
    failed, decided = _sum(cells)
    return Conclusion(
        sentence=f"Completion: when the call returned, {failed} of {decided} times the state was not yet the new one.",
        objections=(*_nothing(cells), *_where(cells, lambda cell: cell.failed != cell.decided, "passed sometimes")),
    )


def _reported(cells: Sequence[Cell]) -> Conclusion:
    last = _last_failing(cells)
    sentence = f"Reported state: fails only when read up to {last} s after the command, never later."
    if last is None:
        sentence = "Reported state: not seen to fail at any boundary."
    late = _where(cells, lambda cell: cell.failed > 0 and seconds_of(cell) >= REPORTS_BY_S, "failed")
    return Conclusion(sentence=sentence, objections=(*_nothing(cells), *late))


def _observable(cells: Sequence[Cell]) -> Conclusion:
    last = _last_failing(cells)
    sentence = f"Observable effect: fails only going off, and only when looked at up to {last} s after the command."
    if last is None:
        sentence = "Observable effect: not seen to fail at any boundary (the camera may be too slow to see it fail)."
    going_on = _where(cells, lambda cell: cell.failed > 0 and cell.direction == "on", "failed going on")
    late = _where(cells, lambda cell: cell.failed > 0 and seconds_of(cell) >= OFF_DARK_BY_S, "failed late")
    return Conclusion(sentence=sentence, objections=(*_nothing(cells), *going_on, *late))


def _settled(cells: Sequence[Cell]) -> Conclusion:
    failed, decided = _sum(cells)
    return Conclusion(
        sentence=f"Settled state and effect: {failed} of {decided} failed.",
        objections=(*_nothing(cells), *_where(cells, lambda cell: cell.failed > 0, "failed")),
    )


def missing_failures(card: Card, ordinary: Iterable[str]) -> tuple[str, ...]:
    """Return where the default camera should have seen the light still on after *off*, and did not."""
    subjects = set(ordinary)
    expected = [
        cell
        for cell in card.cells
        if cell.subject in subjects
        and cell.source == SHOWN_SOURCE
        and cell.property_id == "observable_effect_after_write"
        and cell.direction == "off"
        and seconds_of(cell) < OFF_DARK_BY_S
    ]
    return _where(expected, lambda cell: cell.failed == 0, "did not fail")


def foreign_abstentions(card: Card) -> tuple[str, ...]:
    """Return where something else than the camera's resolution left a trial undecided, or made it void."""
    return tuple(
        f"{cell.where}: {', '.join(cell.reasons)} (owned by {', '.join(cell.owners) or 'nobody'})"
        for cell in card.cells
        if set(cell.reasons) - {"below_resolution"} or set(cell.owners) - {"instrument"}
    )


def _sum(cells: Sequence[Cell]) -> tuple[int, int]:
    return sum(cell.failed for cell in cells), sum(cell.decided for cell in cells)


def _last_failing(cells: Sequence[Cell]) -> str | None:
    failing = [cell for cell in cells if cell.failed]
    return max(failing, key=seconds_of).boundary if failing else None


def _nothing(cells: Sequence[Cell]) -> tuple[str, ...]:
    return () if any(cell.decided for cell in cells) else ("no trial was decided",)


def _where(cells: Sequence[Cell], wrong: Callable[[Cell], bool], what: str) -> tuple[str, ...]:
    return tuple(f"{cell.where} {what} ({cell.failed} of {cell.decided})" for cell in cells if wrong(cell))
