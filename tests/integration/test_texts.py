"""Whatever the surface can show has its words, and every action is described as it is."""

from __future__ import annotations

import inspect
import json
import re
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from homeassistant.util.yaml import load_yaml_dict

import custom_components.simverity
from custom_components.simverity.audit import errors
from custom_components.simverity.binary_sensor import SESSION_RUNNING
from custom_components.simverity.button import CANCEL_SESSION
from custom_components.simverity.coordinator import Basis, Explanation, LedgerState, Phase, WitnessState
from custom_components.simverity.engine.session.validity import Unsound
from custom_components.simverity.engine.terms import Disposition, PropertyId, Source
from custom_components.simverity.event import FALSE_CLEARANCE
from custom_components.simverity.record_services import EXPORT_SCHEMA, REDACT_SCHEMA
from custom_components.simverity.sensor import AUDIT_SENSORS, SUBJECT_SENSORS
from custom_components.simverity.services import (
    CANCEL_SESSION_SCHEMA,
    GET_CARD_SCHEMA,
    GET_TICKETS_SCHEMA,
    REPLAY_SCHEMA,
    REQUALIFY_SCHEMA,
    RUN_SESSION_SCHEMA,
)
from custom_components.simverity.standing_services import ACKNOWLEDGE_SCHEMA, CHECK_SCHEMA

ROOT = Path(inspect.getfile(custom_components.simverity)).parent
TRANSLATIONS = {path.stem: json.loads(path.read_text()) for path in sorted((ROOT / "translations").glob("*.json"))}
EN = TRANSLATIONS["en"]
SENSORS = EN["entity"]["sensor"]


def _placeholders(sentence: str) -> set[str]:
    return set(re.findall(r"{(\w+)}", sentence))


def test_the_languages_are_those_that_are_promised() -> None:
    assert set(TRANSLATIONS) == {"de", "en", "fr"}


def test_every_error_of_the_audit_has_its_sentence() -> None:
    kinds = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, errors.AuditError)]
    assert len(kinds) > 10
    for kind in kinds:
        sentence = EN["exceptions"][kind.translation_key]["message"]
        assert all(placeholder in (kind.__doc__ or "") for placeholder in _placeholders(sentence)), kind


@pytest.mark.parametrize(
    ("sensor", "attribute", "values"),
    [
        ("false_clearance_risk", "meaning", Explanation),
        ("false_clearance_risk", "basis", Basis),
        ("false_clearance_risk", "source", Source),
        ("false_clearance_risk", "property", PropertyId),
        ("disposition", "meaning", Explanation),
        ("disposition", "witness", WitnessState),
        ("session_progress", "phase", Phase),
    ],
)
def test_every_value_of_an_attribute_has_its_words(sensor: str, attribute: str, values: type[StrEnum]) -> None:
    assert SENSORS[sensor]["state_attributes"][attribute]["state"].keys() == {value.value for value in values}


@pytest.mark.parametrize(("sensor", "values"), [("disposition", Disposition), ("ledger", LedgerState)])
def test_every_state_has_its_words(sensor: str, values: type[StrEnum]) -> None:
    assert SENSORS[sensor]["state"].keys() == {value.value for value in values}


def test_every_reason_for_an_invalid_session_has_its_words() -> None:
    known = SENSORS["session_validity"]["state_attributes"]["reasons"]["state"]
    assert known.keys() >= {reason.value for reason in Unsound}


def test_every_entity_has_a_name_and_an_icon() -> None:
    icons = json.loads((ROOT / "icons.json").read_text())["entity"]
    keys = {
        "sensor": {
            *(description.translation_key for description in AUDIT_SENSORS),
            *(description.translation_key for description in SUBJECT_SENSORS),
            *(f"{description.translation_key}_of" for description in SUBJECT_SENSORS),
        },
        "binary_sensor": {SESSION_RUNNING.translation_key},
        "button": {CANCEL_SESSION.translation_key},
        "event": {FALSE_CLEARANCE.translation_key, f"{FALSE_CLEARANCE.translation_key}_of"},
    }
    for platform, expected in keys.items():
        assert EN["entity"][platform].keys() == expected
        assert icons[platform].keys() == expected


def test_the_variant_for_a_part_of_a_device_says_the_same() -> None:
    for description in SUBJECT_SENSORS:
        whole, part = SENSORS[str(description.translation_key)], SENSORS[f"{description.translation_key}_of"]
        assert {**part, "name": ""} == {**whole, "name": ""}
        assert part["name"].startswith("{source} ")


@pytest.mark.parametrize(
    ("action", "schema", "target"),
    [
        ("run_session", RUN_SESSION_SCHEMA, True),
        ("cancel_session", CANCEL_SESSION_SCHEMA, False),
        ("requalify", REQUALIFY_SCHEMA, True),
        ("get_card", GET_CARD_SCHEMA, False),
        ("check", CHECK_SCHEMA, True),
        ("acknowledge", ACKNOWLEDGE_SCHEMA, True),
        ("export", EXPORT_SCHEMA, False),
        ("redact", REDACT_SCHEMA, False),
        ("replay", REPLAY_SCHEMA, False),
        ("get_tickets", GET_TICKETS_SCHEMA, False),
    ],
)
def test_an_action_describes_what_it_takes(action: str, schema: Any, target: bool) -> None:
    description = load_yaml_dict(str(ROOT / "services.yaml"))[action] or {}
    of_a_target = {"entity_id", "device_id", "area_id", "floor_id", "label_id", "exclude"} if target else set()
    accepted = {str(marker.schema if hasattr(marker, "schema") else marker) for marker in schema.schema}
    described = set(description.get("fields", {}))
    assert described == accepted - of_a_target
    assert ("target" in description) is target
    sentences = EN["services"][action]
    assert sentences["name"]
    assert sentences["description"]
    assert set(sentences.get("fields", {})) == described


def test_the_brand_is_there_in_the_sizes_that_are_asked_for() -> None:
    for name, side in (("icon.png", 256), ("icon@2x.png", 512)):
        header = (ROOT / "brand" / name).read_bytes()[:24]
        assert (int.from_bytes(header[16:20]), int.from_bytes(header[20:24])) == (side, side)
    assert (ROOT / "brand" / "logo.png").is_file()
