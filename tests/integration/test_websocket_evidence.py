"""The commands for the details of one device, and the golden messages that the card's own tests read too."""

from __future__ import annotations

import json
from copy import deepcopy
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser

from custom_components.simverity.adapters.ledger.store import LedgerUnavailableError, StoreState
from custom_components.simverity.audit.exhibits import session_exhibit
from custom_components.simverity.audit.standing_cell import StandingCell
from custom_components.simverity.audit.views import cell_message
from custom_components.simverity.const import DOMAIN
from custom_components.simverity.coordinator import (
    Basis,
    Before,
    Clearance,
    Explanation,
    HeadlineView,
    LastSession,
    LedgerState,
    LedgerView,
    Phase,
    SessionView,
    SubjectView,
    WitnessLink,
    WitnessState,
)
from custom_components.simverity.engine.cells import CellKey
from custom_components.simverity.engine.standing.policy import StandingPolicy
from custom_components.simverity.engine.standing.suspects import Side
from custom_components.simverity.engine.statistics.fidelity import PairCounts
from custom_components.simverity.engine.terms import (
    Digest,
    Direction,
    Disposition,
    PropertyId,
    Reason,
    SessionId,
    Source,
    SubjectId,
)
from tests.integration.fake_runtime import FakeRuntime
from tests.integration.surface import list_for_audit, register, set_up

pytest_plugins = ["tests.integration.surface_fixtures"]

CONTRACTS = Path(__file__).resolve().parents[2] / "contracts"
SNAPSHOT, CELLS, EVIDENCE = (f"{DOMAIN}/{name}" for name in ("snapshot/subscribe", "cells/subscribe", "evidence"))
VIEW = SubjectView(
    subject=SubjectId("desk"),
    entity_id="light.desk",
    disposition=Disposition.ESCALATE,
    explanation=Explanation.SEEN_TO_FAIL,
    headline=HeadlineView(
        property_id=PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE,
        boundary="1",
        direction=Direction.OFF,
        source=Source.REPORTED_CLAIM,
        basis=Basis.ONE_LOOK,
        failures=3,
        decided=20,
        abstained=1,
        interval=(0.032, 0.379),
        upper_limit=0.376,
    ),
    trials=41,
    abstentions=((Reason.BELOW_RESOLUTION, 1),),
    last_false_clearance=datetime.fromisoformat("2026-12-01T03:00:00+00:00"),
    clean_audits_to_clear=131,
    witness=WitnessState.QUALIFIED,
    expected_clear=datetime.fromisoformat("2027-01-05T00:00:00+00:00"),
    suspect=Side.FEEDBACK,
    before=Before(failures=1, decided=12, upper_limit=0.41),
)
RUNNING = SessionView(
    phase=Phase.RUNNING,
    session=SessionId("s-2"),
    done=7,
    total=40,
    seconds_left=132.5,
    last=LastSession(
        session=SessionId("s-1"),
        valid=False,
        reasons=("incomplete",),
        ended_at=datetime.fromisoformat("2026-12-01T02:00:00+00:00"),
    ),
)


def golden(name: str) -> dict[str, Any]:
    message: dict[str, Any] = json.loads((CONTRACTS / f"card_{name}.json").read_text(encoding="utf-8"))
    return message


@pytest.fixture
async def runtime(hass: HomeAssistant, entry: MockConfigEntry) -> FakeRuntime:
    """Set the entry up with nothing listed; tests publish what they need."""
    return await set_up(hass, entry)


async def _ask(client: Any, command: str, **fields: str) -> dict[str, Any]:
    await client.send_json_auto_id({"type": command, **fields})
    answer: dict[str, Any] = await client.receive_json()
    return answer


async def _event(client: Any) -> dict[str, Any]:
    event: dict[str, Any] = (await client.receive_json())["event"]
    return event


async def test_the_snapshot_is_the_golden_one(hass: HomeAssistant, runtime: FakeRuntime, hass_ws_client: Any) -> None:
    registry = er.async_get(hass)
    for key in ("disposition", "false_clearance_risk"):
        registry.async_get_or_create("sensor", DOMAIN, f"desk_{key}", suggested_object_id=f"desk_{key}")
    runtime.publish(
        subjects=MappingProxyType({VIEW.subject: VIEW}),
        session=RUNNING,
        ledger=LedgerView(state=LedgerState.SOUND, entries=57, head=Digest("5f0c")),
        witness=WitnessLink.CONNECTED,
        clearance=Clearance(tolerance=0.02, error=0.1),
    )
    client = await hass_ws_client(hass)
    assert (await _ask(client, SNAPSHOT))["success"]
    assert await _event(client) == golden("snapshot")
    runtime.publish(
        subjects=MappingProxyType({}),
        session=SessionView(),
        ledger=LedgerView(state=LedgerState.DAMAGED, entries=58),
        witness=WitnessLink.UNREACHABLE,
        clearance=Clearance(),
    )
    assert await _event(client) == golden("change")


def test_a_standing_cell_is_the_golden_one() -> None:
    (expected,) = golden("cells")["cells"]
    cell = StandingCell(key=CellKey.parse(expected["cell"]), counts=PairCounts(pass_pass=1))
    message = cell_message(cell, StandingPolicy())
    figures = {"log_evidence", "upper_limit", "clean_audits_to_clear"}
    assert message.keys() == expected.keys()
    assert {key: message[key] for key in message.keys() - figures} == {
        key: expected[key] for key in expected.keys() - figures
    }


def test_a_sessions_exhibit_has_the_golden_form() -> None:
    expected = golden("evidence")["session"]
    (cell,) = expected["cells"]
    *_, subject = cell["cell"].split("/")
    key = {name: cell[name] for name in ("boundary", "direction", "path", "rung", "source")}
    card = {
        **expected,
        "validity": {"valid": True},
        "cells": [
            {
                **cell,
                "key": {**key, "property_id": cell["property"], "subject": subject},
                "counts": {"linked": [{"reason": "no_sample", "count": 1}], "before_dispatch": []},
                "risk": {"point": {"interval": {"lower": 0.0, "upper": 0.168}}},
            }
        ],
    }
    assert session_exhibit(card, SubjectId(subject)) == expected


async def test_only_cells_that_changed_follow(hass: HomeAssistant, runtime: FakeRuntime, hass_ws_client: Any) -> None:
    message = golden("cells")
    second = {**message["cells"][0], "cell": "another"}
    runtime.known_cells["desk"] = [*deepcopy(message["cells"]), second]
    runtime.publish(subjects=MappingProxyType({VIEW.subject: VIEW}))
    client = await hass_ws_client(hass)
    assert (await _ask(client, CELLS, subject="desk"))["success"]
    assert await _event(client) == {"type": "cells", "cells": [*message["cells"], second]}
    runtime.publish(ledger=LedgerView(state=LedgerState.SOUND))
    runtime.publish_view("desk", trials=42)
    runtime.known_cells["desk"] = [*message["cells"], {**second, "decided": 2}]
    runtime.publish_view("desk", trials=43)
    assert await _event(client) == {"type": "change", "cells": [{**second, "decided": 2}]}


async def test_evidence_is_laid_open(hass: HomeAssistant, runtime: FakeRuntime, hass_ws_client: Any) -> None:
    message = golden("evidence")
    runtime.false_clearances["desk"] = message["false_clearances"]
    runtime.exhibits["desk"] = message["session"]
    runtime.reliabilities["desk"] = message["reliability"]
    runtime.publish(subjects=MappingProxyType({VIEW.subject: VIEW}))
    client = await hass_ws_client(hass)
    assert (await _ask(client, EVIDENCE, subject="desk"))["result"] == message


async def test_a_ledger_that_cannot_be_read_shows_no_false_clearances_rather_than_none(
    hass: HomeAssistant, runtime: FakeRuntime, hass_ws_client: Any
) -> None:
    runtime.unreadable = LedgerUnavailableError(StoreState.DAMAGED)
    runtime.publish(subjects=MappingProxyType({VIEW.subject: VIEW}))
    answer = await _ask(await hass_ws_client(hass), EVIDENCE, subject="desk")
    assert answer["result"] == {"false_clearances": None, "session": None, "reliability": []}


@pytest.mark.parametrize("command", [CELLS, EVIDENCE])
async def test_details_are_for_those_who_may_read_the_device(
    hass: HomeAssistant,
    entry: MockConfigEntry,
    runtime: FakeRuntime,
    hass_ws_client: Any,
    hass_admin_user: MockUser,
    command: str,
) -> None:
    list_for_audit(hass, entry, register(hass, "desk"))
    await hass.async_block_till_done()
    runtime.publish(subjects=MappingProxyType({VIEW.subject: VIEW}))
    hass_admin_user.groups = []
    hass_admin_user.mock_policy({"entities": {"entity_ids": {"light.other": True}}})
    answer = await _ask(await hass_ws_client(hass), command, subject="desk")
    assert answer["error"]["code"] == "not_found"


@pytest.mark.parametrize("command", [CELLS, EVIDENCE])
async def test_details_need_a_running_audit(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: FakeRuntime, hass_ws_client: Any, command: str
) -> None:
    await hass.config_entries.async_unload(entry.entry_id)
    answer = await _ask(await hass_ws_client(hass), command, subject="desk")
    assert answer["error"]["code"] == "not_loaded"
