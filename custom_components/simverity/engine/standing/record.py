"""A standing state as JSON, for checkpoints; counts stay whole numbers and sums keep every digit."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import timedelta

from ..canonical import Json, plain
from ..terms import Disposition
from .clearing import ClearingEvidence, Segment
from .policy import MIXTURE_POINTS, StandingPolicy
from .revocation import ChangeDetector
from .state import Acknowledgement, StandingError, StandingState


def to_json(state: StandingState) -> Json:
    """Return the state in the JSON domain."""
    return plain(state)


def from_json(value: Json) -> StandingState:
    """Read a state back.

    Raises:
        StandingError: the value is not what ``to_json`` writes. A damaged checkpoint must not become a standing.
    """
    record = _mapping(value, "disposition", "clearing", "detector", "last_block", "carried_over", "acknowledgement")
    if not isinstance(record["disposition"], str) or record["disposition"] not in Disposition:
        raise StandingError(f"{record['disposition']!r} is no disposition")
    if not isinstance(record["carried_over"], bool):
        raise StandingError("carried_over must be true or false")
    block = record["last_block"]
    return StandingState(
        disposition=Disposition(record["disposition"]),
        clearing=_clearing(record["clearing"]),
        detector=_detector(record["detector"]),
        last_block=None if block is None else _whole(block),
        carried_over=record["carried_over"],
        acknowledgement=_acknowledgement(record["acknowledgement"]),
    )


def policy_from_json(value: Json) -> StandingPolicy:
    """Read back a policy that ``plain`` has written.

    Raises:
        StandingError: the value is none.
        PolicyError: it is one that cannot be.
    """
    record = _mapping(value, "tolerance", "error", "block", "alarm", "strict", "one_in", "seed")
    if not isinstance(record["strict"], bool):
        raise StandingError("strict must be true or false")
    return StandingPolicy(
        tolerance=_number(record["tolerance"]),
        error=_number(record["error"]),
        block=timedelta(seconds=_number(record["block"])),
        alarm=_number(record["alarm"]),
        strict=record["strict"],
        one_in=None if record["one_in"] is None else _whole(record["one_in"]),
        seed=_whole(record["seed"]),
    )


def _clearing(value: Json) -> ClearingEvidence:
    record = _mapping(value, "finished", "failures", "passes")
    segments = (_mapping(item, "failures", "passes", "repeats") for item in _list(record["finished"]))
    return ClearingEvidence(
        finished=tuple(
            Segment(failures=_count(item["failures"]), passes=_count(item["passes"]), repeats=_count(item["repeats"]))
            for item in segments
        ),
        failures=_count(record["failures"]),
        passes=_count(record["passes"]),
    )


def _detector(value: Json) -> ChangeDetector:
    suspicion = tuple(_number(item) for item in _list(_mapping(value, "suspicion")["suspicion"]))
    if len(suspicion) != MIXTURE_POINTS or min(suspicion) < 0.0:
        raise StandingError(f"the detector keeps {MIXTURE_POINTS} sums, none of them negative")
    return ChangeDetector(suspicion=suspicion)


def _acknowledgement(value: Json) -> Acknowledgement | None:
    if value is None:
        return None
    record = _mapping(value, "reason", "expires_at")
    if not isinstance(record["reason"], str):
        raise StandingError("an acknowledgement's reason must be text")
    return Acknowledgement(reason=record["reason"], expires_at=_number(record["expires_at"]))


def _mapping(value: Json, *keys: str) -> Mapping[str, Json]:
    if not isinstance(value, Mapping) or set(value) != set(keys):
        raise StandingError(f"expected exactly {', '.join(keys)}")
    return value


def _list(value: Json) -> list[Json]:
    if not isinstance(value, list):
        raise StandingError("expected a list")
    return value


def _whole(value: Json) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise StandingError(f"{value!r} is not a whole number")
    return value


def _count(value: Json) -> int:
    count = _whole(value)
    if count < 0:
        raise StandingError("a count cannot be negative")
    return count


def _number(value: Json) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not math.isfinite(value):
        raise StandingError(f"{value!r} is not a finite number")
    return float(value)
