"""Evidence from partitioned Parquet: one part of a job for each file, read lazily and summed by Polars.

One line is one trial under one property. ``fate`` is ``row``, or why it is none. ``latencies`` are aligned with
``devices``: seconds, infinite where the device was never seen to take effect, null where nothing is known.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import polars as pl

from analysis.accounting import INVALID_SESSION, ROW, Account, Accounts, SessionAccount
from analysis.errors import EvidenceError
from analysis.evidence import (
    EXPECTED_SOURCE,
    PRIMARY_PROPERTY,
    BoundaryClass,
    Calibration,
    HeldOut,
    SessionCount,
    answered,
    refated,
)
from simverity_engine.profile.counts import OF_ROWS, ClassCounts, Grouping, Tally, Values
from simverity_engine.profile.profile import RiskProfile
from simverity_engine.profile.registration import EvaluationManifest
from simverity_engine.profile.row import DIRECTED, LeftOut, PredictionRow, Query
from simverity_engine.profile.split import Evidence
from simverity_engine.terms import Direction, PropertyId, Rung, SessionId, Stage, SubjectId
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
_ACCOUNT = ("valid", "path", "rung", "property", "fate", "reason")
_JOIN = "\x1f"


def calibration_of_table(file: Path, manifest: EvaluationManifest) -> Calibration:
    """Count one file of calibration evidence.

    Raises:
        EvidenceError: it does not have the agreed columns, or mixes sources.
    """
    lines = _scan(file)
    rows = lines.filter(pl.col("valid") & (pl.col("fate") == ROW))
    return Calibration(
        classes=_classes(rows, manifest), evidence=_evidence(lines), accounts=_accounts(lines, manifest=None)
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
    asked_about = rows.filter(pl.col("property") == PRIMARY_PROPERTY.value)
    return HeldOut(
        vectors=answered(profile, _session_counts(asked_about)),
        outcomes=_outcomes(rows),
        evidence=_evidence(lines),
        accounts=_accounts(lines, manifest=manifest),
    )


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


def _classes(rows: pl.LazyFrame, manifest: EvaluationManifest) -> ClassCounts:
    """Count rows by every grouping, and latencies against every boundary, in one pass over the file."""
    head = [] if manifest.pool_sites else ["site"]
    directed = pl.col("property").is_in([property_id.value for property_id in DIRECTED])
    facet = pl.when(directed).then(pl.col("direction")).otherwise(pl.lit(Stage.OBSERVABLE_EFFECT.value))
    known = rows.with_columns(facet.alias("facet"))
    by_grouping = [
        known.group_by(*head, *grouping.fields).agg(pl.len(), pl.col("failed").sum()) for grouping in OF_ROWS
    ]
    *summed, late = pl.collect_all([*by_grouping, _late(rows, head, manifest)])
    groups: dict[Grouping, dict[Values, Tally]] = {
        grouping: _tallies(frame) for grouping, frame in zip(OF_ROWS, summed, strict=True)
    }
    return ClassCounts(groups=groups | {Grouping.DEVICE_LATENCY: _late_tallies(late, manifest)})


def _tallies(frame: pl.DataFrame) -> dict[Values, Tally]:
    return {tuple(values): Tally(trials=trials, failures=failures) for *values, trials, failures in frame.iter_rows()}


def _late_tallies(frame: pl.DataFrame, manifest: EvaluationManifest) -> dict[Values, Tally]:
    width = len(manifest.grid)
    return {
        (*line[: -width - 1], boundary.label): Tally(trials=line[-width - 1], failures=failures)
        for line in frame.iter_rows()
        for boundary, failures in zip(manifest.grid, line[-width:], strict=True)
    }


def _late(rows: pl.LazyFrame, head: list[str], manifest: EvaluationManifest) -> pl.LazyFrame:
    """Count, for each device, command and rung, the known latencies and how many are longer than each boundary."""
    by = [*head, "action", "direction", "devices", "rung"]
    known = rows.select(*by, "latencies").explode("devices", "latencies").filter(pl.col("latencies").is_not_null())
    late = [(pl.col("latencies") > boundary.seconds).sum().alias(boundary.label) for boundary in manifest.grid]
    return known.group_by(by).agg(pl.len(), *late)


def _session_counts(rows: pl.LazyFrame) -> Iterator[SessionCount]:
    joined = rows.with_columns(pl.col("devices").list.join(_JOIN))
    counted = joined.group_by("session", *_QUERY, "devices").agg(pl.len(), pl.col("failed").sum())
    for session, *values, trials, failures in counted.collect(engine="streaming").iter_rows():
        yield SessionCount(session=session, query=_query(values), tally=Tally(trials=trials, failures=failures))


def _outcomes(rows: pl.LazyFrame) -> dict[BoundaryClass, Tally]:
    counted = rows.group_by("session", "property", "direction", "boundary").agg(pl.len(), pl.col("failed").sum())
    return {
        BoundaryClass(
            session=session, property_id=PropertyId(property_id), direction=direction, boundary=boundary
        ): Tally(trials=trials, failures=failures)
        for session, property_id, direction, boundary, trials, failures in counted.collect(
            engine="streaming"
        ).iter_rows()
    }


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


def _evidence(lines: pl.LazyFrame) -> frozenset[Evidence]:
    found = lines.select(_PLACE).unique().collect(engine="streaming").rows()
    return frozenset(
        Evidence(site=site, session=SessionId(session), reset=reset, path=TrialPath(path), rung=Rung(rung))
        for site, session, reset, path, rung in found
    )


def _accounts(lines: pl.LazyFrame, *, manifest: EvaluationManifest | None) -> Accounts:
    """Count fates; with a manifest, those of held-out evidence."""
    counted: dict[bool, dict[Account, int]] = {True: {}, False: {}}
    for valid, path, rung, property_id, fate, reason, count in (
        lines.group_by(_ACCOUNT).agg(pl.len()).collect(engine="streaming").rows()
    ):
        account = Account(
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
