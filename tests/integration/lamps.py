"""Lamps of a made-up integration: what they are told, what light they give, and what they report are three things."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from homeassistant.components.light import ColorMode, LightEntity
from homeassistant.components.switch import SwitchEntity
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity import ToggleEntity
from homeassistant.setup import async_setup_component


class PhysicalDevice(ToggleEntity):
    """A device with a delay until its light changes and one until it reports. It may lie, refuse, or do nothing.

    ``lies_at`` are the numbers of the commands (from 0) at which it reports on and stays dark.
    """

    def __init__(self, key: str, *, light_delay: float = 0.02, report_delay: float = 0.01) -> None:
        self._attr_unique_id = key
        self._attr_name = key
        self._attr_is_on: bool | None = False
        self.light_delay = light_delay
        self.report_delay = report_delay
        self.stays_dark = False
        self.lies_at: range = range(0)
        self.silent = False
        self.refuses = False
        self.light: list[tuple[float, bool]] = [(0.0, False)]
        self.commands: list[bool] = []

    async def async_turn_on(self, **_kwargs: Any) -> None:
        await self._take(on=True)

    async def async_turn_off(self, **_kwargs: Any) -> None:
        await self._take(on=False)

    async def _take(self, *, on: bool) -> None:
        if self.refuses:
            raise HomeAssistantError("the device does not answer")
        self.commands.append(on)
        if not self.silent:
            self.hass.async_create_task(self._report_later(on))
        lies = self.stays_dark or len(self.commands) - 1 in self.lies_at
        if not (lies and on):
            self.light.append((time.monotonic() + self.light_delay, on))

    async def _report_later(self, on: bool) -> None:
        await asyncio.sleep(self.report_delay)
        self.report(on)

    def report(self, on: bool | None) -> None:
        """Show a state, as the device's own report would."""
        self._attr_is_on = on
        self.async_write_ha_state()

    def set_available(self, available: bool) -> None:
        """Come and go."""
        self._attr_available = available
        self.async_write_ha_state()

    def lit_at(self, instant: float) -> bool:
        """Return whether the device gave light at an instant of the monotonic clock."""
        return [lit for at, lit in sorted(self.light) if at <= instant][-1]


class PhysicalLamp(PhysicalDevice, LightEntity):
    """A lamp."""

    _attr_should_poll = False
    _attr_color_mode = ColorMode.ONOFF
    _attr_supported_color_modes = frozenset({ColorMode.ONOFF})  # type: ignore[assignment]


class PhysicalPlug(PhysicalDevice, SwitchEntity):
    """A plug."""

    _attr_should_poll = False


async def add_devices[T: PhysicalLamp | PhysicalPlug](hass: HomeAssistant, *devices: T) -> list[er.RegistryEntry]:
    """Add devices to the home and return their registry entries."""
    for domain in {"light" if isinstance(device, LightEntity) else "switch" for device in devices}:
        assert await async_setup_component(hass, domain, {})
        own = [device for device in devices if (domain == "light") is isinstance(device, LightEntity)]
        await hass.data[domain].async_add_entities(own)
    await hass.async_block_till_done()
    entries = [er.async_get(hass).async_get(device.entity_id) for device in devices]
    assert all(entries)
    return [entry for entry in entries if entry is not None]
