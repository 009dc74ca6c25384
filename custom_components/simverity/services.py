"""The actions of the integration. They are registered once and answer clearly while no entry is loaded."""

from __future__ import annotations

from typing import Any

import probatio
from homeassistant.auth.permissions.const import POLICY_READ
from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse, SupportsResponse, callback
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError, Unauthorized
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.service import async_register_admin_service

from .adapters.ledger.store import LedgerUnavailableError
from .const import CONF_SETTLE_FROM, CONF_SETTLE_WINDOW, DOMAIN, SETTLE_FROM_RANGE, SETTLE_WINDOW_RANGE
from .engine.replay import REPEATS
from .engine.terms import Direction
from .entry import loaded_runtime
from .errors import translated_errors
from .runtime import Runtime, SessionRequest
from .selection import async_select

ATTR_AT = "at"
ATTR_DIRECTION = "direction"
ATTR_DIRECTIONS = "directions"
ATTR_QUIET = "quiet"
ATTR_REPETITIONS = "repetitions"
ATTR_SEED = "seed"
ATTR_SESSION_ID = "session_id"
ATTR_WAIT = "wait"

DEFAULT_REPETITIONS = 10


def _within(limits: tuple[float, float]) -> probatio.Schema:
    return probatio.Schema(probatio.All(probatio.Coerce(float), probatio.Range(min=limits[0], max=limits[1])))


TARGET_SCHEMA = probatio.Schema({**cv.TARGET_FIELDS})
RUN_SESSION_SCHEMA = probatio.Schema(
    {
        **cv.TARGET_FIELDS,
        probatio.Optional(ATTR_REPETITIONS, default=DEFAULT_REPETITIONS): probatio.All(
            probatio.Coerce(int), probatio.Range(min=1, max=100)
        ),
        probatio.Optional(ATTR_DIRECTIONS, default=list(Direction)): probatio.All(
            cv.ensure_list, probatio.Length(min=1), [probatio.Coerce(Direction)]
        ),
        probatio.Optional(ATTR_QUIET, default=list): cv.entity_ids,
        probatio.Optional(ATTR_SEED): probatio.All(probatio.Coerce(int), probatio.Range(min=0, max=2**53 - 1)),
        probatio.Optional(CONF_SETTLE_FROM): _within(SETTLE_FROM_RANGE),
        probatio.Optional(CONF_SETTLE_WINDOW): _within(SETTLE_WINDOW_RANGE),
        probatio.Optional(ATTR_WAIT, default=False): cv.boolean,
    }
)
CANCEL_SESSION_SCHEMA = probatio.Schema({})
REQUALIFY_SCHEMA = TARGET_SCHEMA
REPLAY_SCHEMA = probatio.Schema(
    {
        probatio.Required("entity_id"): cv.entity_id,
        probatio.Required(ATTR_DIRECTION): probatio.Coerce(Direction),
        probatio.Optional(ATTR_AT): cv.string,
        probatio.Optional(ATTR_REPETITIONS, default=REPEATS): probatio.All(
            probatio.Coerce(int), probatio.Range(min=REPEATS, max=100)
        ),
        probatio.Optional(ATTR_WAIT, default=False): cv.boolean,
    }
)
GET_TICKETS_SCHEMA = probatio.Schema({probatio.Required("entity_id"): cv.entity_id})
GET_CARD_SCHEMA = probatio.Schema(
    {
        probatio.Exclusive(ATTR_SESSION_ID, "card"): cv.string,
        probatio.Exclusive("entity_id", "card"): cv.entity_id,
    }
)


@callback
def async_register_services(hass: HomeAssistant) -> None:
    """Register the actions. Those that switch or stop something are for administrators."""
    async_register_admin_service(
        hass, DOMAIN, "run_session", _run_session, RUN_SESSION_SCHEMA, SupportsResponse.OPTIONAL
    )
    async_register_admin_service(hass, DOMAIN, "cancel_session", _cancel_session, CANCEL_SESSION_SCHEMA)
    async_register_admin_service(hass, DOMAIN, "requalify", _requalify, REQUALIFY_SCHEMA)
    async_register_admin_service(hass, DOMAIN, "replay", _replay, REPLAY_SCHEMA, SupportsResponse.OPTIONAL)
    hass.services.async_register(DOMAIN, "get_tickets", _get_tickets, GET_TICKETS_SCHEMA, SupportsResponse.ONLY)
    hass.services.async_register(DOMAIN, "get_card", _get_card, GET_CARD_SCHEMA, SupportsResponse.ONLY)


async def _run_session(call: ServiceCall) -> ServiceResponse:
    """Start a session; answer with its id at once, or wait and answer with its card."""
    runtime = loaded_runtime(call.hass)
    request = SessionRequest(
        subjects=picked_subjects(call, runtime),
        repetitions=call.data[ATTR_REPETITIONS],
        seed=call.data.get(ATTR_SEED),
        settle_from=call.data.get(CONF_SETTLE_FROM),
        settle_window=call.data.get(CONF_SETTLE_WINDOW),
        directions=frozenset(call.data[ATTR_DIRECTIONS]),
        quiet=tuple(call.data[ATTR_QUIET]),
    )
    with translated_errors():
        session_id = await runtime.async_run_session(request)
        response: dict[str, Any] = {"session_id": session_id}
        if call.data[ATTR_WAIT]:
            response["card"] = await runtime.async_wait_session(session_id)
    return response if call.return_response else None


async def _cancel_session(call: ServiceCall) -> None:
    """Stop the running session and restore the devices."""
    runtime = loaded_runtime(call.hass)
    with translated_errors():
        await runtime.async_cancel_session()


async def _requalify(call: ServiceCall) -> None:
    """Qualify the witnesses of the picked entities anew."""
    runtime = loaded_runtime(call.hass)
    subjects = picked_subjects(call, runtime)
    with translated_errors():
        await runtime.async_requalify(subjects)


async def _replay(call: ServiceCall) -> ServiceResponse:
    """Repeat a false clearance, the newest unless one is named; answer with the session, or at the end the tickets."""
    runtime = loaded_runtime(call.hass)
    subject = _audited_entity(call, runtime)
    with translated_errors():
        session_id = await runtime.async_replay(
            subject, call.data[ATTR_DIRECTION], at=call.data.get(ATTR_AT), repetitions=call.data[ATTR_REPETITIONS]
        )
        response: dict[str, Any] = {"session_id": session_id}
        if call.data[ATTR_WAIT]:
            await runtime.async_wait_session(session_id)
            response["tickets"] = await _tickets(runtime, subject)
    return response if call.return_response else None


async def _get_tickets(call: ServiceCall) -> ServiceResponse:
    """Answer with the false clearances of an entity, each with all that was recorded of it."""
    await require_read(call, call.data["entity_id"])
    runtime = loaded_runtime(call.hass)
    tickets: list[Any] = await _tickets(runtime, _audited_entity(call, runtime))
    return {"tickets": tickets}


async def _tickets(runtime: Runtime, subject: str) -> list[dict[str, Any]]:
    try:
        return await runtime.records.async_tickets(subject, traces=True)
    except LedgerUnavailableError as error:
        raise HomeAssistantError(
            translation_domain=DOMAIN,
            translation_key="ledger_refuses",
            translation_placeholders={"status": error.state.value},
        ) from error


def _audited_entity(call: ServiceCall, runtime: Runtime) -> str:
    """Return the one audited entity that is named, by registry id."""
    entity_id = call.data["entity_id"]
    selection = async_select(call.hass, {"entity_id": [entity_id]})
    if not selection.named or selection.named[0].id not in runtime.coordinator.snapshot.subjects:
        raise refused("entity_not_audited", entity=entity_id)
    return selection.named[0].id


async def _get_card(call: ServiceCall) -> ServiceResponse:
    """Answer with the card of a session, the cells of an entity, or the last card and all cells."""
    runtime = loaded_runtime(call.hass)
    if (session_id := call.data.get(ATTR_SESSION_ID)) is not None:
        await require_read(call, None)
        return {"card": _card(runtime, session_id)}
    if (entity_id := call.data.get("entity_id")) is not None:
        await require_read(call, entity_id)
        return {"cells": list(runtime.cells(_audited_entity(call, runtime)))}
    await require_read(call, None)
    return {"card": runtime.card(), "cells": list(runtime.cells())}


def _card(runtime: Runtime, session_id: str) -> dict[str, Any]:
    with translated_errors():
        card = runtime.card(session_id)
    if card is None:
        raise refused("no_session", session=session_id)
    return card


async def require_read(call: ServiceCall, entity_id: str | None) -> None:
    """Refuse users who may not read the entity, or, where none is named, all entities."""
    if call.context.user_id is None:
        return
    user = await call.hass.auth.async_get_user(call.context.user_id)
    if user is None:
        raise Unauthorized(context=call.context)
    permissions = user.permissions
    if not (
        permissions.access_all_entities(POLICY_READ)
        if entity_id is None
        else permissions.check_entity(entity_id, POLICY_READ)
    ):
        raise Unauthorized(context=call.context, entity_id=entity_id, permission=POLICY_READ)


def picked_subjects(call: ServiceCall, runtime: Runtime) -> tuple[str, ...]:
    """Return what was picked by registry id: all that was named, and of areas and labels what is audited."""
    selection = async_select(call.hass, call.data)
    if selection.unregistered:
        raise refused("unknown_entity", entity=", ".join(selection.unregistered))
    listed = runtime.coordinator.snapshot.subjects
    picked = [entry.id for entry in selection.named]
    picked += [entry.id for entry in selection.implied if entry.id in listed]
    if not picked:
        raise refused("nothing_to_do")
    return tuple(dict.fromkeys(picked))


def refused(key: str, **placeholders: str) -> ServiceValidationError:
    """Return the error that tells a caller in a sentence what was wrong with the request."""
    return ServiceValidationError(translation_domain=DOMAIN, translation_key=key, translation_placeholders=placeholders)
