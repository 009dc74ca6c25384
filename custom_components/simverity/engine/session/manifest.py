"""The frozen declaration of a session: all that is decided before the first trial."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from ..canonical import digest, plain
from ..errors import ManifestError
from ..terms import GRID, Boundary, Digest, Direction, Path, RowId, SessionId, SubjectId, settled_boundary

SCHEMA = 1
"""The version of the manifest's form."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class TrialKey:
    """What identifies a trial in a session: a physical trial and its twin share it."""

    session: SessionId
    row: RowId
    repetition: int

    @property
    def text(self) -> str:
        """The key in one line, for messages and trial ids."""
        return f"{self.session}/{self.row}/{self.repetition}"


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

    @property
    def settle_until(self) -> float:
        """The end of the settled window, in seconds after dispatch."""
        return self.settle_from + self.settle_window


def manifest_digest(manifest: SessionManifest) -> Digest:
    """Return the digest under which the manifest is locked."""
    return digest(plain(manifest))


def check_manifest(manifest: SessionManifest) -> None:
    """Refuse a manifest that contradicts itself.

    Raises:
        ManifestError: naming what is wrong, for the first thing that is.
    """
    for holds, complaint in (
        (manifest.schema == SCHEMA, f"schema {manifest.schema} is not {SCHEMA}"),
        (bool(manifest.rows), "there are no rows"),
        (len({row.row for row in manifest.rows}) == len(manifest.rows), "two rows have the same name"),
        (_rising(manifest), "the boundaries must rise from above 0 to the settled one"),
        (manifest.settle_window > 0, "the settled window must last"),
        (manifest.n_min >= 1, "n_min must be at least 1"),
        (0 < manifest.confidence < 1, "the confidence must lie between 0 and 1"),
        (0 < manifest.completeness <= 1, "the completeness must lie above 0 and not above 1"),
    ):
        if not holds:
            raise ManifestError(complaint)
    for row in manifest.rows:
        _check_row(row)


def _rising(manifest: SessionManifest) -> bool:
    seconds = [0.0, *(boundary.seconds for boundary in manifest.boundaries)]
    return all(low < high for low, high in pairwise(seconds)) and all(b.kind == "grid" for b in manifest.grid)


def _check_row(row: ManifestRow) -> None:
    single, multi = row.path is Path.SINGLE_LIGHT, row.path is Path.MULTI_TARGET
    for holds, complaint in (
        (row.repetitions >= 1, "has no repetitions"),
        (bool(row.targets) and len(set(row.targets)) == len(row.targets), "must name each target once"),
        (not single or row.targets == (row.subject,), "must have its subject as its only target"),
        (not multi or len(row.targets) > 1, "needs more than one target"),
        (not {row.subject, *row.targets} & set(row.quiet), "asks a device to move and to keep quiet"),
        (all(row.service.split(".")) and row.service.count(".") == 1, "must name a service as domain.name"),
    ):
        if not holds:
            raise ManifestError(f"row {row.row} {complaint}")
