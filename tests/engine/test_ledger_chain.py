"""The writer: what the next entry is, against a header hashed by hand."""

from __future__ import annotations

import hashlib

import pytest

from simverity_engine.canonical import NotCanonicalError, plain
from simverity_engine.ledger.chain import MAX_TRIAL_BYTES, append, next_entry
from simverity_engine.ledger.entry import EMPTY_HEAD, EntryKind, Head, Stamp
from simverity_engine.ledger.errors import LedgerError, PayloadTooLargeError
from simverity_engine.ledger.notices import Correction, Redaction, Restored
from simverity_engine.terms import Digest

STAMP = Stamp(recorded_at="2026-11-04T18:00:00+00:00", monotonic_us=1_250_000, boot_id="boot-1")
PAYLOAD_DIGEST = Digest("ab" * 32)


def _stamp(recorded_at: str = STAMP.recorded_at, monotonic_us: int = 1, boot_id: str = "boot-1") -> Stamp:
    return Stamp(recorded_at=recorded_at, monotonic_us=monotonic_us, boot_id=boot_id)


def test_the_first_entry_is_hashed_as_the_format_describes() -> None:
    entry = next_entry(EMPTY_HEAD, EntryKind.SESSION_OPENED, PAYLOAD_DIGEST, STAMP)
    header = (
        '{"boot_id":"boot-1","format":"simverity-ledger/1","kind":"session_opened","monotonic_us":1250000,'
        f'"payload_digest":"{"ab" * 32}","previous":"{"0" * 64}",'
        '"recorded_at":"2026-11-04T18:00:00+00:00","sequence":1}'
    )
    assert entry.digest == hashlib.sha256(header.encode()).hexdigest()
    assert (entry.sequence, entry.previous, entry.kind) == (1, "0" * 64, EntryKind.SESSION_OPENED)
    assert (entry.payload_digest, entry.stamp) == (PAYLOAD_DIGEST, STAMP)


def test_each_entry_names_the_one_before() -> None:
    first = next_entry(EMPTY_HEAD, EntryKind.TRIAL, PAYLOAD_DIGEST, STAMP)
    second = next_entry(first.head, EntryKind.TRIAL, PAYLOAD_DIGEST, STAMP)
    assert first.head == Head(sequence=1, digest=first.digest)
    assert (second.sequence, second.previous) == (2, first.digest)
    assert second.digest != first.digest


def test_an_append_carries_the_payload_s_canonical_bytes() -> None:
    made = append(EMPTY_HEAD, EntryKind.TRIAL, {"b": 1.0, "a": "x"}, STAMP)
    assert made.payload == b'{"a":"x","b":1}'
    assert made.entry.payload_digest == hashlib.sha256(made.payload).hexdigest()
    assert made.entry == next_entry(EMPTY_HEAD, EntryKind.TRIAL, made.entry.payload_digest, STAMP)


@pytest.mark.parametrize("kind", [EntryKind.TRIAL, EntryKind.TRIAL_AMENDED])
def test_a_trial_stores_4_kb_at_most(kind: EntryKind) -> None:
    fits = "x" * (MAX_TRIAL_BYTES - 2)
    assert len(append(EMPTY_HEAD, kind, fits, STAMP).payload) == MAX_TRIAL_BYTES
    with pytest.raises(PayloadTooLargeError):
        append(EMPTY_HEAD, kind, fits + "x", STAMP)


def test_what_is_no_trial_may_be_larger() -> None:
    assert len(append(EMPTY_HEAD, EntryKind.CHECKPOINT, "x" * 10_000, STAMP).payload) == 10_002


def test_a_payload_outside_json_is_refused() -> None:
    with pytest.raises(NotCanonicalError):
        append(EMPTY_HEAD, EntryKind.TRIAL, {"reading": float("nan")}, STAMP)


@pytest.mark.parametrize(
    ("head", "payload_digest", "stamp"),
    [
        (Head(sequence=-1, digest=Digest("0" * 64)), PAYLOAD_DIGEST, STAMP),
        (Head(sequence=3, digest=Digest("0" * 63)), PAYLOAD_DIGEST, STAMP),
        (EMPTY_HEAD, Digest("AB" * 32), STAMP),
        (EMPTY_HEAD, PAYLOAD_DIGEST, _stamp(monotonic_us=-1)),
        (EMPTY_HEAD, PAYLOAD_DIGEST, _stamp(monotonic_us=2**53)),
        (EMPTY_HEAD, PAYLOAD_DIGEST, _stamp(boot_id="")),
        (EMPTY_HEAD, PAYLOAD_DIGEST, _stamp(recorded_at="yesterday")),
        (EMPTY_HEAD, PAYLOAD_DIGEST, _stamp(recorded_at="2026-11-04T18:00:00")),
    ],
    ids=["sequence", "head digest", "payload digest", "before boot", "too large", "boot", "no time", "no zone"],
)
def test_what_would_not_be_evidence_is_refused(head: Head, payload_digest: Digest, stamp: Stamp) -> None:
    with pytest.raises(LedgerError):
        next_entry(head, EntryKind.TRIAL, payload_digest, stamp)


def test_a_correction_names_the_old_entry_and_why() -> None:
    notice = Correction(corrects=PAYLOAD_DIGEST, reason="wrong lamp listed", author="Ada")
    assert plain(notice) == {"corrects": "ab" * 32, "reason": "wrong lamp listed", "author": "Ada"}


def test_a_restored_notice_holds_both_heads() -> None:
    notice = Restored(found=EMPTY_HEAD, published=Head(sequence=4, digest=PAYLOAD_DIGEST))
    assert plain(notice) == {
        "found": {"sequence": 0, "digest": "0" * 64},
        "published": {"sequence": 4, "digest": "ab" * 32},
    }


@pytest.mark.parametrize(("reason", "author"), [("", "Ada"), ("why", "  ")])
def test_a_notice_without_words_is_refused(reason: str, author: str) -> None:
    with pytest.raises(LedgerError):
        Correction(corrects=PAYLOAD_DIGEST, reason=reason, author=author)
    with pytest.raises(LedgerError):
        Redaction(sequences=(1,), reason=reason, author=author)


@pytest.mark.parametrize("sequences", [(), (0, 1), (2, 1), (1, 1)])
def test_a_redaction_names_entries_in_order_each_once(sequences: tuple[int, ...]) -> None:
    with pytest.raises(LedgerError):
        Redaction(sequences=sequences, reason="guest's room", author="Ada")
