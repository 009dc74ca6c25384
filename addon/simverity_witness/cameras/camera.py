"""One camera: a thread that receives and stamps, and a thread that decodes while somebody measures."""

from __future__ import annotations

import itertools
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from ..clock import monotonic
from ..errors import ErrorCode, SourceError
from ..stream_clock import StreamClock
from ..terms import CameraKind, Fault
from .frames import EncodedFrame, ReceivedFrame, Source
from .mjpeg import MjpegSource
from .mpegts import TransportStreamSource
from .projection import Measurer, Projection
from .rtsp import RtspSource

_LOGGER = logging.getLogger(__name__)
_FIRST_BACKOFF = 0.25
_LONGEST_BACKOFF = 30.0
_EPOCHS = itertools.count(int(monotonic()))
"""One number per connection, of whatever camera; restarts of the witness within one boot repeat none either."""
_SOURCES: dict[CameraKind, Callable[[str], Source]] = {
    CameraKind.MPEGTS: TransportStreamSource,
    CameraKind.RTSP: RtspSource,
    CameraKind.MJPEG: MjpegSource,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraStatus:
    """What a client may know about a camera."""

    camera: str
    connected: bool
    epoch: int
    """The connection's number; every bound belongs to one of them."""
    fps: float | None
    last_arrival: float | None
    fault: str | None
    """An error code or a fault; None while all is well."""


class Camera:
    """Receives from registration until ``stop``."""

    def __init__(self, *, camera: str, kind: CameraKind, url: str, on_change: Callable[[CameraStatus], None]) -> None:
        """Describe the camera; ``on_change`` is called from the receiving thread."""
        self.camera, self.kind, self.url = camera, kind, url
        self.width = self.height = 0
        self._on_change = on_change
        self._projection = Projection()
        self._clock = StreamClock()
        self._epoch = 0
        self._connected = False
        self._numbers = 0
        self._fault: str | None = None
        self._source: Source | None = None
        self._state = threading.Condition()
        self._stopping = threading.Event()
        self._threads = (
            threading.Thread(target=self._receive, name=f"receive {camera}", daemon=True),
            threading.Thread(target=self._projection.run, name=f"decode {camera}", daemon=True),
        )

    def start(self) -> None:
        """Start both threads."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End both threads; returns at once."""
        self._stopping.set()
        source = self._source
        if source is not None:
            source.close()
        self._projection.stop()
        with self._state:
            self._state.notify_all()

    def join(self, timeout: float) -> None:
        """Wait for both threads to end."""
        for thread in self._threads:
            thread.join(timeout)

    def wait_for_picture(self, timeout: float) -> bool:
        """Block until a connection delivers, or has failed; return whether one delivers."""
        with self._state:
            self._state.wait_for(lambda: self._connected or self._fault is not None or self._stopping.is_set(), timeout)
            return self._connected

    @property
    def epoch(self) -> int:
        """The current connection's number."""
        return self._epoch

    @property
    def connected(self) -> bool:
        """Whether frames are arriving."""
        return self._connected

    @property
    def clock_jumps(self) -> int:
        """How often the stream's clock was set anew within this connection."""
        return self._clock.jumps

    def offset_at(self, instant: float) -> float | None:
        """Return the present upper bound of our clock minus the stream's, or None without a stream clock."""
        return self._clock.offset_at(instant)

    def measure(self, measurer: Measurer, *, since: float) -> None:
        """Decode for ``measurer``, from the ring's frames that arrived after ``since`` on."""
        self._projection.join(measurer, since=since)

    def release(self, measurer: Measurer) -> None:
        """Stop decoding for ``measurer``."""
        self._projection.leave(measurer)

    def end_epoch(self, fault: Fault) -> None:
        """Let every bound die without a reconnect: what the camera sees has changed its nature."""
        self._epoch = next(_EPOCHS)
        self._fault = fault.value
        self._announce()

    def status(self) -> CameraStatus:
        """Return the present status."""
        rate, last = self._projection.reception()
        return CameraStatus(
            camera=self.camera,
            connected=self._connected,
            epoch=self._epoch,
            fps=rate if self._connected else None,
            last_arrival=last,
            fault=self._fault,
        )

    def _receive(self) -> None:
        backoff = _FIRST_BACKOFF
        while not self._stopping.is_set():
            before = self._epoch
            fault = self._one_connection()
            delivered = self._epoch != before
            self._disconnected(fault)
            backoff = _FIRST_BACKOFF if delivered else min(_LONGEST_BACKOFF, backoff * 2)
            self._stopping.wait(backoff)

    def _one_connection(self) -> str:
        """Receive until the stream ends; return why it did."""
        try:
            source = _SOURCES[self.kind](self.url)
        except SourceError as error:
            _LOGGER.debug("camera %s: %s", self.camera, error)
            return error.code.value
        self._source = source
        try:
            for frame in source.frames():
                if self._stopping.is_set():
                    break
                self._accept(source, frame)
        except SourceError as error:
            _LOGGER.debug("camera %s: %s", self.camera, error)
            return error.code.value
        except Exception:
            # Whatever a stream makes a library raise, the camera is tried again and the others go on.
            _LOGGER.exception("camera %s: receiving failed", self.camera)
            return ErrorCode.CAMERA_UNREACHABLE.value
        finally:
            self._source = None
            source.close()
        return ErrorCode.CAMERA_UNREACHABLE.value

    def _accept(self, source: Source, frame: ReceivedFrame) -> None:
        if not self._connected:
            self._open_epoch(source)
        stamp = None if frame.stamp is None else self._clock.feed(frame.stamp, frame.arrival)
        self._numbers += 1
        self._projection.append(
            EncodedFrame(
                number=self._numbers,
                epoch=self._epoch,
                stamp=stamp,
                arrival=frame.arrival,
                key=frame.key,
                payload=frame.payload,
            )
        )

    def _open_epoch(self, source: Source) -> None:
        self._clock = StreamClock()
        self._projection.restart(source.open_decoder)
        with self._state:
            self.width, self.height = source.width, source.height
            self._epoch = next(_EPOCHS)
            self._connected, self._fault = True, None
            self._state.notify_all()
        _LOGGER.info("camera %s delivers", self.camera)
        self._announce()

    def _disconnected(self, fault: str) -> None:
        was_connected, changed = self._connected, self._fault != fault
        with self._state:
            self._connected, self._fault = False, fault
            self._state.notify_all()
        if self._stopping.is_set():
            return
        if was_connected:
            self._projection.interrupt(Fault.STREAM_RESTARTED)
            _LOGGER.info("camera %s is offline (%s)", self.camera, fault)
        if was_connected or changed:
            self._announce()

    def _announce(self) -> None:
        if not self._stopping.is_set():
            self._on_change(self.status())
