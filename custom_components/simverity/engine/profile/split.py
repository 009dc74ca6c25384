"""The split between calibration and held out: by session and by cell, never through a stretch between two resets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..terms import Path, Rung, SessionId
from .errors import SplitError
from .registration import EvaluationManifest, HeldOutCell


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Evidence:
    """Where some rows come from, as far as the split cares. ``reset`` is unique within its ``site``."""

    site: str
    session: SessionId
    reset: str
    path: Path
    rung: Rung

    @property
    def cell(self) -> HeldOutCell:
        """The cell of the split."""
        return HeldOutCell(path=self.path, rung=self.rung)


def check_calibration(manifest: EvaluationManifest, evidence: Iterable[Evidence]) -> frozenset[tuple[str, str]]:
    """Return the stretches between resets that the calibration used up.

    Raises:
        SplitError: a session that is not registered for calibration, or a cell that is held out.
    """
    resets: set[tuple[str, str]] = set()
    registered = frozenset(manifest.calibration)
    held_out = frozenset(manifest.held_out)
    for one in evidence:
        if one.session not in registered:
            raise SplitError(f"session {one.session} is not registered for calibration")
        if one.cell in held_out:
            raise SplitError(f"session {one.session} measured {one.path} at {one.rung}, which is held out")
        resets.add((one.site, one.reset))
    return frozenset(resets)


def check_held_out(
    manifest: EvaluationManifest, evidence: Iterable[Evidence], *, calibrated: frozenset[tuple[str, str]]
) -> None:
    """Refuse held-out evidence that calibration has touched.

    Raises:
        SplitError: a session that is not registered as held out, or a stretch between two resets on both sides.
    """
    registered = frozenset(manifest.held_out_sessions)
    for one in evidence:
        if one.session not in registered:
            raise SplitError(f"session {one.session} is not registered as held out")
        if (one.site, one.reset) in calibrated:
            raise SplitError(f"session {one.session} shares the stretch {one.reset} between resets with calibration")
