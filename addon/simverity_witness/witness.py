"""The witness itself: its cameras and lamps, what each lamp has earned, and the windows that are open.

Lives on the server's thread; cameras call back from theirs through the ``post`` that it is given.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from .cameras.camera import Camera, CameraStatus
from .clock import boot_id, monotonic
from .errors import ErrorCode, RequestError
from .messages import Arm, BeginQualification, RegisterCamera, RegisterLamp, StrobeRequest
from .qualification.observation import StrobeSeen
from .qualification.record import QualificationRecord
from .qualification.run import Place, QualificationRun, Terms
from .terms import Fault, State
from .windows import ArmedLamp, ClosedWindow, Span, Window

MAX_CAMERAS = 32
MAX_PLACES = 256
MAX_WINDOWS = 64
FIRST_PICTURE_S = 5.0
"""How long a registration waits for the camera's first key frame."""

type Post = Callable[[Callable[[], None]], None]


class Witness:
    """What all connections share."""

    def __init__(self, *, post: Post, on_camera: Callable[[CameraStatus], None]) -> None:
        """``post`` runs a callable on the server's thread; ``on_camera`` hears of every camera's changes there."""
        self.boot_id = boot_id()
        self.places: dict[str, Place] = {}
        self.records: dict[str, QualificationRecord] = {}
        self.cameras: dict[str, Camera] = {}
        self._post = post
        self._on_camera = on_camera
        self._runs: dict[str, QualificationRun] = {}
        self._windows: dict[str, list[tuple[Camera, Window]]] = {}

    async def register_camera(self, request: RegisterCamera) -> Camera:
        """Return the camera once it delivers; the same registration again changes nothing.

        A camera that is unreachable stays registered and is tried again: its change is announced when it delivers.

        Raises:
            RequestError: ``camera_unreachable`` or ``camera_unsupported`` without a picture in time, ``too_many``.
        """
        known = self.cameras.get(request.camera)
        if known is None or (known.kind, known.url) != (request.kind, request.url):
            if known is not None:
                self.forget_camera(request.camera)
            if len(self.cameras) >= MAX_CAMERAS:
                raise RequestError(ErrorCode.TOO_MANY, f"at most {MAX_CAMERAS} cameras")
            known = Camera(camera=request.camera, kind=request.kind, url=request.url, on_change=self._camera_changed)
            self.cameras[request.camera] = known
            known.start()
        if not await asyncio.to_thread(known.wait_for_picture, FIRST_PICTURE_S):
            unsupported = known.status().fault == ErrorCode.CAMERA_UNSUPPORTED
            if unsupported and self.cameras.get(request.camera) is known:
                self.forget_camera(request.camera)
            code = ErrorCode.CAMERA_UNSUPPORTED if unsupported else ErrorCode.CAMERA_UNREACHABLE
            raise RequestError(code, f"no picture from the camera within {FIRST_PICTURE_S:g} s")
        return known

    def forget_camera(self, camera: str) -> None:
        """Remove a camera with all its lamps.

        Raises:
            RequestError: ``unknown_camera``.
        """
        known = self._camera(camera)
        del self.cameras[camera]
        known.stop()
        for place in [place for place in self.places.values() if place.camera is known]:
            self.forget_lamp(place.lamp)

    def register_lamp(self, request: RegisterLamp) -> None:
        """Add or move a lamp; a moved lamp has to qualify again.

        Raises:
            RequestError: ``unknown_camera``, ``camera_unreachable``, ``region_outside_frame``, ``too_many``.
        """
        place = Place(
            lamp=request.lamp,
            camera=self._camera(request.camera),
            region=request.region,
            reference=request.reference,
        )
        if not place.camera.width:
            raise RequestError(
                ErrorCode.CAMERA_UNREACHABLE, f"camera {request.camera!r} has not delivered a picture yet"
            )
        place.spot()
        if request.lamp not in self.places and len(self.places) >= MAX_PLACES:
            raise RequestError(ErrorCode.TOO_MANY, f"at most {MAX_PLACES} lamps")
        if self.places.get(request.lamp) != place:
            self.records.pop(request.lamp, None)
        self.places[request.lamp] = place

    def forget_lamp(self, lamp: str) -> None:
        """Remove a lamp.

        Raises:
            RequestError: ``unknown_lamp``.
        """
        self._place(lamp)
        del self.places[lamp]
        self.records.pop(lamp, None)

    def live_record(self, lamp: str) -> QualificationRecord | None:
        """Return the record under which a lamp may be witnessed now, or None."""
        record, place = self.records.get(lamp), self.places.get(lamp)
        if record is None or place is None or not place.camera.connected:
            return None
        standing = record.holds(now=monotonic(), epoch=place.camera.epoch, clock_jumps=place.camera.clock_jumps)
        return record if standing else None

    def begin(self, request: BeginQualification, on_seen: Callable[[StrobeSeen], None]) -> None:
        """Start a qualification; ``on_seen`` is called on the server's thread.

        Raises:
            RequestError: ``unknown_lamp``, ``camera_unreachable``; ``qualification_running`` for a lamp or name in use.
        """
        places = {lamp: self._place(lamp) for lamp in request.lamps}
        busy = {lamp for run in self._runs.values() for lamp in run.places}
        if request.qualification in self._runs or busy & set(places):
            raise RequestError(ErrorCode.QUALIFICATION_RUNNING, "one of the lamps is being qualified")
        for place in places.values():
            _reachable(place.camera)
        terms = Terms(
            qualification=request.qualification,
            boundaries=request.boundaries,
            valid_for=request.valid_for,
            boot_id=self.boot_id,
        )
        run = QualificationRun(terms, places)
        run.begin(now=monotonic(), on_seen=lambda seen: self._post(lambda: on_seen(seen)))
        self._runs[request.qualification] = run

    def strobe(self, request: StrobeRequest) -> None:
        """Take note of a strobe.

        Raises:
            RequestError: ``unknown_qualification``, ``unknown_lamp``, ``too_many``.
        """
        self._run(request.qualification).strobe(
            request.lamp,
            State(request.state),
            commanded_at=request.commanded_at,
            observe_until=request.observe_until,
            reference=request.reference,
        )

    async def finish(self, qualification: str) -> tuple[QualificationRecord, ...]:
        """End a qualification and judge it.

        Raises:
            RequestError: ``unknown_qualification``.
        """
        run = self._run(qualification)
        del self._runs[qualification]
        run.end()
        made_at = monotonic()
        jumps = {name: camera.clock_jumps for name, camera in self.cameras.items()}
        records = await asyncio.to_thread(run.records, made_at=made_at)
        for record in records:
            if self.places.get(record.lamp) == run.places[record.lamp]:
                self.records[record.lamp] = replace(record, clock_jumps=jumps.get(record.camera, 0))
        return records

    def cancel(self, qualification: str) -> None:
        """Drop a qualification.

        Raises:
            RequestError: ``unknown_qualification``.
        """
        run = self._run(qualification)
        del self._runs[qualification]
        run.end()

    def arm(self, request: Arm, on_closed: Callable[[ClosedWindow], None]) -> float:
        """Open a window in every camera that its lamps are in; return when it was armed.

        Raises:
            RequestError: ``unknown_lamp``, ``camera_unreachable``, ``not_qualified``, ``too_many``; ``bad_request`` for
                a name in use.
        """
        if request.window in self._windows:
            raise RequestError(ErrorCode.BAD_REQUEST, "window: is open already")
        if len(self._windows) >= MAX_WINDOWS:
            raise RequestError(ErrorCode.TOO_MANY, f"at most {MAX_WINDOWS} windows at once")
        armed = [self._armed(lamp) for lamp in request.lamps]
        span = Span(opens_at=request.dispatched_at - request.lookback, closes_at=request.close_at)
        opened: list[tuple[Camera, Window]] = []
        for camera in dict.fromkeys(camera for camera, _ in armed):
            window = Window(
                window=request.window,
                camera=camera,
                lamps=[lamp for other, lamp in armed if other is camera],
                span=span,
                on_closed=lambda closed: self._post(lambda: self._closed(closed, on_closed)),
            )
            opened.append((camera, window))
        self._windows[request.window] = opened
        for camera, window in opened:
            camera.measure(window, since=span.opens_at)
        return monotonic()

    def disarm(self, window: str) -> None:
        """Drop a window.

        Raises:
            RequestError: ``unknown_window``.
        """
        if not self.drop_window(window):
            raise RequestError(ErrorCode.UNKNOWN_WINDOW, f"there is no open window {window!r}")

    def drop_window(self, window: str) -> bool:
        """Drop a window if it is still open; return whether it was."""
        opened = self._windows.pop(window, [])
        for camera, part in opened:
            camera.release(part)
        return bool(opened)

    def stop(self) -> None:
        """Disconnect from every camera and wait for their threads."""
        cameras = list(self.cameras.values())
        for camera in cameras:
            camera.stop()
        for camera in cameras:
            camera.join(1.0)

    def _closed(self, closed: ClosedWindow, on_closed: Callable[[ClosedWindow], None]) -> None:
        opened = self._windows.get(closed.window)
        if opened is None:
            return
        for camera, part in [entry for entry in opened if entry[0].camera == closed.camera]:
            opened.remove((camera, part))
            if part.night_is_certain and camera.epoch == closed.epoch:
                camera.end_epoch(Fault.NIGHT_SWITCH)
        if not opened:
            del self._windows[closed.window]
        on_closed(closed)

    def _armed(self, lamp: str) -> tuple[Camera, ArmedLamp]:
        place = self._place(lamp)
        _reachable(place.camera)
        record = self.live_record(lamp)
        if record is None or record.timing is None:
            raise RequestError(ErrorCode.NOT_QUALIFIED, f"lamp {lamp!r} has no live qualification")
        return place.camera, ArmedLamp(spot=place.spot(), record=record, timing=record.timing)

    def _camera_changed(self, status: CameraStatus) -> None:
        self._post(lambda: self._on_camera(status))

    def _camera(self, camera: str) -> Camera:
        known = self.cameras.get(camera)
        if known is None:
            raise RequestError(ErrorCode.UNKNOWN_CAMERA, f"there is no camera {camera!r}")
        return known

    def _place(self, lamp: str) -> Place:
        known = self.places.get(lamp)
        if known is None:
            raise RequestError(ErrorCode.UNKNOWN_LAMP, f"there is no lamp {lamp!r}")
        return known

    def _run(self, qualification: str) -> QualificationRun:
        known = self._runs.get(qualification)
        if known is None:
            raise RequestError(ErrorCode.UNKNOWN_QUALIFICATION, f"there is no qualification {qualification!r}")
        return known


def _reachable(camera: Camera) -> None:
    if not camera.connected:
        raise RequestError(ErrorCode.CAMERA_UNREACHABLE, f"camera {camera.camera!r} is offline")
