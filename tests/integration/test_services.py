"""The actions: who may call them, what they pass on, and what they say when they cannot."""

from __future__ import annotations

from typing import Any

import probatio
import pytest
from homeassistant.auth.models import User
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError, Unauthorized
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser

from custom_components.simverity.audit.errors import (
    AuditError,
    LedgerRefusesError,
    MayNotBeSwitchedError,
    NotReadyError,
    SessionRunningError,
    WitnessFailedError,
)
from custom_components.simverity.const import DOMAIN
from custom_components.simverity.engine.terms import Direction
from custom_components.simverity.services import (
    CANCEL_SESSION_SCHEMA,
    GET_CARD_SCHEMA,
    REQUALIFY_SCHEMA,
    RUN_SESSION_SCHEMA,
)
from tests.integration.fake_runtime import FakeRuntime
from tests.integration.surface import list_for_audit, register, set_up

pytest_plugins = ["tests.integration.surface_fixtures"]


@pytest.fixture
async def runtime(hass: HomeAssistant, entry: MockConfigEntry, lamp: er.RegistryEntry) -> FakeRuntime:
    """Set the entry up with one listed lamp."""
    list_for_audit(hass, entry, lamp)
    return await set_up(hass, entry)


async def _call(hass: HomeAssistant, action: str, user: User | None = None, **fields: Any) -> Any:
    context = None if user is None else Context(user_id=user.id)
    return await hass.services.async_call(
        DOMAIN, action, fields, blocking=True, return_response=action in {"run_session", "get_card"}, context=context
    )


async def test_a_session_answers_with_its_id_at_once(
    hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry
) -> None:
    assert await _call(hass, "run_session", entity_id=lamp.entity_id) == {"session_id": "s-1"}
    request = runtime.requests[0]
    assert request.subjects == (lamp.id,)
    assert request.repetitions == 10
    assert (request.seed, request.settle_from, request.settle_window) == (None, None, None)
    assert request.directions == frozenset(Direction)


async def test_a_session_takes_what_was_asked_and_waits_for_the_card(
    hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry
) -> None:
    answer = await _call(
        hass,
        "run_session",
        entity_id=[lamp.entity_id, lamp.entity_id],
        repetitions=3,
        directions="off",
        seed=7,
        settle_from=4,
        settle_window=1,
        wait=True,
    )
    assert answer == {"session_id": "s-1", "card": {"session": "s-1"}}
    request = runtime.requests[0]
    assert (request.repetitions, request.seed, request.settle_from, request.settle_window) == (3, 7, 4.0, 1.0)
    assert request.directions == {Direction.OFF}


async def test_a_session_need_not_answer(hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry) -> None:
    await hass.services.async_call(DOMAIN, "run_session", {"entity_id": lamp.entity_id}, blocking=True)
    assert len(runtime.requests) == 1


async def test_an_area_means_what_is_audited_in_it(
    hass: HomeAssistant, entry: MockConfigEntry, runtime: FakeRuntime
) -> None:
    area = ar.async_get(hass).async_create("Kitchen")
    porch, unlisted = register(hass, "porch"), register(hass, "unlisted")
    for source in (porch, unlisted):
        er.async_get(hass).async_update_entity(source.entity_id, area_id=area.id)
    list_for_audit(hass, entry, porch)
    await hass.async_block_till_done()
    await _call(hass, "run_session", area_id=area.id)
    assert runtime.requests[0].subjects == (porch.id,)


async def test_an_empty_area_is_nothing_to_do(hass: HomeAssistant, runtime: FakeRuntime) -> None:
    area = ar.async_get(hass).async_create("Kitchen")
    with pytest.raises(ServiceValidationError) as refused:
        await _call(hass, "run_session", area_id=area.id)
    assert refused.value.translation_key == "nothing_to_do"


async def test_an_entity_that_does_not_exist_is_named(hass: HomeAssistant, runtime: FakeRuntime) -> None:
    with pytest.raises(ServiceValidationError) as refused:
        await _call(hass, "run_session", entity_id="light.typo")
    assert refused.value.translation_key == "unknown_entity"
    assert refused.value.translation_placeholders == {"entity": "light.typo"}
    assert str(refused.value) == "Home Assistant has no record of light.typo. Check the spelling"


@pytest.mark.parametrize(
    ("refusal", "kind"),
    [
        (MayNotBeSwitchedError(entity="light.lamp"), ServiceValidationError),
        (SessionRunningError(session="s-0"), ServiceValidationError),
        (LedgerRefusesError(status="full"), HomeAssistantError),
        (WitnessFailedError(code="camera_unreachable", message="gone"), HomeAssistantError),
        (NotReadyError(), HomeAssistantError),
    ],
)
async def test_what_the_audit_refuses_is_said_in_a_sentence(
    hass: HomeAssistant,
    runtime: FakeRuntime,
    lamp: er.RegistryEntry,
    refusal: AuditError,
    kind: type[HomeAssistantError],
) -> None:
    runtime.refusal = refusal
    with pytest.raises(HomeAssistantError) as refused:
        await _call(hass, "run_session", entity_id=lamp.entity_id)
    assert type(refused.value) is kind
    assert refused.value.translation_key == refusal.translation_key
    assert refused.value.translation_placeholders == refusal.placeholders


async def test_a_session_can_be_stopped(hass: HomeAssistant, runtime: FakeRuntime) -> None:
    await _call(hass, "cancel_session")
    assert runtime.cancelled == 1


async def test_cameras_can_be_checked_again(hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry) -> None:
    await _call(hass, "requalify", entity_id=lamp.entity_id)
    assert runtime.requalified == [(lamp.id,)]


async def test_a_card_is_returned_by_session(hass: HomeAssistant, runtime: FakeRuntime) -> None:
    runtime.cards["s-1"] = {"session": "s-1"}
    assert await _call(hass, "get_card", session_id="s-1") == {"card": {"session": "s-1"}}


async def test_an_unknown_session_has_no_card(hass: HomeAssistant, runtime: FakeRuntime) -> None:
    with pytest.raises(ServiceValidationError) as refused:
        await _call(hass, "get_card", session_id="s-9")
    assert refused.value.translation_key == "no_session"


async def test_cells_are_returned_by_entity(hass: HomeAssistant, runtime: FakeRuntime, lamp: er.RegistryEntry) -> None:
    assert await _call(hass, "get_card", entity_id=lamp.entity_id) == {"cells": [{"subject": lamp.id}]}


async def test_an_entity_that_is_not_listed_has_no_cells(hass: HomeAssistant, runtime: FakeRuntime) -> None:
    register(hass, "unlisted")
    with pytest.raises(ServiceValidationError) as refused:
        await _call(hass, "get_card", entity_id="light.unlisted")
    assert refused.value.translation_key == "entity_not_audited"


async def test_without_a_question_the_last_card_and_all_cells_are_returned(
    hass: HomeAssistant, runtime: FakeRuntime
) -> None:
    assert await _call(hass, "get_card") == {"card": None, "cells": [{"subject": "all"}]}


@pytest.mark.parametrize("action", ["run_session", "cancel_session", "requalify"])
async def test_only_administrators_may_act(
    hass: HomeAssistant, runtime: FakeRuntime, hass_read_only_user: MockUser, lamp: er.RegistryEntry, action: str
) -> None:
    fields = {} if action == "cancel_session" else {"entity_id": lamp.entity_id}
    with pytest.raises(Unauthorized):
        await _call(hass, action, hass_read_only_user, **fields)
    assert (runtime.requests, runtime.cancelled, runtime.requalified) == ([], 0, [])


async def test_an_administrator_may_act(
    hass: HomeAssistant, runtime: FakeRuntime, hass_admin_user: MockUser, lamp: er.RegistryEntry
) -> None:
    await _call(hass, "run_session", hass_admin_user, entity_id=lamp.entity_id)
    assert len(runtime.requests) == 1


@pytest.mark.parametrize("fields", [{}, {"session_id": "s-1"}, {"entity_id": "light.lamp"}])
async def test_whoever_may_not_read_gets_no_results(
    hass: HomeAssistant, runtime: FakeRuntime, fields: dict[str, str]
) -> None:
    stranger = MockUser(groups=[]).add_to_hass(hass)
    with pytest.raises(Unauthorized):
        await _call(hass, "get_card", stranger, **fields)


async def test_a_reader_gets_results(
    hass: HomeAssistant, runtime: FakeRuntime, hass_read_only_user: MockUser, lamp: er.RegistryEntry
) -> None:
    assert await _call(hass, "get_card", hass_read_only_user, entity_id=lamp.entity_id)


async def test_a_user_who_is_gone_gets_no_results(
    hass: HomeAssistant, runtime: FakeRuntime, hass_read_only_user: MockUser
) -> None:
    await hass.auth.async_remove_user(hass_read_only_user)
    with pytest.raises(Unauthorized):
        await _call(hass, "get_card", hass_read_only_user)


@pytest.mark.parametrize("action", ["run_session", "cancel_session", "requalify", "get_card"])
async def test_actions_say_when_nothing_is_set_up(hass: HomeAssistant, action: str) -> None:
    assert await async_setup_component(hass, DOMAIN, {})
    fields = {"entity_id": ["light.lamp"]} if action in {"run_session", "requalify"} else {}
    with pytest.raises(ServiceValidationError) as refused:
        await _call(hass, action, **fields)
    assert refused.value.translation_key == "not_loaded"


@pytest.mark.parametrize(
    ("schema", "valid"),
    [
        (RUN_SESSION_SCHEMA, {"entity_id": ["light.a"], "repetitions": 100, "seed": 0}),
        (CANCEL_SESSION_SCHEMA, {}),
        (REQUALIFY_SCHEMA, {"label_id": ["l"]}),
        (GET_CARD_SCHEMA, {"session_id": "s"}),
    ],
)
def test_schemas_take_what_is_valid_and_nothing_unknown(schema: probatio.Schema, valid: dict[str, Any]) -> None:
    assert schema(valid)["entity_id"] == ["light.a"] if "entity_id" in valid else schema(valid) == valid
    with pytest.raises(probatio.Invalid):
        schema(valid | {"unknown": 1})


@pytest.mark.parametrize(
    "fields",
    [
        {"repetitions": 0},
        {"repetitions": 101},
        {"directions": []},
        {"directions": ["sideways"]},
        {"settle_from": 3.0},
        {"settle_window": 0},
        {"seed": -1},
        {"wait": "maybe"},
    ],
)
def test_a_session_is_refused_what_makes_no_sense(fields: dict[str, Any]) -> None:
    with pytest.raises(probatio.Invalid):
        RUN_SESSION_SCHEMA({"entity_id": "light.a", **fields})


def test_a_card_is_asked_for_in_one_way() -> None:
    with pytest.raises(probatio.Invalid):
        GET_CARD_SCHEMA({"session_id": "s", "entity_id": "light.a"})
