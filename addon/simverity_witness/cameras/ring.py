"""The compressed frames of the last seconds, always beginning with a key frame. Nothing in it is ever decoded here."""

from __future__ import annotations

from collections import deque
from itertools import islice

from .frames import EncodedFrame

LOOKBACK = 2.0
"""Seconds before an arming that must be decodable."""
_MARGIN = 1.0
"""Seconds more, for an arming that reaches us late."""


class FrameRing:
    """Not thread-safe: its owner holds the lock."""

    def __init__(self, *, max_bytes: int = 48_000_000, max_frames: int = 4096) -> None:
        """Hold at most ``max_bytes`` and ``max_frames``."""
        self._frames: deque[EncodedFrame] = deque()
        self._keys: deque[int] = deque()
        self._bytes = 0
        self._max_bytes = max_bytes
        self._max_frames = max_frames

    def __len__(self) -> int:
        """Count the frames held."""
        return len(self._frames)

    @property
    def last(self) -> EncodedFrame | None:
        """The newest frame."""
        return self._frames[-1] if self._frames else None

    def append(self, frame: EncodedFrame) -> None:
        """Add a frame and forget what is no longer needed; frames that follow no key frame are not kept."""
        if not self._frames and not frame.key:
            return
        self._frames.append(frame)
        self._bytes += len(frame.payload)
        if frame.key:
            self._keys.append(frame.number)
            self._forget_old(frame.arrival - LOOKBACK - _MARGIN)
        while self._bytes > self._max_bytes or len(self._frames) > self._max_frames:
            self._drop_first_group()

    def clear(self) -> None:
        """Forget everything."""
        self._frames.clear()
        self._keys.clear()
        self._bytes = 0

    def entry_for(self, since: float) -> int | None:
        """Return the number of the newest key frame that arrived by ``since``, else of the oldest; None when empty."""
        if not self._keys:
            return None
        first = self._frames[0].number
        entry = self._keys[0]
        for number in self._keys:
            if self._frames[number - first].arrival > since:
                break
            entry = number
        return entry

    def following(self, number: int, limit: int) -> list[EncodedFrame]:
        """Return at most ``limit`` frames from ``number`` on; fewer are there if it has been forgotten."""
        if not self._frames:
            return []
        start = max(0, number - self._frames[0].number)
        return list(islice(self._frames, start, start + limit))

    def arrivals(self) -> tuple[float, float, int] | None:
        """Return the first and the last arrival and the count, or None with fewer than two frames."""
        if len(self._frames) < 2:  # noqa: PLR2004 - a rate needs two
            return None
        return self._frames[0].arrival, self._frames[-1].arrival, len(self._frames)

    def _forget_old(self, horizon: float) -> None:
        while len(self._keys) > 1 and self._frames[self._keys[1] - self._frames[0].number].arrival <= horizon:
            self._drop_first_group()

    def _drop_first_group(self) -> None:
        """Drop the first key frame with all that depends on it."""
        self._keys.popleft()
        until = self._keys[0] if self._keys else None
        while self._frames and self._frames[0].number != until:
            self._bytes -= len(self._frames.popleft().payload)
