"""What the camera looks at: how much light each device, the room and the infrared lamp throw on each pixel.

Light adds linearly per pixel; the camera turns it into levels by ``255 * min(1, gain * light) ** (1 / gamma)``.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from testbed.declaration import Camera, Region, Switchable

type Over = NDArray[np.float64] | np.float64
"""One value per instant, or one value for one instant."""

FULL_LEVEL = 255.0
_DARKEST = 1e-7
"""Linear light below which the logarithm is not taken: a sixth of a level at gamma 2.2."""
_NIGHT_LAMP_SHARE = 0.35
"""Part of a lamp's visible light that the infrared picture keeps."""
_NIGHT_AMBIENT_SHARE = 0.6
_INFRARED = 0.1
"""Linear light of the camera's own infrared lamp."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Illumination:
    """All that the picture depends on, at one instant or (as columns) at several."""

    lamps: NDArray[np.float64]
    """Physical light per device in the scene's order, shape (..., devices)."""
    ambient: Over
    """Linear room light, shape (...)."""
    night: Over
    """0 day picture, 1 infrared picture, between while blending; shape (...)."""
    gain: Over
    """Exposure; shape (...)."""


class Patch:
    """A set of pixels and what reaches them; the whole frame or one region."""

    def __init__(self, glow: NDArray[np.float32], walls: NDArray[np.float32], gamma: float) -> None:
        """Hold ``glow`` of shape (devices, ...pixels) and the walls' reflectance of shape (...pixels)."""
        self._shape = walls.shape
        self._glow = glow.reshape(glow.shape[0], -1)
        self._walls = walls.reshape(-1)
        self._exponent = np.float32(1 / gamma)

    def light(self, seen: Illumination) -> NDArray[np.float32]:
        """Return the linear light per pixel before exposure, shape (..., pixels)."""
        night = seen.night
        lamp_share = 1 - night * (1 - _NIGHT_LAMP_SHARE)
        room = seen.ambient * (1 - night * (1 - _NIGHT_AMBIENT_SHARE)) + night * _INFRARED
        shares = (seen.lamps * np.expand_dims(lamp_share, -1)).astype(np.float32)
        # Not a matrix product: its threads would spin on the second core after every frame.
        light: NDArray[np.float32] = np.einsum("...d,dp->...p", shares, self._glow)
        light += np.expand_dims(room, -1).astype(np.float32) * self._walls
        return light

    def levels(self, seen: Illumination) -> NDArray[np.float32]:
        """Return noiseless camera levels, shape (..., pixels)."""
        exposed = self.light(seen)
        exposed *= np.expand_dims(seen.gain, -1).astype(np.float32)
        np.clip(exposed, _DARKEST, 1.0, out=exposed)
        # exp(log(x) / gamma) in place takes half the time of a power.
        np.log(exposed, out=exposed)
        exposed *= self._exponent
        np.exp(exposed, out=exposed)
        exposed *= np.float32(FULL_LEVEL)
        return exposed

    def mean_level(self, seen: Illumination) -> NDArray[np.float64]:
        """Return the noiseless mean level, shape (...)."""
        return self.levels(seen).mean(axis=-1, dtype=np.float64)

    def mean_light(self, seen: Illumination) -> NDArray[np.float64]:
        """Return the mean linear light before exposure, shape (...)."""
        return self.light(seen).mean(axis=-1, dtype=np.float64)

    def picture(self, seen: Illumination) -> NDArray[np.float32]:
        """Return noiseless levels in the patch's own two dimensions; for one instant only."""
        return self.levels(seen).reshape(self._shape)


class Scene:
    """The room as one camera sees it."""

    def __init__(self, camera: Camera, switchables: dict[str, Switchable]) -> None:
        """Lay out one soft pool of light per device, and a little of it everywhere."""
        self.devices = tuple(camera.regions)
        self._camera = camera
        pools = [_pool(camera, camera.regions[device], switchables[device].glow) for device in self.devices]
        self._glow = (
            np.stack(pools).astype(np.float32) if pools else np.zeros((0, camera.height, camera.width), np.float32)
        )
        self._walls = _walls(camera.width, camera.height)
        self.frame = Patch(self._glow, self._walls, camera.optics.gamma)

    def region(self, region: Region) -> Patch:
        """Return the pixels of one region."""
        rows, columns = pixel_bounds(region, self._camera.width, self._camera.height)
        return Patch(self._glow[:, rows, columns], self._walls[rows, columns], self._camera.optics.gamma)


def pixel_bounds(region: Region, width: int, height: int) -> tuple[slice, slice]:
    """Return the rows and columns that a region covers, rounded to whole pixels, at least one of each."""
    return _span(region.y, region.height, height), _span(region.x, region.width, width)


def _span(start: float, extent: float, pixels: int) -> slice:
    first = min(round(start * pixels), pixels - 1)
    return slice(first, max(first + 1, round((start + extent) * pixels)))


def _pool(camera: Camera, region: Region, glow: float) -> NDArray[np.float64]:
    """Return one device's light: flat in the middle of its region, falling off at its edge, faint elsewhere."""
    x = (np.arange(camera.width) + 0.5) / camera.width
    y = (np.arange(camera.height) + 0.5) / camera.height
    from_centre_x = (x - region.x - region.width / 2) / (region.width * 0.6)
    from_centre_y = (y - region.y - region.height / 2) / (region.height * 0.6)
    core = np.exp(-(from_centre_y[:, np.newaxis] ** 4) - from_centre_x[np.newaxis, :] ** 4)
    return glow * (core + camera.cross_light * (1 - core))


def _walls(width: int, height: int) -> NDArray[np.float32]:
    """Return the walls' reflectance: an uneven background, so that no region is perfectly flat."""
    x = np.linspace(0, 1, width)[np.newaxis, :]
    y = np.linspace(0, 1, height)[:, np.newaxis]
    return (1 + 0.15 * np.cos(5 * x + 1) * np.cos(4 * y)).astype(np.float32)
