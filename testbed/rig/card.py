"""The audit card as it comes out of Home Assistant, read into what the demo shows."""

from dataclasses import dataclass

from testbed.rig.json_value import Json, at, integer, items, number, table, text

_EARLIEST, _LATEST = -1.0, float("inf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """k of n with its exact two-sided interval; all proportions."""

    value: float
    lower: float
    upper: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of the card: a property of a subject at a boundary in a direction, for one source of the clearance."""

    subject: str
    """Entity registry id."""
    property_id: str
    boundary: str
    """The boundary's label: seconds, ``return`` or ``settled``."""
    direction: str
    path: str
    source: str
    failed: int
    """k: cleared trials that were seen to fail."""
    decided: int
    """n: cleared trials with a binary verdict."""
    abstained: int
    """Cleared trials left undecided."""
    voided: int
    """What was no trial at all."""
    reasons: dict[str, int]
    """Why trials were left undecided, or were none."""
    owners: dict[str, int]
    """On whose side the causes of the abstentions lie; only owners that have any."""
    rate: Rate | None
    """FCR with its interval; None where the evidence does not suffice."""
    shortage: str
    """Why there is no rate; empty if there is one."""
    disposition: str

    @property
    def where(self) -> str:
        """The cell in words."""
        return f"{self.property_id} at {self.boundary} going {self.direction}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """The card of one session."""

    session: str
    valid: bool
    reasons: tuple[str, ...]
    planned: int
    recorded: int
    cells: tuple[Cell, ...]
    hashes: dict[str, str]
    """The digests that bind the card, by what they cover."""


def seconds_of(cell: Cell) -> float:
    """Return a number that orders boundaries: the return first, then the grid, the settled boundary last."""
    if cell.boundary == "return":
        return _EARLIEST
    return _LATEST if cell.boundary == "settled" else float(cell.boundary)


def parse_card(value: Json) -> Card:
    """Read a card.

    Raises:
        AnswerError: if it does not have the form of version 1.
    """
    return Card(
        session=text(value, "session"),
        valid=at(value, "validity", "valid") is True,
        reasons=tuple(text(reason) for reason in items(value, "validity", "reasons")),
        planned=integer(value, "accounting", "planned"),
        recorded=integer(value, "accounting", "recorded"),
        cells=tuple(_cell(cell) for cell in items(value, "cells")),
        hashes={key: digest for key, digest in table(value, "hashes").items() if isinstance(digest, str)},
    )


def _cell(value: Json) -> Cell:
    kinds = ("linked", "before_dispatch", "void")
    counted = [entry for kind in kinds for entry in items(value, "counts", kind)]
    early = sum(integer(entry, "count") for entry in items(value, "counts", "before_dispatch"))
    rate, shortage = _rate(at(value, "risk"))
    return Cell(
        subject=text(value, "key", "subject"),
        property_id=text(value, "key", "property_id"),
        boundary=text(value, "key", "boundary"),
        direction=text(value, "key", "direction"),
        path=text(value, "key", "path"),
        source=text(value, "key", "source"),
        failed=integer(value, "failures"),
        decided=integer(value, "decided"),
        abstained=integer(value, "abstained") + early,
        voided=integer(value, "voided"),
        reasons={text(entry, "reason"): integer(entry, "count") for entry in counted},
        owners={
            text(entry, "owner"): integer(entry, "count") for entry in items(value, "owners") if at(entry, "count")
        },
        rate=rate,
        shortage=shortage,
        disposition=text(value, "disposition"),
    )


def _rate(risk: Json) -> tuple[Rate | None, str]:
    if at(risk, "shortage") is not None:
        return None, text(risk, "shortage")
    point = at(risk, "point")
    if at(point, "shortage") is not None:
        return None, text(point, "shortage")
    rate = Rate(
        value=number(point, "value"),
        lower=number(point, "interval", "lower"),
        upper=number(point, "interval", "upper"),
    )
    return rate, ""
