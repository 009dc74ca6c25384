"""The frozen declaration of a session: all that is decided before the first trial."""

from __future__ import annotations

from dataclasses import dataclass

from ..terms import GRID, Boundary, Digest, Direction, Path, RowId, SessionId, SubjectId, settled_boundary


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestRow:
    """One planned kind of trial.

    ``subject`` is what the command addresses; ``targets`` are the members that must change, in order (the subject
    itself on a single path); ``quiet`` are devices that must not react. ``service`` is ``domain.name``.
    """

    row: RowId
    path: Path
    subject: SubjectId
    targets: tuple[SubjectId, ...]
    direction: Direction
    service: str
    repetitions: int
    quiet: tuple[SubjectId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionManifest:
    """What a session will do and how it will be judged, locked under its digest.

    ``seed`` orders the trials. ``settle_from`` and ``settle_window`` (seconds) declare the settled boundary and how
    long it must hold. ``n_min`` is the least number of decided trials for a session's clear. ``monitors`` is the digest
    of the engine's source, ``coordinates`` of everything else the values depend on, ``qualifications`` of the witness
    records in force, by subject.
    """

    schema: int
    session: SessionId
    seed: int
    rows: tuple[ManifestRow, ...]
    settle_from: float
    settle_window: float
    n_min: int
    confidence: float
    completeness: float
    grid: tuple[Boundary, ...] = GRID
    monitors: Digest
    coordinates: Digest
    qualifications: tuple[tuple[SubjectId, Digest], ...] = ()
    declared_at: str

    @property
    def boundaries(self) -> tuple[Boundary, ...]:
        """Every timed boundary at which a trial is judged, in order."""
        return (*self.grid, settled_boundary(self.settle_from))
