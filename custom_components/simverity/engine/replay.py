"""What repeating a failure has shown. A fix is credited only to a failure that was reproduced before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from .cells import CellKey, CellVerdicts, tally
from .terms import Source

REPEATS = 3
"""The least number of decided repeats from which the absence of a failure says anything."""


class TicketStatus(StrEnum):
    """What is known of a false clearance."""

    OPEN = "open"
    """Not replayed since it was seen last."""
    REPRODUCED = "reproduced"
    """It failed again."""
    FIXED = "fixed"
    """It failed in an earlier replay, and in no repeat of the last one."""
    NOT_REPRODUCED = "not_reproduced"
    """It failed in no replay: that is no fix."""
    INCONCLUSIVE = "inconclusive"
    """Too few repeats of the last replay were decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayCount:
    """One replay in one cell: ``failures`` of ``decided`` repeats that were cleared failed. It ended at ``at``."""

    at: datetime
    failures: int
    decided: int


def ticket_status(replays: Sequence[ReplayCount], *, failed_last: datetime) -> TicketStatus:
    """Return what is known of a false clearance that was last seen at ``failed_last``; replays are oldest first."""
    if not replays or failed_last > replays[-1].at:
        return TicketStatus.OPEN
    last = replays[-1]
    if last.failures:
        return TicketStatus.REPRODUCED
    if last.decided < REPEATS:
        return TicketStatus.INCONCLUSIVE
    reproduced = any(one.failures and one.decided >= REPEATS for one in replays[:-1])
    return TicketStatus.FIXED if reproduced else TicketStatus.NOT_REPRODUCED


def replay_counts(
    verdicts: Iterable[CellVerdicts], *, at: datetime, witnessed_valid: bool
) -> dict[CellKey, ReplayCount]:
    """Count the repeats of a replay per cell.

    Where the session was not valid, the witness's cells have no decided repeat; what the software alone decides has.
    """
    counted: dict[CellKey, ReplayCount] = {}
    for key, counts in tally(verdicts).items():
        stands = witnessed_valid or key.source is Source.ACCEPTED_CALL
        counted[key] = ReplayCount(
            at=at, failures=counts.pass_fail if stands else 0, decided=counts.decided if stands else 0
        )
    return counted
