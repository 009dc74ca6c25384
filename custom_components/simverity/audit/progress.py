"""How far a session is."""

from __future__ import annotations

from dataclasses import dataclass

from ..coordinator import Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a session is. ``seconds_left`` is an estimate."""

    phase: Phase
    done: int = 0
    total: int = 0
    seconds_left: float | None = None
