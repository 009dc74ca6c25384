"""The verifier against chains that the writer made and that someone then damaged."""

from __future__ import annotations

import ast
import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simverity_engine.canonical import Json, plain
from simverity_engine.ledger import verify
from simverity_engine.ledger.chain import append
from simverity_engine.ledger.entry import EMPTY_HEAD, EntryKind, Head, Stamp
from simverity_engine.ledger.notices import Redaction
from simverity_engine.ledger.verify import BEGINNING, COLUMNS, ChainEnd, ChainFault, Fault, verify_chain
from simverity_engine.terms import Digest

type MutableRow = list[object]

PAYLOAD = COLUMNS.index("payload")
DIGEST = COLUMNS.index("digest")


def _chain(*contents: tuple[EntryKind, Json], boot_id: str = "boot-1", head: Head = EMPTY_HEAD) -> list[MutableRow]:
    rows: list[MutableRow] = []
    for kind, payload in contents:
        stamp = Stamp(
            recorded_at=f"2026-11-04T18:00:{head.sequence:02d}+00:00", monotonic_us=head.sequence * 10, boot_id=boot_id
        )
        made = append(head, kind, payload, stamp)
        entry, head = made.entry, made.entry.head
        rows.append(
            [
                entry.sequence,
                entry.previous,
                entry.kind.value,
                entry.payload_digest,
                entry.stamp.recorded_at,
                entry.stamp.monotonic_us,
                entry.stamp.boot_id,
                entry.digest,
                made.payload,
            ]
        )
    return rows


def _trials(count: int, boot_id: str = "boot-1") -> list[MutableRow]:
    return _chain(*[(EntryKind.TRIAL, {"trial": number}) for number in range(count)], boot_id=boot_id)


def _redacting(*sequences: int) -> tuple[EntryKind, Json]:
    return EntryKind.REDACTION, plain(Redaction(sequences=sequences, reason="guest's room", author="Ada"))


def _end(rows: list[MutableRow], sequence: int) -> ChainEnd:
    digest = rows[sequence - 1][DIGEST]
    assert isinstance(digest, str)
    return ChainEnd(sequence=sequence, digest=digest)


def _rehash(row: MutableRow) -> None:
    """What someone does who knows the format: make the altered row consistent with itself."""
    header = {"format": "simverity-ledger/1", **dict(zip(COLUMNS[:7], row[:7], strict=True))}
    text = json.dumps(header, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    row[DIGEST] = hashlib.sha256(text.encode()).hexdigest()


def test_a_whole_chain_is_intact_up_to_its_published_head() -> None:
    rows = _trials(5)
    report = verify_chain(rows, published=_end(rows, 5))
    assert report.intact
    assert report.verified == _end(rows, 5)
    assert (report.redacted, report.head_checked, report.payloads_checked) == (0, True, True)


def test_an_empty_ledger_is_intact() -> None:
    report = verify_chain([], published=BEGINNING)
    assert report.intact
    assert report.verified == BEGINNING


def test_a_report_says_that_no_published_head_was_at_hand() -> None:
    assert not verify_chain(_trials(2)).head_checked


def test_the_head_may_lag_behind_the_chain() -> None:
    rows = _trials(5)
    assert verify_chain(rows, published=_end(rows, 3)).intact


def test_rows_without_payloads_verify_and_say_so() -> None:
    rows = _trials(3)
    report = verify_chain([row[:PAYLOAD] for row in rows], published=_end(rows, 3))
    assert report.intact
    assert not report.payloads_checked


def test_text_outside_ascii_verifies() -> None:
    assert verify_chain(_chain((EntryKind.TRIAL, {"λ": "é\u2028😀"}), boot_id='ü"\\\n\u007f')).intact


def test_verification_goes_on_from_a_place_that_was_vouched_for() -> None:
    rows = _trials(6)
    assert verify_chain(rows[3:], start=_end(rows, 3), published=_end(rows, 6)).intact
    other = _trials(6, boot_id="boot-2")
    report = verify_chain(rows[3:], start=_end(other, 3))
    assert report.fault == ChainFault(sequence=4, fault=Fault.BROKEN_LINK)


def test_a_vouched_place_that_is_not_what_was_published_is_a_rollback() -> None:
    rows, other = _trials(3), _trials(3, boot_id="boot-2")
    report = verify_chain([], start=_end(rows, 3), published=_end(other, 3))
    assert report.fault == ChainFault(sequence=3, fault=Fault.ROLLED_BACK)


_ALTERED_VALUES: list[tuple[str, object]] = [
    ("kind", "correction"),
    ("payload_digest", "0" * 64),
    ("recorded_at", "2026-11-05T18:00:00+00:00"),
    ("monotonic_us", 99),
    ("boot_id", "boot-9"),
    ("digest", "f" * 64),
    ("previous", "f" * 64),
]


@pytest.mark.parametrize(("column", "value"), _ALTERED_VALUES)
def test_an_altered_header_shows(column: str, value: object) -> None:
    rows = _trials(4)
    rows[1][COLUMNS.index(column)] = value
    report = verify_chain(rows)
    assert report.fault == ChainFault(sequence=2, fault=Fault.ALTERED)
    assert report.verified == _end(rows, 1)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("sequence", "2"),
        ("sequence", True),
        ("previous", None),
        ("kind", 3),
        ("payload_digest", b"x"),
        ("recorded_at", None),
        ("monotonic_us", 10.0),
        ("boot_id", 1),
        ("digest", None),
        ("payload", "text"),
    ],
)
def test_a_value_of_another_type_is_an_alteration(column: str, value: object) -> None:
    rows = _trials(4)
    rows[1][COLUMNS.index(column)] = value
    assert verify_chain(rows).fault == ChainFault(sequence=2, fault=Fault.ALTERED)


def test_a_lone_surrogate_is_reported_not_raised() -> None:
    rows = _trials(2)
    rows[1][COLUMNS.index("boot_id")] = "\ud800"
    assert verify_chain(rows).fault == ChainFault(sequence=2, fault=Fault.ALTERED)


@pytest.mark.parametrize("row", [[], [1, 2, 3], list(range(10))])
def test_a_row_of_another_shape_is_an_alteration(row: MutableRow) -> None:
    assert verify_chain([row]).fault == ChainFault(sequence=1, fault=Fault.ALTERED)


def test_an_altered_entry_that_was_hashed_again_breaks_the_next_link() -> None:
    rows = _trials(4)
    rows[1][COLUMNS.index("boot_id")] = "boot-9"
    _rehash(rows[1])
    report = verify_chain(rows)
    assert report.fault == ChainFault(sequence=3, fault=Fault.BROKEN_LINK)


def test_a_removed_entry_is_missing() -> None:
    rows = _trials(4)
    del rows[1]
    assert verify_chain(rows).fault == ChainFault(sequence=2, fault=Fault.MISSING)


def test_an_entry_that_comes_twice_is_no_link() -> None:
    rows = _trials(3)
    assert verify_chain([*rows[:2], rows[1], rows[2]]).fault == ChainFault(sequence=3, fault=Fault.BROKEN_LINK)


def test_a_chain_shorter_than_the_published_head_is_truncated() -> None:
    rows = _trials(5)
    report = verify_chain(rows[:3], published=_end(rows, 5))
    assert report.fault == ChainFault(sequence=4, fault=Fault.TRUNCATED)
    assert report.verified == _end(rows, 3)


def test_an_older_copy_that_grew_again_is_a_rollback() -> None:
    rows = _trials(5)
    again = [*rows[:3], *_regrown(rows, 3, 4)]
    report = verify_chain(again, published=_end(rows, 5))
    assert report.fault == ChainFault(sequence=5, fault=Fault.ROLLED_BACK)
    assert report.verified.sequence == 4


def _regrown(rows: list[MutableRow], after: int, count: int) -> list[MutableRow]:
    head = Head(sequence=after, digest=Digest(_end(rows, after).digest))
    return _chain(*[(EntryKind.TRIAL, {"other": number}) for number in range(count)], head=head)


def test_a_rewritten_ledger_is_a_rollback() -> None:
    rows = _trials(4)
    rewritten = _trials(4, boot_id="boot-2")
    assert verify_chain(rewritten, published=_end(rows, 4)).fault == ChainFault(sequence=4, fault=Fault.ROLLED_BACK)


def test_an_altered_payload_shows() -> None:
    rows = _trials(4)
    rows[2][PAYLOAD] = b'{"trial":9}'
    report = verify_chain(rows)
    assert report.fault == ChainFault(sequence=3, fault=Fault.PAYLOAD_ALTERED)


def test_a_payload_that_nothing_excuses_is_missing() -> None:
    rows = _trials(4)
    rows[2][PAYLOAD] = None
    assert verify_chain(rows).fault == ChainFault(sequence=3, fault=Fault.PAYLOAD_MISSING)


def test_a_redaction_excuses_the_payloads_that_it_names_and_no_others() -> None:
    rows = _chain((EntryKind.TRIAL, 1), (EntryKind.TRIAL, 2), (EntryKind.TRIAL, 3), _redacting(1, 3))
    rows[0][PAYLOAD] = None
    report = verify_chain(rows)
    assert report.intact
    assert report.redacted == 1
    rows[1][PAYLOAD] = None
    assert verify_chain(rows).fault == ChainFault(sequence=2, fault=Fault.PAYLOAD_MISSING)


def test_a_redaction_cannot_excuse_what_comes_after_it() -> None:
    rows = _chain(_redacting(1, 2), (EntryKind.TRIAL, 1))
    rows[1][PAYLOAD] = None
    assert verify_chain(rows).fault == ChainFault(sequence=2, fault=Fault.PAYLOAD_MISSING)


def test_a_redaction_whose_own_payload_is_gone_excuses_nothing() -> None:
    rows = _chain((EntryKind.TRIAL, 1), _redacting(1))
    rows[0][PAYLOAD] = rows[1][PAYLOAD] = None
    assert verify_chain(rows).fault == ChainFault(sequence=1, fault=Fault.PAYLOAD_MISSING)


def test_only_a_redaction_redacts() -> None:
    rows = _chain((EntryKind.TRIAL, 1), (EntryKind.CORRECTION, {"sequences": [1]}))
    rows[0][PAYLOAD] = None
    assert verify_chain(rows).fault == ChainFault(sequence=1, fault=Fault.PAYLOAD_MISSING)


@pytest.mark.parametrize("content", [[1], "1", {"sequences": 1}, {"sequences": ["1"]}, {}])
def test_a_redaction_in_another_form_excuses_nothing(content: Json) -> None:
    rows = _chain((EntryKind.TRIAL, 1), (EntryKind.REDACTION, content))
    rows[0][PAYLOAD] = None
    assert verify_chain(rows).fault == ChainFault(sequence=1, fault=Fault.PAYLOAD_MISSING)


def test_a_redaction_that_is_not_json_excuses_nothing() -> None:
    rows = _chain((EntryKind.TRIAL, 1), _redacting(1))
    rows[0][PAYLOAD] = None
    rows[1][PAYLOAD] = b"\xff{"
    rows[1][COLUMNS.index("payload_digest")] = hashlib.sha256(b"\xff{").hexdigest()
    _rehash(rows[1])
    assert verify_chain(rows).fault == ChainFault(sequence=1, fault=Fault.PAYLOAD_MISSING)


_json = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.floats(-1e6, 1e6) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
_contents = st.lists(
    st.tuples(st.sampled_from([kind for kind in EntryKind if kind is not EntryKind.REDACTION]), _json),
    min_size=1,
    max_size=8,
)


@given(_contents)
def test_whatever_the_writer_makes_the_verifier_accepts(contents: list[tuple[EntryKind, Json]]) -> None:
    rows = _chain(*contents)
    assert verify_chain(rows, published=_end(rows, len(rows))).intact


@given(_contents, st.data())
def test_any_single_change_is_found(contents: list[tuple[EntryKind, Json]], data: st.DataObject) -> None:
    rows = _chain(*contents)
    published = _end(rows, len(rows))
    row = data.draw(st.sampled_from(rows))
    column = data.draw(st.integers(0, len(COLUMNS) - 1))
    old = row[column]
    if isinstance(old, str):
        row[column] = data.draw(st.text().filter(lambda text: text != old))
    elif isinstance(old, int):
        row[column] = data.draw(st.integers().filter(lambda number: number != old))
    else:
        row[column] = data.draw(st.none() | st.binary().filter(lambda content: content != old))
    assert not verify_chain(rows, published=published).intact


@given(_contents, st.data())
def test_any_single_removal_is_found(contents: list[tuple[EntryKind, Json]], data: st.DataObject) -> None:
    rows = _chain(*contents)
    published = _end(rows, len(rows))
    del rows[data.draw(st.integers(0, len(rows) - 1))]
    assert not verify_chain(rows, published=published).intact


def test_the_verifier_imports_nothing_of_ours() -> None:
    tree = ast.parse(Path(verify.__file__).read_text(encoding="utf-8"))
    relative = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level > 0]
    absolute = {
        (node.module or "") if isinstance(node, ast.ImportFrom) else node.names[0].name
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
    }
    assert relative == []
    assert absolute == {"__future__", "collections.abc", "dataclasses", "enum", "hashlib", "json"}
