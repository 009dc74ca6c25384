"""What the witness refuses to do, as codes that a client can translate."""

from __future__ import annotations

from enum import StrEnum


class ErrorCode(StrEnum):
    """Why a request was refused (contracts/README.md)."""

    BAD_REQUEST = "bad_request"
    UNSUPPORTED_VERSION = "unsupported_version"
    UNKNOWN_CAMERA = "unknown_camera"
    UNKNOWN_LAMP = "unknown_lamp"
    CAMERA_UNREACHABLE = "camera_unreachable"
    CAMERA_UNSUPPORTED = "camera_unsupported"
    REGION_OUTSIDE_FRAME = "region_outside_frame"
    UNKNOWN_QUALIFICATION = "unknown_qualification"
    QUALIFICATION_RUNNING = "qualification_running"
    NOT_QUALIFIED = "not_qualified"
    TOO_MANY = "too_many"
    UNKNOWN_WINDOW = "unknown_window"


class RequestError(Exception):
    """A request cannot be served; ``code`` says why, the text what to do about it."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        """Keep the code beside the message."""
        super().__init__(message)
        self.code = code


class SourceError(Exception):
    """A camera's stream could not be opened or ended; ``code`` is what a client is told."""

    def __init__(self, message: str, code: ErrorCode = ErrorCode.CAMERA_UNREACHABLE) -> None:
        """Keep the code beside the message."""
        super().__init__(message)
        self.code = code
