"""Who may testify on which subject right now, and why nobody may."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..adapters.witness.client import WitnessClient
from ..adapters.witness.messages import CameraSpec, LampSpec, Link
from ..engine.canonical import digest, plain
from ..engine.errors import MessageError
from ..engine.terms import Digest, Reason, SubjectId, Tier
from ..engine.trace.samples import FrozenLevels
from ..engine.witness.qualification import parse_record, recheck
from ..engine.witness.record import Timing


@dataclass(frozen=True, slots=True, kw_only=True)
class LampBinding:
    """A region of a camera that films a subject: the content of one ``witness`` subentry."""

    subject: SubjectId
    camera: CameraSpec
    region: tuple[float, ...]
    reference: tuple[float, ...] | None

    @property
    def lamp(self) -> str:
        """The witness's name for the region."""
        return f"{self.subject}:{self.camera.camera}"

    @property
    def spec(self) -> LampSpec:
        """What the witness is asked to register."""
        return LampSpec(lamp=self.lamp, camera=self.camera.camera, region=self.region, reference=self.reference)


@dataclass(frozen=True, slots=True, kw_only=True)
class Qualified:
    """A qualification that the engine has re-checked.

    ``expires_at`` is a wall time in seconds since the epoch. ``frame_interval`` and ``uncertainty`` (seconds) are how
    often the camera looks, and how wide a frame's capture interval is.
    """

    subject: SubjectId
    lamp: str
    camera: str
    qualification: str
    digest: Digest
    levels: FrozenLevels
    expires_at: float
    frame_interval: float
    uncertainty: float

    @property
    def glance(self) -> float:
        """Seconds that the camera needs to see for certain that something stands still: four frames."""
        return 4 * self.frame_interval + self.uncertainty


class Witnesses:
    """The bindings, the qualifications in force, and the way to the witness app, if there is one.

    ``wall`` returns seconds since the epoch.
    """

    def __init__(self, client: WitnessClient | None, *, wall: Callable[[], float]) -> None:
        """Know of no binding and no qualification yet."""
        self.client = client
        self._wall = wall
        self._bindings: dict[SubjectId, tuple[LampBinding, ...]] = {}
        self._qualified: dict[str, Qualified] = {}

    async def async_bind(self, bindings: Iterable[LampBinding]) -> None:
        """Use exactly these bindings; a binding that changed loses its qualification."""
        by_subject: dict[SubjectId, tuple[LampBinding, ...]] = {}
        for binding in bindings:
            by_subject[binding.subject] = (*by_subject.get(binding.subject, ()), binding)
        before = {binding.lamp: binding for found in self._bindings.values() for binding in found}
        after = {binding.lamp: binding for found in by_subject.values() for binding in found}
        self._bindings = by_subject
        for lamp in [lamp for lamp in self._qualified if before and before.get(lamp) != after.get(lamp)]:
            del self._qualified[lamp]
        if self.client is not None:
            cameras = {binding.camera.camera: binding.camera for binding in after.values()}
            await self.client.async_configure(cameras.values(), [binding.spec for binding in after.values()])

    def bindings_of(self, subject: SubjectId) -> tuple[LampBinding, ...]:
        """Return the regions that film a subject."""
        return self._bindings.get(subject, ())

    def consider(self, raw: Mapping[str, Any], binding: LampBinding, *, made_at: float) -> tuple[str, ...]:
        """Re-check a witness's record and put it into force; return the codes of what speaks against it.

        ``made_at`` is the wall time at which the record was received, seconds since the epoch.
        """
        try:
            record = parse_record(raw)
        except MessageError:
            return ("bad_record",)
        if (record.lamp, record.camera) != (binding.lamp, binding.camera.camera):
            return ("bad_record",)
        found = recheck(record)
        if not found.qualified or found.levels is None or record.timing is None:
            self.withdraw(binding.lamp)
            return tuple(reason.value for reason in found.reasons) or ("refused",)
        self._qualified[binding.lamp] = Qualified(
            subject=binding.subject,
            lamp=binding.lamp,
            camera=binding.camera.camera,
            qualification=record.qualification,
            digest=digest(plain(raw)),
            levels=found.levels,
            expires_at=made_at + record.valid_for,
            frame_interval=record.timing.frame_interval,
            uncertainty=_uncertainty(record.timing),
        )
        return ()

    def withdraw(self, lamp: str) -> None:
        """Take a qualification back."""
        self._qualified.pop(lamp, None)

    def testifying(self, subject: SubjectId) -> Qualified | Reason:
        """Return the qualification under which a subject is watched now, or why it is not."""
        bindings = self.bindings_of(subject)
        if self.client is None or not bindings:
            return Reason.NO_WITNESS
        if self.client.link is not Link.CONNECTED:
            return Reason.WITNESS_OFFLINE
        reason = Reason.UNQUALIFIED
        for binding in bindings:
            qualified = self._qualified.get(binding.lamp)
            if qualified is None:
                continue
            if self._wall() >= qualified.expires_at:
                reason = Reason.QUALIFICATION_EXPIRED
            elif self.client.live.get(binding.lamp) == qualified.qualification:
                return qualified
        return reason

    def digests(self, subjects: Iterable[SubjectId]) -> tuple[tuple[SubjectId, Digest], ...]:
        """Return the records in force, for a session manifest."""
        found = ((subject, self.testifying(subject)) for subject in subjects)
        return tuple((subject, one.digest) for subject, one in found if isinstance(one, Qualified))


def _uncertainty(timing: Timing) -> float:
    """Return how wide a frame's capture interval is, seconds (METHOD 1)."""
    if timing.tier is Tier.ARRIVAL or timing.offset_hi is None or timing.offset_lo is None:
        return 2 * (timing.arrival_bound or 0.0)
    return timing.offset_hi - timing.offset_lo + timing.frame_interval
