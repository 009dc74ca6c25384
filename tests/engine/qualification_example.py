"""A qualification record with round numbers, and ways to spoil it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from simverity_engine.witness.qualification import Recheck, parse_record, recheck

CONTRACTS = Path(__file__).parents[2] / "contracts"
DISAGREE = "witness_and_engine_disagree"
TIMED = [0.1, 0.25, 0.5]

type Message = dict[str, Any]
type Change = Callable[[Message], object]


def golden(name: str) -> Message:
    loaded: Message = json.loads((CONTRACTS / f"{name}.json").read_text())
    return loaded


def strobe(index: int, direction: str) -> Message:
    """A strobe 10 s after the one before. On shows after 0.05 s, off after 0.4 s; a frame arrives 10 ms late."""
    at = 10.0 * index
    shows = at + (0.05 if direction == "on" else 0.4)
    return {
        "direction": direction,
        "commanded_at": at,
        "first_new_stamp": shows,
        "first_new_arrival": shows + 0.01,
        "earliest": shows - 0.08,
        "latest": shows + 0.01,
        "decided": [0.1, 0.25, 0.5],
    }


def frames(first: float, level: float, reference: float = 30.0) -> list[Message]:
    """Five frames a second apart that deviate from their median by 0, 0.1, 0.1, 0.2 and 0.2 levels."""
    deviations = (0.0, 0.1, -0.1, 0.2, -0.2)
    return [
        {"stamp": first + index, "level": level + deviation, "reference": reference, "clipped": 0.0}
        for index, deviation in enumerate(deviations)
    ]


def small() -> Message:
    """A qualified record with round numbers: on 120, off 20, S = 0.5, guard 2 levels, offsets from -0.05 to 0.01."""
    references = [
        {"state": state, "frames": frames(1000.0 + 20 * index, level + shift, 30.0 + (state == "on"))}
        for index, shift in enumerate((0.0, 0.5, -0.5, 0.0, 0.2))
        for state, level in (("on", 120.0), ("off", 20.0))
    ]
    return {
        "version": 1,
        "qualification": "q-9",
        "lamp": "lamp",
        "camera": "living",
        "epoch": 3,
        "boot_id": "boot",
        "region": [0.0, 0.0, 1.0, 1.0],
        "reference_region": [0.8, 0.1, 0.1, 0.1],
        "channel": "luma",
        "made_at": 410.0,
        "valid_for": 3600.0,
        "references": references,
        "cross_response": [],
        "strobes": [strobe(index, "on" if index % 2 else "off") for index in range(40)],
        "timing": {
            "tier": "T2",
            "offset_hi": 0.01,
            "offset_lo": -0.05,
            "frame_interval": 0.02,
            "arrival_bound": None,
            "arrival_gap_limit": 0.03,
        },
        "levels": {
            "on": 120.0,
            "off": 20.0,
            "midpoint": 70.0,
            "guard": 2.0,
            "spread": 0.5,
            "reference_on": 31.0,
            "reference_off": 30.0,
            "reference_spread": 0.0,
        },
        "two_sided": {"on": TIMED, "off": TIMED},
        "verdict": "qualified",
        "refusals": [],
    }


def judged(*changes: Change) -> Recheck:
    message = small()
    for change in changes:
        change(message)
    return recheck(parse_record(message))


def reasons(*changes: Change) -> tuple[str, ...]:
    return tuple(reason.value for reason in judged(*changes).reasons)


def put(value: object, *path: str | int) -> Change:
    """A change of one place in the message."""

    def change(message: Any) -> None:
        for step in path[:-1]:
            message = message[step]
        message[path[-1]] = value

    return change


def all_levels(on: float, off: float) -> Change:
    """A change of every reference's frames to the same deviations around other levels, and of the frozen numbers."""

    def change(message: Message) -> None:
        for reference in message["references"]:
            reference["frames"] = frames(1000.0, on if reference["state"] == "on" else off)
        contrast = abs(on - off)
        message["levels"] |= {
            "on": on,
            "off": off,
            "midpoint": (on + off) / 2,
            "guard": min(contrast / 4, 2.0),
            "spread": 0.0,
            "reference_on": 30.0,
        }

    return change


def on_arrival(message: Message) -> None:
    """A camera without a stream clock: stamps are arrivals, on takes at most 0.06 s to be seen."""
    for one in message["strobes"]:
        one["first_new_stamp"] = None
    message["timing"] |= {"tier": "T3", "offset_hi": None, "offset_lo": None, "arrival_bound": 0.06}


def lying_stamps(message: Message) -> None:
    """A stream clock that is not believed: judged by arrival, though every frame has a stamp."""
    on_arrival(message)
    for one in message["strobes"]:
        one["first_new_stamp"] = one["commanded_at"]
