"""Evidence laid open for one device: the last false clearances with their traces, and a session's cells and hashes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from ..adapters.ledger.store import StoredEntry
from ..engine.canonical import Json
from ..engine.cells import CellVerdicts, claims
from ..engine.ledger.entry import EntryKind
from ..engine.properties.table import judge
from ..engine.terms import Rung, SubjectId, Verdict
from ..engine.trace.alignment import StageObservation, align
from ..engine.trace.codec import trace_digest
from ..engine.trace.samples import SampledChannel
from ..engine.trace.trace import Trace
from .evidence import read_closed, read_trial

EXHIBIT_KINDS = (EntryKind.TRIAL, EntryKind.SESSION_CLOSED)
"""What ``false_clearances`` reads."""
_DIGITS = 4
"""Times are shown to a tenth of a millisecond."""


def false_clearances(entries: Iterable[StoredEntry], subject: SubjectId, *, most: int) -> list[dict[str, Json]]:
    """Return the newest false clearances of a subject as JSON values, newest first.

    ``entries`` are those of ``EXHIBIT_KINDS``, newest first. Trials of a session that is not valid, or not closed,
    count nowhere and are not shown. It decodes traces: run it outside the event loop.
    """
    return list(islice(_found(entries, subject), most))


def _found(entries: Iterable[StoredEntry], subject: SubjectId) -> Iterable[dict[str, Json]]:
    valid: set[str] = set()
    for entry in entries:
        if entry.kind == EntryKind.SESSION_CLOSED:
            if (closed := read_closed(entry)) is not None and closed.valid:
                valid.add(closed.session)
            continue
        trial = read_trial(entry)
        if trial is None or trial.trace.rung is not Rung.PHYSICAL:
            continue
        if trial.key is not None and trial.key.session not in valid:
            continue
        trace = trial.trace
        if subject not in (trace.subject, *trace.targets):
            continue
        failed = [one for one in claims(trace, judge(trace)) if _is_false_clearance(one, subject)]
        if failed:
            yield _exhibit(trace, subject, failed)


def _is_false_clearance(one: CellVerdicts, subject: SubjectId) -> bool:
    return one.key.subject == subject and one.verdicts.source is Verdict.PASS and one.verdicts.target is Verdict.FAIL


def _exhibit(trace: Trace, subject: SubjectId, failed: list[CellVerdicts]) -> dict[str, Json]:
    return {
        "trial": trace.trial,
        "at": trace.wall_dispatched,
        "direction": trace.direction.value,
        "path": trace.path.value,
        "digest": trace_digest(trace),
        "settled": [trace.settle_from, trace.settle_until],
        "cells": [{"property": one.key.property_id.value, "boundary": one.key.boundary} for one in failed],
        "stages": [_stage(one) for one in align(trace)],
        "channel": _channel(trace, subject),
    }


def _stage(one: StageObservation) -> Json:
    return {
        "stage": one.stage.value,
        "earliest": _rounded(one.earliest),
        "latest": _rounded(one.latest),
        "note": None if one.note is None else one.note.value,
        "unavailable": None if one.unavailable is None else one.unavailable.value,
        "reason": None if one.reason is None else one.reason.value,
    }


def _channel(trace: Trace, subject: SubjectId) -> Json:
    """Return what the camera saw of the subject, or of a group's first filmed member; None where nothing was filmed."""
    wanted = (subject,) if subject in trace.targets else trace.targets
    for channel in map(trace.channel, wanted):
        if isinstance(channel, SampledChannel):
            return {
                "on": channel.levels.on,
                "off": channel.levels.off,
                "guard": channel.levels.guard,
                "samples": [
                    [
                        _rounded(sample.earliest - trace.dispatched_at),
                        _rounded(sample.latest - trace.dispatched_at),
                        sample.level,
                    ]
                    for sample in channel.samples
                ],
            }
    return None


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, _DIGITS)


def session_exhibit(card: Mapping[str, Any] | None, subject: SubjectId) -> dict[str, Any] | None:
    """Return a session's cells of one subject with the hashes that bind them; None where it did not try the subject."""
    cells = [cell for cell in (card or {}).get("cells", ()) if cell["key"]["subject"] == subject]
    if card is None or not cells:
        return None
    return {
        "session": card["session"],
        "declared_at": card["declared_at"],
        "valid": card["validity"]["valid"],
        "hashes": {name: card["hashes"][name] for name in ("manifest", "monitors", "coordinates", "trials")},
        "cells": [_session_cell(cell) for cell in cells],
    }


def _session_cell(cell: Mapping[str, Any]) -> dict[str, Any]:
    """Return a cell under the names that a standing cell has (``views.cell_message``), with its exact interval."""
    key, counts = cell["key"], cell["counts"]
    interval = (cell["risk"].get("point") or {}).get("interval")
    return {
        "cell": "/".join(key[name] for name in _KEY_ORDER),
        "property": key["property_id"],
        **{name: key[name] for name in ("boundary", "direction", "path", "rung", "source")},
        **{name: cell[name] for name in ("disposition", "two_sided", "failures", "decided")},
        **{name: cell[name] for name in ("abstained", "blocked", "source_abstained")},
        "reasons": {one["reason"]: one["count"] for one in (*counts["linked"], *counts["before_dispatch"])},
        "interval": None if interval is None else [interval["lower"], interval["upper"]],
    }


_KEY_ORDER = ("property_id", "boundary", "direction", "path", "rung", "source", "subject")
