"""What services ask for and what states say, against what Home Assistant's domains mean by them."""

from __future__ import annotations

import pytest

from simverity_engine.terms import Direction
from simverity_engine.vocabulary import LONGEST_FADE, SERVICES, VOCABULARIES, fade_of, settles_in

ON, OFF = Direction.ON, Direction.OFF


@pytest.mark.parametrize(
    ("domain", "service", "arguments", "goal"),
    [
        ("light", "turn_on", {}, ON),
        ("light", "turn_on", {"brightness": 8}, ON),
        ("light", "turn_on", {"brightness": 0}, OFF),
        ("light", "turn_off", {"brightness": 0}, OFF),
        ("light", "toggle", {}, None),
        ("fan", "turn_on", {"percentage": 0}, OFF),
        ("fan", "set_percentage", {"percentage": 0}, OFF),
        ("fan", "set_percentage", {"percentage": 33}, ON),
        ("cover", "open_cover", {}, ON),
        ("cover", "close_cover", {}, OFF),
        ("cover", "set_cover_position", {"position": 0}, OFF),
        ("cover", "set_cover_position", {"position": 40}, ON),
        ("cover", "set_cover_position", {}, None),
        ("cover", "stop_cover", {}, None),
        ("valve", "close_valve", {}, OFF),
        ("lock", "lock", {}, ON),
        ("lock", "unlock", {}, OFF),
        ("lock", "open", {}, OFF),
        ("climate", "turn_on", {}, ON),
        ("climate", "set_hvac_mode", {"hvac_mode": "off"}, OFF),
        ("climate", "set_hvac_mode", {"hvac_mode": "cool"}, ON),
        ("climate", "set_temperature", {"temperature": 21}, None),
        ("media_player", "turn_off", {}, OFF),
        ("input_boolean", "turn_on", {}, ON),
    ],
)
def test_a_service_asks_for_a_state(
    domain: str, service: str, arguments: dict[str, object], goal: Direction | None
) -> None:
    assert VOCABULARIES[domain].goal(service, arguments) is goal


@pytest.mark.parametrize(
    ("domain", "state", "claim"),
    [
        ("light", "on", "on"),
        ("light", "unavailable", "unavailable"),
        ("cover", "open", "on"),
        ("cover", "closed", "off"),
        ("cover", "opening", "unknown"),
        ("cover", "closing", "unknown"),
        ("lock", "locked", "on"),
        ("lock", "unlocked", "off"),
        ("lock", "locking", "unknown"),
        ("lock", "jammed", "jammed"),
        ("climate", "heat_cool", "on"),
        ("climate", "off", "off"),
        ("media_player", "playing", "on"),
        ("media_player", "standby", "off"),
        ("media_player", "unknown", "unknown"),
    ],
)
def test_a_state_claims_on_off_or_neither(domain: str, state: str, claim: str) -> None:
    assert VOCABULARIES[domain].says(state) == claim


@pytest.mark.parametrize(
    ("given", "fade"),
    [({}, 0.0), ({"transition": 15}, 15.0), ({"transition": -1}, 0.0), ({"transition": 9e9}, LONGEST_FADE)]
    + [({"transition": wrong}, 0.0) for wrong in ("5", True, None)],
)
def test_a_transition_delays_what_is_owed(given: dict[str, object], fade: float) -> None:
    assert fade_of(given) == fade


def test_a_cover_takes_longer_than_a_lamp() -> None:
    assert settles_in("light") == settles_in("no_such_domain") == 0.0
    assert settles_in("cover") >= 30.0


def test_every_service_is_listened_to() -> None:
    assert {"toggle", "turn_on", "open_cover", "unlock", "set_hvac_mode"} <= SERVICES
    assert "set_temperature" not in SERVICES
