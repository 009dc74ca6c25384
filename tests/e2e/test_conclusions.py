"""The four conclusions of the demo, and what contradicts them."""

from testbed.rig.card import Card, Cell, parse_card
from testbed.rig.card_table import render
from testbed.rig.conclusions import conclusions, foreign_abstentions, missing_failures
from testbed.rig.json_value import Json

LAMP = "lamp"
GRID = ("0.05", "0.1", "0.25", "0.5", "1", "3")
COUNTS = {  # (property, direction): failures of ten at each boundary, as the default home shows them
    ("reported_completion", "on"): {"return": 10},
    ("reported_completion", "off"): {"return": 10},
    ("reported_read_after_write", "on"): dict.fromkeys(GRID, 0) | {"0.05": 6, "settled": 0},
    ("reported_read_after_write", "off"): dict.fromkeys(GRID, 0) | {"0.05": 4, "settled": 0},
    ("observable_effect_after_write", "on"): dict.fromkeys(GRID, 0),
    ("observable_effect_after_write", "off"): dict.fromkeys(GRID, 0) | dict.fromkeys(GRID[:3], 10),
    ("settled_postcondition", "on"): {"settled": 0},
    ("settled_postcondition", "off"): {"settled": 0},
}


def cell(property_id: str, boundary: str, direction: str, failed: int, **changes: Json) -> Json:
    """Return a cell as it comes in the card's JSON."""
    value: dict[str, Json] = {
        "key": {
            "subject": LAMP,
            "property_id": property_id,
            "boundary": boundary,
            "direction": direction,
            "path": "single_light",
            "rung": "physical",
            "source": "twin",
        },
        "failures": failed,
        "decided": 10,
        "abstained": 0,
        "voided": 0,
        "counts": {"linked": [], "before_dispatch": [], "void": []},
        "owners": [{"owner": "software", "count": 0}, {"owner": "instrument", "count": 0}],
        "risk": {"point": {"value": failed / 10, "interval": {"lower": 0.0, "upper": 0.31}}},
        "disposition": "escalate" if failed else "clear",
    }
    return value | changes


def card(*extra: Json, leave_out: str = "") -> Card:
    """Return the card of the default home's lamp, with more cells or without a property."""
    cells = [
        cell(property_id, boundary, direction, failed)
        for (property_id, direction), counts in COUNTS.items()
        for boundary, failed in counts.items()
        if property_id != leave_out
    ]
    value: Json = {
        "session": "s",
        "validity": {"valid": True, "reasons": []},
        "accounting": {"planned": 20, "recorded": 20},
        "cells": [*cells, *extra],
        "hashes": {"manifest": "00", "qualifications": []},
    }
    return parse_card(value)


def objections(shown: Card) -> list[str]:
    return [objection for conclusion in conclusions(shown, [LAMP]) for objection in conclusion.objections]


def test_the_default_home_gives_four_conclusions_without_objection() -> None:
    assert [len(conclusion.sentence) > 0 for conclusion in conclusions(card(), [LAMP])] == [True] * 4
    assert objections(card()) == []


def test_the_sentences_name_the_last_boundary_that_failed() -> None:
    _, reported, observable, _ = (conclusion.sentence for conclusion in conclusions(card(), [LAMP]))
    assert "up to 0.05 s" in reported
    assert "up to 0.25 s" in observable


def test_a_light_that_fails_going_on_is_an_objection() -> None:
    found = objections(card(cell("observable_effect_after_write", "0.1", "on", 1)))
    assert found == ["observable_effect_after_write at 0.1 going on failed going on (1 of 10)"]


def test_a_late_report_is_an_objection() -> None:
    assert len(objections(card(cell("reported_read_after_write", "1", "off", 1)))) == 1


def test_a_settled_failure_is_an_objection() -> None:
    assert len(objections(card(cell("settled_postcondition", "settled", "on", 2)))) == 1


def test_a_property_without_any_decided_trial_is_an_objection() -> None:
    assert objections(card(leave_out="settled_postcondition")) == ["no trial was decided"]


def test_other_lamps_do_not_count() -> None:
    assert [conclusion.objections for conclusion in conclusions(card(), ["another"])] == [("no trial was decided",)] * 4


def test_the_default_camera_must_see_the_slow_fade() -> None:
    assert missing_failures(card(), [LAMP]) == ()
    blind = card(cell("observable_effect_after_write", "0.25", "off", 0))
    assert len(missing_failures(blind, [LAMP])) == 1


def test_only_the_cameras_resolution_may_leave_a_trial_open() -> None:
    resolution: Json = {"linked": [{"reason": "below_resolution", "count": 2}], "before_dispatch": [], "void": []}
    instrument: Json = [{"owner": "instrument", "count": 2}]
    fine = cell("observable_effect_after_write", "0.05", "on", 0, counts=resolution, owners=instrument)
    assert foreign_abstentions(card(fine)) == ()
    late: Json = {"linked": [{"reason": "late_reply", "count": 1}], "before_dispatch": [], "void": []}
    assert len(foreign_abstentions(card(cell("settled_postcondition", "settled", "on", 0, counts=late)))) == 1


def test_a_cell_without_a_rate_says_why() -> None:
    shown = card(
        cell("effect_order", "3", "on", 0, risk={"shortage": "no_cleared_trials", "decided": 0, "abstained": 0})
    )
    unrated = [one for one in shown.cells if one.property_id == "effect_order"]
    assert [(one.rate, one.shortage) for one in unrated] == [(None, "no_cleared_trials")]
    assert "none (no cleared trials)" in render(shown, {LAMP: "Desk lamp"})


def test_the_table_shows_counts_and_the_exact_interval() -> None:
    table = render(card(), {LAMP: "Desk lamp"})
    assert "Desk lamp (single light)" in table
    row = next(line for line in table.splitlines() if "light seen at 0.05 to 0.25 s" in line)
    assert row.split()[:11] == ["light", "seen", "at", "0.05", "to", "0.25", "s", "off", "0", "10", "0"]
    assert "100% [0.0%, 31.0%] n=10" in row


def test_the_table_ends_each_lamp_with_its_claim_in_words() -> None:
    claim = cell("observable_effect_after_write", "1", "off", 0)
    assert isinstance(claim, dict)
    assert isinstance(claim["key"], dict)
    claim["key"]["source"] = "reported_claim"
    table = render(card(claim), {LAMP: "Desk lamp"})
    assert "In words, 1 s after a command going off: clear for this session: 10 green checks" in table


def test_an_invalid_session_is_called_so() -> None:
    invalid = Card(session="s", valid=False, reasons=("incomplete",), planned=20, recorded=3, cells=(), hashes={})
    assert "NOT VALID (incomplete), 3 of 20 planned trials recorded" in render(invalid, {})


def test_cells_know_where_they_are() -> None:
    found: list[Cell] = [one for one in card().cells if one.boundary == "return"]
    assert [one.where for one in found] == [
        "reported_completion at return going on",
        "reported_completion at return going off",
    ]
