"""The witness as the audit uses it: registrations that survive a reconnect, qualifications, armed windows.

Times outside this package are seconds on this machine's monotonic clock. Where the witness runs on another machine
its clock is measured, and the uncertainty widens every sample's interval.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import Any

import aiohttp

from ...engine.errors import MessageError
from ...engine.terms import Direction, Reason
from ...engine.witness.record import QualificationRecord
from .connection import REQUEST_SECONDS, Connection, open_socket
from .messages import (
    API_VERSION,
    ArmedWindow,
    CameraSpec,
    CameraStatus,
    ClockOffset,
    LampSpec,
    Link,
    WitnessAuthFailedError,
    WitnessError,
    WitnessTimeoutError,
    WitnessUnreachableError,
    WitnessUnsupportedError,
    parse_camera,
    parse_records,
    parse_status,
    parse_strobed,
    parse_window,
)

_LOGGER = logging.getLogger(__name__)

_REGISTER_SECONDS = 30.0
"""A camera that is only just being opened takes its time."""
_FINISH_SECONDS = 30.0
_FIRST_RETRY, _LAST_RETRY = 1.0, 60.0
_CLOCK_INTERVAL = 15.0
_LATE = 3.0
"""Seconds after its close by which a window must be in."""

type Spawn = Callable[[Coroutine[Any, Any, None], str], asyncio.Task[None]]


class WitnessClient:
    """Keeps one connection and hands on what the witness says.

    ``on_change`` is called in the event loop whenever the link, a camera or a live qualification changed. ``cameras``
    is what the witness last said of each, ``refusals`` why a camera or lamp could not be registered, ``live`` the
    qualification of every lamp that may testify now.
    """

    def __init__(
        self,
        session: aiohttp.ClientSession,
        *,
        url: str,
        token: str,
        monotonic: Callable[[], float],
        boot_id: str | None,
        spawn: Spawn,
        on_change: Callable[[], None],
    ) -> None:
        """Connect to nothing yet."""
        self._session = session
        self._url = url
        self._token = token
        self._monotonic = monotonic
        self._boot_id = boot_id
        self._spawn = spawn
        self._on_change = on_change
        self._link = Link.CONNECTING
        self._connection: Connection | None = None
        self._clock = ClockOffset()
        self._windows: dict[str, ArmedWindow] = {}
        self._strobes: dict[tuple[str, str], asyncio.Future[str]] = {}
        self._camera_specs: dict[str, CameraSpec] = {}
        self._lamp_specs: dict[str, LampSpec] = {}
        self._registering = asyncio.Lock()
        self._running: asyncio.Task[None] | None = None
        self._moved = asyncio.Event()
        self.cameras: dict[str, CameraStatus] = {}
        self.refusals: dict[str, str] = {}
        self.live: dict[str, str] = {}

    @property
    def link(self) -> Link:
        """The connection as it is now."""
        return self._link

    def absence(self, _lamp: str) -> Reason | None:
        """Return why nothing can be seen now, None if it can."""
        return None if self._link is Link.CONNECTED else Reason.WITNESS_OFFLINE

    def obstacle(self, lamp: str) -> str | None:
        """Return the code of what forbids even to qualify a lamp, None if nothing does."""
        camera = self._lamp_specs[lamp].camera if lamp in self._lamp_specs else ""
        return self.refusals.get(lamp) or self.refusals.get(camera)

    def admit(self, record: QualificationRecord) -> None:
        """Know of a qualification that the engine has agreed to: the app keeps its own."""

    def stands_by(self, lamp: str, qualification: str) -> bool:
        """Whether the app still holds a qualification."""
        return self.live.get(lamp) == qualification

    def pace(self, _lamp: str) -> None:
        """Return None: cameras are qualified at the ordinary pace."""

    def start(self) -> None:
        """Connect in the background, and again whenever the connection is lost."""
        self._running = self._spawn(self._keep_connected(), "simverity witness connection")

    async def async_stop(self) -> None:
        """Close the connection; whoever waits is told that the witness is unreachable."""
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)
            self._running = None

    async def async_configure(self, cameras: Iterable[CameraSpec], lamps: Iterable[LampSpec]) -> None:
        """Want exactly these cameras and lamps; what changed is registered or forgotten now, if connected."""
        wanted_cameras = {spec.camera: spec for spec in cameras}
        wanted_lamps = {spec.lamp: spec for spec in lamps}
        async with self._registering:
            old_cameras, self._camera_specs = self._camera_specs, wanted_cameras
            old_lamps, self._lamp_specs = self._lamp_specs, wanted_lamps
            changed_cameras = [spec for name, spec in wanted_cameras.items() if old_cameras.get(name) != spec]
            reopened = {spec.camera for spec in changed_cameras}
            changed_lamps = [
                spec for name, spec in wanted_lamps.items() if old_lamps.get(name) != spec or spec.camera in reopened
            ]
            if self._link is Link.CONNECTED:
                for lamp in old_lamps.keys() - wanted_lamps.keys():
                    await self._register("forget_lamp", lamp, {"lamp": lamp})
                for camera in old_cameras.keys() - wanted_cameras.keys():
                    await self._register("forget_camera", camera, {"camera": camera})
                await self._register_all(changed_cameras, changed_lamps)

    async def async_ready(self, patience: float) -> bool:
        """Wait for a connection that is only just being built up, and until everything wanted is registered."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):
                while self._link is Link.CONNECTING:
                    self._moved.clear()
                    await self._moved.wait()
                async with self._registering:
                    return self._link is Link.CONNECTED
        return False

    async def async_begin_qualification(
        self, qualification: str, *, lamps: Iterable[str], boundaries: Iterable[float], valid_for: float
    ) -> None:
        """Open a qualification of lamps of one camera.

        Raises:
            WitnessError: unreachable, late, or refused with its code.
        """
        asked = {"lamps": list(lamps), "boundaries": list(boundaries), "valid_for": valid_for}
        await self._request("begin_qualification", {"qualification": qualification, **asked})

    async def async_frame_rate(self, camera: str) -> float | None:
        """Return how many frames a second a camera delivers by now, None where that cannot be said.

        Raises:
            WitnessError, MessageError: unreachable, late, or not understood.
        """
        await self._refresh_status()
        return self.cameras[camera].fps if camera in self.cameras else None

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
        """Report a strobe that was commanded; return what was observed: ``on``, ``off`` or ``unclear``.

        Raises:
            WitnessError: unreachable, late, or refused with its code.
        """
        observed: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._strobes[qualification, lamp] = observed
        fields = {
            "qualification": qualification,
            "lamp": lamp,
            "state": state.value,
            "commanded_at": self._clock.to_witness(commanded_at),
            "observe_until": self._clock.to_witness(observe_until),
            "reference": reference,
        }
        try:
            await self._request("strobe", fields)
            async with asyncio.timeout(max(0.0, observe_until - self._monotonic()) + REQUEST_SECONDS):
                return await observed
        except TimeoutError as error:
            raise WitnessTimeoutError("timeout", "strobed") from error
        finally:
            observed.cancel()
            self._strobes.pop((qualification, lamp), None)

    async def async_finish_qualification(self, qualification: str) -> tuple[Mapping[str, Any], ...]:
        """Return the raw records, one per lamp; those that were granted are live from now on.

        Raises:
            WitnessError: unreachable, late, or refused with its code.
            MessageError: the answer is no list of records.
        """
        result = await self._request("finish_qualification", {"qualification": qualification}, patience=_FINISH_SECONDS)
        records = parse_records(result)
        await self._refresh_status()
        return records

    async def async_cancel_qualification(self, qualification: str) -> None:
        """Give a qualification up; a witness that is gone has forgotten it anyway."""
        with contextlib.suppress(WitnessError, MessageError):
            await self._request("cancel_qualification", {"qualification": qualification})

    def arm(
        self, window: str, lamps: Iterable[str], *, dispatched_at: float, close_at: float, lookback: float
    ) -> ArmedWindow:
        """Ask for a window at once, without waiting for the answer."""
        named = tuple(lamps)
        cameras = {self._lamp_specs[lamp].camera for lamp in named if lamp in self._lamp_specs}
        armed = ArmedWindow(window=window, lamps=named, armed_at=self._monotonic(), close_at=close_at, cameras=cameras)
        self._windows[window] = armed
        fields = {
            "window": window,
            "lamps": list(named),
            "dispatched_at": self._clock.to_witness(dispatched_at),
            "close_at": self._clock.to_witness(close_at),
            "lookback": lookback,
        }
        self._spawn(self._arm(armed, fields), "simverity witness arm")
        return armed

    async def async_collect(self, armed: ArmedWindow) -> None:
        """Wait until every camera has reported on the window, or it is too late for that."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, armed.close_at - self._monotonic()) + _LATE):
                await armed.complete.wait()
        self._windows.pop(armed.window, None)

    def disarm(self, armed: ArmedWindow) -> None:
        """Drop a window that nobody waits for any more."""
        armed.complete.set()
        if self._windows.pop(armed.window, None) is not None and self._connection is not None:
            self._spawn(self._disarm(armed.window), "simverity witness disarm")

    async def _arm(self, armed: ArmedWindow, fields: Mapping[str, Any]) -> None:
        try:
            await self._request("arm", fields)
        except (WitnessError, MessageError) as error:
            armed.refused = error.code if isinstance(error, WitnessError) else "bad_answer"
            armed.complete.set()

    async def _disarm(self, window: str) -> None:
        with contextlib.suppress(WitnessError, MessageError):
            await self._request("disarm", {"window": window})

    async def _request(
        self, kind: str, fields: Mapping[str, Any], *, patience: float = REQUEST_SECONDS
    ) -> Mapping[str, Any]:
        if self._connection is None:
            raise WitnessUnreachableError("not_connected")
        return await self._connection.async_request(kind, fields, patience=patience)

    async def _keep_connected(self) -> None:
        retry = _FIRST_RETRY
        while True:
            link = Link.UNREACHABLE
            try:
                await self._connect_once()
            except WitnessAuthFailedError:
                link = Link.UNAUTHORIZED
            except WitnessUnsupportedError as error:
                _LOGGER.debug("No witness of version %s there: %s", API_VERSION, error)
                link = Link.UNSUPPORTED
            except (WitnessError, MessageError, aiohttp.ClientError, OSError) as error:
                _LOGGER.debug("No connection to the witness: %s", error)
            retry = _FIRST_RETRY if self._link is Link.CONNECTED else min(_LAST_RETRY, retry * 2)
            self._set_link(link)
            await asyncio.sleep(retry)

    async def _connect_once(self) -> None:
        """Connect, register, and serve until the connection ends."""
        async with open_socket(self._session, self._url, self._token) as socket:
            connection = Connection(socket, monotonic=self._monotonic, on_announcement=self._announced)
            reading = self._spawn(connection.async_read(), "simverity witness reading")
            try:
                hello = await connection.async_hello()
                same = self._boot_id is not None and hello.boot_id == self._boot_id
                self._clock = ClockOffset() if same else await connection.async_measure_clock()
                self._connection = connection
                async with self._registering:
                    await self._register_all(list(self._camera_specs.values()), list(self._lamp_specs.values()))
                self._set_link(Link.CONNECTED)
                while not reading.done():
                    await asyncio.wait((reading,), timeout=_CLOCK_INTERVAL)
                    if not reading.done():
                        # Also where there is one clock: a witness that does not answer is gone.
                        measured = await connection.async_measure_clock()
                        self._clock = self._clock if same else measured
            finally:
                self._lose_connection()
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)

    def _lose_connection(self) -> None:
        """Tell everybody who waits that the connection is gone."""
        self._connection = None
        self.live.clear()
        for observed in self._strobes.values():
            if not observed.done():
                observed.set_exception(WitnessUnreachableError("connection_lost"))
        for armed in self._windows.values():
            armed.refused = armed.refused or "connection_lost"
            armed.complete.set()

    async def _register_all(self, cameras: Iterable[CameraSpec], lamps: Iterable[LampSpec]) -> None:
        for camera in cameras:
            fields = {"camera": camera.camera, "kind": camera.kind, "url": camera.url}
            await self._register("register_camera", camera.camera, fields)
        for lamp in lamps:
            region = {
                "region": list(lamp.region),
                "reference": None if lamp.reference is None else list(lamp.reference),
            }
            await self._register("register_lamp", lamp.lamp, {"lamp": lamp.lamp, "camera": lamp.camera, **region})
        await self._refresh_status()

    async def _register(self, kind: str, name: str, fields: Mapping[str, Any]) -> None:
        """Register or forget one thing; a refusal concerns that thing alone."""
        self.refusals.pop(name, None)
        try:
            await self._request(kind, fields, patience=_REGISTER_SECONDS)
        except WitnessUnreachableError:
            raise
        except WitnessError as error:
            _LOGGER.warning("The witness refused %s for %s: %s", kind, name, error)
            self.refusals[name] = error.code

    async def _refresh_status(self) -> None:
        status = parse_status(await self._request("status", {}))
        self.cameras = {camera.camera: camera for camera in status.cameras}
        self.live = {lamp: found for lamp, found in status.live.items() if lamp in self._lamp_specs}
        self._on_change()

    async def _refresh_quietly(self) -> None:
        with contextlib.suppress(WitnessError, MessageError):
            await self._refresh_status()

    def _set_link(self, link: Link) -> None:
        if link is not self._link:
            self._link = link
            self._moved.set()
            self._on_change()

    def _announced(self, message: Mapping[str, Any]) -> None:
        """Take an announcement; one that has not the agreed form is no evidence of anything."""
        try:
            match message.get("type"):
                case "window":
                    self._take_window(message)
                case "strobed":
                    qualification, lamp, seen = parse_strobed(message)
                    observed = self._strobes.get((qualification, lamp))
                    if observed is not None and not observed.done():
                        observed.set_result(seen)
                case "camera":
                    camera = parse_camera(message)
                    self.cameras[camera.camera] = camera
                    self._spawn(self._refresh_quietly(), "simverity witness status")
                case unknown:
                    _LOGGER.debug("The witness announced %s", unknown)
        except MessageError as error:
            _LOGGER.warning("The witness sent a message that cannot be read: %s", error)

    def _take_window(self, message: Mapping[str, Any]) -> None:
        report = parse_window(message, self._clock, self._monotonic())
        armed = self._windows.get(report.window)
        if armed is None:
            return
        armed.reports.update(report.lamps)
        armed.cameras.discard(report.camera)
        if not armed.cameras:
            armed.complete.set()
