"""JPEG pictures out of an endless multipart answer. Pure: bytes and read times in, pictures out, memory bounded.

Servers differ in the boundary they announce and the one they send, in line ends and in whether they give a length; all
that is relied on is ``--boundary``, a header that ends with an empty line, and the JPEG's own first and last bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import ErrorCode, SourceError

MAX_JPEG = 16_000_000
_MAX_HEADER = 16_384
_START = b"\xff\xd8"
_END = b"\xff\xd9"
_LENGTH = re.compile(rb"^content-length[ \t]*:[ \t]*(\d{1,9})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_BOUNDARY = re.compile(r"""boundary\s*=\s*(?:"([^"]{1,200})"|([^;\s"]{1,200}))""", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class JpegPart:
    """One whole JPEG and when its last byte had been read."""

    jpeg: bytes
    arrival: float


def boundary_of(content_type: str) -> bytes:
    """Return the boundary that an answer announces, without leading dashes.

    Raises:
        SourceError: ``camera_unsupported`` if the answer is not multipart.
    """
    if not content_type.lower().startswith("multipart/"):
        raise SourceError("the camera's answer is not multipart", ErrorCode.CAMERA_UNSUPPORTED)
    found = _BOUNDARY.search(content_type)
    if found is None:
        raise SourceError("the camera's answer names no boundary", ErrorCode.CAMERA_UNSUPPORTED)
    return (found.group(1) or found.group(2)).lstrip("-").encode("latin-1", "replace")


class PartReader:
    """Takes bytes as they are read and yields the JPEGs that they complete."""

    def __init__(self, boundary: bytes) -> None:
        """Split at ``--boundary``."""
        self._delimiter = b"--" + boundary
        self._held = bytearray()
        self._marks: list[tuple[int, float]] = []
        self._searched = 0
        self._body: _Body | None = None

    def feed(self, read: bytes, at: float) -> Iterator[JpegPart]:
        """Take the next bytes, read by ``at``; yield each JPEG that is now whole.

        Raises:
            SourceError: if a header or a picture grows beyond its limit.
        """
        self._held += read
        self._marks.append((len(self._held), at))
        while (part := self._next()) is not None:
            if part.jpeg:
                yield part

    def _next(self) -> JpegPart | None:
        if self._body is None and not self._open_body():
            return None
        return self._close_body()

    def _open_body(self) -> bool:
        found = self._held.find(self._delimiter, self._searched)
        if found < 0:
            self._drop(max(0, len(self._held) - len(self._delimiter) + 1))
            return False
        end = _HEADER_END.search(self._held, found + len(self._delimiter), found + _MAX_HEADER)
        if end is None:
            if len(self._held) - found >= _MAX_HEADER:
                raise SourceError("a part's header does not end", ErrorCode.CAMERA_UNSUPPORTED)
            self._drop(found)
            return False
        length = _LENGTH.search(self._held, found, end.end())
        size = None if length is None else int(length.group(1))
        if size is not None and not 0 < size <= MAX_JPEG:
            raise SourceError("a picture is too large", ErrorCode.CAMERA_UNSUPPORTED)
        self._drop(end.end())
        self._body = _Body(size=size)
        return True

    def _close_body(self) -> JpegPart | None:
        size = self._body.size if self._body is not None else None
        if size is None:
            found = self._held.find(self._delimiter, self._searched)
            if found < 0:
                if len(self._held) > MAX_JPEG:
                    raise SourceError("a picture does not end", ErrorCode.CAMERA_UNSUPPORTED)
                self._searched = max(0, len(self._held) - len(self._delimiter))
                return None
            size = found
        elif len(self._held) < size:
            return None
        jpeg = bytes(self._held[:size])
        last = jpeg.rfind(_END)
        whole = jpeg.startswith(_START) and last >= 0
        part = JpegPart(jpeg=jpeg[: last + 2] if whole else b"", arrival=self._read_at(last + 2 if whole else size))
        self._drop(size)
        self._body = None
        return part

    def _read_at(self, position: int) -> float:
        """Return when the byte before ``position`` had been read."""
        return next(at for end, at in self._marks if end >= position)

    def _drop(self, count: int) -> None:
        del self._held[:count]
        self._searched = 0
        self._marks = [(end - count, at) for end, at in self._marks if end - count > 0]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Body:
    """A part whose header has been read; ``size`` is its announced length or None."""

    size: int | None
