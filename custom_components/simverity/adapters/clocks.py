"""The clocks of this machine, and whether the wall clock was stepped while something was timed (METHOD: time)."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from ..engine.ledger.entry import Stamp

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_READINGS = 3
_KEPT_CHECKS = 64
_MICROSECONDS = 1_000_000
_NOISE = 0.001
"""Seconds by which two readings of wall minus monotonic may differ without anything having moved."""


def read_boot_id() -> str | None:
    """Return the kernel's boot id, or None where there is none. Reads a file: call it in an executor."""
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip() or None
    except OSError:
        return None


class Clocks:
    """Monotonic and wall time, and the movements of one against the other.

    ``monotonic`` and ``wall`` are the sources, in seconds; tests pass their own.
    """

    def __init__(
        self, *, monotonic: Callable[[], float] = time.monotonic, wall: Callable[[], float] = time.time
    ) -> None:
        """Take the first reading of wall minus monotonic."""
        self._monotonic = monotonic
        self._wall = wall
        self._checked_at, self._difference = self._read()
        self._moves: deque[tuple[float, float, float]] = deque(maxlen=_KEPT_CHECKS)

    def monotonic(self) -> float:
        """Return seconds on CLOCK_MONOTONIC."""
        return self._monotonic()

    def wall(self) -> float:
        """Return seconds since the epoch: a label, and what expiries are counted in."""
        return self._wall()

    def from_wall(self, timestamp: float) -> float:
        """Return the monotonic time of a wall timestamp of the recent past: monotonic() - (time() - timestamp)."""
        return self._monotonic() - (self._wall() - timestamp)

    def check(self) -> float:
        """Return by how many seconds wall minus monotonic moved since the last check, and remember it."""
        at, difference = self._read()
        moved = abs(difference - self._difference)
        if moved > _NOISE:
            self._moves.append((self._checked_at, at, moved))
        self._checked_at, self._difference = at, difference
        return moved

    def moved_since(self, since: float) -> float:
        """Return the largest movement that may have happened after ``since`` (monotonic seconds)."""
        self.check()
        return max((moved for _, until, moved in self._moves if until >= since), default=0.0)

    def _read(self) -> tuple[float, float]:
        """Read both clocks as close to each other as they come; the narrowest of a few readings counts."""
        best: tuple[float, float, float] | None = None
        for _ in range(_READINGS):
            before = self._monotonic()
            wall = self._wall()
            after = self._monotonic()
            if best is None or after - before < best[0]:
                best = (after - before, after, wall - (before + after) / 2)
        assert best is not None  # noqa: S101 - the loop ran
        return best[1], best[2]


def present_stamp(boot_id: str | None) -> Stamp:
    """Return the present instant for a ledger entry."""
    return Stamp(
        recorded_at=datetime.now(UTC).isoformat(),
        monotonic_us=int(time.monotonic() * _MICROSECONDS),
        boot_id=boot_id or "unknown",
    )
