"""What a request for a session runs into, before anything is switched."""

from __future__ import annotations

from typing import Any

import pytest
from homeassistant.core import HomeAssistant

from custom_components.simverity.audit.errors import (
    AuditError,
    BadSettlingError,
    EntityNotAuditedError,
    EntityUnavailableError,
    LedgerRefusesError,
    MayNotBeSwitchedError,
    NoSessionError,
    NothingToDoError,
    NotReadyError,
    NoWitnessError,
    UnknownEntityError,
    UnsupportedEntityError,
)
from custom_components.simverity.audit.session_plan import draft_session
from custom_components.simverity.engine.terms import Direction, Path, SessionId, SubjectId
from custom_components.simverity.runtime import Runtime, SessionRequest
from tests.integration.audit_fixtures import audit_entry, registry_id, set_up
from tests.integration.lamps import PhysicalLamp, add_devices
from tests.integration.waiting import verified

pytest_plugins = ["tests.integration.audit_fixtures"]


@pytest.fixture
async def runtime(hass: HomeAssistant, physical_lamp: PhysicalLamp) -> Runtime:
    """Return an audit of the desk lamp; the shelf lamp and a fan are not listed."""
    await add_devices(hass, PhysicalLamp("shelf"))
    runtime = await set_up(hass, audit_entry(hass, [physical_lamp]))
    await verified(runtime)
    return runtime


async def _refusal(runtime: Runtime, *subjects: str, **fields: Any) -> AuditError:
    with pytest.raises(AuditError) as caught:
        await runtime.async_run_session(SessionRequest(subjects=subjects, **fields))
    return caught.value


async def test_an_entity_that_nobody_knows(runtime: Runtime) -> None:
    error = await _refusal(runtime, "light.nowhere")
    assert isinstance(error, UnknownEntityError)
    assert error.placeholders == {"entity": "light.nowhere"}


async def test_an_entity_that_is_not_listed(runtime: Runtime) -> None:
    error = await _refusal(runtime, "light.desk", "light.shelf")
    assert isinstance(error, EntityNotAuditedError)
    assert error.placeholders == {"entity": "light.shelf"}


async def test_a_group_with_a_member_that_is_not_listed(hass: HomeAssistant, runtime: Runtime) -> None:
    hass.states.async_set("light.desk", "off", {"entity_id": ["light.shelf", "light.elsewhere"]})
    error = await _refusal(runtime, "light.desk")
    assert isinstance(error, EntityNotAuditedError)
    assert error.placeholders == {"entity": "light.elsewhere"}


async def test_a_group_of_one_is_its_member(hass: HomeAssistant, runtime: Runtime) -> None:
    hass.states.async_set("light.desk", "off", {"entity_id": ["light.shelf"]})
    error = await _refusal(runtime, "light.desk")
    assert isinstance(error, EntityNotAuditedError)
    assert error.placeholders == {"entity": "light.shelf"}


async def test_listing_is_not_consent(hass: HomeAssistant, physical_lamp: PhysicalLamp) -> None:
    runtime = await set_up(hass, audit_entry(hass, [physical_lamp], may_be_switched=False))
    await verified(runtime)
    assert isinstance(await _refusal(runtime, "light.desk"), MayNotBeSwitchedError)
    with pytest.raises(MayNotBeSwitchedError):
        await runtime.async_requalify((registry_id(hass, "light.desk"),))
    assert physical_lamp.commands == []


async def test_an_unavailable_entity(runtime: Runtime, physical_lamp: PhysicalLamp) -> None:
    physical_lamp.set_available(False)
    error = await _refusal(runtime, "light.desk")
    assert isinstance(error, EntityUnavailableError)
    assert error.placeholders == {"entity": "light.desk", "state": "unavailable"}


async def test_what_no_session_can_switch(hass: HomeAssistant, runtime: Runtime) -> None:
    sensor = next(name for name in hass.states.async_entity_ids("sensor"))
    assert isinstance(await _refusal(runtime, sensor), UnsupportedEntityError)


@pytest.mark.parametrize("fields", [{"repetitions": 0}, {"paths": frozenset({Path.MULTI_TARGET})}])
async def test_a_request_that_leaves_nothing_to_try(runtime: Runtime, fields: dict[str, Any]) -> None:
    assert isinstance(await _refusal(runtime, "light.desk", **fields), NothingToDoError)
    assert isinstance(await _refusal(runtime), NothingToDoError)


@pytest.mark.parametrize(("settle_from", "window"), [(1.0, 2.0), (500.0, 2.0), (10.0, 0.01), (10.0, 100.0)])
async def test_a_settled_window_that_cannot_work(runtime: Runtime, settle_from: float, window: float) -> None:
    error = await _refusal(runtime, "light.desk", settle_from=settle_from, settle_window=window)
    assert isinstance(error, BadSettlingError)


async def test_a_ledger_that_takes_no_entries(runtime: Runtime) -> None:
    await runtime._store.async_close()
    assert isinstance(await _refusal(runtime, "light.desk"), LedgerRefusesError)


async def test_sessions_that_do_not_exist(runtime: Runtime) -> None:
    with pytest.raises(NoSessionError):
        await runtime.async_wait_session(SessionId("nothing"))
    with pytest.raises(NoSessionError):
        await runtime.async_cancel_session()
    assert runtime.card("nothing") is runtime.card() is None


async def test_a_qualification_of_what_nothing_films(hass: HomeAssistant, runtime: Runtime) -> None:
    with pytest.raises(NoWitnessError) as caught:
        await runtime.async_requalify((registry_id(hass, "light.desk"),))
    assert caught.value.placeholders == {"entity": "light.desk"}
    assert not runtime._sessions.busy


async def test_an_audit_that_has_stopped(runtime: Runtime) -> None:
    await runtime.async_stop()
    assert isinstance(await _refusal(runtime, "light.desk"), NotReadyError)


async def test_a_session_may_go_in_one_direction_only(hass: HomeAssistant, runtime: Runtime) -> None:
    subject = SubjectId(registry_id(hass, "light.desk"))
    draft = draft_session(
        SessionRequest(subjects=("light.desk",), directions=frozenset({Direction.OFF})),
        registry=runtime._registry,
        may_be_switched={subject: True},
        default_settling=(4.0, 0.5),
    )
    assert [(row.direction, row.service) for row in draft.rows] == [(Direction.OFF, "light.turn_off")]
