"""Virtual switches: the software rung's edges of plugs, present only during a session."""

from __future__ import annotations

from homeassistant.components.switch import SwitchEntity
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .adapters.virtual_edges import Edge, VirtualEdgeEntity
from .entry import SimverityConfigEntry

PARALLEL_UPDATES = 0


class VirtualSwitch(VirtualEdgeEntity, SwitchEntity):
    """A switch that switches nothing but its own log."""


def _make(_edge: Edge) -> VirtualSwitch:
    return VirtualSwitch()


async def async_setup_entry(
    _hass: HomeAssistant, entry: SimverityConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Offer to make virtual switches; none exists until a session asks."""
    entry.runtime_data.edges.register_platform(Platform.SWITCH, _make, async_add_entities)
