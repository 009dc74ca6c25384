"""What the audit asks of a witness, whatever it is: the app with its cameras, or a sensor of the home."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from ...engine.terms import Direction, Reason
from ...engine.witness.record import QualificationRecord
from ...engine.witness.sensor import Pace
from .messages import ArmedWindow


class Witness(Protocol):
    """One way to watch devices. ``lamp`` names a pair of device and view; times are monotonic seconds."""

    def absence(self, lamp: str) -> Reason | None:
        """Return why nothing can be seen of a lamp now, None if it can."""

    def obstacle(self, lamp: str) -> str | None:
        """Return the code of what forbids even to qualify, None if nothing does."""

    def admit(self, record: QualificationRecord) -> None:
        """Take note of a qualification that the engine has agreed to."""

    def stands_by(self, lamp: str, qualification: str) -> bool:
        """Whether a qualification still holds for the instrument itself."""

    def pace(self, lamp: str) -> Pace | None:
        """Return how long strobes must be held for it; None for the pace of an ordinary camera."""

    async def async_begin_qualification(
        self, qualification: str, *, lamps: Iterable[str], boundaries: Iterable[float], valid_for: float
    ) -> None:
        """Open a qualification."""

    async def async_strobe(
        self,
        qualification: str,
        lamp: str,
        *,
        state: Direction,
        commanded_at: float,
        observe_until: float,
        reference: bool,
    ) -> str:
        """Watch a strobe that was commanded; return what was observed: ``on``, ``off`` or ``unclear``."""

    async def async_finish_qualification(self, qualification: str) -> tuple[Mapping[str, Any], ...]:
        """Return the raw records, one per lamp."""

    async def async_cancel_qualification(self, qualification: str) -> None:
        """Give a qualification up."""

    def arm(
        self, window: str, lamps: Iterable[str], *, dispatched_at: float, close_at: float, lookback: float
    ) -> ArmedWindow:
        """Ask for a window at once, without waiting for the answer."""

    async def async_collect(self, armed: ArmedWindow) -> None:
        """Wait until everything about the window has come in, or it is too late for that."""

    def disarm(self, armed: ArmedWindow) -> None:
        """Drop a window that nobody waits for any more."""
