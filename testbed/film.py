"""Frames as the camera's sensor delivers them: the view's noiseless levels, plus noise, as 8-bit luminance."""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from testbed.scene import Illumination
    from testbed.view import View

_NOISE_FRAMES = 16
"""Noise frames drawn once and used in random order: drawing new noise for every frame would cost more than encoding."""


class Film:
    """Renders one view. Asking twice for the same still scene costs only the noise."""

    def __init__(self, view: View, random: np.random.Generator) -> None:
        """Draw the noise from ``random``."""
        self._view = view
        self._random = random
        shape = (_NOISE_FRAMES, view.camera.height, view.camera.width)
        self._noise = (random.standard_normal(shape) * view.camera.optics.noise_levels).astype(np.float32)
        self._seen: Illumination | None = None
        self._levels: NDArray[np.float32] | None = None

    def expose(self, instant: float) -> NDArray[np.uint8]:
        """Return the luminance that a frame captured at ``instant`` shows, shape (height, width)."""
        self._meter(instant)
        levels = self._noiseless(self._view.at(instant))
        noisy = levels + self._noise[self._random.integers(_NOISE_FRAMES)]
        # Adding a half and truncating rounds; the levels are clipped first, so nothing wraps.
        luminance: NDArray[np.uint8] = np.clip(noisy + np.float32(0.5), 0, 255).astype(np.uint8)
        return luminance

    def _meter(self, instant: float) -> None:
        if self._view.exposure.automatic:
            self._view.exposure.meter(instant, float(self._view.scene.frame.mean_light(self._view.at(instant))))

    def _noiseless(self, seen: Illumination) -> NDArray[np.float32]:
        if self._levels is None or self._seen is None or not _same(seen, self._seen):
            self._levels = self._view.scene.frame.picture(seen)
            self._seen = seen
        return self._levels


def _same(one: Illumination, other: Illumination) -> bool:
    return (
        np.array_equal(one.lamps, other.lamps)
        and one.ambient == other.ambient
        and one.night == other.night
        and one.gain == other.gain
    )
