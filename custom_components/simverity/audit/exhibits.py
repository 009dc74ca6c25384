"""Evidence laid open for one device: the last false clearances with their traces, and a session's cells and hashes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from ..engine.canonical import Json
from ..engine.reliability import reliability_point
from ..engine.terms import SubjectId
from ..engine.trace.alignment import StageObservation, align
from ..engine.trace.codec import trace_digest
from ..engine.trace.samples import SampledChannel
from ..engine.trace.trace import Trace
from .replays import Replays
from .standing_cell import StandingCell

_DIGITS = 4
"""Times are shown to a tenth of a millisecond."""


def trial_exhibit(trace: Trace, subject: SubjectId) -> dict[str, Any]:
    """Return what was asked, claimed and seen in one trial, as JSON values; the film is the subject's."""
    return {
        "trial": trace.trial,
        "at": trace.wall_dispatched,
        "direction": trace.direction.value,
        "path": trace.path.value,
        "digest": trace_digest(trace),
        "settled": [trace.settle_from, trace.settle_until],
        "stages": [_stage(one) for one in align(trace)],
        "channel": _channel(trace, subject),
    }


def ticket(cell: StandingCell, replays: Replays) -> dict[str, Json]:
    """Return a cell's false clearances as one ticket: how often it failed, and what replays have shown since.

    ``cell`` has failed.
    """
    failed_last = datetime.fromisoformat(cell.last_failure or "")
    return {
        "cell": cell.key.text,
        "property": cell.key.property_id.value,
        "boundary": cell.key.boundary,
        "source": cell.key.source.value,
        "failures": cell.counts.pass_fail,
        "decided": cell.counts.decided,
        "status": replays.status(cell.key, failed_last=failed_last).value,
        "replays": [
            {"at": one.at.isoformat(), "failures": one.failures, "decided": one.decided} for one in replays.of(cell.key)
        ],
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


def reliability(card: Mapping[str, Any] | None, cells: Iterable[StandingCell]) -> list[dict[str, Any]]:
    """Return, per cell that a valid session tried, its expected risk beside what all other trials of it showed."""
    if card is None or not card["validity"]["valid"]:
        return []
    seen = {
        "/".join(cell["key"][name] for name in _KEY_ORDER): (cell["failures"], cell["decided"])
        for cell in card["cells"]
    }
    points = {
        cell.key: reliability_point(seen=seen[cell.key.text], every=(cell.counts.pass_fail, cell.counts.decided))
        for cell in cells
        if cell.key.text in seen
    }
    return [
        {
            "cell": key.text,
            "property": key.property_id.value,
            "boundary": key.boundary,
            "direction": key.direction.value,
            "expected": round(point.expected, _DIGITS),
            "failures": point.failures,
            "decided": point.decided,
            "interval": [round(point.interval.lower, _DIGITS), round(point.interval.upper, _DIGITS)],
        }
        for key, point in points.items()
        if point is not None
    ]


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
