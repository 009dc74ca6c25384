"""Virtual lights: the software rung's edges of lamps, present only during a session."""

from __future__ import annotations

from typing import Any

from homeassistant.components.light import (
    ATTR_BRIGHTNESS,
    ATTR_SUPPORTED_COLOR_MODES,
    ColorMode,
    LightEntity,
    LightEntityFeature,
)
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .adapters.virtual_edges import Edge, VirtualEdgeEntity
from .entry import SimverityConfigEntry

PARALLEL_UPDATES = 0
_FULL = 255


class VirtualLight(VirtualEdgeEntity, LightEntity):
    """A lamp that lights nothing but its own log; it takes whatever its real twin takes."""

    def __init__(self, edge: Edge) -> None:
        """Take over the twin's colour modes and features."""
        named = edge.capabilities.get(ATTR_SUPPORTED_COLOR_MODES) or ()
        modes = {ColorMode(mode) for mode in named} or {ColorMode.ONOFF}
        self._attr_supported_color_modes = modes
        self._attr_color_mode = min(modes)
        self._attr_supported_features = LightEntityFeature(edge.features)
        self._attr_brightness = None if modes == {ColorMode.ONOFF} else _FULL

    async def async_turn_on(self, **kwargs: Any) -> None:
        """Keep the brightness that was asked for, then take the command."""
        if (brightness := kwargs.get(ATTR_BRIGHTNESS)) is not None:
            self._attr_brightness = brightness
        await super().async_turn_on(**kwargs)


def _make(edge: Edge) -> VirtualLight:
    return VirtualLight(edge)


async def async_setup_entry(
    _hass: HomeAssistant, entry: SimverityConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Offer to make virtual lights; none exists until a session asks."""
    entry.runtime_data.edges.register_platform(Platform.LIGHT, _make, async_add_entities)
