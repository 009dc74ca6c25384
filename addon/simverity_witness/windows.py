"""An armed window: from frames to intervals and levels, closing by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from .cameras.frames import DecodedFrame
from .freshness import NightWatch, RepeatedPictures, staleness_limit
from .measurement import Spot
from .qualification.record import QualificationRecord
from .terms import Fault, Tier
from .timing import Timing, captured_between, lateness, offsets_now

_GRACE = 1.0
"""Seconds beyond the expected lateness after which a window closes without the frame that it waits for."""
_MAX_FRAMES = 20_000


class CameraClock(Protocol):
    """What a window asks its camera."""

    camera: str

    @property
    def epoch(self) -> int:
        """The current connection's number."""
        ...

    @property
    def clock_jumps(self) -> int:
        """How often the stream's clock was set anew."""
        ...

    def offset_at(self, instant: float) -> float | None:
        """Return the present upper bound of our clock minus the stream's."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What one frame says about a lamp: captured between ``earliest`` and ``latest``, at ``level``."""

    earliest: float
    latest: float
    level: float
    reference: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedWindow:
    """Everything that a window saw in one camera."""

    window: str
    camera: str
    epoch: int
    tier: Tier
    faults: tuple[Fault, ...]
    lamps: tuple[tuple[str, tuple[Sample, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Which captures a window asks for: from ``opens_at`` to the first certainly after ``closes_at`` (monotonic s)."""

    opens_at: float
    closes_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmedLamp:
    """A lamp, and the record under which it testifies."""

    spot: Spot
    record: QualificationRecord
    timing: Timing


@dataclass(frozen=True, slots=True)
class _Row:
    stamp: float | None
    arrival: float
    levels: tuple[tuple[float, float | None], ...]


class Window:
    """A measurer for the lamps of one camera. Frames and ticks come from the decoding thread."""

    def __init__(
        self,
        *,
        window: str,
        camera: CameraClock,
        lamps: Sequence[ArmedLamp],
        span: Span,
        on_closed: Callable[[ClosedWindow], None],
    ) -> None:
        """Arm; ``on_closed`` is called once, from the decoding thread."""
        self.window = window
        self._camera = camera
        self._lamps = tuple(lamps)
        self._span = span
        self._on_closed = on_closed
        self._epoch = camera.epoch
        self._jumps = camera.clock_jumps
        self._rows: list[_Row] = []
        self._numbers: set[int] = set()
        self._repeated = RepeatedPictures()
        self._night = [NightWatch(lamp.record.scenery) for lamp in lamps[:1] if lamp.record.scenery is not None]
        self._interrupted: Fault | None = None
        self._covered = False
        self._closed = False
        late = max(lateness(lamp.timing) for lamp in lamps)
        self._deadline = span.closes_at + late + _GRACE

    def take(self, frame: DecodedFrame) -> None:
        """Reduce one frame, unless the window is over or the frame is from before it."""
        if self._closed or self._covered or frame.number in self._numbers or frame.arrival < self._span.opens_at:
            return
        self._numbers.add(frame.number)
        picture = frame.picture
        levels = tuple(
            (lamp.spot.level(picture, lamp.record.channel), lamp.spot.reference_level(picture)) for lamp in self._lamps
        )
        self._rows.append(_Row(frame.stamp, frame.arrival, levels))
        self._repeated.take(picture.fingerprint(), frame.arrival, key=frame.key)
        for night in self._night:
            night.take(picture.background(), picture.saturation())
        self._covered = len(self._rows) >= _MAX_FRAMES or self._covers(self._rows[-1])

    def interrupt(self, fault: Fault) -> None:
        """Hear that the stream ended; the next tick closes the window."""
        self._interrupted = fault

    def tick(self, now: float) -> None:
        """Close when the window is covered, interrupted or overdue."""
        # The stream clock's offset may have fallen since the last frame was taken, and with it what that frame proves.
        self._covered = self._covered and (len(self._rows) >= _MAX_FRAMES or self._covers(self._rows[-1]))
        if not self._closed and (self._covered or self._interrupted is not None or now > self._deadline):
            self._closed = True
            self._on_closed(self._result(now))

    def finished(self) -> bool:
        """Whether the window has closed."""
        return self._closed

    def _covers(self, row: _Row) -> bool:
        """Whether the frame was certainly captured after the window's end, for every lamp."""
        current = self._camera.offset_at(row.arrival)
        for lamp in self._lamps:
            offsets = offsets_now(lamp.timing, current)
            span = captured_between(lamp.timing, offsets, stamp=row.stamp, arrival=row.arrival)
            if span is None or span[0] < self._span.closes_at:
                return False
        return True

    def _result(self, now: float) -> ClosedWindow:
        current = self._camera.offset_at(now)
        return ClosedWindow(
            window=self.window,
            camera=self._camera.camera,
            epoch=self._epoch,
            tier=max(lamp.timing.tier for lamp in self._lamps),
            faults=self._faults(current),
            lamps=tuple(
                (lamp.spot.lamp, self._testimony(index, lamp.timing, current)) for index, lamp in enumerate(self._lamps)
            ),
        )

    def _testimony(self, index: int, timing: Timing, current: float | None) -> tuple[Sample, ...]:
        offsets = offsets_now(timing, current)
        found = []
        for row in self._rows:
            span = captured_between(timing, offsets, stamp=row.stamp, arrival=row.arrival)
            if span is not None and span[1] >= self._span.opens_at:
                level, reference = row.levels[index]
                found.append(Sample(earliest=span[0], latest=span[1], level=level, reference=reference))
        return tuple(found)

    def _faults(self, current: float | None) -> tuple[Fault, ...]:
        found: list[Fault] = []
        by_stamp = [lamp.timing for lamp in self._lamps if lamp.timing.tier is Tier.STREAM_CLOCK]
        clock_moved = (
            self._camera.clock_jumps != self._jumps
            or any(offsets_now(timing, current) is None for timing in by_stamp)
            or not self._stamps_grow()
        )
        if self._interrupted is not None:
            found.append(self._interrupted)
        elif self._camera.epoch != self._epoch or (by_stamp and clock_moved):
            found.append(Fault.STREAM_RESTARTED)
        if self._stale() or not (self._rows or found):
            found.append(Fault.NO_SAMPLE)
        if self._switched():
            found.append(Fault.NIGHT_SWITCH)
        if self._gapped():
            found.append(Fault.ARRIVAL_GAP)
        return tuple(dict.fromkeys(found))

    def _stamps_grow(self) -> bool:
        """Whether frames that are in capture order have stamps in that order."""
        stamps = [row.stamp for row in self._rows if row.stamp is not None]
        return all(earlier < later for earlier, later in pairwise(stamps))

    def _gapped(self) -> bool:
        """Whether an arrival gap was longer than any at qualification, for a lamp whose times hang on arrivals."""
        limits = [lamp.timing.arrival_gap_limit for lamp in self._lamps if lamp.timing.tier is Tier.ARRIVAL]
        if not limits:
            return False
        arrivals = [row.arrival for row in self._rows]
        gaps = [later - earlier for earlier, later in pairwise(arrivals)]
        return any(gap > min(limits) for gap in gaps)

    def _stale(self) -> bool:
        """Whether pictures were repeated for longer than the camera did at qualification."""
        return any(
            self._repeated.longest > staleness_limit(lamp.record.longest_stale, lamp.timing.frame_interval)
            for lamp in self._lamps
        )

    def _switched(self) -> bool:
        """Whether the camera switched between day and infrared.

        A changed background alone counts only where no reference patch tells what became of the light (METHOD 4.3).
        """
        unpatched = any(lamp.spot.reference is None for lamp in self._lamps)
        return any(night.by_colour or (night.by_light and unpatched) for night in self._night)

    @property
    def night_is_certain(self) -> bool:
        """Whether colour proved a switch between day and infrared: the camera's bounds are dead."""
        return any(night.by_colour for night in self._night)
