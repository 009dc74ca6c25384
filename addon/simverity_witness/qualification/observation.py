"""One camera's frames over one qualification, reduced to numbers as they are decoded."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import numpy as np

from ..cameras.frames import DecodedFrame
from ..freshness import STALE_AFTER, RepeatedPictures, Scenery
from ..measurement import Spot
from ..terms import CHANNELS, Channel, Fault, Observed, Refusal, State
from .series import LampSeries, Strobe

MAX_SECONDS = 1800.0
"""A qualification that is longer than this is dropped: its memory is bounded."""
_PER_ROW = 6
_SETTLED = 0.5
"""Seconds over which a settled level is taken."""
_MIN_CONTRAST = 10.0
_LOOKBACK = 2.0
"""Seconds before a strobe in which the level before it is looked for."""
_GRACE = 1.0
"""Seconds after a strobe's observation in which a frame may still come that ends it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StrobeSeen:
    """How the lamp stood at the end of a strobe's observation."""

    lamp: str
    index: int
    observed: Observed


class Observation:
    """A measurer for all lamps of one camera. Frames come from the decoding thread, strobes from the server's."""

    def __init__(self, spots: tuple[Spot, ...], *, started_at: float, on_seen: Callable[[StrobeSeen], None]) -> None:
        """Watch ``spots``; ``on_seen`` is called from the decoding thread after each strobe."""
        self._spots = spots
        self._started_at = started_at
        self._on_seen = on_seen
        self._times = array("d")
        self._rows = {spot.lamp: array("d") for spot in spots}
        self._scenery = array("d")
        self._numbers: set[int] = set()
        self._repeated = RepeatedPictures()
        self._interrupted = False
        self._closed = False
        self._lock = threading.Lock()
        self._pending: list[Strobe] = []
        self._known: dict[str, dict[State, float]] = {}

    def expect(self, strobe: Strobe) -> None:
        """Report on this strobe once its observation has ended."""
        with self._lock:
            self._pending.append(strobe)

    def take(self, frame: DecodedFrame) -> None:
        """Reduce one frame."""
        if frame.number in self._numbers:
            return
        self._numbers.add(frame.number)
        picture = frame.picture
        self._times.extend((float("nan") if frame.stamp is None else frame.stamp, frame.arrival))
        for spot in self._spots:
            reference = spot.reference_level(picture)
            row = self._rows[spot.lamp]
            row.extend(spot.level(picture, channel) for channel in CHANNELS)
            row.extend((float("nan") if reference is None else reference, picture.clipped(spot.region)))
        self._scenery.extend((picture.background(), picture.saturation()))
        self._repeated.take(picture.fingerprint(), frame.arrival, key=frame.key)

    def interrupt(self, fault: Fault) -> None:  # noqa: ARG002 - whatever it was, the bounds are gone
        """Hear that the stream ended."""
        self._interrupted = True

    def tick(self, now: float) -> None:
        """Report on the strobes whose observation has ended."""
        last = self._times[-1] if self._times else 0.0
        with self._lock:
            ended = [s for s in self._pending if last > s.observe_until or now > s.observe_until + _GRACE]
            self._pending = [strobe for strobe in self._pending if strobe not in ended]
        for strobe in ended:
            self._on_seen(StrobeSeen(lamp=strobe.lamp, index=strobe.index, observed=self._observed(strobe)))
        if now - self._started_at > MAX_SECONDS:
            self._interrupted = self._closed = True

    def finished(self) -> bool:
        """Whether no more frames are wanted."""
        return self._closed

    def close(self) -> None:
        """Take no more frames."""
        self._closed = True

    @property
    def faults(self) -> frozenset[Refusal]:
        """What speaks against every lamp of this camera."""
        found = set()
        if self._interrupted:
            found.add(Refusal.STREAM_RESTARTED)
        if self.longest_stale > STALE_AFTER:
            found.add(Refusal.REPEATED_FRAMES)
        if not self._times:
            found.add(Refusal.STALE_FRAMES)
        return frozenset(found)

    @property
    def longest_stale(self) -> float:
        """For how many seconds the camera showed nothing new, at most."""
        return self._repeated.longest

    def scenery(self) -> Scenery | None:
        """Return how the whole picture looked, None without a frame."""
        if not self._scenery:
            return None
        background, saturation = self._scenery[0::2], self._scenery[1::2]
        return Scenery(
            darkest=min(background),
            brightest=max(background),
            palest=min(saturation),
            most_colourful=max(saturation),
        )

    def series(self, lamp: str) -> LampSeries:
        """Return one lamp's rows; where the stream has a clock, those without a stamp (RTSP's first) are left out."""
        count = len(self._times) // 2
        times = np.frombuffer(self._times.tobytes()).reshape(-1, 2)
        rows = np.frombuffer(self._rows[lamp].tobytes()).reshape(-1, _PER_ROW)[:count]
        stamped = ~np.isnan(times[:, 0])
        if stamped.any():
            times, rows = times[stamped], rows[stamped]
        channels = len(CHANNELS)
        return LampSeries(
            stamp=times[:, 0],
            arrival=times[:, 1],
            levels=rows[:, :channels],
            reference=rows[:, channels],
            clipped=rows[:, channels + 1],
        )

    def _observed(self, strobe: Strobe) -> Observed:
        """Compare the settled level with those of the lamp's earlier strobes; at its first one with what went before.

        A lamp whose region moved by a clear step at its command is taken to have obeyed it.
        """
        level = self._settled(strobe.lamp, strobe.commanded_at, strobe.observe_until)
        before = self._settled(strobe.lamp, strobe.commanded_at - _LOOKBACK, strobe.commanded_at)
        if level is None:
            return Observed.UNCLEAR
        known = self._known.setdefault(strobe.lamp, {})
        if not known and before is not None and abs(level - before) >= _MIN_CONTRAST:
            known.update({strobe.state: level, strobe.state.opposite: before})
        if not known:
            return Observed.UNCLEAR
        nearest = min(known, key=lambda state: abs(level - known[state]))
        within = abs(level - known[nearest]) <= abs(known[State.ON] - known[State.OFF]) / 4
        return Observed(nearest.value) if within else Observed.UNCLEAR

    def _settled(self, lamp: str, start: float, end: float) -> float | None:
        """Return the median luma of the last frames that arrived in (start, end]: half a second, at least one."""
        levels: list[float] = []
        for row in range(len(self._times) // 2 - 1, -1, -1):
            arrival = self._times[2 * row + 1]
            if arrival <= start or (levels and arrival <= end - _SETTLED):
                break
            if arrival <= end:
                levels.append(self._rows[lamp][_PER_ROW * row + CHANNELS.index(Channel.LUMA)])
        return median(levels) if levels else None
