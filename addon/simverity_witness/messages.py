"""Requests, parsed once into frozen types (contracts/README.md)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .cameras.ring import LOOKBACK
from .fields import MAX_URL, Fields, parse_object, refuse
from .regions import Region
from .terms import CameraKind, State

MAX_LAMPS = 64
MAX_BOUNDARIES = 32
MAX_VALIDITY = 31 * 86_400.0
MAX_WINDOW = 120.0
"""Longest armed window, seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello:
    """Opens a connection; nothing else is answered before it."""

    api: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Asks for the witness's clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterCamera:
    """Adds or replaces a camera."""

    camera: str
    kind: CameraKind
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetCamera:
    """Removes a camera with its lamps."""

    camera: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterLamp:
    """Adds or replaces a lamp's region in a camera."""

    lamp: str
    camera: str
    region: Region
    reference: Region | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetLamp:
    """Removes a lamp."""

    lamp: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """Asks how cameras and lamps stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginQualification:
    """Starts watching lamps that are going to be strobed."""

    qualification: str
    lamps: tuple[str, ...]
    boundaries: tuple[float, ...]
    valid_for: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StrobeRequest:
    """Tells of a commanded strobe."""

    qualification: str
    lamp: str
    state: State
    commanded_at: float
    observe_until: float
    reference: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishQualification:
    """Asks for the records."""

    qualification: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelQualification:
    """Drops a qualification."""

    qualification: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """Opens a window over a command that has just been dispatched."""

    window: str
    lamps: tuple[str, ...]
    dispatched_at: float
    close_at: float
    lookback: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Disarm:
    """Drops a window."""

    window: str


type Request = (
    Hello
    | Clock
    | RegisterCamera
    | ForgetCamera
    | RegisterLamp
    | ForgetLamp
    | Status
    | BeginQualification
    | StrobeRequest
    | FinishQualification
    | CancelQualification
    | Arm
    | Disarm
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """A request with the number that its answer repeats, still unread."""

    id: int
    type: str
    fields: Fields


def parse_envelope(text: str) -> Envelope:
    """Return the request's number and type.

    Raises:
        RequestError: ``bad_request`` if even those cannot be read.
    """
    fields = Fields(parse_object(text))
    return Envelope(id=fields.whole("id"), type=fields.text("type"), fields=fields)


def parse_request(envelope: Envelope) -> Request:
    """Return the typed request.

    Raises:
        RequestError: ``bad_request`` naming the field.
    """
    parser = _PARSERS.get(envelope.type)
    if parser is None:
        raise refuse("type", "is not a request of this version")
    request = parser(envelope.fields)
    envelope.fields.finish()
    return request


def _register_camera(fields: Fields) -> RegisterCamera:
    return RegisterCamera(
        camera=fields.text("camera"), kind=fields.choice("kind", CameraKind), url=fields.text("url", MAX_URL)
    )


def _register_lamp(fields: Fields) -> RegisterLamp:
    return RegisterLamp(
        lamp=fields.text("lamp"),
        camera=fields.text("camera"),
        region=fields.region("region"),
        reference=fields.region_or_null("reference"),
    )


def _begin_qualification(fields: Fields) -> BeginQualification:
    return BeginQualification(
        qualification=fields.text("qualification"),
        lamps=fields.texts("lamps", MAX_LAMPS),
        boundaries=fields.numbers("boundaries", MAX_BOUNDARIES, low=0.0, high=3600.0),
        valid_for=fields.number("valid_for", low=1.0, high=MAX_VALIDITY),
    )


def _strobe(fields: Fields) -> StrobeRequest:
    request = StrobeRequest(
        qualification=fields.text("qualification"),
        lamp=fields.text("lamp"),
        state=fields.choice("state", State),
        commanded_at=fields.number("commanded_at"),
        observe_until=fields.number("observe_until"),
        reference=fields.flag("reference"),
    )
    if not request.commanded_at < request.observe_until <= request.commanded_at + MAX_WINDOW:
        raise refuse("observe_until", f"must be at most {MAX_WINDOW:g} s after commanded_at")
    return request


def _arm(fields: Fields) -> Arm:
    request = Arm(
        window=fields.text("window"),
        lamps=fields.texts("lamps", MAX_LAMPS),
        dispatched_at=fields.number("dispatched_at"),
        close_at=fields.number("close_at"),
        lookback=fields.number("lookback", high=LOOKBACK),
    )
    if not request.dispatched_at <= request.close_at <= request.dispatched_at + MAX_WINDOW:
        raise refuse("close_at", f"must be at most {MAX_WINDOW:g} s after dispatched_at")
    return request


_PARSERS: dict[str, Callable[[Fields], Request]] = {
    "hello": lambda fields: Hello(api=fields.whole("api")),
    "clock": lambda _fields: Clock(),
    "register_camera": _register_camera,
    "forget_camera": lambda fields: ForgetCamera(camera=fields.text("camera")),
    "register_lamp": _register_lamp,
    "forget_lamp": lambda fields: ForgetLamp(lamp=fields.text("lamp")),
    "status": lambda _fields: Status(),
    "begin_qualification": _begin_qualification,
    "strobe": _strobe,
    "finish_qualification": lambda fields: FinishQualification(qualification=fields.text("qualification")),
    "cancel_qualification": lambda fields: CancelQualification(qualification=fields.text("qualification")),
    "arm": _arm,
    "disarm": lambda fields: Disarm(window=fields.text("window")),
}
