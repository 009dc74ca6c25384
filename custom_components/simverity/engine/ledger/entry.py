"""What an entry of the ledger is: a header that the chain covers; its payload lies elsewhere, under its digest."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ..terms import Digest

FORMAT = "simverity-ledger/1"
"""Hashed with every header, so that no other digest of ours can pass for an entry's."""


class EntryKind(StrEnum):
    """What an entry records."""

    SESSION_OPENED = "session_opened"
    SESSION_CLOSED = "session_closed"
    TRIAL = "trial"
    TRIAL_AMENDED = "trial_amended"
    QUALIFICATION = "qualification"
    DISPOSITION = "disposition"
    COORDINATES = "coordinates"
    POLICY = "policy"
    ACKNOWLEDGED = "acknowledged"
    REDACTION = "redaction"
    RESTORED = "restored"
    CHECKPOINT = "checkpoint"
    SEGMENT_SEALED = "segment_sealed"
    HELD_OUT_OPENED = "held_out_opened"
    CORRECTION = "correction"
    REPLAYED = "replayed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """When an entry was made.

    ``recorded_at`` is the wall time as ISO 8601 with an offset: a label. ``monotonic_us`` is CLOCK_MONOTONIC in
    microseconds; it orders entries of one boot, which ``boot_id`` names.
    """

    recorded_at: str
    monotonic_us: int
    boot_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The end of a chain: how many entries it has, and the digest of the last."""

    sequence: int
    digest: Digest


EMPTY_HEAD = Head(sequence=0, digest=Digest("0" * 64))
"""The head of a ledger without entries; the first entry has sequence 1 and names this digest as its previous."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEntry:
    """One link of the chain.

    ``sequence`` counts from 1 without gaps. ``previous`` is the digest of the entry before. ``payload_digest`` is the
    SHA-256 of the payload's canonical bytes. ``digest`` covers all the other fields.
    """

    sequence: int
    previous: Digest
    kind: EntryKind
    payload_digest: Digest
    stamp: Stamp
    digest: Digest

    @property
    def head(self) -> Head:
        """The head of the chain that ends with this entry."""
        return Head(sequence=self.sequence, digest=self.digest)
