"""One camera's view of the physical home over time, and the truth that follows from it: when a light's effect happened.

Truth is about noiseless camera levels. The effect of a change happens when the mean level of the device's region first
passes the midpoint of its two settled levels, everything else in the room being as it was when the request arrived.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from testbed.exposure import Exposure
from testbed.light import Curve
from testbed.scene import Illumination, Patch, Scene

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from testbed.declaration import Camera, Switchable
    from testbed.device import Change

_GRID_S = 0.008
"""First search step: shorter than any declared ramp, so that a crossing cannot hide between two points."""
_WINDOW_S = 0.5
_RESOLUTION_S = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """What a change did to its region."""

    level_from: float
    """Settled mean level of the region in the state opposite to the asked one."""
    level_to: float
    """Settled mean level of the region in the asked state."""
    already_there: bool
    """Whether the region stood on the asked side when the request arrived; then nothing can cross."""
    crossed_at: float | None
    """Monotonic seconds; None if it has not crossed up to the end of the search."""


class View:
    """The camera's scene together with everything that moves in it."""

    def __init__(
        self, camera: Camera, switchables: dict[str, Switchable], lights: dict[str, Curve], ambient: Curve
    ) -> None:
        """Look at ``lights`` (by device) and ``ambient``, which others move."""
        self.camera = camera
        self.scene = Scene(camera, switchables)
        self.night = Curve(1.0 if camera.optics.night else 0.0)
        self.exposure = Exposure(camera.optics)
        self._lights = [lights[device] for device in self.scene.devices]
        self._ambient = ambient
        self._patches = {device: self.scene.region(region) for device, region in camera.regions.items()}
        self.reference = self.scene.region(camera.reference)

    def at(self, instant: float) -> Illumination:
        """Return what there is to see at ``instant``."""
        return Illumination(
            lamps=np.array([curve.at(instant) for curve in self._lights]),
            ambient=np.float64(self._ambient.at(instant)),
            night=np.float64(self.night.at(instant)),
            gain=np.float64(self.exposure.at(instant)),
        )

    def over(self, instants: NDArray[np.float64]) -> Illumination:
        """Return what there is to see at each of ``instants``."""
        return Illumination(
            lamps=np.stack([curve.over(instants) for curve in self._lights], axis=-1),
            ambient=self._ambient.over(instants),
            night=self.night.over(instants),
            gain=self.exposure.over(instants),
        )

    def region(self, device: str) -> Patch:
        """Return the pixels of one device's region."""
        return self._patches[device]

    def settled_level(self, device: str, *, on: bool, around: Illumination) -> float:
        """Return the region's mean level with the device fully on or off and the rest as ``around``."""
        lamps = around.lamps.copy()
        lamps[self.scene.devices.index(device)] = 1.0 if on else 0.0
        scene = replace(around, lamps=lamps)
        gain = np.float64(self.exposure.settled(float(self.scene.frame.mean_light(scene))))
        return float(self.region(device).mean_level(replace(scene, gain=gain)))

    def crossing(self, change: Change, until: float) -> Crossing:
        """Search from the request's arrival up to ``until`` for the passage of the midpoint."""
        around = self.at(change.received_at)
        level_from = self.settled_level(change.device, on=not change.on, around=around)
        level_to = self.settled_level(change.device, on=change.on, around=around)
        rise = _Rise(
            view=self, device=change.device, midpoint=(level_from + level_to) / 2, upwards=level_to > level_from
        )
        already_there = bool(rise.over(np.array([change.received_at]))[0] > 0)
        return Crossing(
            level_from=level_from,
            level_to=level_to,
            already_there=already_there,
            crossed_at=None if already_there else rise.first(change.received_at, until),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rise:
    """How far a region's level is past the midpoint, in the asked direction."""

    view: View
    device: str
    midpoint: float
    upwards: bool

    def over(self, instants: NDArray[np.float64]) -> NDArray[np.float64]:
        past = self.view.region(self.device).mean_level(self.view.over(instants)) - self.midpoint
        return past if self.upwards else -past

    def first(self, start: float, until: float) -> float | None:
        """Return the first instant in (start, until] that lies past the midpoint."""
        while start < until:
            end = min(start + _WINDOW_S, until)
            instants = np.linspace(start, end, max(2, round((end - start) / _GRID_S) + 1))
            beyond = np.flatnonzero(self.over(instants) > 0)
            if beyond.size:
                first = int(beyond[0])
                return self._bisect(float(instants[max(0, first - 1)]), float(instants[first]))
            start = end
        return None

    def _bisect(self, before: float, after: float) -> float:
        while after - before > _RESOLUTION_S:
            middle = (before + after) / 2
            if self.over(np.array([middle]))[0] > 0:
                after = middle
            else:
                before = middle
        return after
