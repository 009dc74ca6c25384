"""A frame on its way: as the source received it, in the ring, and decoded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from ..picture import Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedFrame:
    """One compressed frame as a source delivers it."""

    stamp: float | None
    """The stream's own clock in seconds as transmitted (it may wrap); None where the stream has none."""
    arrival: float
    """When its last byte had been read, monotonic seconds."""
    key: bool
    """Whether decoding can start here."""
    payload: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedFrame:
    """A received frame in the ring."""

    number: int
    """Counts the camera's frames over all its connections."""
    epoch: int
    """Which connection it came through."""
    stamp: float | None
    """Stream clock in seconds, wraps undone."""
    arrival: float
    key: bool
    payload: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodedFrame:
    """A picture with its times. Whoever gets it measures at once and keeps no reference to the picture."""

    number: int
    epoch: int
    stamp: float | None
    arrival: float
    key: bool
    picture: Picture


class Decoder(Protocol):
    """Turns encoded frames into pictures, in capture order."""

    def decode(self, frame: EncodedFrame) -> list[tuple[int, Picture]]:
        """Return the pictures that became ready, each with the number of its frame; nothing for a broken frame."""
        ...

    def flush(self) -> list[tuple[int, Picture]]:
        """Return what the decoder still holds; afterwards it starts anew at a key frame."""
        ...


class Source(Protocol):
    """One connection to a camera."""

    width: int
    height: int

    def frames(self) -> Iterator[ReceivedFrame]:
        """Yield frames, the first one a key frame, until the stream ends.

        Raises:
            SourceError: when it ends with an error.
        """
        ...

    def open_decoder(self) -> Decoder:
        """Return a decoder for this connection's frames."""
        ...

    def close(self) -> None:
        """Disconnect; a blocked ``frames`` ends soon after. May be called from another thread, and twice."""
        ...
