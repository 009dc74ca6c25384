"""A qualification in progress, over all cameras that its lamps are in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ..cameras.camera import Camera
from ..errors import ErrorCode, RequestError
from ..measurement import Spot
from ..regions import Region
from ..terms import Refusal, State
from .judgement import Footage, Watched, judge
from .observation import Observation, StrobeSeen
from .record import QualificationRecord
from .series import Strobe

_MAX_STROBES = 400
"""Strobes of one lamp."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A lamp as it is registered."""

    lamp: str
    camera: Camera
    region: Region
    reference: Region | None

    def spot(self) -> Spot:
        """Return the lamp's pixels.

        Raises:
            RequestError: ``region_outside_frame`` if the camera's picture no longer holds them.
        """
        width, height = self.camera.width, self.camera.height
        reference = None if self.reference is None else self.reference.pixels(width, height)
        return Spot(lamp=self.lamp, region=self.region.pixels(width, height), reference=reference)


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a qualification was asked for."""

    qualification: str
    boundaries: tuple[float, ...]
    valid_for: float
    boot_id: str


@dataclass(slots=True)
class _Camera:
    """One camera's part."""

    camera: Camera
    epoch: int
    jumps: int
    observation: Observation


@dataclass(slots=True)
class QualificationRun:
    """Owned by the server's thread."""

    terms: Terms
    places: Mapping[str, Place]
    parts: dict[str, _Camera] = field(default_factory=dict)
    strobes: dict[str, list[Strobe]] = field(default_factory=dict)

    def begin(self, *, now: float, on_seen: Callable[[StrobeSeen], None]) -> None:
        """Start watching."""
        for place in self.places.values():
            self.strobes[place.lamp] = []
        for name in dict.fromkeys(place.camera.camera for place in self.places.values()):
            mine = [place for place in self.places.values() if place.camera.camera == name]
            camera = mine[0].camera
            observation = Observation(tuple(place.spot() for place in mine), started_at=now, on_seen=on_seen)
            self.parts[name] = _Camera(camera, camera.epoch, camera.clock_jumps, observation)
            camera.measure(observation, since=now)

    def strobe(self, lamp: str, state: State, *, commanded_at: float, observe_until: float, reference: bool) -> None:
        """Take note of a commanded strobe.

        Raises:
            RequestError: ``unknown_lamp`` if the lamp is not in this qualification, ``too_many`` beyond the limit.
        """
        known = self.strobes.get(lamp)
        if known is None:
            raise RequestError(ErrorCode.UNKNOWN_LAMP, f"lamp {lamp!r} is not in this qualification")
        if len(known) >= _MAX_STROBES:
            raise RequestError(ErrorCode.TOO_MANY, "too many strobes for one lamp")
        strobe = Strobe(
            lamp=lamp,
            index=len(known),
            state=state,
            commanded_at=commanded_at,
            observe_until=observe_until,
            reference=reference,
        )
        known.append(strobe)
        self.parts[self.places[lamp].camera.camera].observation.expect(strobe)

    def end(self) -> None:
        """Stop watching."""
        for part in self.parts.values():
            part.observation.close()
            part.camera.release(part.observation)

    def records(self, *, made_at: float) -> tuple[QualificationRecord, ...]:
        """Judge what was seen; call ``end`` before. Takes a moment: not for the server's own thread."""
        return tuple(record for name in self.parts for record in judge(self._footage(name, made_at)))

    def _footage(self, name: str, made_at: float) -> Footage:
        part = self.parts[name]
        moved = part.camera.epoch != part.epoch or not part.camera.connected
        return Footage(
            qualification=self.terms.qualification,
            camera=name,
            epoch=part.epoch,
            boot_id=self.terms.boot_id,
            made_at=made_at,
            valid_for=self.terms.valid_for,
            boundaries=self.terms.boundaries,
            lamps=tuple(
                Watched(
                    lamp=place.lamp,
                    region=place.region,
                    reference_region=place.reference,
                    series=part.observation.series(place.lamp),
                    strobes=tuple(self.strobes[place.lamp]),
                )
                for place in self.places.values()
                if place.camera.camera == name
            ),
            scenery=part.observation.scenery(),
            longest_stale=part.observation.longest_stale,
            clock_jumps=part.camera.clock_jumps - part.jumps,
            faults=part.observation.faults | ({Refusal.STREAM_RESTARTED} if moved else frozenset()),
        )
