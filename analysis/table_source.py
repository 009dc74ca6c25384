"""Evidence from partitioned Parquet: one part of a job for each file, read lazily and summed by Polars.

One line is one trial under one property. ``fate`` is ``row``, or why it is none. ``latencies`` are aligned with
``devices``: seconds, infinite where the device was never seen to take effect, null where nothing is known.
"""

import math
from collections.abc import Iterable, Sequence
from pathlib import Path

import polars as pl

from analysis.accounting import INVALID_SESSION, ROW, Account, Accounts, SessionAccount
from analysis.errors import EvidenceError
from analysis.evidence import EXPECTED_SOURCE, Calibration, HeldOut, SessionCount, held_out, refated
from simverity_engine.profile.counts import Counted, LatencyClass, Tally
from simverity_engine.profile.profile import RiskProfile
from simverity_engine.profile.registration import EvaluationManifest
from simverity_engine.profile.row import LeftOut, PredictionRow, Query
from simverity_engine.profile.split import Evidence
from simverity_engine.terms import Direction, PropertyId, Rung, SessionId, SubjectId
from simverity_engine.terms import Path as TrialPath

_TEXT = (
    "property",
    "boundary",
    "direction",
    "path",
    "rung",
    "source",
    "action",
)
SCHEMA = pl.Schema(
    [
        ("site", pl.String()),
        ("session", pl.String()),
        ("valid", pl.Boolean()),
        ("reset", pl.String()),
        *((name, pl.String()) for name in _TEXT),
        ("devices", pl.List(pl.String())),
        ("failed", pl.Boolean()),
        ("latencies", pl.List(pl.Float64())),
        ("fate", pl.String()),
        ("reason", pl.String()),
    ]
)
"""The columns, in order. What describes a row is null where the trial is none."""
_QUERY = ("site", "property", "boundary", "direction", "path", "rung", "action")
_PLACE = ("site", "session", "reset", "path", "rung")
_ACCOUNT = ("session", "valid", "path", "rung", "property", "fate", "reason")
_JOIN = "\x1f"


def calibration_of_table(file: Path, manifest: EvaluationManifest) -> Calibration:
    """Count one file of calibration evidence.

    Raises:
        EvidenceError: it does not have the agreed columns, or mixes sources.
    """
    lines = _scan(file)
    rows = lines.filter(pl.col("valid") & (pl.col("fate") == ROW))
    return Calibration(
        counts=Counted(rows=_queries(rows), late=_late(rows, manifest)),
        evidence=_evidence(lines),
        accounts=_accounts(lines, manifest=None),
    )


def held_out_of_table(file: Path, asked: tuple[EvaluationManifest, RiskProfile]) -> HeldOut:
    """Ask the frozen profile about one file of held-out evidence.

    Raises:
        EvidenceError: it does not have the agreed columns, or mixes sources.
    """
    manifest, profile = asked
    lines = _scan(file)
    inside = pl.any_horizontal(
        [(pl.col("path") == cell.path.value) & (pl.col("rung") == cell.rung.value) for cell in manifest.held_out]
    )
    rows = lines.filter(pl.col("valid") & (pl.col("fate") == ROW) & inside)
    return held_out(profile, _session_counts(rows), _evidence(lines), _accounts(lines, manifest=manifest))


def write_table(file: Path, found: Iterable[tuple[PredictionRow | LeftOut, str, str, bool]]) -> None:
    """Write rows and what is none, each with its home, its stretch between resets and whether its session is valid."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = [_line(one, site, reset, valid=valid) for one, site, reset, valid in found]
    pl.DataFrame(lines, schema=SCHEMA, orient="row").write_parquet(file)


def _line(one: PredictionRow | LeftOut, site: str, reset: str, *, valid: bool) -> tuple[object, ...]:
    head = (site, one.session, valid, reset)
    if isinstance(one, LeftOut):
        reason = None if one.reason is None else one.reason.value
        where = (one.property_id.value, None, None, one.path.value, one.rung.value)
        return (*head, *where, None, None, None, None, None, one.fate.value, reason)
    query = one.query
    known = {latency.device: latency.seconds for latency in one.latencies}
    return (
        *head,
        query.property_id.value,
        query.boundary,
        query.direction.value,
        query.path.value,
        query.rung.value,
        one.source.value,
        query.action,
        list(query.devices),
        one.failed,
        [_seconds(known, device) for device in query.devices],
        ROW,
        None,
    )


def _seconds(known: dict[SubjectId, float | None], device: SubjectId) -> float | None:
    if device not in known:
        return None
    seconds = known[device]
    return math.inf if seconds is None else seconds


def _scan(file: Path) -> pl.LazyFrame:
    lines = pl.scan_parquet(file)
    try:
        if lines.collect_schema() != SCHEMA:
            raise EvidenceError(f"{file} does not have the agreed columns")
        sources = lines.filter(pl.col("fate") == ROW).select("rung", "source").unique().collect().rows()
    except (OSError, pl.exceptions.PolarsError) as error:
        raise EvidenceError(f"{file} cannot be read: {error}") from error
    expected = {(rung.value, source.value) for rung, source in EXPECTED_SOURCE.items()}
    if not set(sources) <= expected:
        raise EvidenceError(f"{file} mixes sources of the clearance: {sorted(set(sources) - expected)}")
    return lines


def _summed(lines: pl.LazyFrame, by: Sequence[str]) -> list[tuple[object, ...]]:
    """Return each combination of values with how many rows have it and how many of those failed."""
    joined = lines.with_columns(pl.col("devices").list.join(_JOIN))
    return joined.group_by(by).agg(pl.len(), pl.col("failed").sum()).collect(engine="streaming").rows()


def _queries(rows: pl.LazyFrame) -> dict[Query, Tally]:
    return {
        _query(values): Tally(trials=int(str(trials)), failures=int(str(failures)))
        for *values, trials, failures in _summed(rows, (*_QUERY, "devices"))
    }


def _session_counts(rows: pl.LazyFrame) -> Iterable[SessionCount]:
    for session, *values, trials, failures in _summed(rows, ("session", *_QUERY, "devices")):
        yield SessionCount(
            session=SessionId(str(session)),
            query=_query(values),
            tally=Tally(trials=int(str(trials)), failures=int(str(failures))),
        )


def _query(values: Sequence[object]) -> Query:
    site, property_id, boundary, direction, path, rung, action, devices = map(str, values)
    return Query(
        site=site,
        property_id=PropertyId(property_id),
        boundary=boundary,
        direction=Direction(direction),
        path=TrialPath(path),
        rung=Rung(rung),
        action=action,
        devices=tuple(SubjectId(device) for device in devices.split(_JOIN)),
    )


def _late(rows: pl.LazyFrame, manifest: EvaluationManifest) -> dict[LatencyClass, Tally]:
    by = ("site", "action", "direction", "devices", "rung")
    known = rows.select(*by, "latencies").explode("devices", "latencies").filter(pl.col("latencies").is_not_null())
    late = [(pl.col("latencies") > boundary.seconds).sum().alias(boundary.label) for boundary in manifest.grid]
    counts: dict[LatencyClass, Tally] = {}
    for site, action, direction, device, rung, trials, *failures in (
        known.group_by(by).agg(pl.len(), *late).collect(engine="streaming").rows()
    ):
        for boundary, failed in zip(manifest.grid, failures, strict=True):
            key = LatencyClass(
                site=site,
                action=action,
                direction=Direction(direction),
                device=SubjectId(device),
                rung=Rung(rung),
                boundary=boundary.label,
            )
            counts[key] = Tally(trials=trials, failures=failed)
    return counts


def _evidence(lines: pl.LazyFrame) -> frozenset[Evidence]:
    found = lines.select(_PLACE).unique().collect(engine="streaming").rows()
    return frozenset(
        Evidence(site=site, session=SessionId(session), reset=reset, path=TrialPath(path), rung=Rung(rung))
        for site, session, reset, path, rung in found
    )


def _accounts(lines: pl.LazyFrame, *, manifest: EvaluationManifest | None) -> Accounts:
    """Count fates; with a manifest, those of held-out evidence."""
    counted: dict[bool, dict[Account, int]] = {True: {}, False: {}}
    for session, valid, path, rung, property_id, fate, reason, count in (
        lines.group_by(_ACCOUNT).agg(pl.len()).collect(engine="streaming").rows()
    ):
        account = Account(
            session=SessionId(session),
            path=TrialPath(path),
            rung=Rung(rung),
            property_id=PropertyId(property_id),
            fate=fate if valid or manifest else INVALID_SESSION,
            reason=(reason or "") if valid or manifest else "",
        )
        counted[valid][account] = counted[valid].get(account, 0) + count
    total: dict[Account, int] = {}
    for valid, accounts in counted.items():
        total |= refated(accounts, manifest=manifest, valid=valid) if manifest else accounts
    sessions = lines.select("session", "site", "valid").unique().collect(engine="streaming").rows()
    return Accounts(
        lines=total,
        sessions={
            SessionId(session): SessionAccount(
                session=SessionId(session),
                site=site,
                valid=valid,
                reasons=() if valid else (INVALID_SESSION,),
                planned=None,
                recorded=None,
            )
            for session, site, valid in sessions
        },
    )
