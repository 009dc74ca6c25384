"""Decoding for whoever measures, on one shared decoder, and only while somebody does."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Protocol

from ..clock import monotonic
from ..picture import Picture
from ..terms import Fault
from .frames import DecodedFrame, Decoder, EncodedFrame
from .ring import LOOKBACK, FrameRing

_LOGGER = logging.getLogger(__name__)
_BATCH = 32
_LONGEST_WAIT = 0.25
"""Seconds between two looks at the deadlines."""


class Measurer(Protocol):
    """Somebody who looks at frames. All calls come from the decoding thread, but ``interrupt``."""

    def take(self, frame: DecodedFrame) -> None:
        """Measure one frame, in capture order; a frame around the joining may come twice."""
        ...

    def interrupt(self, fault: Fault) -> None:
        """Hear that continuity is lost."""
        ...

    def tick(self, now: float) -> None:
        """Look at the clock: every frame that arrived before ``now`` has been shown."""
        ...

    def finished(self) -> bool:
        """Whether no more frames are wanted."""
        ...


class _Pass:
    """A decoder on its way through the ring."""

    def __init__(self, decoder: Decoder, entry: int) -> None:
        self.decoder = decoder
        self.next = entry
        self._pending: dict[int, EncodedFrame] = {}

    def advance(self, frames: list[EncodedFrame]) -> list[DecodedFrame]:
        decoded: list[DecodedFrame] = []
        for frame in frames:
            if frame.number != self.next and frame.key:
                # Frames in between were forgotten before we got to them: whatever the decoder holds is cut off.
                decoded += self._ready(self.decoder.flush())
            self.next = frame.number + 1
            self._pending[frame.number] = frame
            decoded += self._ready(self.decoder.decode(frame))
        return decoded

    def drain(self) -> list[DecodedFrame]:
        return self._ready(self.decoder.flush())

    def _ready(self, pictures: list[tuple[int, Picture]]) -> list[DecodedFrame]:
        ready = []
        for number, picture in pictures:
            frame = self._pending.pop(number, None)
            if frame is not None:
                ready.append(
                    DecodedFrame(
                        number=number,
                        epoch=frame.epoch,
                        stamp=frame.stamp,
                        arrival=frame.arrival,
                        key=frame.key,
                        picture=picture,
                    )
                )
        if len(self._pending) > 4 * _BATCH:
            # Broken frames never become pictures.
            for number in sorted(self._pending)[:-_BATCH]:
                del self._pending[number]
        return ready


class Projection:
    """The ring and the decoder that reads it. Any thread may call; ``run`` is the decoding thread."""

    def __init__(self) -> None:
        """Hold nothing yet."""
        self._changed = threading.Condition()
        self._ring = FrameRing()
        self._open_decoder: Callable[[], Decoder] | None = None
        self._measurers: list[Measurer] = []
        self._joining: list[tuple[Measurer, float]] = []
        self._restarted = False
        self._stopping = False

    def append(self, frame: EncodedFrame) -> None:
        """Keep a frame; wake the decoder only if somebody measures."""
        with self._changed:
            self._ring.append(frame)
            if self._measurers:
                self._changed.notify()

    def restart(self, open_decoder: Callable[[], Decoder]) -> None:
        """Begin a new connection: older frames are gone."""
        with self._changed:
            self._ring.clear()
            self._open_decoder = open_decoder
            self._restarted = True

    def interrupt(self, fault: Fault) -> None:
        """Tell everybody that the stream has ended."""
        with self._changed:
            affected = [*self._measurers, *(measurer for measurer, _ in self._joining)]
            self._ring.clear()
        for measurer in affected:
            measurer.interrupt(fault)

    def join(self, measurer: Measurer, *, since: float) -> None:
        """Decode for ``measurer`` from the frames after ``since`` on."""
        with self._changed:
            self._joining.append((measurer, since))
            self._changed.notify()

    def leave(self, measurer: Measurer) -> None:
        """Stop decoding for ``measurer``."""
        with self._changed:
            self._joining = [entry for entry in self._joining if entry[0] is not measurer]
            self._measurers = [other for other in self._measurers if other is not measurer]

    def stop(self) -> None:
        """End ``run``."""
        with self._changed:
            self._stopping = True
            self._changed.notify()

    def reception(self) -> tuple[float | None, float | None]:
        """Return frames a second over the ring, and the last arrival."""
        with self._changed:
            span, last = self._ring.arrivals(), self._ring.last
        rate = None if span is None or span[1] <= span[0] else (span[2] - 1) / (span[1] - span[0])
        return rate, None if last is None else last.arrival

    def run(self) -> None:
        """Decode until stopped."""
        reading: _Pass | None = None
        while True:
            with self._changed:
                if not self._has_work(reading):
                    self._changed.wait(_LONGEST_WAIT if self._measurers else None)
                if self._stopping:
                    break
                if self._restarted:
                    reading, self._restarted = None, False
                joining, self._joining = self._joining, []
            shown_until = monotonic()
            try:
                if joining:
                    reading = self._admit(joining, reading)
                elif reading is None and self._measurers:
                    reading = self._open(shown_until)
                if reading is not None:
                    shown_until = self._advance(reading)
            except Exception:
                # One camera's surprise must not end the others' work, nor this camera's next window.
                _LOGGER.exception("decoding failed")
                reading = None
            self._tick(shown_until)
            if not self._measurers:
                reading = None
        self._dismiss()

    def _dismiss(self) -> None:
        """Let nobody wait for a camera that is no more."""
        for measurer in (*self._measurers, *(measurer for measurer, _ in self._joining)):
            measurer.interrupt(Fault.STREAM_RESTARTED)
            measurer.tick(monotonic())

    def _has_work(self, reading: _Pass | None) -> bool:
        if self._stopping or self._joining or self._restarted:
            return True
        if not self._measurers:
            return False
        last = self._ring.last
        return last is not None and (reading is None or last.number >= reading.next)

    def _open(self, since: float) -> _Pass | None:
        with self._changed:
            entry = self._ring.entry_for(since)
            open_decoder = self._open_decoder
        return None if entry is None or open_decoder is None else _Pass(open_decoder(), entry)

    def _admit(self, joining: list[tuple[Measurer, float]], reading: _Pass | None) -> _Pass | None:
        """Let newcomers catch up with the shared decoder, all in one pass, or start it for the first ones."""
        newcomers = [measurer for measurer, _ in joining]
        since = min(since for _, since in joining)
        with self._changed:
            self._measurers = [*self._measurers, *newcomers]
        if reading is None:
            return self._open(min(since, monotonic() - LOOKBACK))
        early = self._open(since)
        if early is None:
            return reading
        while early.next < reading.next:
            with self._changed:
                frames = self._ring.following(early.next, min(_BATCH, reading.next - early.next))
            if not frames:
                break
            self._show(early.advance(frames), newcomers)
        self._show(early.drain(), newcomers)
        return reading

    def _advance(self, reading: _Pass) -> float:
        """Decode the next frames for everybody; return the time until which everything that arrived has been shown."""
        now = monotonic()
        with self._changed:
            frames = self._ring.following(reading.next, _BATCH)
        self._show(reading.advance(frames), self._measurers)
        return frames[-1].arrival if len(frames) == _BATCH else now

    @staticmethod
    def _show(frames: list[DecodedFrame], measurers: list[Measurer]) -> None:
        for frame in frames:
            for measurer in measurers:
                measurer.take(frame)

    def _tick(self, shown_until: float) -> None:
        for measurer in self._measurers:
            measurer.tick(shown_until)
        with self._changed:
            self._measurers = [measurer for measurer in self._measurers if not measurer.finished()]
