"""Commands for the dashboard. A user sees the audited entities that the user may read.

Events of ``simverity/snapshot/subscribe``: first ``{"type": "snapshot", "schema", "version", "subjects": {id: …},
"hidden", "session", "ledger", "witness", "clearance"}``, then ``{"type": "change", …}`` with only what changed
(``removed``: subjects that are gone). ``hidden`` counts the audited entities that the user may not read; ``schema`` is
the version of these messages, ``version`` the integration's.
Events of ``simverity/session/subscribe``: ``{"type": "session", …}``. ``{"type": "unloaded"}`` is the last of either.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import probatio
from homeassistant.auth.models import User
from homeassistant.auth.permissions.const import POLICY_READ
from homeassistant.components import websocket_api
from homeassistant.components.websocket_api import ActiveConnection
from homeassistant.core import HomeAssistant, callback
from homeassistant.loader import async_get_loaded_integration
from homeassistant.util.hass_dict import HassKey

from .const import DOMAIN
from .coordinator import Snapshot, SubjectView
from .engine.terms import SubjectId
from .entry import loaded_entry
from .runtime import Runtime
from .wire import clearance_message, dashboard_message, ledger_message, session_message

SNAPSHOT_COMMAND = f"{DOMAIN}/snapshot/subscribe"
SESSION_COMMAND = f"{DOMAIN}/session/subscribe"
CELLS_COMMAND = f"{DOMAIN}/cells"
SCHEMA = 1
"""The version of the messages; the card refuses to interpret any other."""

type Message = dict[str, Any]


@dataclass(slots=True)
class _Subscriptions:
    """How to end each subscription that is open."""

    endings: dict[object, Callable[[], None]] = field(default_factory=dict)


_SUBSCRIPTIONS: HassKey[_Subscriptions] = HassKey(f"{DOMAIN}_subscriptions")


@callback
def async_register_commands(hass: HomeAssistant) -> None:
    """Register the commands, once."""
    hass.data[_SUBSCRIPTIONS] = _Subscriptions()
    websocket_api.async_register_command(hass, subscribe_snapshot)
    websocket_api.async_register_command(hass, subscribe_session)
    websocket_api.async_register_command(hass, list_cells)


@callback
def async_end_subscriptions(hass: HomeAssistant) -> None:
    """Tell every subscriber that the audit is gone, and let them go."""
    for end in tuple(hass.data[_SUBSCRIPTIONS].endings.values()):
        end()


@websocket_api.websocket_command({probatio.Required("type"): SNAPSHOT_COMMAND})
@callback
def subscribe_snapshot(hass: HomeAssistant, connection: ActiveConnection, msg: Message) -> None:
    """Send the whole snapshot, then what changes."""
    user = connection.user

    def change(previous: Snapshot, current: Snapshot) -> Message | None:
        parts = _changed_parts(hass, user, previous, current)
        return {"type": "change", **parts} if parts else None

    def whole(current: Snapshot) -> Message:
        readable = _readable(user, current)
        return {
            "type": "snapshot",
            "schema": SCHEMA,
            "version": str(async_get_loaded_integration(hass, DOMAIN).version),
            "subjects": {subject: dashboard_message(hass, view) for subject, view in readable.items()},
            "hidden": len(current.subjects) - len(readable),
            "session": session_message(current.session),
            "ledger": ledger_message(current.ledger),
            "witness": current.witness.value,
            "clearance": clearance_message(current.clearance),
        }

    subscribe(hass, connection, msg, whole, change)


@websocket_api.websocket_command({probatio.Required("type"): SESSION_COMMAND})
@callback
def subscribe_session(hass: HomeAssistant, connection: ActiveConnection, msg: Message) -> None:
    """Send the progress of the session, now and whenever it moves."""

    def whole(current: Snapshot) -> Message:
        return {"type": "session", **session_message(current.session)}

    def change(previous: Snapshot, current: Snapshot) -> Message | None:
        return None if previous.session == current.session else whole(current)

    subscribe(hass, connection, msg, whole, change)


@websocket_api.websocket_command({probatio.Required("type"): CELLS_COMMAND, probatio.Optional("subject"): str})
@callback
def list_cells(hass: HomeAssistant, connection: ActiveConnection, msg: Message) -> None:
    """Answer with the cells of one audited entity, or of all that the user may read."""
    if (runtime := readable_runtime(hass, connection, msg)) is None:
        return
    subjects = [msg["subject"]] if "subject" in msg else _readable(connection.user, runtime.coordinator.snapshot)
    connection.send_result(msg["id"], {"cells": {subject: runtime.cells(subject) for subject in subjects}})


@callback
def subscribe(
    hass: HomeAssistant,
    connection: ActiveConnection,
    msg: Message,
    whole: Callable[[Snapshot], Message],
    change: Callable[[Snapshot, Snapshot], Message | None],
) -> None:
    """Send ``whole`` now and ``change`` from now on, until either side ends it."""
    if (runtime := _runtime(hass, connection, msg)) is None:
        return
    endings = hass.data[_SUBSCRIPTIONS].endings
    key = object()

    @callback
    def forward(previous: Snapshot, current: Snapshot) -> None:
        if (event := change(previous, current)) is not None:
            connection.send_event(msg["id"], event)

    remove_listener = runtime.coordinator.async_add_listener(forward)

    @callback
    def unsubscribe() -> None:
        endings.pop(key, None)
        remove_listener()

    @callback
    def end() -> None:
        unsubscribe()
        connection.subscriptions.pop(msg["id"], None)
        connection.send_event(msg["id"], {"type": "unloaded"})

    endings[key] = end
    connection.subscriptions[msg["id"]] = unsubscribe
    connection.send_result(msg["id"])
    connection.send_event(msg["id"], whole(runtime.coordinator.snapshot))


@callback
def readable_runtime(hass: HomeAssistant, connection: ActiveConnection, msg: Message) -> Runtime | None:
    """Return the audit; refuse where there is none, or where the user may not read the ``subject`` of the message."""
    runtime = _runtime(hass, connection, msg)
    if runtime is None or "subject" not in msg:
        return runtime
    if msg["subject"] in _readable(connection.user, runtime.coordinator.snapshot):
        return runtime
    connection.send_error(msg["id"], websocket_api.ERR_NOT_FOUND, "No such audited entity")
    return None


def _runtime(hass: HomeAssistant, connection: ActiveConnection, msg: Message) -> Runtime | None:
    if (entry := loaded_entry(hass)) is not None:
        return entry.runtime_data
    connection.send_error(
        msg["id"],
        "not_loaded",
        "SimVerity is not set up",
        translation_domain=DOMAIN,
        translation_key="not_loaded",
    )
    return None


def _readable(user: User, snapshot: Snapshot) -> dict[SubjectId, SubjectView]:
    """Return the audited entities that the user may read."""
    if user.permissions.access_all_entities(POLICY_READ):
        return dict(snapshot.subjects)
    return {
        subject: view
        for subject, view in snapshot.subjects.items()
        if user.permissions.check_entity(view.entity_id, POLICY_READ)
    }


def _changed_parts(hass: HomeAssistant, user: User, previous: Snapshot, current: Snapshot) -> Message:
    before, after = _readable(user, previous), _readable(user, current)
    parts: Message = {}
    if changed := {key: dashboard_message(hass, view) for key, view in after.items() if before.get(key) != view}:
        parts["subjects"] = changed
    if removed := sorted(before.keys() - after.keys()):
        parts["removed"] = removed
    if len(previous.subjects) - len(before) != (hidden := len(current.subjects) - len(after)):
        parts["hidden"] = hidden
    if previous.session != current.session:
        parts["session"] = session_message(current.session)
    if previous.ledger != current.ledger:
        parts["ledger"] = ledger_message(current.ledger)
    if previous.witness is not current.witness:
        parts["witness"] = current.witness.value
    if previous.clearance != current.clearance:
        parts["clearance"] = clearance_message(current.clearance)
    return parts
