"""Compressed JSON lines: the same lines give the same bytes, and a file is there whole or not at all."""

import gzip
import json
import zlib
from collections.abc import Iterable
from pathlib import Path

from analysis.errors import EvidenceError
from simverity_engine.canonical import Json, canonical_bytes

SUFFIX = ".jsonl.gz"


def write_lines(file: Path, lines: Iterable[Json]) -> None:
    """Write lines of canonical JSON."""
    write_whole(file, gzip.compress(b"".join(canonical_bytes(line) + b"\n" for line in lines), mtime=0))


def write_whole(file: Path, content: bytes) -> None:
    """Write a file in one step, so that no reader ever sees a part of it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_name(f"{file.name}.partial")
    partial.write_bytes(content)
    partial.replace(file)


def read_lines(file: Path) -> list[object]:
    """Return the lines of a file.

    Raises:
        EvidenceError: it cannot be read, or a line is not JSON.
    """
    try:
        return [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        raise EvidenceError(f"{file} cannot be read: {error}") from error


def read_json(file: Path) -> object:
    """Return what a JSON file holds.

    Raises:
        EvidenceError: it cannot be read, or is not JSON.
    """
    try:
        document: object = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise EvidenceError(f"{file} cannot be read: {error}") from error
    return document
