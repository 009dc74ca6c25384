"""Commands for the details of one audited entity, for users who may read it.

Events of ``simverity/cells/subscribe``: first ``{"type": "cells", "cells": [cell…]}``, then ``{"type": "change",
"cells": [cell…]}`` with only the cells that changed; ``{"type": "unloaded"}`` is the last. ``simverity/evidence``
answers with the newest false clearances, each with the tickets of the cells that it failed in, with what the last
session found, and with how that held: ``{"false_clearances", "session", "reliability"}``.
"""

from __future__ import annotations

from typing import Any

import probatio
from homeassistant.components import websocket_api
from homeassistant.components.websocket_api import ActiveConnection
from homeassistant.core import HomeAssistant, callback

from .adapters.ledger.store import LedgerUnavailableError
from .const import DOMAIN
from .coordinator import Snapshot
from .engine.terms import SubjectId
from .websocket_api import Message, readable_runtime, subscribe

CELLS_COMMAND = f"{DOMAIN}/cells/subscribe"
EVIDENCE_COMMAND = f"{DOMAIN}/evidence"


@callback
def async_register_evidence_commands(hass: HomeAssistant) -> None:
    """Register the commands, once."""
    websocket_api.async_register_command(hass, subscribe_cells)
    websocket_api.async_register_command(hass, show_evidence)


@websocket_api.websocket_command({probatio.Required("type"): CELLS_COMMAND, probatio.Required("subject"): str})
@callback
def subscribe_cells(hass: HomeAssistant, connection: ActiveConnection, msg: Message) -> None:
    """Send all cells of one audited entity, then those that change."""
    if (runtime := readable_runtime(hass, connection, msg)) is None:
        return
    subject = SubjectId(msg["subject"])
    sent: dict[str, Message] = {}

    def fresh() -> list[Message]:
        found = [cell for cell in runtime.cells(subject) if sent.get(cell["cell"]) != cell]
        sent.update({cell["cell"]: cell for cell in found})
        return found

    def whole(_: Snapshot) -> Message:
        return {"type": "cells", "cells": fresh()}

    def change(previous: Snapshot, current: Snapshot) -> Message | None:
        if previous.subjects.get(subject) is current.subjects.get(subject):
            return None
        return {"type": "change", "cells": found} if (found := fresh()) else None

    subscribe(hass, connection, msg, whole, change)


@websocket_api.websocket_command({probatio.Required("type"): EVIDENCE_COMMAND, probatio.Required("subject"): str})
@websocket_api.async_response
async def show_evidence(hass: HomeAssistant, connection: ActiveConnection, msg: Message) -> None:
    """Answer with the newest false clearances of one audited entity, and what the last session found about it."""
    if (runtime := readable_runtime(hass, connection, msg)) is None:
        return
    found: list[dict[str, Any]] | None
    try:
        found = await runtime.records.async_tickets(msg["subject"])
    except LedgerUnavailableError:
        found = None
    connection.send_result(
        msg["id"],
        {
            "false_clearances": found,
            "session": runtime.records.session_exhibit(msg["subject"]),
            "reliability": runtime.records.reliability(msg["subject"]),
        },
    )
