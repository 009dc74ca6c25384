"""What goes over the wire to the witness (contracts/README.md, API version 1), parsed once into frozen types."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ...engine.errors import MessageError
from ...engine.terms import Reason, Tier
from ...engine.trace.samples import Sample

API_VERSION = 1
_DRIFT = 100e-6
"""How far two quartz clocks may drift apart, seconds per second."""
_SAMPLE_FIELDS = 4


class WitnessError(Exception):
    """Something about the witness went wrong. ``code`` is one of the contract's error codes, or our own."""

    def __init__(self, code: str, message: str = "") -> None:
        """Keep the code, for translation, beside the message."""
        super().__init__(f"{code}: {message}" if message else code)
        self.code = code
        self.message = message


class WitnessUnreachableError(WitnessError):
    """No connection, or it broke."""


class WitnessAuthFailedError(WitnessError):
    """The witness does not accept the token."""


class WitnessUnsupportedError(WitnessError):
    """The other side is no witness, or speaks another version."""


class WitnessTimeoutError(WitnessError):
    """No answer in time."""


class WitnessRefusedError(WitnessError):
    """The witness answered that it will not."""


class Link(StrEnum):
    """The connection as it is now."""

    CONNECTING = "connecting"
    CONNECTED = "connected"
    UNREACHABLE = "unreachable"
    UNAUTHORIZED = "unauthorized"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraSpec:
    """A stream to register: ``kind`` is ``mpegts``, ``rtsp`` or ``mjpeg``."""

    camera: str
    kind: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LampSpec:
    """A region to register; regions are x, y, width, height as fractions of the frame."""

    lamp: str
    camera: str
    region: tuple[float, ...]
    reference: tuple[float, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraStatus:
    """What the witness last said about a camera. ``epoch`` changes with every connection to it.

    ``fps`` is None where it was not said: an announcement says that the camera came or went, a status how fast it is.
    """

    camera: str
    connected: bool
    epoch: int
    fault: str | None
    fps: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LampWindow:
    """What one lamp's region showed over one armed window. ``faults`` make all of it abstain."""

    samples: tuple[Sample, ...]
    tier: Tier
    faults: tuple[Reason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowReport:
    """One camera's announcement that a window closed."""

    window: str
    camera: str
    lamps: Mapping[str, LampWindow]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello:
    """Who answers. ``monotonic`` is the witness's clock at the answer, seconds."""

    app_version: str
    boot_id: str
    monotonic: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """Every camera, and the live qualification of every lamp that has one."""

    cameras: tuple[CameraStatus, ...]
    live: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockOffset:
    """Witness clock minus ours at ``measured_at`` (ours), known to within ``uncertainty`` seconds."""

    offset: float = 0.0
    uncertainty: float = 0.0
    measured_at: float = 0.0
    same_clock: bool = True

    def to_witness(self, at: float) -> float:
        """Convert a time of ours."""
        return at + self.offset

    def to_ours(self, at: float) -> float:
        """Convert a time of the witness's."""
        return at - self.offset

    def slack(self, now: float) -> float:
        """Return how far off a converted time may be by now, seconds."""
        return 0.0 if self.same_clock else self.uncertainty + _DRIFT * abs(now - self.measured_at)


@dataclass(slots=True)
class ArmedWindow:
    """A window that was asked for. ``cameras`` have yet to report; ``refused`` is the code of a refusal."""

    window: str
    lamps: tuple[str, ...]
    armed_at: float
    close_at: float
    cameras: set[str]
    reports: dict[str, LampWindow] = field(default_factory=dict)
    complete: asyncio.Event = field(default_factory=asyncio.Event)
    refused: str | None = None

    def fault_of(self, lamp: str) -> Reason | None:
        """Return why there is no report on a lamp, None where there is one."""
        if lamp in self.reports:
            return None
        return Reason.UNQUALIFIED if self.refused == "not_qualified" else Reason.LATE_REPLY


def parse_answer(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the result of an answer.

    Raises:
        WitnessRefusedError: the witness refused, with its code.
        MessageError: neither a result nor a refusal.
    """
    if message.get("ok") is True:
        return _mapping(message, "result")
    error = _mapping(message, "error")
    raise WitnessRefusedError(_text(error, "code"), _text(error, "message"))


def parse_hello(result: Mapping[str, Any]) -> Hello:
    """Return who answers.

    Raises:
        WitnessUnsupportedError: another version of the API.
        MessageError: not the agreed form.
    """
    if result.get("api") != API_VERSION:
        raise WitnessUnsupportedError("unsupported_version", str(result.get("api")))
    return Hello(
        app_version=_text(result, "app_version"),
        boot_id=_text(result, "boot_id"),
        monotonic=_number(result, "monotonic"),
    )


def parse_monotonic(result: Mapping[str, Any]) -> float:
    """Return the witness's clock."""
    return _number(result, "monotonic")


def parse_camera(message: Mapping[str, Any]) -> CameraStatus:
    """Return what a status row or a ``camera`` announcement says."""
    fault = message.get("fault")
    epoch = message.get("epoch")
    return CameraStatus(
        camera=_text(message, "camera"),
        connected=message.get("connected") is True,
        epoch=epoch if isinstance(epoch, int) else 0,
        fault=fault if isinstance(fault, str) else None,
        fps=None if message.get("fps") is None else _number(message, "fps"),
    )


def parse_status(result: Mapping[str, Any]) -> Status:
    """Return the cameras and the live qualifications."""
    live = {
        _text(lamp, "lamp"): qualification
        for lamp in _rows(result, "lamps")
        if isinstance(qualification := lamp.get("qualification"), str)
    }
    return Status(cameras=tuple(parse_camera(camera) for camera in _rows(result, "cameras")), live=live)


def parse_records(result: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """Return the raw qualification records; the engine parses and re-checks each."""
    return tuple(_rows(result, "records"))


def parse_strobed(message: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return qualification, lamp and what was observed (``on``, ``off`` or ``unclear``)."""
    return _text(message, "qualification"), _text(message, "lamp"), _text(message, "observed")


def parse_window(message: Mapping[str, Any], clock: ClockOffset, now: float) -> WindowReport:
    """Return a closed window with its samples on our clock, widened by what the clocks do not know of each other.

    Raises:
        MessageError: not the agreed form, a reason or a tier that nobody knows, or a number that is none.
    """
    slack = clock.slack(now)
    try:
        tier = Tier(_text(message, "tier"))
        faults = tuple(Reason(fault) for fault in _list(message, "faults"))
    except ValueError as error:
        raise MessageError(f"window: {error}") from error
    lamps = {
        lamp: LampWindow(samples=tuple(_sample(row, clock, slack) for row in rows), tier=tier, faults=faults)
        for lamp, rows in _mapping(message, "lamps").items()
    }
    return WindowReport(window=_text(message, "window"), camera=_text(message, "camera"), lamps=lamps)


def _sample(row: Any, clock: ClockOffset, slack: float) -> Sample:
    if not isinstance(row, list) or len(row) != _SAMPLE_FIELDS:
        raise MessageError("a sample has four fields")
    earliest, latest, level = (_real(value) for value in row[:3])
    if latest < earliest:
        raise MessageError("a capture interval ends before it begins")
    return Sample(
        earliest=clock.to_ours(earliest) - slack,
        latest=clock.to_ours(latest) + slack,
        level=level,
        reference=None if row[3] is None else _real(row[3]),
    )


def _real(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise MessageError(f"not a number: {value!r}")
    return float(value)


def _number(message: Mapping[str, Any], key: str) -> float:
    return _real(message.get(key))


def _text(message: Mapping[str, Any], key: str) -> str:
    value = message.get(key)
    if not isinstance(value, str):
        raise MessageError(f"{key} is not a text")
    return value


def _list(message: Mapping[str, Any], key: str) -> list[Any]:
    value = message.get(key)
    if not isinstance(value, list):
        raise MessageError(f"{key} is not a list")
    return value


def _mapping(message: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = message.get(key)
    if not isinstance(value, dict):
        raise MessageError(f"{key} is not an object")
    return value


def _rows(message: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    rows = _list(message, key)
    if not all(isinstance(row, dict) for row in rows):
        raise MessageError(f"{key} is not a list of objects")
    return rows
