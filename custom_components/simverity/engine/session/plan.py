"""The order of a session's trials: seeded, complete, and with few preparations."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from ..terms import Direction, SessionId, SubjectId
from .manifest import ManifestRow, SessionManifest, TrialKey, check_manifest


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTrial:
    """One trial to run: the ``index``-th of the session (from 0), the ``repetition``-th of its row (from 0)."""

    session: SessionId
    row: ManifestRow
    repetition: int
    index: int

    @property
    def key(self) -> TrialKey:
        """The pair key, which the twin shares."""
        return TrialKey(session=self.session, row=self.row.row, repetition=self.repetition)


def plan(manifest: SessionManifest) -> tuple[PlannedTrial, ...]:
    """Return every repetition of every row exactly once, in an order that depends on the manifest alone.

    The seed shuffles all trials. Then the next one is always the first whose targets already stand where it starts
    from, as far as the trials before it tell; only if there is none does a preparation become necessary. A target that
    no trial has moved yet stands anywhere: the session puts it where its first trial needs it.

    Raises:
        ManifestError: the manifest contradicts itself.
    """
    check_manifest(manifest)
    waiting = [(row, repetition) for row in manifest.rows for repetition in range(row.repetitions)]
    waiting.sort(key=lambda trial: _lot(manifest.seed, *trial))
    standing: dict[SubjectId, Direction] = {}
    ordered: list[PlannedTrial] = []
    while waiting:
        row, repetition = waiting.pop(_next_ready(waiting, standing))
        standing |= dict.fromkeys(row.targets, row.direction)
        ordered.append(
            PlannedTrial(session=manifest.session, row=row, repetition=repetition, index=len(ordered)),
        )
    return tuple(ordered)


def _next_ready(waiting: list[tuple[ManifestRow, int]], standing: dict[SubjectId, Direction]) -> int:
    for index, (row, _) in enumerate(waiting):
        start = row.direction.opposite
        if all(standing.get(target, start) is start for target in row.targets):
            return index
    return 0


def _lot(seed: int, row: ManifestRow, repetition: int) -> bytes:
    """Draw a lot for one trial: the digest is the random source, so that a seed orders alike everywhere."""
    return hashlib.sha256(f"{seed}\0{row.row}\0{repetition}".encode()).digest()
