"""A camera that films in real time while somebody watches, and serves its stream over HTTP."""

import asyncio
import contextlib
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aiohttp import web

from testbed.encoding import CONTENT_TYPES, PTS_HZ, Chunk, Encoder, open_encoder

if TYPE_CHECKING:
    from random import Random

    import numpy as np
    from numpy.typing import NDArray

    from testbed.film import Film
    from testbed.view import View

_REMEMBERED = 60 * 1200
"""Frame records kept for truth: 20 minutes at 60 frames a second."""
_BACKLOG = 600
"""Chunks that a viewer may lag behind before it is disconnected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameRecord:
    """When a frame was really captured, and how the stream stamped it."""

    stream: int
    """Counts the camera's streams: the relation of pts to time holds within one."""
    pts: int
    """90 kHz, exactly as in the transport stream (MJPEG transmits none)."""
    captured_at: float
    """When the picture's content was captured, monotonic seconds; an old instant while the camera is frozen."""
    stamped_at: float
    """The instant that the pts stands for."""


_APART = 1e-5
"""Seconds between two deliveries that would otherwise fall on one instant."""


class _Viewer:
    """One connection's queue of chunks; a TS viewer waits for a keyframe first."""

    def __init__(self) -> None:
        self.chunks: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._started = False

    def offer(self, chunk: Chunk) -> bool:
        """Queue a chunk; return False when the viewer lags hopelessly."""
        self._started = self._started or chunk.starts
        if self._started:
            self.chunks.put_nowait(chunk.payload)
        return self.chunks.qsize() <= _BACKLOG

    def hang_up(self) -> None:
        self.chunks.put_nowait(None)


class CameraStream:
    """Paces captures, encodes them, delivers them late where declared. Nothing is rendered while nobody watches."""

    def __init__(self, view: View, film: Film, random: Random) -> None:
        """Serve ``view``; ``random`` decides jitter and each stream's first pts."""
        self.view = view
        self.frames: deque[FrameRecord] = deque(maxlen=_REMEMBERED)
        self.frozen = False
        self._film = film
        self._random = random
        self._viewers: set[_Viewer] = set()
        self._watched = asyncio.Event()
        self._start_requested = False
        self._ended = False
        self._offline_until = 0.0
        self._streams = 0
        self._last_delivery = 0.0
        self._still: tuple[float, NDArray[np.uint8]] | None = None

    async def run(self) -> None:
        """Film for ever: one stream per spell of being watched."""
        while True:
            await self._watched.wait()
            self._streams += 1
            self._ended = False
            encoder = open_encoder(self.view.camera)
            try:
                await self._film_stream(encoder)
            finally:
                encoder.close()

    async def reconnect_for_ever(self) -> None:
        """Disconnect every viewer at the declared interval, if one is declared."""
        interval = self.view.camera.delivery.reconnect_every_s
        while interval > 0:
            await asyncio.sleep(interval)
            self.drop_connections()

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Answer one viewer until it leaves or is dropped.

        Raises:
            web.HTTPServiceUnavailable: while the camera is offline.
        """
        if time.monotonic() < self._offline_until:
            raise web.HTTPServiceUnavailable(text="the camera is offline")
        content_type = CONTENT_TYPES[self.view.camera.kind]
        response = web.StreamResponse(headers={"Cache-Control": "no-store", "Content-Type": content_type})
        response.force_close()
        await response.prepare(request)
        viewer = _Viewer()
        self._viewers.add(viewer)
        self._start_requested = True
        self._watched.set()
        try:
            with contextlib.suppress(ConnectionError):
                while (payload := await viewer.chunks.get()) is not None:
                    await response.write(payload)
        finally:
            self._leave(viewer)
        return response

    def drop_connections(self) -> None:
        """Disconnect every viewer and end the stream; who comes back gets a new one with a new clock."""
        self._ended = True
        for viewer in tuple(self._viewers):
            viewer.hang_up()
            self._leave(viewer)

    def go_offline(self, seconds: float) -> None:
        """Disconnect every viewer and refuse new ones for ``seconds``."""
        self._offline_until = time.monotonic() + seconds
        self.drop_connections()

    def _leave(self, viewer: _Viewer) -> None:
        self._viewers.discard(viewer)
        if not self._viewers:
            self._watched.clear()

    async def _film_stream(self, encoder: Encoder) -> None:
        camera = self.view.camera
        interval = 1 / camera.fps
        zero = time.monotonic() - self._random.uniform(1.0, 1000.0)
        due = time.monotonic()
        while True:
            await _sleep_until(due + self._random.uniform(0.0, camera.capture_jitter_s))
            if self._ended or not self._watched.is_set():
                return
            self._capture(encoder, zero)
            # A camera that fell behind drops frames; it does not send the missed ones in a burst.
            due = max(due + interval, time.monotonic())

    def _capture(self, encoder: Encoder, zero: float) -> None:
        pts = round((time.monotonic() - zero) * PTS_HZ)
        instant = zero + pts / PTS_HZ
        captured_at, luminance = self._picture(instant)
        start, self._start_requested = self._start_requested, False
        chunk = encoder.encode(luminance, pts, start=start)
        self.frames.append(FrameRecord(stream=self._streams, pts=pts, captured_at=captured_at, stamped_at=instant))
        self._deliver(instant, chunk)

    def _picture(self, instant: float) -> tuple[float, NDArray[np.uint8]]:
        """Return the capture time and the luminance: the same old ones while frozen."""
        if not self.frozen or self._still is None:
            self._still = (instant, self._film.expose(instant))
        return self._still

    def _deliver(self, instant: float, chunk: Chunk) -> None:
        delivery = self.view.camera.delivery
        late = delivery.lateness_s + self._random.uniform(0.0, delivery.delivery_jitter_s)
        if late <= 0:
            self._send(self._streams, chunk)
            return
        # A frame never overtakes the one before it; the loop keeps no order among timers of one instant.
        self._last_delivery = max(self._last_delivery + _APART, instant + late)
        asyncio.get_running_loop().call_at(self._last_delivery, self._send, self._streams, chunk)

    def _send(self, stream: int, chunk: Chunk) -> None:
        if stream != self._streams or self._ended:
            return
        for viewer in tuple(self._viewers):
            if not viewer.offer(chunk):
                viewer.hang_up()
                self._leave(viewer)


async def _sleep_until(instant: float) -> None:
    await asyncio.sleep(max(0.0, instant - time.monotonic()))
