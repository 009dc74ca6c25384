"""Payloads with which the ledger speaks about itself: corrections, redactions, restored backups."""

from __future__ import annotations

from dataclasses import dataclass

from ..terms import Digest
from .entry import Head
from .errors import LedgerError


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """The old entry stays; this one says what was wrong with it.

    ``corrects`` is the digest of the old entry. ``reason`` says why, in words, and ``author`` who says so.
    """

    corrects: Digest
    reason: str
    author: str

    def __post_init__(self) -> None:
        """Demand a reason and an author.

        Raises:
            LedgerError: either is blank.
        """
        _demand_words(self.reason, self.author)


@dataclass(frozen=True, slots=True, kw_only=True)
class Redaction:
    """Named payloads may be removed; their entries and digests stay in the chain.

    ``sequences`` names earlier entries, in ascending order without repeats. ``reason`` and ``author`` in words.
    """

    sequences: tuple[int, ...]
    reason: str
    author: str

    def __post_init__(self) -> None:
        """Demand names, a reason and an author.

        Raises:
            LedgerError: nothing is named, the order is wrong, or the words are blank.
        """
        _demand_words(self.reason, self.author)
        if not self.sequences or self.sequences[0] < 1 or list(self.sequences) != sorted(set(self.sequences)):
            raise LedgerError("a redaction names entries in ascending order, each once")


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """A backup was put back: the chain goes on from ``found``, though ``published`` had been reached."""

    found: Head
    published: Head


def _demand_words(*words: str) -> None:
    if not all(word.strip() for word in words):
        raise LedgerError("a notice must say why, and who says so")
