"""The file that keeps the token, readable by its owner alone."""

from __future__ import annotations

import os
import time
from pathlib import Path

from .access import MIN_TOKEN

_PRIVATE = 0o600


def read_token(path: Path) -> str | None:
    """Return the token in a file; None where there is no file, or none that can be used."""
    try:
        token = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return token if len(token) >= MIN_TOKEN else None


def write_token(path: Path, token: str) -> None:
    """Put a token in the place of the old one, at once and durably.

    Raises:
        OSError: the folder cannot be written; the old token is still there.
    """
    partial = path.with_name(path.name + ".partial")
    partial.unlink(missing_ok=True)
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(token + "\n")
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def kept_token(path: Path, fresh: str) -> str:
    """Return the token in a file, private from now on; where there is none, store ``fresh`` first.

    Raises:
        OSError: the folder cannot be written.
    """
    token = read_token(path)
    if token is None:
        write_token(path, fresh)
        return fresh
    path.chmod(_PRIVATE)
    return token


def age(path: Path) -> float:
    """Return the seconds since the token was written, by the wall clock; never negative.

    Raises:
        OSError: there is no file.
    """
    return max(0.0, time.time() - path.stat().st_mtime)
