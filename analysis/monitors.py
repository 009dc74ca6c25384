"""The digest of the engine that judges: the same that a session's manifest names."""

import hashlib
from pathlib import Path

import simverity_engine
from simverity_engine.terms import Digest


def engine_digest() -> Digest:
    """Return the digest of the engine's source, by relative names and contents."""
    folder = Path(simverity_engine.__path__[0]).resolve()
    hasher = hashlib.sha256()
    for file in sorted(folder.rglob("*.py")):
        content = file.read_bytes()
        hasher.update(f"{file.relative_to(folder).as_posix()}\0{len(content)}\0".encode())
        hasher.update(content)
    return Digest(hasher.hexdigest())
