"""The one read boundary that each trial contributes to prediction, declared before the trial by seeded design."""

from __future__ import annotations

import hashlib

from ..session.manifest import SessionManifest
from ..terms import Boundary, RowId


def declared_boundary(manifest: SessionManifest, row: RowId, repetition: int) -> Boundary:
    """Return the boundary of the grid that a repetition of a row declares.

    Every run of as many repetitions as the grid has boundaries contains each boundary once, in an order drawn from
    the session's seed: 60 repetitions of a row are 10 at each of 6 boundaries. It depends on the manifest alone, and
    there on the row's place and not on its name, so that a record with pseudonyms declares the same.
    """
    place = next(index for index, planned in enumerate(manifest.rows) if planned.row == row)
    block, turn = divmod(repetition, len(manifest.grid))
    return sorted(manifest.grid, key=lambda boundary: _lot(manifest.seed, place, block, boundary))[turn]


def _lot(seed: int, place: int, block: int, boundary: Boundary) -> bytes:
    return hashlib.sha256(f"boundary\0{seed}\0{place}\0{block}\0{boundary.label}".encode()).digest()
