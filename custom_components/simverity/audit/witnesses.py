"""Who may testify on which subject right now, and why nobody may."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ..adapters.witness.client import WitnessClient
from ..adapters.witness.instrument import Witness
from ..adapters.witness.messages import ArmedWindow, CameraSpec, LampSpec, LampWindow
from ..adapters.witness.sensors import SensorSpec, SensorWitness
from ..engine.canonical import digest, plain
from ..engine.errors import MessageError
from ..engine.terms import Digest, Reason, SubjectId, Tier
from ..engine.trace.samples import FrozenLevels
from ..engine.witness.qualification import parse_record, recheck
from ..engine.witness.record import QualificationRecord
from ..engine.witness.sensor import reach

LONGEST_LOOKBACK = 2.0
"""Seconds that a camera's ring of frames reaches back."""
_MOST_TELLING = (Reason.QUALIFICATION_EXPIRED, Reason.UNQUALIFIED, Reason.WITNESS_OFFLINE)
"""Which reason is told where several witnesses are silent for different ones: what a person can mend first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LampBinding:
    """A region of a camera that films a subject: the content of a ``witness`` subentry."""

    subject: SubjectId
    camera: CameraSpec
    region: tuple[float, ...]
    reference: tuple[float, ...] | None

    @property
    def instrument(self) -> str:
        """The name of what looks."""
        return self.camera.camera

    @property
    def lamp(self) -> str:
        """The witness's name for the region."""
        return f"{self.subject}:{self.instrument}"

    @property
    def spec(self) -> LampSpec:
        """What the witness is asked to register."""
        return LampSpec(lamp=self.lamp, camera=self.camera.camera, region=self.region, reference=self.reference)


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorBinding:
    """A sensor that shows what a subject does: the content of a ``witness`` subentry without a camera.

    ``same_device`` says that it is part of the subject's own device: another channel, but one firmware. It is part of
    the name, and with it of the coordinates.
    """

    subject: SubjectId
    sensor: SubjectId
    same_device: bool

    @property
    def instrument(self) -> str:
        """The name of what testifies."""
        return f"sensor:{self.sensor}:{'same' if self.same_device else 'other'}_device"

    @property
    def lamp(self) -> str:
        """The name of the pair."""
        return f"{self.subject}:{self.instrument}"

    @property
    def spec(self) -> SensorSpec:
        """What is listened to."""
        return SensorSpec(lamp=self.lamp, name=self.instrument, sensor=self.sensor, same_device=self.same_device)


type Binding = LampBinding | SensorBinding


class Received(Protocol):
    """A raw record that was kept, and the wall time at which it came (seconds since the epoch)."""

    @property
    def record(self) -> Mapping[str, Any]:
        """The record as it came."""

    @property
    def received_at(self) -> float:
        """When it came."""


@dataclass(slots=True)
class Armed:
    """The windows that were armed for one trial, one for each kind of witness."""

    armed_at: float
    windows: tuple[tuple[Witness, ArmedWindow], ...]

    def window_of(self, lamp: str) -> LampWindow | Reason:
        """Return what was seen of a lamp, or why nothing was."""
        for _, window in self.windows:
            if lamp in window.lamps:
                fault = window.fault_of(lamp)
                return window.reports[lamp] if fault is None else fault
        return Reason.LATE_REPLY


@dataclass(frozen=True, slots=True, kw_only=True)
class Qualified:
    """A qualification that the engine has re-checked.

    ``expires_at`` is a wall time in seconds since the epoch. ``frame_interval`` and ``uncertainty`` (seconds) are how
    often the camera looks, and how wide a frame's capture interval is. ``remembers`` is how many seconds it can look
    back: a camera's ring of frames is short, a sensor's reports are all kept.
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
    remembers: float

    @property
    def glance(self) -> float:
        """Seconds that the camera needs to see for certain that something stands still: four frames."""
        return 4 * self.frame_interval + self.uncertainty


class Witnesses:
    """The bindings, the qualifications in force, and the way to the witness app and to the sensors, if there are any.

    ``wall`` returns seconds since the epoch.
    """

    def __init__(
        self, client: WitnessClient | None, *, wall: Callable[[], float], sensors: SensorWitness | None = None
    ) -> None:
        """Know of no binding and no qualification yet."""
        self.client = client
        self.sensors = sensors
        self._wall = wall
        self._bindings: dict[SubjectId, tuple[Binding, ...]] = {}
        self._qualified: dict[str, Qualified] = {}

    async def async_bind(self, bindings: Iterable[Binding]) -> None:
        """Use exactly these bindings; a binding that changed loses its qualification."""
        by_subject: dict[SubjectId, tuple[Binding, ...]] = {}
        for binding in bindings:
            by_subject[binding.subject] = (*by_subject.get(binding.subject, ()), binding)
        before = {binding.lamp: binding for found in self._bindings.values() for binding in found}
        after = {binding.lamp: binding for found in by_subject.values() for binding in found}
        self._bindings = by_subject
        for lamp in [lamp for lamp in self._qualified if before and before.get(lamp) != after.get(lamp)]:
            del self._qualified[lamp]
        self._listen(after.values())
        if self.client is not None:
            filmed = [binding for binding in after.values() if isinstance(binding, LampBinding)]
            cameras = {binding.instrument: binding.camera for binding in filmed}
            await self.client.async_configure(cameras.values(), [binding.spec for binding in filmed])

    def recall(self, bindings: Iterable[Binding], records: Mapping[str, Received]) -> None:
        """Put the records of former qualifications (by lamp) into force again, before anything is bound."""
        by_lamp = {binding.lamp: binding for binding in bindings}
        self._listen(by_lamp.values())
        for lamp in by_lamp.keys() & records.keys():
            self.consider(records[lamp].record, by_lamp[lamp], made_at=records[lamp].received_at)

    def _listen(self, bindings: Iterable[Binding]) -> None:
        """Listen to the sensors among the bindings; they are there at once."""
        if self.sensors is not None:
            self.sensors.configure(binding.spec for binding in bindings if isinstance(binding, SensorBinding))

    def bindings_of(self, subject: SubjectId) -> tuple[Binding, ...]:
        """Return what watches a subject."""
        return self._bindings.get(subject, ())

    def witness_of(self, binding: Binding) -> Witness | None:
        """Return the way to what watches, None if there is none."""
        return self.client if isinstance(binding, LampBinding) else self.sensors

    def arm(
        self, window: str, watched: Iterable[Qualified], *, dispatched_at: float, close_at: float, lookback: float
    ) -> Armed:
        """Open a window on everything that is watched, at once and without waiting for an answer."""
        by_witness: dict[int, tuple[Witness, list[str]]] = {}
        for qualified in watched:
            witness = self._witness_of_lamp(qualified)
            if witness is not None:
                by_witness.setdefault(id(witness), (witness, []))[1].append(qualified.lamp)
        windows = tuple(
            (
                witness,
                witness.arm(window, lamps, dispatched_at=dispatched_at, close_at=close_at, lookback=lookback),
            )
            for witness, lamps in by_witness.values()
        )
        return Armed(armed_at=max((one.armed_at for _, one in windows), default=dispatched_at), windows=windows)

    async def async_collect(self, armed: Armed) -> None:
        """Wait until all windows are in, or it is too late for that."""
        await asyncio.gather(*(witness.async_collect(window) for witness, window in armed.windows))

    def disarm(self, armed: Armed) -> None:
        """Drop windows that nobody waits for any more."""
        for witness, window in armed.windows:
            witness.disarm(window)

    def _witness_of_lamp(self, qualified: Qualified) -> Witness | None:
        bindings = (one for one in self.bindings_of(qualified.subject) if one.lamp == qualified.lamp)
        binding = next(bindings, None)
        return None if binding is None else self.witness_of(binding)

    def consider(self, raw: Mapping[str, Any], binding: Binding, *, made_at: float) -> tuple[str, ...]:
        """Re-check a witness's record and put it into force; return the codes of what speaks against it.

        ``made_at`` is the wall time at which the record was received, seconds since the epoch.
        """
        try:
            record = parse_record(raw)
        except MessageError:
            return ("bad_record",)
        sensor = None if record.instrument is None else record.instrument.sensor
        wanted = binding.sensor if isinstance(binding, SensorBinding) else None
        if (record.lamp, record.camera, sensor) != (binding.lamp, binding.instrument, wanted):
            return ("bad_record",)
        found = recheck(record)
        if not found.qualified or found.levels is None or record.timing is None:
            self.withdraw(binding.lamp)
            return tuple(reason.value for reason in found.reasons) or ("refused",)
        self._qualified[binding.lamp] = Qualified(
            subject=binding.subject,
            lamp=binding.lamp,
            camera=binding.instrument,
            qualification=record.qualification,
            digest=digest(plain(raw)),
            levels=found.levels,
            expires_at=made_at + record.valid_for,
            frame_interval=record.timing.frame_interval,
            uncertainty=_uncertainty(record),
            remembers=LONGEST_LOOKBACK if record.instrument is None else float("inf"),
        )
        if (witness := self.witness_of(binding)) is not None:
            witness.admit(record)
        return ()

    def withdraw(self, lamp: str) -> None:
        """Take a qualification back."""
        self._qualified.pop(lamp, None)

    def testifying(self, subject: SubjectId) -> Qualified | Reason:
        """Return the qualification under which a subject is watched now, or why it is not."""
        found = [self._testifying(binding) for binding in self.bindings_of(subject)]
        granted = next((one for one in found if isinstance(one, Qualified)), None)
        if granted is not None:
            return granted
        return next((reason for reason in _MOST_TELLING if reason in found), Reason.NO_WITNESS)

    def _testifying(self, binding: Binding) -> Qualified | Reason:
        witness = self.witness_of(binding)
        if witness is None:
            return Reason.NO_WITNESS
        if (absence := witness.absence(binding.lamp)) is not None:
            return absence
        qualified = self._qualified.get(binding.lamp)
        if qualified is None:
            return Reason.UNQUALIFIED
        if self._wall() >= qualified.expires_at:
            return Reason.QUALIFICATION_EXPIRED
        holds = witness.stands_by(binding.lamp, qualified.qualification)
        return qualified if holds else Reason.UNQUALIFIED

    def digests(self, subjects: Iterable[SubjectId]) -> tuple[tuple[SubjectId, Digest], ...]:
        """Return the records in force, for a session manifest."""
        found = ((subject, self.testifying(subject)) for subject in subjects)
        return tuple((subject, one.digest) for subject, one in found if isinstance(one, Qualified))


def _uncertainty(record: QualificationRecord) -> float:
    """Return how wide a frame's capture interval is, seconds (METHOD 1)."""
    timing = record.timing
    if timing is None:
        return 0.0
    if record.instrument is not None:
        return reach(timing, record.instrument.scale.quantity)
    if timing.tier is Tier.ARRIVAL or timing.offset_hi is None or timing.offset_lo is None:
        return 2 * (timing.arrival_bound or 0.0)
    return timing.offset_hi - timing.offset_lo + timing.frame_interval
