"""The physical home: every device's model, doors, meters, the daylight and what each camera sees of it all. No I/O."""

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from testbed.device import Report, SwitchModel
from testbed.light import Curve
from testbed.meter import MeterModel
from testbed.view import View

if TYPE_CHECKING:
    from testbed.declaration import Contact, Home


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """One opening or closing of a door: the source of a sensor-to-effect trial."""

    device: str
    open: bool
    moved_at: float
    """Monotonic seconds."""


class Door:
    """One contact sensor."""

    def __init__(self, declared: Contact, random: Random) -> None:
        """Start as declared."""
        self.declared = declared
        self.open = declared.starts_open
        self.movements: list[Movement] = []
        self._random = random

    def move(self, now: float, *, opened: bool) -> tuple[Report, ...]:
        """Open or close; return what the sensor will report."""
        self.open = opened
        self.movements.append(Movement(device=self.declared.id, open=opened, moved_at=now))
        delay = self._random.uniform(self.declared.report_delay.low, self.declared.report_delay.high)
        return (Report(at=now + delay, on=opened, copies=1),)


class House:
    """All physical state. Everything outside reaches it through the models that it holds."""

    def __init__(self, home: Home) -> None:
        """Build every model at rest; each draws from its own source, derived from the home's seed and its name."""
        self.home = home
        self.ambient = Curve(home.ambient)
        self.devices = {key: SwitchModel(device, self.chance(key)) for key, device in home.switchables.items()}
        self.doors = {key: Door(contact, self.chance(key)) for key, contact in home.contacts.items()}
        lights = {key: model.light for key, model in self.devices.items()}
        self.meters = {
            key: MeterModel(meter, lights, self.ambient, self.chance(f"{key}/meter"))
            for key, meter in home.meters.items()
        }
        self.views = {key: View(camera, home.switchables, lights, self.ambient) for key, camera in home.cameras.items()}

    def chance(self, purpose: str) -> Random:
        """Return a random source of its own for ``purpose``: adding a device never changes another one's draws."""
        return Random(f"{self.home.seed}/{purpose}")  # noqa: S311 - reproducible draws, nothing secret
