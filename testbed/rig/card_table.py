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
DISPOSITIONS = {
    "clear": "clear: every green check that was compared held",
    "abstain": "abstain: not enough evidence, nothing is claimed",
    "escalate": "escalate: a green check was seen not to hold",
}
SHOWN_SOURCE = "twin"
"""Whose clearance the table compares: the virtual devices'. The software's own claim has its own cells in the JSON."""
_HEADING = (
    f"  {'what is judged':<32} {'to':<3} {'pass':>4} {'fail':>4} {'open':>4}  {'false clearance risk':<28} disposition"
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
        lines += [_row(cell) for cell in cells]
        lines.append("")
    lines += ["'open' are trials left undecided: the reason and, in brackets, on whose side it lies stand at the end."]
    lines += ["Intervals are exact 95 % (Clopper-Pearson), one look.", *_legend(shown)]
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


def _row(cell: Cell) -> str:
    what = PROPERTIES.get(cell.property_id, cell.property_id)
    if cell.boundary == "settled":
        what += " once settled" if cell.property_id == "settled_postcondition" else " settled"
    elif cell.boundary != "return":
        what += f" {cell.boundary} s"
    passed = cell.decided - cell.failed
    counts = f"{passed:>4} {cell.failed:>4} {cell.abstained + cell.voided:>4}"
    return f"  {what:<32} {cell.direction:<3} {counts}  {_risk(cell):<28} {cell.disposition}{_why(cell)}"


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


def _legend(cells: list[Cell]) -> list[str]:
    return [words for disposition, words in DISPOSITIONS.items() if any(c.disposition == disposition for c in cells)]
