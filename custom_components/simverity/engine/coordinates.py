"""What a value depends on: change one coordinate and the value must be re-earned (METHOD 6)."""

from __future__ import annotations

from dataclasses import dataclass

from .canonical import digest, plain
from .terms import Digest, Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Coordinates:
    """The coordinates of one cell's value; None where the home does not say.

    ``device`` is maker and model, ``firmware`` its version. ``integration`` is the domain behind the entity and
    ``integration_version`` its version, or for one that ships with Home Assistant the digest of its files and
    requirement pins. ``camera`` and ``region`` (fractions of the frame: x, y, width, height) are the witness's place;
    for a sensor ``camera`` is its registry id and whether it is part of the device that it watches, without region.
    ``policy`` is the digest of the rules in force.
    """

    device: str | None
    firmware: str | None
    integration: str | None
    integration_version: str | None
    path: Path
    camera: str | None
    region: tuple[float, float, float, float] | None
    policy: Digest


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedVersions:
    """What is written down beside the coordinates but resets nothing: it changes every month."""

    home_assistant: str
    simverity: str


def coordinates_digest(coordinates: Coordinates) -> Digest:
    """Return the digest that tells whether anything that a value depends on has changed."""
    return digest(plain(coordinates))


def session_coordinates_digest(by_row: tuple[Coordinates, ...]) -> Digest:
    """Return the digest over the coordinates of every row of a session, in the order of the rows."""
    return digest(plain(by_row))
