"""The one read boundary that each trial contributes to prediction, declared before the trial by seeded design."""

from __future__ import annotations

import hashlib

from ..session.manifest import SessionManifest
from ..terms import Boundary, RowId


def declared_boundary(manifest: SessionManifest, row: RowId, repetition: int) -> Boundary:
    """Return the boundary of the grid that a repetition of a row declares.

    Every run of as many repetitions as the grid has boundaries contains each boundary once, in an order drawn from
    the session's seed: 60 repetitions of a row are 10 at each of 6 boundaries. It depends on the manifest alone.
    """
    block, place = divmod(repetition, len(manifest.grid))
    drawn = sorted(manifest.grid, key=lambda boundary: _lot(manifest.seed, row, block, boundary))
    return drawn[place]


def _lot(seed: int, row: RowId, block: int, boundary: Boundary) -> bytes:
    return hashlib.sha256(f"boundary\0{seed}\0{row}\0{block}\0{boundary.label}".encode()).digest()
