"""What the witness says, as JSON objects (contracts/README.md)."""

from __future__ import annotations

from .cameras.camera import CameraStatus
from .errors import RequestError
from .fields import Json
from .qualification.observation import StrobeSeen
from .qualification.record import Levels, QualificationRecord, Reference, StrobeReading
from .timing import Timing
from .windows import ClosedWindow

type Object = dict[str, Json]


def accepted(number: int, result: Object) -> Object:
    """Answer a request that was served."""
    return {"id": number, "ok": True, "result": result}


def refused(number: int | None, error: RequestError) -> Object:
    """Answer a request that was not; a message whose number could not be read gets null."""
    return {"id": number, "ok": False, "error": {"code": error.code.value, "message": str(error)}}


def window(closed: ClosedWindow) -> Object:
    """Announce a closed window."""
    lamps: Object = {
        lamp: [[one.earliest, one.latest, one.level, one.reference] for one in testimony]
        for lamp, testimony in closed.lamps
    }
    return {
        "type": "window",
        "window": closed.window,
        "camera": closed.camera,
        "epoch": closed.epoch,
        "tier": closed.tier.value,
        "faults": [fault.value for fault in closed.faults],
        "lamps": lamps,
    }


def strobed(qualification: str, seen: StrobeSeen) -> Object:
    """Announce what a strobe did."""
    return {
        "type": "strobed",
        "qualification": qualification,
        "lamp": seen.lamp,
        "index": seen.index,
        "observed": seen.observed.value,
    }


def camera_change(status: CameraStatus) -> Object:
    """Announce a camera's change."""
    return {
        "type": "camera",
        "camera": status.camera,
        "connected": status.connected,
        "epoch": status.epoch,
        "fault": status.fault,
    }


def camera_status(status: CameraStatus) -> Object:
    """Return a camera's row of ``status``."""
    return {
        "camera": status.camera,
        "connected": status.connected,
        "epoch": status.epoch,
        "fps": status.fps,
        "last_arrival": status.last_arrival,
        "fault": status.fault,
    }


def record(made: QualificationRecord) -> Object:
    """Return a qualification record."""
    boundaries: Object = {state.value: list(decided) for state, decided in made.two_sided}
    return {
        "version": 1,
        "qualification": made.qualification,
        "lamp": made.lamp,
        "camera": made.camera,
        "epoch": made.epoch,
        "boot_id": made.boot_id,
        "region": list(made.region.as_list()),
        "reference_region": None if made.reference_region is None else list(made.reference_region.as_list()),
        "channel": made.channel.value,
        "made_at": made.made_at,
        "valid_for": made.valid_for,
        "references": [_reference(reference) for reference in made.references],
        "cross_response": [{"lamp": one.lamp, "response": one.response} for one in made.cross_response],
        "strobes": [_strobe(strobe) for strobe in made.strobes],
        "timing": None if made.timing is None else _timing(made.timing),
        "levels": None if made.levels is None else _levels(made.levels),
        "two_sided": boundaries,
        "verdict": "qualified" if made.qualified else "refused",
        "refusals": [refusal.value for refusal in made.refusals],
    }


def _reference(reference: Reference) -> Object:
    return {
        "state": reference.state.value,
        "frames": [
            {"stamp": frame.stamp, "level": frame.level, "reference": frame.reference, "clipped": frame.clipped}
            for frame in reference.frames
        ],
    }


def _strobe(strobe: StrobeReading) -> Object:
    return {
        "direction": strobe.direction.value,
        "commanded_at": strobe.commanded_at,
        "first_new_stamp": strobe.first_new_stamp,
        "first_new_arrival": strobe.first_new_arrival,
        "earliest": strobe.earliest,
        "latest": strobe.latest,
        "decided": list(strobe.decided),
    }


def _timing(timing: Timing) -> Object:
    return {
        "tier": timing.tier.value,
        "offset_hi": timing.offset_hi,
        "offset_lo": timing.offset_lo,
        "frame_interval": timing.frame_interval,
        "arrival_bound": timing.arrival_bound,
        "arrival_gap_limit": timing.arrival_gap_limit,
    }


def _levels(levels: Levels) -> Object:
    return {
        "on": levels.on,
        "off": levels.off,
        "midpoint": levels.midpoint,
        "guard": levels.guard,
        "spread": levels.spread,
        "reference_on": levels.reference_on,
        "reference_off": levels.reference_off,
        "reference_spread": levels.reference_spread,
    }
