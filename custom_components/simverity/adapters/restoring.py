"""Puts devices back into the states in which they were found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from homeassistant.components.light import LightEntityStateAttribute
from homeassistant.const import STATE_OFF, STATE_ON
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


async def async_restore(hass: HomeAssistant, found: Iterable[FoundState], *, context: Context | None = None) -> None:
    """Command every entity that was found on or off back to that state; others cannot be commanded.

    What Home Assistant shows is not trusted: an entity that already shows the state is commanded all the same.
    """
    states = [
        State(one.entity_id, one.state, {**one.attributes}) for one in found if one.state in (STATE_ON, STATE_OFF)
    ]
    context = context or Context()
    for state in states:
        if state.state == STATE_OFF and hass.services.has_service(state.domain, "turn_off"):
            await hass.services.async_call(
                state.domain, "turn_off", {"entity_id": state.entity_id}, blocking=True, context=context
            )
    await async_reproduce_state(hass, [state for state in states if state.state == STATE_ON], context=context)
