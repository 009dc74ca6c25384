"""What is read back from a ledger or checkpoint that was damaged or redacted concludes nothing and raises nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from custom_components.simverity.adapters.ledger.store import StoredEntry
from custom_components.simverity.audit.evidence import read_closed, read_opened, read_trial, unpack_card
from custom_components.simverity.audit.replays import Replays
from custom_components.simverity.audit.standing import Standing
from custom_components.simverity.engine.canonical import Json, canonical_bytes, plain
from custom_components.simverity.engine.cells import CellKey
from custom_components.simverity.engine.properties.table import judge
from custom_components.simverity.engine.standing.policy import StandingPolicy
from custom_components.simverity.engine.terms import Digest, SubjectId
from tests.integration.failing_trials import ignored

CELL = "reported_read_after_write/settled/on/single_light/physical/accepted_call/lamp"


def _entry(content: bytes | None) -> StoredEntry:
    return StoredEntry(
        sequence=1, kind="trial", recorded_at="2026-12-01T00:00:00+00:00", digest=Digest("a"), content=content
    )


@pytest.mark.parametrize("read", [read_trial, read_opened, read_closed])
@pytest.mark.parametrize("content", [None, b"\xff", b"{", b"[]", b"7", b"{}", b'{"session": 1, "manifest": {}}'])
def test_an_entry_that_says_nothing_is_nothing(read: Any, content: bytes | None) -> None:
    assert read(_entry(content)) is None


@pytest.mark.parametrize("trace", ["", "!!", "a trace", 7])
def test_a_trace_that_cannot_be_read_is_no_trial(trace: object) -> None:
    assert read_trial(_entry(json.dumps({"key": None, "coordinates": "a", "trace": trace}).encode())) is None


@pytest.mark.parametrize("packed", ["", "~", "no card", "Vxa`"])
def test_a_card_that_cannot_be_read_is_none(packed: str) -> None:
    assert unpack_card(packed) is None


@pytest.mark.parametrize(
    "payload",
    [
        None,
        [],
        {},
        {"cells": []},
        {"cells": {"x": {}}},
        {"cells": {CELL: None}},
        {"cells": {CELL: {"at": "noon"}}},
        {"cells": {CELL: {"at": "noon", "failures": 0, "decided": 3}}},
    ],
)
def test_a_replay_that_cannot_be_read_says_nothing(payload: Json) -> None:
    replays = Replays()
    replays.read(payload)
    assert replays.of(CellKey.parse(CELL)) == ()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("counted_at", 7),
        ("counted_at", ["noon"]),
        ("counted_at", [True]),
        ("earlier", []),
        ("earlier", {"failures": 1.5, "decided": 2, "upper_limit": 0.5}),
        ("earlier", {"failures": 1, "decided": 2, "upper_limit": None}),
        ("counts", {}),
        ("counts", []),
        ("state", None),
    ],
)
def test_a_checkpoint_with_a_damaged_cell_is_none(field: str, value: Json) -> None:
    standing = Standing(StandingPolicy())
    trace = ignored("lamp", 0)
    standing.fold(trace, judge(trace), Digest("a" * 64))
    stored: Any = json.loads(canonical_bytes(standing.to_json()))
    [text] = stored["cells"]
    stored["cells"][text][field] = value
    assert not Standing(StandingPolicy()).load(stored)


def test_a_checkpoint_with_damaged_reasons_is_none() -> None:
    standing = Standing(StandingPolicy())
    trace = ignored("lamp", 0)
    standing.fold(trace, judge(trace), Digest("a" * 64))
    stored: Any = json.loads(canonical_bytes(standing.to_json()))
    [text] = stored["cells"]
    stored["cells"][text]["counts"]["linked"] = [7]
    other = Standing(StandingPolicy())
    assert not other.load(stored)
    assert (other.cells_of(SubjectId("lamp")), plain(other.policy)) == ((), plain(StandingPolicy()))
