"""A qualification record as it comes from the witness (contracts/README.md), parsed once, strictly."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ..canonical import Json, plain
from ..errors import MessageError
from ..message import Fields, elements, flag, integer, member, number, several, text
from ..terms import Direction, SubjectId, Tier
from .scale import Quantity, Scale

VERSION = 1
"""The version of the record's form."""


class Refusal(StrEnum):
    """What speaks against a witness. The last one is the engine's own."""

    TOO_FEW_REFERENCES = "too_few_references"
    CONTRAST_TOO_LOW = "contrast_too_low"
    LEVELS_OVERLAP = "levels_overlap"
    SPREAD_TOO_LARGE = "spread_too_large"
    REFERENCE_FOLLOWS_LAMP = "reference_follows_lamp"
    CROSS_RESPONSE = "cross_response"
    CLIPPING = "clipping"
    REPEATED_FRAMES = "repeated_frames"
    FLICKER = "flicker"
    STALE_FRAMES = "stale_frames"
    TOO_FEW_STROBES = "too_few_strobes"
    LAMP_DID_NOT_FOLLOW = "lamp_did_not_follow"
    STREAM_RESTARTED = "stream_restarted"
    LYING_CLOCK = "lying_clock"
    WITNESS_AND_ENGINE_DISAGREE = "witness_and_engine_disagree"


class Claim(StrEnum):
    """The witness's own verdict on a lamp."""

    QUALIFIED = "qualified"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceFrame:
    """One settled frame: levels (0 to 255) of region and reference patch, ``clipped`` the part of it at 0 or 255.

    ``stamp`` is the stream clock's, or the arrival where there is none, in seconds.
    """

    stamp: float
    level: float
    reference: float | None
    clipped: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One commanded state, held until it had settled, and its frames."""

    state: Direction
    frames: tuple[ReferenceFrame, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossResponse:
    """How far another lamp's switching moves this lamp's region, in levels."""

    lamp: str
    response: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Strobe:
    """One switch that the lamp followed, times in seconds on the witness's clock.

    ``first_new_*`` are of the first frame that shows the new state. The effect lies in (``earliest``, ``latest``];
    ``decided`` are the boundaries (seconds) at which that decides.
    """

    direction: Direction
    commanded_at: float
    first_new_stamp: float | None
    first_new_arrival: float
    earliest: float | None
    latest: float | None
    decided: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """What was frozen about the camera's time, in seconds (METHOD 1)."""

    tier: Tier
    offset_hi: float | None
    offset_lo: float | None
    frame_interval: float
    arrival_bound: float | None
    arrival_gap_limit: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedLevels:
    """The levels that the witness froze; the engine computes its own from the frames and compares."""

    on: float
    off: float
    midpoint: float
    guard: float
    spread: float
    reference_on: float | None
    reference_off: float | None
    reference_spread: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Instrument:
    """A sensor that testifies in a camera's place: which entity, how its reports become levels, and on whose device.

    ``same_device`` says that the sensor is part of the device that it watches: another channel, but one firmware.
    """

    sensor: SubjectId
    scale: Scale
    same_device: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class QualificationRecord:
    """All raw readings of one lamp's qualification, and what the witness made of them.

    ``made_at`` is on the witness's monotonic clock of ``boot_id``; the record is good for ``valid_for`` seconds and for
    one connection to the camera, its ``epoch``. ``instrument`` is None for a camera; a sensor's levels are in steps of
    its ``scale``.
    """

    qualification: str
    lamp: str
    camera: str
    epoch: int
    boot_id: str
    region: tuple[float, ...]
    reference_region: tuple[float, ...] | None
    channel: str
    made_at: float
    valid_for: float
    references: tuple[Reference, ...]
    cross_response: tuple[CrossResponse, ...]
    strobes: tuple[Strobe, ...]
    timing: Timing | None
    levels: ClaimedLevels | None
    two_sided: tuple[tuple[Direction, tuple[float, ...]], ...]
    verdict: Claim
    refusals: tuple[Refusal, ...]
    instrument: Instrument | None = None

    def strobes_to(self, direction: Direction) -> tuple[Strobe, ...]:
        """Return the strobes of one class."""
        return tuple(strobe for strobe in self.strobes if strobe.direction is direction)


def record_message(record: QualificationRecord) -> dict[str, Json]:
    """Return a record in the form in which ``parse_record`` reads it."""
    message = plain(record)
    assert isinstance(message, dict)  # noqa: S101 - a dataclass becomes an object
    two_sided: Json = {state.value: list(boundaries) for state, boundaries in record.two_sided}
    return {**message, "version": VERSION, "two_sided": two_sided}


def parse_record(message: object) -> QualificationRecord:
    """Read a record.

    Raises:
        MessageError: naming the first field that does not have the agreed form.
    """
    fields = Fields(message, "record")
    if fields.get("version", integer) != VERSION:
        raise MessageError(f"record.version is not {VERSION}")
    record = QualificationRecord(
        qualification=fields.get("qualification", text),
        lamp=fields.get("lamp", text),
        camera=fields.get("camera", text),
        epoch=fields.get("epoch", integer),
        boot_id=fields.get("boot_id", text),
        region=fields.get("region", _region),
        reference_region=fields.optional("reference_region", _region),
        channel=fields.get("channel", text),
        made_at=fields.get("made_at", number),
        valid_for=fields.get("valid_for", number),
        references=fields.each("references", _reference),
        cross_response=fields.each("cross_response", _cross_response),
        strobes=fields.each("strobes", _strobe),
        timing=fields.optional("timing", _timing),
        levels=fields.optional("levels", _levels),
        two_sided=fields.get("two_sided", _two_sided),
        verdict=fields.get("verdict", member(Claim)),
        refusals=fields.each("refusals", member(Refusal)),
        instrument=fields.optional("instrument", _instrument) if "instrument" in fields else None,
    )
    fields.close()
    if (record.verdict is Claim.QUALIFIED) == bool(record.refusals):
        raise MessageError("record.verdict contradicts record.refusals")
    return record


def _region(value: object, at: str) -> tuple[float, ...]:
    region = several(number, 4)(value, at)
    left, top, width, height = region
    if min(left, top) < 0 or min(width, height) <= 0 or max(left + width, top + height) > 1:
        raise MessageError(f"{at} must lie inside the frame")
    return region


def _reference(value: object, at: str) -> Reference:
    fields = Fields(value, at)
    reference = Reference(state=fields.get("state", member(Direction)), frames=fields.each("frames", _frame))
    fields.close()
    return reference


def _frame(value: object, at: str) -> ReferenceFrame:
    fields = Fields(value, at)
    frame = ReferenceFrame(
        stamp=fields.get("stamp", number),
        level=fields.get("level", number),
        reference=fields.optional("reference", number),
        clipped=fields.get("clipped", number),
    )
    fields.close()
    return frame


def _cross_response(value: object, at: str) -> CrossResponse:
    fields = Fields(value, at)
    cross = CrossResponse(lamp=fields.get("lamp", text), response=fields.get("response", number))
    fields.close()
    return cross


def _strobe(value: object, at: str) -> Strobe:
    fields = Fields(value, at)
    strobe = Strobe(
        direction=fields.get("direction", member(Direction)),
        commanded_at=fields.get("commanded_at", number),
        first_new_stamp=fields.optional("first_new_stamp", number),
        first_new_arrival=fields.get("first_new_arrival", number),
        earliest=fields.optional("earliest", number),
        latest=fields.optional("latest", number),
        decided=fields.get("decided", _boundaries),
    )
    fields.close()
    return strobe


def _timing(value: object, at: str) -> Timing:
    fields = Fields(value, at)
    timing = Timing(
        tier=fields.get("tier", member(Tier)),
        offset_hi=fields.optional("offset_hi", number),
        offset_lo=fields.optional("offset_lo", number),
        frame_interval=fields.get("frame_interval", number),
        arrival_bound=fields.optional("arrival_bound", number),
        arrival_gap_limit=fields.get("arrival_gap_limit", number),
    )
    fields.close()
    return timing


def _levels(value: object, at: str) -> ClaimedLevels:
    fields = Fields(value, at)
    levels = ClaimedLevels(
        on=fields.get("on", number),
        off=fields.get("off", number),
        midpoint=fields.get("midpoint", number),
        guard=fields.get("guard", number),
        spread=fields.get("spread", number),
        reference_on=fields.optional("reference_on", number),
        reference_off=fields.optional("reference_off", number),
        reference_spread=fields.optional("reference_spread", number),
    )
    fields.close()
    return levels


def _two_sided(value: object, at: str) -> tuple[tuple[Direction, tuple[float, ...]], ...]:
    fields = Fields(value, at)
    two_sided = tuple((direction, fields.get(direction, _boundaries)) for direction in Direction)
    fields.close()
    return two_sided


def _boundaries(value: object, at: str) -> tuple[float, ...]:
    return tuple(number(item, where) for item, where in elements(value, at))


def _instrument(value: object, at: str) -> Instrument:
    fields = Fields(value, at)
    instrument = Instrument(
        sensor=SubjectId(fields.get("sensor", text)),
        scale=fields.get("scale", _scale),
        same_device=fields.get("same_device", flag),
    )
    fields.close()
    return instrument


def _scale(value: object, at: str) -> Scale:
    fields = Fields(value, at)
    scale = Scale(
        quantity=fields.get("quantity", member(Quantity)),
        unit=fields.get("unit", text),
        step=fields.get("step", number),
    )
    fields.close()
    if scale.step <= 0:
        raise MessageError(f"{at}.step must be above 0")
    return scale
