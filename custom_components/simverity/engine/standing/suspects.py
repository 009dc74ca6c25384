"""Which side a trouble lies on: the device, the path its feedback takes, or what watches it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from ..cells import CellKey
from ..statistics.fidelity import PairCounts
from ..terms import Owner, PropertyId, Source

_SETTLED = "settled"


class Side(StrEnum):
    """Who is to blame.

    ``device``: given its time, it was seen not to have done what it was told. ``feedback``: it did, but what was shown
    ran ahead of it, or never came. ``either``: nothing watches, and no report ever showed it done. ``witness``: nothing
    could be decided, for a reason of its own.
    """

    DEVICE = "device"
    FEEDBACK = "feedback"
    EITHER = "device_or_feedback"
    WITNESS = "witness"


def broken_side(cells: Mapping[CellKey, PairCounts], decision: str) -> Side | None:
    """Return which side the cells of one subject speak against, None if against none.

    ``decision`` is the label of the boundary at which decisions are read: a report that is ahead of the device only
    before it misleads nobody.
    """
    effects = {
        key: counts
        for key, counts in cells.items()
        if key.property_id is PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE and key.source is Source.REPORTED_CLAIM
    }
    settled = [counts for key, counts in effects.items() if key.boundary == _SETTLED]
    read = [counts for key, counts in effects.items() if key.boundary == decision]
    if any(counts.pass_fail or counts.fail_fail for counts in settled):
        return Side.DEVICE
    if any(counts.fail_pass for counts in settled) or any(counts.pass_fail for counts in read):
        return Side.FEEDBACK
    if any(counts.pass_fail for key, counts in cells.items() if key.source is Source.ACCEPTED_CALL):
        return Side.EITHER
    return Side.WITNESS if any(_withheld(counts) for counts in read) else None


def _withheld(counts: PairCounts) -> bool:
    """Whether nothing was decided in a cell, and the instrument is why."""
    reasons = (entry.reason for entry in (*counts.linked, *counts.before_dispatch))
    return counts.decided == 0 and any(reason.owner is Owner.INSTRUMENT for reason in reasons)
