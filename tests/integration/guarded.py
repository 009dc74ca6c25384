"""A guarded action: conditions in front of it, in an automation or a script, and whether it ran."""

from __future__ import annotations

from typing import Any

from homeassistant.core import Context, HomeAssistant, ServiceCall
from homeassistant.setup import async_setup_component

from custom_components.simverity.coordinator import Basis, HeadlineView, LedgerState, LedgerView
from custom_components.simverity.engine.terms import Direction, PropertyId, Source

EVIDENCE = HeadlineView(
    property_id=PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE,
    boundary="1",
    direction=Direction.OFF,
    source=Source.REPORTED_CLAIM,
    basis=Basis.STANDING,
    failures=0,
    decided=12,
    abstained=0,
)
SOUND = LedgerView(state=LedgerState.SOUND)
DONE = {"action": "test.done"}


def may_act(entity_id: str, **options: str) -> dict[str, Any]:
    return {"condition": "simverity.may_act", "target": {"entity_id": entity_id}, "options": options}


def is_escalated(entity_id: str) -> dict[str, Any]:
    return {"condition": "simverity.is_escalated", "target": {"entity_id": entity_id}}


def is_cleared(entity_id: str) -> dict[str, Any]:
    return {"condition": "simverity.is_cleared", "target": {"entity_id": entity_id}}


async def automation_runs(hass: HomeAssistant, done: list[ServiceCall], *conditions: dict[str, Any]) -> bool:
    """Run an automation with these conditions and say whether its action ran."""
    automation = {
        "id": "guarded",
        "alias": "guarded",
        "triggers": {"trigger": "event", "event_type": "go"},
        "conditions": list(conditions),
        "actions": DONE,
    }
    assert await async_setup_component(hass, "automation", {"automation": automation})
    await hass.async_block_till_done()
    state = hass.states.get("automation.guarded")
    assert state is not None
    assert state.state == "on"
    hass.bus.async_fire("go")
    await hass.async_block_till_done()
    return bool(done)


async def set_up_script(hass: HomeAssistant, *steps: dict[str, Any]) -> None:
    assert await async_setup_component(hass, "script", {"script": {"guarded": {"sequence": [*steps, DONE]}}})
    await hass.async_block_till_done()


async def script_runs(hass: HomeAssistant, done: list[ServiceCall], context: Context | None = None) -> bool:
    """Call the script in a context and say whether it came to its last step."""
    await hass.services.async_call("script", "guarded", {}, blocking=True, context=context)
    await hass.async_block_till_done()
    return bool(done)
