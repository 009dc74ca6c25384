"""How a camera's exposure and day/night mode move over time, remembered so that truth can be asked later."""

from bisect import bisect_right
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from testbed.declaration import Optics

_REMEMBERED = 60 * 1200
"""Gain steps kept: 20 minutes at 60 frames a second."""
_SPARE = 6000
"""Steps dropped at once, so that forgetting stays rare."""
GAIN_RANGE = (0.25, 4.0)


class Exposure:
    """A gain that follows the picture's mean light, one step per captured frame; 1 while auto exposure is off."""

    def __init__(self, optics: Optics) -> None:
        """Start at gain 1."""
        self._optics = optics
        self.automatic = optics.auto_exposure
        self._instants = [float("-inf")]
        self._gains = [1.0]
        self._metered_at = float("-inf")

    def meter(self, instant: float, mean_light: float) -> float:
        """Take one frame's mean light before exposure, and return the gain from ``instant`` on."""
        last = self._gains[-1]
        gain = last + (self.settled(mean_light) - last) * self._progress(instant)
        self._metered_at = instant
        if gain != last:
            self._instants.append(instant)
            self._gains.append(gain)
            self._forget()
        return gain

    def set_automatic(self, instant: float, *, automatic: bool) -> None:
        """Switch auto exposure; off returns to gain 1 at once."""
        self.automatic = automatic
        if not automatic and self._gains[-1] != 1.0:
            self._instants.append(instant)
            self._gains.append(1.0)

    def settled(self, mean_light: float) -> float:
        """Return the gain at which a steady scene of ``mean_light`` comes to rest."""
        if not self.automatic:
            return 1.0
        low, high = GAIN_RANGE
        return min(high, max(low, self._optics.exposure_target / max(mean_light, 1e-6)))

    def at(self, instant: float) -> float:
        """Return the gain in force at ``instant``."""
        return self._gains[bisect_right(self._instants, instant) - 1]

    def over(self, instants: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the gain at each of ``instants``."""
        return np.array(self._gains)[np.searchsorted(np.array(self._instants), instants, side="right") - 1]

    def _progress(self, instant: float) -> float:
        elapsed = instant - self._metered_at
        return 1.0 - float(np.exp(-min(elapsed, 60.0) / self._optics.exposure_time_s))

    def _forget(self) -> None:
        if len(self._gains) > _REMEMBERED + _SPARE:
            del self._instants[1:-_REMEMBERED]
            del self._gains[1:-_REMEMBERED]
