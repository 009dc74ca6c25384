"""The audit card as a table for a terminal, and its dispositions in words."""

from collections.abc import Mapping

from testbed.rig.card import Card, Cell, seconds_of

PROPERTIES = {
    "reported_completion": "state when the call returned",
    "reported_read_after_write": "state read at",
    "observable_effect_after_write": "light seen at",
    "settled_postcondition": "state and light",
    "fanout_completion": "every member seen at",
    "effect_order": "members in order",
    "cross_device_quiet": "others stayed still",
}
HEADLINE_AT = "1"
"""The boundary, in seconds, at which decisions are read: there the software's own claim is set against the room."""
_WORST_FIRST = ("escalate", "abstain", "clear")
_WORDS = {
    "clear": "clear for this session: {n} green checks were compared with the room, and every one held.",
    "abstain": "abstain: {n} green checks compared and none failed, too few to claim anything.",
    "escalate": "escalate: {k} of {n} green checks did not hold in the room. Do not act on this check alone.",
}
SHOWN_SOURCE = "twin"
"""Whose clearance the table compares: the virtual devices'. The software's own claim has its own cells in the JSON."""
_HEADING = (
    f"  {'what is judged':<36} {'to':<3} {'pass':>4} {'fail':>4} {'open':>4}  {'false clearance risk':<28} disposition"
)


def render(card: Card, names: Mapping[str, str]) -> str:
    """Return the table.

    Args:
        card: the audit card.
        names: what a person calls each subject, by registry id.
    """
    shown = [cell for cell in card.cells if cell.source == SHOWN_SOURCE]
    subjects = list(dict.fromkeys(cell.subject for cell in shown))
    lines = [f"Session {card.session}: {_validity(card)}", ""]
    for subject in sorted(subjects, key=lambda subject: names.get(subject, subject)):
        cells = sorted((cell for cell in shown if cell.subject == subject), key=_order)
        lines += [f"{names.get(subject, subject)} ({_paths(cells)})", _HEADING]
        lines += [_row(alike) for alike in _alike(cells)]
        lines += [*_in_words(card, subject), ""]
    lines += ["'open' are trials left undecided: the reason and, in brackets, on whose side it lies stand at the end."]
    lines += ["Rates are of each boundary alone; intervals are exact 95 % (Clopper-Pearson), one look."]
    return "\n".join(lines)


def _validity(card: Card) -> str:
    counted = f"{card.recorded} of {card.planned} planned trials recorded"
    return f"valid, {counted}" if card.valid else f"NOT VALID ({', '.join(card.reasons)}), {counted}"


def _paths(cells: list[Cell]) -> str:
    return ", ".join(dict.fromkeys(cell.path.replace("_", " ") for cell in cells))


def _order(cell: Cell) -> tuple[int, str, float]:
    names = list(PROPERTIES)
    place = names.index(cell.property_id) if cell.property_id in names else len(names)
    return (place, cell.direction, seconds_of(cell))


def _alike(cells: list[Cell]) -> list[list[Cell]]:
    """Gather neighbouring boundaries of the grid that show the same, so that the table stays short."""
    groups: list[list[Cell]] = []
    for cell in cells:
        if groups and _content(groups[-1][-1]) == _content(cell):
            groups[-1].append(cell)
        else:
            groups.append([cell])
    return groups


def _content(cell: Cell) -> tuple[object, ...]:
    on_grid = cell.boundary not in {"return", "settled"}
    shown = (cell.decided, cell.failed, cell.abstained, cell.voided, cell.rate, cell.shortage, cell.disposition)
    return (cell.property_id, cell.direction, on_grid, *shown, sorted(cell.reasons.items()))


def _row(alike: list[Cell]) -> str:
    cell = alike[0]
    passed = cell.decided - cell.failed
    counts = f"{passed:>4} {cell.failed:>4} {cell.abstained + cell.voided:>4}"
    return f"  {_what(alike):<36} {cell.direction:<3} {counts}  {_risk(cell):<28} {cell.disposition}{_why(cell)}"


def _what(alike: list[Cell]) -> str:
    first, last = alike[0], alike[-1]
    what = PROPERTIES.get(first.property_id, first.property_id)
    if first.boundary == "return":
        return what
    if first.boundary == "settled":
        return f"{what.removesuffix(' at')} once settled"
    return f"{what} {first.boundary} s" if len(alike) == 1 else f"{what} {first.boundary} to {last.boundary} s"


def _in_words(card: Card, subject: str) -> list[str]:
    """Return what to think of a subject: its own claim a second after the command, the worse of both directions."""
    claims = [
        cell
        for cell in card.cells
        if cell.subject == subject
        and cell.source == "reported_claim"
        and cell.property_id == "observable_effect_after_write"
        and cell.boundary == HEADLINE_AT
    ]
    if not claims:
        return []
    worst = min(claims, key=lambda cell: _WORST_FIRST.index(cell.disposition))
    words = _WORDS[worst.disposition].format(k=worst.failed, n=worst.decided)
    return [f"  In words, {HEADLINE_AT} s after a command going {worst.direction}: {words}"]


def _risk(cell: Cell) -> str:
    if cell.rate is None:
        return f"none ({cell.shortage.replace('_', ' ')})"
    rate = cell.rate
    return f"{rate.value:4.0%} [{rate.lower:.1%}, {rate.upper:.1%}] n={cell.decided}"


def _why(cell: Cell) -> str:
    if not cell.reasons:
        return ""
    reasons = ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in cell.reasons.items())
    owners = f" [{', '.join(cell.owners)}]" if cell.owners else ""
    return f"; {reasons}{owners}"
