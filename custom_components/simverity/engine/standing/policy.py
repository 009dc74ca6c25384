"""What a home demands of a standing clearance; chosen before any outcome is seen."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from datetime import timedelta

from ..errors import EngineError

MIXTURE_POINTS = 32
"""Over how many risks the tests below and above the tolerance are mixed, with equal weights."""


class PolicyError(EngineError):
    """A policy that no evidence could satisfy, or that any evidence would."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingPolicy:
    """The demands on a standing clearance.

    ``tolerance`` (tau) is the risk that must be refuted, ``error`` (alpha) the probability of ever clearing a cell
    that is at that risk or above. ``block`` is the clock block of which only the first trial counts towards clearing;
    instead, with ``one_in`` (k), one trial in k counts, drawn by ``seed`` and the trial's name before its outcome.
    ``alarm`` is the average number of trials, at the least, between false alarms of a cell exactly at the tolerance.
    ``strict``: a single false clearance revokes a clear.
    """

    tolerance: float = 0.05
    error: float = 0.05
    block: timedelta = timedelta(hours=1)
    alarm: float = 1000.0
    strict: bool = False
    one_in: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse values outside their range.

        Raises:
            PolicyError: a tolerance or an error outside (0, 1), a block or an alarm that is not positive and finite,
                a draw of fewer than one in one.
        """
        if not 0.0 < self.tolerance < 1.0 or not 0.0 < self.error < 1.0:
            raise PolicyError("tolerance and error must lie between 0 and 1")
        if self.block <= timedelta(0):
            raise PolicyError("a block must last some time")
        if not 1.0 < self.alarm < math.inf:
            raise PolicyError("the alarm level must be finite and above 1")
        if self.one_in is not None and self.one_in < 1:
            raise PolicyError("one in one is the most that can be drawn")

    @property
    def log_demand(self) -> float:
        """Ln(1 / alpha): where the evidence clears."""
        return -math.log(self.error)

    def block_at(self, wall_time: float) -> int:
        """Return the number of the clock block that holds ``wall_time`` (seconds since the Unix epoch)."""
        return math.floor(wall_time / self.block.total_seconds())

    def draws(self, trial: str) -> bool:
        """Whether a trial of this name counts where one in k is drawn; what it showed has no part in that."""
        drawn = hashlib.sha256(f"{self.seed}:{trial}".encode()).digest()
        return int.from_bytes(drawn[:8]) % (self.one_in or 1) == 0
