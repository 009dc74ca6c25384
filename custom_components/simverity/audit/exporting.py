"""The ledger as an archive that can be given away: no name, no token, no address, and every relation kept.

Only strings of the measurement's own vocabulary pass. Every other string, whatever it is, is replaced by a running
pseudonym, the same one for the same string, so that a device stays recognisable as itself and as nothing else.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterable, Mapping
from enum import StrEnum

from ..adapters.ledger.store import StoredEntry
from ..engine import terms
from ..engine.canonical import Json, plain
from ..engine.ledger.entry import EntryKind
from ..engine.session.validity import Unsound
from ..engine.statistics.fidelity import Shortage
from .evidence import read_closed, read_trial, unpack_card

_ENUMS: tuple[type[StrEnum], ...] = (
    *(kind for kind in vars(terms).values() if isinstance(kind, type) and issubclass(kind, StrEnum)),
    EntryKind,
    Unsound,
    Shortage,
)
_WORDS = frozenset(word.value for kind in _ENUMS for word in kind) | {
    *("grid", "settled", "return", "reported", "one look", "luma", "unavailable", "unknown"),
    *(f"{domain}.turn_{state}" for domain in ("light", "switch", "homeassistant") for state in ("on", "off")),
}
_HARMLESS = re.compile(
    r"[0-9a-f]{64}"  # a digest
    r"|\d{1,3}(\.\d{1,2})?"  # a boundary, a repetition
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(\+\d\d:\d\d|Z)?"
)
_KEY = re.compile(r"[a-z][a-z0-9_]{0,40}")
_JOINTS = re.compile(r"([/:])")
_README = """Evidence of a home, sanitised. ledger.jsonl has one entry of the ledger a line.
x1, x2 and so on stand for whatever was no word of the measurement: devices, cameras, sessions, reasons. The same
pseudonym is the same thing in the whole archive. "digest" is the entry's place in the home's own hash chain.
"""


def export_archive(entries: Iterable[StoredEntry], *, secrets: frozenset[str]) -> bytes:
    """Return the entries as a ZIP archive. It decodes traces: run it outside the event loop.

    ``secrets`` never pass, even where they look like a digest.
    """
    pseudonyms = Pseudonyms(secrets)
    lines = [json.dumps(_exported(entry, pseudonyms), sort_keys=True) for entry in entries]
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", _README)
        archive.writestr("ledger.jsonl", "".join(f"{line}\n" for line in lines))
    return content.getvalue()


class Pseudonyms:
    """Replaces what is no word of the measurement, consistently."""

    def __init__(self, secrets: frozenset[str]) -> None:
        """Have replaced nothing yet."""
        self._secrets = secrets
        self._given: dict[str, str] = {}

    def clean(self, value: Json) -> Json:
        """Return a value without any foreign string, in keys and values alike."""
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, Mapping):
            return {self._key(key): self.clean(part) for key, part in value.items()}
        if isinstance(value, list):
            return [self.clean(part) for part in value]
        return value

    def _key(self, key: str) -> str:
        return key if _KEY.fullmatch(key) and key not in self._secrets else self._text(key)

    def _text(self, text: str) -> str:
        if self._passes(text):
            return text
        pieces = _JOINTS.split(text)
        if len(pieces) > 1:
            return "".join(piece if piece in {"/", ":", ""} else self._text(piece) for piece in pieces)
        return self._given.setdefault(text, f"x{len(self._given) + 1}")

    def _passes(self, text: str) -> bool:
        return text not in self._secrets and (text in _WORDS or _HARMLESS.fullmatch(text) is not None)


def _exported(entry: StoredEntry, pseudonyms: Pseudonyms) -> dict[str, Json]:
    return {
        "sequence": entry.sequence,
        "kind": entry.kind,
        "recorded_at": entry.recorded_at,
        "digest": entry.digest,
        "payload": pseudonyms.clean(_opened(entry)),
    }


def _opened(entry: StoredEntry) -> Json:
    """Return what an entry says, with packed traces and cards laid open."""
    if entry.kind == EntryKind.TRIAL and (trial := read_trial(entry)) is not None:
        return plain(trial)
    if entry.kind == EntryKind.SESSION_CLOSED and (closed := read_closed(entry)) is not None:
        card = None if closed.card is None else unpack_card(closed.card)
        return {
            "session": closed.session,
            "valid": closed.valid,
            "reasons": list(closed.reasons),
            "ended_at": closed.ended_at,
            "card": card,
        }
    return entry.payload
