"""One client's WebSocket: requests in, answers and announcements out, in bounded queues."""

from __future__ import annotations

import asyncio
import json
import logging

from aiohttp import WSMsgType, web

from . import API_VERSION, APP_VERSION, answers
from .answers import Object
from .cameras.camera import CameraStatus
from .clock import monotonic
from .errors import ErrorCode, RequestError
from .fields import Json
from .messages import (
    Arm,
    BeginQualification,
    CancelQualification,
    Clock,
    Disarm,
    Envelope,
    FinishQualification,
    ForgetCamera,
    ForgetLamp,
    Hello,
    RegisterCamera,
    RegisterLamp,
    Request,
    Status,
    StrobeRequest,
    parse_envelope,
    parse_request,
)
from .qualification.observation import StrobeSeen
from .windows import ClosedWindow
from .witness import Witness

_LOGGER = logging.getLogger(__name__)
MAX_MESSAGE = 65_536
MAX_QUEUE = 256
"""Messages that a client may leave unread before it is disconnected."""
MAX_PENDING = 64
"""Requests of one client that are being served at once."""


class Connection:
    """Serves one client until it leaves; its windows and qualifications leave with it."""

    def __init__(self, witness: Witness, socket: web.WebSocketResponse) -> None:
        """Serve ``socket`` from ``witness``."""
        self._witness = witness
        self._socket = socket
        self._outgoing: asyncio.Queue[Object] = asyncio.Queue(MAX_QUEUE)
        self._windows: set[str] = set()
        self._qualifications: set[str] = set()
        self._greeted = False
        self._gone = False
        self._serving: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Serve until the client leaves."""
        writer = asyncio.create_task(self._write())
        try:
            async for message in self._socket:
                if message.type is not WSMsgType.TEXT:
                    self.send(answers.refused(None, RequestError(ErrorCode.BAD_REQUEST, "message: must be text")))
                    continue
                await self._receive(message.data)
        finally:
            self._gone = True
            self._drop()
            for task in (writer, *self._serving):
                task.cancel()
            await asyncio.gather(writer, *self._serving, return_exceptions=True)

    def send(self, message: Object) -> None:
        """Queue a message; a client that does not read is disconnected."""
        if self._gone:
            return
        try:
            self._outgoing.put_nowait(message)
        except asyncio.QueueFull:
            _LOGGER.warning("a client does not read its messages: disconnected")
            self.hang_up()

    def hang_up(self) -> None:
        """Disconnect the client."""
        self._gone = True
        closing = asyncio.create_task(self._close())
        self._serving.add(closing)
        closing.add_done_callback(self._serving.discard)

    def announce_camera(self, status: CameraStatus) -> None:
        """Tell the client of a camera's change."""
        if self._greeted:
            self.send(answers.camera_change(status))

    async def _close(self) -> None:
        await self._socket.close()

    async def _receive(self, text: str) -> None:
        try:
            envelope = parse_envelope(text)
        except RequestError as error:
            self.send(answers.refused(None, error))
            return
        try:
            request = self._admit(envelope)
        except RequestError as error:
            self.send(answers.refused(envelope.id, error))
            return
        if isinstance(request, RegisterCamera | FinishQualification):
            # These take a while; others must not wait behind them.
            task = asyncio.create_task(self._serve(envelope.id, request))
            self._serving.add(task)
            task.add_done_callback(self._serving.discard)
        else:
            await self._serve(envelope.id, request)

    def _admit(self, envelope: Envelope) -> Request:
        request = parse_request(envelope)
        if not self._greeted and not isinstance(request, Hello):
            raise RequestError(ErrorCode.UNSUPPORTED_VERSION, "say hello first")
        if len(self._serving) >= MAX_PENDING:
            raise RequestError(ErrorCode.TOO_MANY, "too many requests at once")
        return request

    async def _serve(self, number: int, request: Request) -> None:
        try:
            result = await self._answer_slow(request) if _is_slow(request) else self._answer(request)
        except RequestError as error:
            self.send(answers.refused(number, error))
        else:
            self.send(answers.accepted(number, result))

    async def _answer_slow(self, request: Request) -> Object:
        if isinstance(request, RegisterCamera):
            camera = await self._witness.register_camera(request)
            return {
                "camera": camera.camera,
                "width": camera.width,
                "height": camera.height,
                "epoch": camera.epoch,
            }
        if isinstance(request, FinishQualification):
            self._own(self._qualifications, request.qualification, ErrorCode.UNKNOWN_QUALIFICATION)
            self._qualifications.discard(request.qualification)
            records = await self._witness.finish(request.qualification)
            return {"records": [answers.record(record) for record in records]}
        raise TypeError(type(request).__name__)

    def _answer(self, request: Request) -> Object:
        match request:
            case Hello():
                return self._hello(request)
            case Clock():
                return {"monotonic": monotonic()}
            case Status():
                return self._status()
            case ForgetCamera():
                self._witness.forget_camera(request.camera)
            case RegisterLamp():
                self._witness.register_lamp(request)
                return {"lamp": request.lamp}
            case ForgetLamp():
                self._witness.forget_lamp(request.lamp)
            case BeginQualification() | StrobeRequest() | CancelQualification():
                self._qualify(request)
            case Arm():
                return self._arm(request)
            case Disarm():
                self._own(self._windows, request.window, ErrorCode.UNKNOWN_WINDOW)
                self._windows.discard(request.window)
                self._witness.disarm(request.window)
        return {}

    def _hello(self, request: Hello) -> Object:
        if request.api != API_VERSION:
            raise RequestError(ErrorCode.UNSUPPORTED_VERSION, f"this witness speaks version {API_VERSION}")
        self._greeted = True
        return {
            "api": API_VERSION,
            "app_version": APP_VERSION,
            "boot_id": self._witness.boot_id,
            "monotonic": monotonic(),
        }

    def _status(self) -> Object:
        lamps: list[Json] = []
        for place in self._witness.places.values():
            record = self._witness.live_record(place.lamp)
            tier = None if record is None or record.timing is None else record.timing.tier.value
            lamps.append(
                {
                    "lamp": place.lamp,
                    "camera": place.camera.camera,
                    "qualification": None if record is None else record.qualification,
                    "tier": tier,
                }
            )
        cameras: list[Json] = [answers.camera_status(camera.status()) for camera in self._witness.cameras.values()]
        return {"cameras": cameras, "lamps": lamps}

    def _qualify(self, request: BeginQualification | StrobeRequest | CancelQualification) -> None:
        name = request.qualification
        if isinstance(request, BeginQualification):

            def tell(seen: StrobeSeen) -> None:
                self.send(answers.strobed(name, seen))

            self._witness.begin(request, tell)
            self._qualifications.add(name)
            return
        self._own(self._qualifications, name, ErrorCode.UNKNOWN_QUALIFICATION)
        if isinstance(request, StrobeRequest):
            self._witness.strobe(request)
        else:
            self._qualifications.discard(name)
            self._witness.cancel(name)

    def _arm(self, request: Arm) -> Object:
        def tell(closed: ClosedWindow) -> None:
            self.send(answers.window(closed))

        armed_at = self._witness.arm(request, tell)
        self._windows.add(request.window)
        return {"armed_at": armed_at}

    @staticmethod
    def _own(mine: set[str], name: str, code: ErrorCode) -> None:
        """Refuse names that this client did not open."""
        if name not in mine:
            raise RequestError(code, f"there is no {name!r} of yours")

    def _drop(self) -> None:
        for window in self._windows:
            self._witness.drop_window(window)
        for qualification in self._qualifications:
            self._witness.cancel(qualification)

    async def _write(self) -> None:
        while True:
            message = await self._outgoing.get()
            await self._socket.send_str(json.dumps(message, separators=(",", ":"), allow_nan=False))


def _is_slow(request: Request) -> bool:
    return isinstance(request, RegisterCamera | FinishQualification)
