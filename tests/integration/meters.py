"""Sensors that feel what a device of the tests does: a power meter, a light sensor, a contact, a counter."""

from __future__ import annotations

import asyncio
import random
import time

from homeassistant.components.binary_sensor import BinarySensorEntity
from homeassistant.components.sensor import SensorDeviceClass, SensorEntity, SensorStateClass
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity import Entity
from homeassistant.setup import async_setup_component

from tests.integration.lamps import PhysicalDevice

NOISE = random.Random(4)  # noqa: S311 - noise, no secret


class Feeling(Entity):
    """A sensor that reports every ``interval`` seconds what it feels, as long as it is neither mute nor gone."""

    _attr_should_poll = False

    def __init__(self, key: str, device: PhysicalDevice, interval: float) -> None:
        self._attr_unique_id = key
        self._attr_name = key
        self.device = device
        self.interval = interval
        self.mute = False
        self._running: asyncio.Task[None] | None = None

    async def async_added_to_hass(self) -> None:
        self._running = asyncio.create_task(self._report_for_ever())

    async def async_will_remove_from_hass(self) -> None:
        if self._running is not None:
            self._running.cancel()

    async def _report_for_ever(self) -> None:
        while True:
            await asyncio.sleep(self.interval)
            if not self.mute:
                self.feel(self.device.lit_at(time.monotonic()))
                self.async_write_ha_state()

    def feel(self, lit: bool) -> None:
        """Take a measurement."""
        raise NotImplementedError

    def set_available(self, available: bool) -> None:
        self._attr_available = available
        self.async_write_ha_state()


class PowerMeter(Feeling, SensorEntity):
    """A meter in steps of 0.1 W: about 60 W or about nothing."""

    _attr_device_class = SensorDeviceClass.POWER
    _attr_native_unit_of_measurement = "W"
    _attr_state_class = SensorStateClass.MEASUREMENT

    def feel(self, lit: bool) -> None:
        self._attr_native_value = round((60.0 if lit else 0.4) + NOISE.uniform(-0.2, 0.2), 1)


class LightMeter(Feeling, SensorEntity):
    """A light sensor in steps of 1 lx; ``gain`` is what the lamp adds to the room's 30 lx."""

    _attr_device_class = SensorDeviceClass.ILLUMINANCE
    _attr_native_unit_of_measurement = "lx"
    _attr_state_class = SensorStateClass.MEASUREMENT
    gain = 120

    def feel(self, lit: bool) -> None:
        self._attr_native_value = 30 + (self.gain if lit else 0) + NOISE.randint(-1, 1)


class Counter(Feeling, SensorEntity):
    """A counter of watt-seconds in units of 0.001, so that it can be read within milliseconds."""

    _attr_device_class = SensorDeviceClass.ENERGY
    _attr_native_unit_of_measurement = "Wh"
    _attr_state_class = SensorStateClass.TOTAL_INCREASING
    _total, _at = 5.0, 0.0

    def feel(self, lit: bool) -> None:
        now = time.monotonic()
        self._total += (60.0 if lit else 0.5) * (now - (self._at or now))
        self._at = now
        self._attr_native_value = round(self._total, 3)


class Contact(BinarySensorEntity):
    """A contact that reports its changes and nothing else."""

    _attr_should_poll = False
    _attr_is_on = False

    def __init__(self, key: str, device: PhysicalDevice) -> None:
        self._attr_unique_id = key
        self._attr_name = key
        self.device = device
        self.stuck = False
        self._running: asyncio.Task[None] | None = None

    async def async_added_to_hass(self) -> None:
        self._running = asyncio.create_task(self._follow())

    async def async_will_remove_from_hass(self) -> None:
        if self._running is not None:
            self._running.cancel()

    async def _follow(self) -> None:
        while True:
            await asyncio.sleep(0.005)
            lit = self.device.lit_at(time.monotonic())
            if lit is not self._attr_is_on and not self.stuck:
                self._attr_is_on = lit
                self.async_write_ha_state()


async def add_sensors(hass: HomeAssistant, *sensors: Entity) -> None:
    """Add sensors to the home."""
    for sensor in sensors:
        domain = "binary_sensor" if isinstance(sensor, BinarySensorEntity) else "sensor"
        assert await async_setup_component(hass, domain, {})
        await hass.data[domain].async_add_entities([sensor])
    await hass.async_block_till_done()
