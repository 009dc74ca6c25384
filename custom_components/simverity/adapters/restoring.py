"""Puts devices back into the states in which they were found."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from homeassistant.components.light import DOMAIN as LIGHT
from homeassistant.components.light import LightEntityStateAttribute
from homeassistant.const import ATTR_ENTITY_ID, SERVICE_TURN_OFF, SERVICE_TURN_ON, STATE_OFF, STATE_ON
from homeassistant.core import Context, HomeAssistant, State
from homeassistant.helpers.state import async_reproduce_state

from ..engine.canonical import Json

_KEPT = (
    LightEntityStateAttribute.BRIGHTNESS,
    LightEntityStateAttribute.COLOR_MODE,
    LightEntityStateAttribute.COLOR_TEMP_KELVIN,
    LightEntityStateAttribute.HS_COLOR,
    LightEntityStateAttribute.RGB_COLOR,
    LightEntityStateAttribute.RGBW_COLOR,
    LightEntityStateAttribute.RGBWW_COLOR,
    LightEntityStateAttribute.XY_COLOR,
    LightEntityStateAttribute.EFFECT,
)
_PATIENCE = 10.0
"""Seconds that one device may take to be commanded back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundState:
    """How an entity was found: its state, and what a light needs to look the same again."""

    entity_id: str
    state: str
    attributes: Mapping[str, Json]

    def to_json(self) -> dict[str, Json]:
        """Return the form that goes into the ledger."""
        return {"entity_id": self.entity_id, "state": self.state, "attributes": dict(self.attributes)}

    @classmethod
    def from_json(cls, value: Json) -> FoundState | None:
        """Read a state back, None if it is none: a restoration must not fail over one entity."""
        if not isinstance(value, Mapping):
            return None
        entity_id, state, attributes = (value.get(key) for key in ("entity_id", "state", "attributes"))
        if not isinstance(entity_id, str) or not isinstance(state, str) or not isinstance(attributes, Mapping):
            return None
        return cls(entity_id=entity_id, state=state, attributes=attributes)


def found_state(state: State) -> FoundState:
    """Keep of a state what restoring needs."""
    kept = {str(name): state.attributes[name] for name in _KEPT if state.attributes.get(name) is not None}
    return FoundState(
        entity_id=state.entity_id,
        state=state.state,
        attributes={name: list(value) if isinstance(value, tuple) else value for name, value in kept.items()},
    )


async def async_restore(
    hass: HomeAssistant, found: Iterable[FoundState], *, on_context: Callable[[str], None] | None = None
) -> None:
    """Command every entity that was found on or off back to that state; others cannot be commanded.

    What Home Assistant shows is not trusted: an entity that already shows the state is commanded all the same.
    ``on_context`` learns the commands' context before they are given. A device that refuses does not keep the others
    from being restored.
    """
    states = [
        State(one.entity_id, one.state, {**one.attributes}) for one in found if one.state in (STATE_ON, STATE_OFF)
    ]
    context = Context()
    if on_context is not None:
        on_context(context.id)
    await asyncio.gather(*(_restore_one(hass, state, context) for state in states), return_exceptions=True)


async def _restore_one(hass: HomeAssistant, state: State, context: Context) -> None:
    """Command one entity once: with all that it looked like, or plainly where it already shows that."""
    shown = hass.states.get(state.entity_id)
    same = shown is not None and found_state(shown) == found_state(state)
    if state.domain == LIGHT and state.state == STATE_ON and not same:
        async with asyncio.timeout(_PATIENCE):
            await async_reproduce_state(hass, [state], context=context)
        return
    await _command(hass, state, context)


async def _command(hass: HomeAssistant, state: State, context: Context) -> None:
    service = SERVICE_TURN_ON if state.state == STATE_ON else SERVICE_TURN_OFF
    async with asyncio.timeout(_PATIENCE):
        await hass.services.async_call(
            state.domain, service, {ATTR_ENTITY_ID: state.entity_id}, blocking=True, context=context
        )
