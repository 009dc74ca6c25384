"""The body of an endless HTTP answer, read as it comes. No redirect is followed and no other scheme is opened."""

from __future__ import annotations

import base64
import contextlib
import http.client
import socket
from typing import Self
from urllib.parse import SplitResult, unquote, urlsplit

from ..errors import ErrorCode, SourceError

READ_TIMEOUT = 5.0
"""Seconds without a byte after which a stream counts as ended."""
_CHUNK = 65_536
_OK = 200


class HttpBody:
    """An open answer. ``read`` blocks until at least one byte is there."""

    def __init__(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        """Own both until ``close``."""
        self._connection = connection
        self._response = response
        self._socket = connection.sock
        self.content_type = response.getheader("Content-Type", "")

    @classmethod
    def get(cls, url: str, timeout: float = READ_TIMEOUT) -> Self:
        """Ask for ``url``.

        Raises:
            SourceError: if nobody answers, the answer is not 200, or the scheme is not http(s).
        """
        parts = urlsplit(url)
        connection = _connection(parts, timeout)
        try:
            connection.request("GET", _target(parts), headers=_headers(parts))
            response = connection.getresponse()
        except (OSError, http.client.HTTPException, ValueError) as error:
            connection.close()
            raise SourceError(f"the camera does not answer ({type(error).__name__})") from error
        if response.status != _OK:
            connection.close()
            raise SourceError(f"the camera answered HTTP {response.status}")
        return cls(connection, response)

    def read(self, size: int = _CHUNK) -> bytes:
        """Return what has come, at most ``size`` bytes; nothing at the end.

        Raises:
            SourceError: when the connection broke or fell silent.
        """
        try:
            return self._response.read1(size)
        except (OSError, http.client.HTTPException, ValueError, AttributeError) as error:
            # AttributeError: http.client drops its file when another thread closes the answer.
            raise SourceError(f"the camera's stream broke ({type(error).__name__})") from error

    def close(self) -> None:
        """Disconnect, which also ends a blocked ``read`` in another thread."""
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def release(self) -> None:
        """Free the descriptors; only the reading thread may."""
        with contextlib.suppress(OSError):
            self._response.close()
            self._connection.close()


def _connection(parts: SplitResult, timeout: float) -> http.client.HTTPConnection:
    try:
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise SourceError("the camera's address has no valid port", ErrorCode.CAMERA_UNSUPPORTED) from error
    if not host or parts.scheme not in {"http", "https"}:
        raise SourceError("the camera's address must be http(s)", ErrorCode.CAMERA_UNSUPPORTED)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    return kind(host, port, timeout=timeout)


def _target(parts: SplitResult) -> str:
    path = parts.path or "/"
    return f"{path}?{parts.query}" if parts.query else path


def _headers(parts: SplitResult) -> dict[str, str]:
    headers = {"User-Agent": "simverity-witness", "Accept": "*/*"}
    if parts.username is not None:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        headers["Authorization"] = "Basic " + base64.b64encode(pair.encode()).decode("ascii")
    return headers
