"""When the last byte of each frame had been read from a transport stream.

The demuxer names a frame by the position of its first transport packet. The packets of one frame end where the next
packet of the same stream starts another unit, so the last one's read time is the frame's arrival: exactly, and before
the demuxer has noticed that the frame is complete.
"""

from __future__ import annotations

from collections import OrderedDict

PACKET = 188
_SYNC = 0x47
_STARTS_UNIT = 0x40
_REMEMBERED = 1024
"""Units remembered; the demuxer lags a few behind."""


class ArrivalIndex:
    """Fed with every byte as it is read; asked by the position of a unit's first packet."""

    def __init__(self) -> None:
        """Start at position 0."""
        self._rest = b""
        self._position = 0
        self._open: dict[int, int] = {}
        self._arrivals: OrderedDict[int, float] = OrderedDict()

    def feed(self, read: bytes, at: float) -> None:
        """Take the next bytes, which had been read by ``at``."""
        held = self._rest + read if self._rest else read
        offset, end = 0, len(held)
        while offset + PACKET <= end:
            if held[offset] != _SYNC:
                found = held.find(_SYNC, offset + 1)
                offset = end if found < 0 else found
                continue
            self._take(held, offset, at)
            offset += PACKET
        self._rest = held[offset:]
        self._position += offset

    def arrival(self, position: int) -> float | None:
        """Return when the unit that starts at ``position`` was last added to, or None if it is not known."""
        return self._arrivals.get(position)

    def _take(self, held: bytes, offset: int, at: float) -> None:
        second = held[offset + 1]
        stream = (second & 0x1F) << 8 | held[offset + 2]
        if second & _STARTS_UNIT:
            self._open[stream] = start = self._position + offset
            while len(self._arrivals) >= _REMEMBERED:
                self._arrivals.popitem(last=False)
        else:
            known = self._open.get(stream)
            if known is None:
                return
            start = known
        self._arrivals[start] = at
