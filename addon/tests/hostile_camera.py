"""Cameras that mean no good: plain sockets that answer every connection with a script of bytes."""

from __future__ import annotations

import contextlib
import itertools
import socket
import threading
from collections.abc import Iterable, Iterator

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n"
STREAM_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: video/mp2t\r\n\r\n"


class HostileCamera:
    """Sends ``answer`` to whoever connects, until they hang up or ``close``."""

    def __init__(self, answer: Iterable[bytes], *, hold: bool = False) -> None:
        """Listen; with ``hold`` a connection stays open and silent after the answer."""
        self._answer = list(answer) if isinstance(answer, list | tuple) else answer
        self._hold = hold
        self._closing = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        self.connections = 0
        self.address = "127.0.0.1:{}".format(*self._listener.getsockname()[1:])

    def url(self, scheme: str = "http") -> str:
        """Return where it is."""
        return f"{scheme}://{self.address}/stream"

    def close(self) -> None:
        """Stop listening and sending."""
        self._closing.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(10)

    def _serve(self) -> None:
        while not self._closing.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            with connection, contextlib.suppress(OSError):
                connection.settimeout(1.0)
                self._speak(connection)

    def _speak(self, connection: socket.socket) -> None:
        for piece in self._answer:
            if self._closing.is_set():
                return
            connection.sendall(piece)
        if self._hold:
            self._closing.wait()


@contextlib.contextmanager
def hostile(answer: Iterable[bytes], *, hold: bool = False) -> Iterator[HostileCamera]:
    """Run one for the length of the block."""
    camera = HostileCamera(answer, hold=hold)
    try:
        yield camera
    finally:
        camera.close()


class Endless:
    """The same bytes for ever, for every connection anew."""

    def __init__(self, first: bytes, piece: bytes) -> None:
        self._first = first
        self._piece = piece

    def __iter__(self) -> Iterator[bytes]:
        return itertools.chain([self._first], itertools.repeat(self._piece))
