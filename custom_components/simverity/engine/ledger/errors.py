"""What can go wrong when an entry is made."""

from __future__ import annotations

from ..errors import EngineError


class LedgerError(EngineError):
    """The entry would not be valid evidence."""


class PayloadTooLargeError(LedgerError):
    """The payload exceeds what one trial may store."""
