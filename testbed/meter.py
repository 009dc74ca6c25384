"""Sensors that feel the devices beside them: what they measure at an instant. Pure, seeded, without I/O."""

from typing import TYPE_CHECKING

from testbed.declaration import MeterKind

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from testbed.declaration import Meter
    from testbed.light import Curve


class MeterModel:
    """One power meter or light sensor. It knows nothing of commands and reports, only of light."""

    def __init__(self, declared: Meter, lights: Mapping[str, Curve], ambient: Curve, random: Random) -> None:
        """Measure these devices' light; chance comes from the seeded source."""
        self.declared = declared
        self._lights = [lights[device] for device in declared.devices]
        self._ambient = ambient
        self._random = random

    def measure(self, now: float) -> float:
        """Return one measurement, in watts or lux, as the sensor rounds it."""
        declared = self.declared
        light = sum(curve.at(now) for curve in self._lights)
        base = declared.base * (self._ambient.at(now) if declared.kind is MeterKind.ILLUMINANCE else 1.0)
        value = base + declared.gain * light + self._random.gauss(0.0, declared.noise)
        return round(max(0.0, value), declared.decimals)

    def delay(self) -> float:
        """Return how long the next report takes, in seconds."""
        return self._random.uniform(self.declared.report_delay.low, self.declared.report_delay.high)
