"""The change detector that revokes: Shiryaev-Roberts sums over a mixture of risks above the tolerance."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .policy import MIXTURE_POINTS

_HEALTHY = (0.0,) * MIXTURE_POINTS


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeDetector:
    """Suspicion that the cell's risk rose above the tolerance at some time.

    ``suspicion`` holds one sum M_j for each risk p_j; all are 0 at the start and after an alarm.
    """

    suspicion: tuple[float, ...] = _HEALTHY

    def after(self, *, failed: bool, tolerance: float) -> ChangeDetector:
        """Take one decided trial into account. Undecided ones say nothing about a change."""
        angle = math.asin(math.sqrt(tolerance))
        room = math.pi / 2.0 - angle
        risks = (math.sin(angle + (j + 0.5) / MIXTURE_POINTS * room) ** 2 for j in range(MIXTURE_POINTS))
        if failed:
            ratios = (risk / tolerance for risk in risks)
        else:
            ratios = ((1.0 - risk) / (1.0 - tolerance) for risk in risks)
        return ChangeDetector(
            suspicion=tuple((value + 1.0) * ratio for value, ratio in zip(self.suspicion, ratios, strict=True))
        )

    @property
    def level(self) -> float:
        """The mean of the sums, to be compared with the policy's alarm level."""
        return math.fsum(self.suspicion) / MIXTURE_POINTS
