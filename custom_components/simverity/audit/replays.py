"""Which false clearances were replayed, and what that showed. The ledger keeps every replay."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from ..engine.canonical import Json
from ..engine.cells import CellKey
from ..engine.errors import MessageError
from ..engine.replay import ReplayCount, TicketStatus, ticket_status


class Replays:
    """All replays by cell, oldest first."""

    def __init__(self) -> None:
        """Know of none."""
        self._by_cell: dict[CellKey, list[ReplayCount]] = {}

    def of(self, cell: CellKey) -> tuple[ReplayCount, ...]:
        """Return the replays of a cell."""
        return tuple(self._by_cell.get(cell, ()))

    def status(self, cell: CellKey, *, failed_last: datetime) -> TicketStatus:
        """Return what is known of a cell's false clearance."""
        return ticket_status(self.of(cell), failed_last=failed_last)

    def take(self, counts: Mapping[CellKey, ReplayCount]) -> None:
        """Take over one replay."""
        for cell, count in counts.items():
            self._by_cell.setdefault(cell, []).append(count)

    def read(self, payload: Json) -> None:
        """Take over a replay from the ledger; what is none says nothing."""
        try:
            self.take(_counts(payload))
        except MessageError, KeyError, TypeError, ValueError:
            return


def replay_payload(session: str, trial: str, counts: Mapping[CellKey, ReplayCount]) -> Json:
    """Return what the ledger keeps of a replay: which trial was repeated, in which session, and what came out."""
    return {
        "session": session,
        "replayed": trial,
        "cells": {
            cell.text: {"at": count.at.isoformat(), "failures": count.failures, "decided": count.decided}
            for cell, count in counts.items()
        },
    }


def _counts(payload: Json) -> dict[CellKey, ReplayCount]:
    if not isinstance(payload, dict) or not isinstance(cells := payload["cells"], dict):
        raise TypeError
    return {CellKey.parse(text): _count(record) for text, record in cells.items()}


def _count(record: Json) -> ReplayCount:
    match record:
        case {"at": str(at), "failures": int(failures), "decided": int(decided)}:
            return ReplayCount(at=datetime.fromisoformat(at), failures=failures, decided=decided)
    raise TypeError
