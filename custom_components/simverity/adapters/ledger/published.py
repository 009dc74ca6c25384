"""The files beside the ledger: its published head, and what was concluded from it."""

from __future__ import annotations

import json
import os
from pathlib import Path

from ...engine.canonical import Json, canonical_bytes
from ...engine.ledger.entry import Head
from ...engine.terms import Digest


def read_json(file: Path) -> Json:
    """Return what a file holds, None where it holds no JSON or cannot be read."""
    try:
        value: Json = json.loads(file.read_bytes())
    except OSError, ValueError:
        return None
    return value


def read_head(file: Path) -> Head | None:
    """Return the head that was published last, None where none can be read."""
    value = read_json(file)
    if not isinstance(value, dict):
        return None
    sequence, last = value.get("sequence"), value.get("digest")
    if not isinstance(sequence, int) or not isinstance(last, str):
        return None
    return Head(sequence=sequence, digest=Digest(last))


def write_atomically(file: Path, value: Json) -> None:
    """Write beside the file, force it to disk, and move it into place."""
    beside = file.with_suffix(".tmp")
    with beside.open("wb") as out:
        out.write(canonical_bytes(value))
        out.flush()
        os.fsync(out.fileno())
    beside.replace(file)
