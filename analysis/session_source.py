"""Evidence from recorded sessions: one part of a job for each file."""

from pathlib import Path

from analysis.accounting import INVALID_SESSION, Accounts, SessionAccount, count_accounts
from analysis.evidence import (
    PRIMARY_PROPERTY,
    BoundaryClass,
    Calibration,
    HeldOut,
    SessionCount,
    answered,
    refated,
)
from analysis.session_file import ReadSession, read_session
from simverity_engine.profile.counts import NOTHING_COUNTED, Tally, counted, group
from simverity_engine.profile.profile import RiskProfile
from simverity_engine.profile.registration import EvaluationManifest, HeldOutCell
from simverity_engine.profile.row import PredictionRow
from simverity_engine.profile.split import Evidence


def calibration_of(file: Path, manifest: EvaluationManifest) -> Calibration:
    """Count one calibration session. An invalid one is counted in the accounts and nowhere else.

    Raises:
        EvidenceError: the file is no record of a session.
    """
    read = read_session(file)
    if not read.valid:
        return Calibration(
            classes=NOTHING_COUNTED,
            evidence=_evidence(read),
            accounts=_accounts(read, INVALID_SESSION),
        )
    return Calibration(
        classes=group(counted(read.rows.rows, manifest.grid), pool_sites=manifest.pool_sites),
        evidence=_evidence(read),
        accounts=_accounts(read, None),
    )


def held_out_of(file: Path, asked: tuple[EvaluationManifest, RiskProfile]) -> HeldOut:
    """Ask the frozen profile about one held-out session.

    Raises:
        EvidenceError: the file is no record of a session.
    """
    manifest, profile = asked
    read = read_session(file)
    rows = evaluated_rows(read, manifest)
    accounts = _accounts(read, None)
    outcomes: dict[BoundaryClass, Tally] = {}
    for row in rows:
        place = BoundaryClass(
            session=row.session,
            property_id=row.query.property_id,
            direction=row.query.direction.value,
            boundary=row.query.boundary,
        )
        outcomes[place] = outcomes.get(place, Tally()) + _tally(row)
    return HeldOut(
        vectors=answered(
            profile,
            (
                SessionCount(session=row.session, query=row.query, tally=_tally(row))
                for row in rows
                if row.query.property_id is PRIMARY_PROPERTY
            ),
        ),
        outcomes=outcomes,
        evidence=_evidence(read),
        accounts=Accounts(
            lines=refated(accounts.lines, manifest=manifest, valid=read.valid), sessions=accounts.sessions
        ),
    )


def _tally(row: PredictionRow) -> Tally:
    return Tally(trials=1, failures=int(row.failed))


def evaluated_rows(read: ReadSession, manifest: EvaluationManifest) -> tuple[PredictionRow, ...]:
    """Return the rows of a session that the evaluation is about."""
    if not read.valid:
        return ()
    return tuple(
        row for row in read.rows.rows if HeldOutCell(path=row.query.path, rung=row.query.rung) in manifest.held_out
    )


def _accounts(read: ReadSession, instead: str | None) -> Accounts:
    manifest = read.record.manifest
    return Accounts(
        lines=count_accounts((*read.rows.rows, *read.rows.left_out), instead=instead),
        sessions={
            manifest.session: SessionAccount(
                session=manifest.session,
                site=read.record.site,
                valid=read.valid,
                reasons=read.reasons,
                planned=read.planned,
                recorded=read.recorded,
            )
        },
    )


def _evidence(read: ReadSession) -> frozenset[Evidence]:
    """Return where the session's trials ran, whether or not they became rows."""
    record = read.record
    return frozenset(
        Evidence(
            site=record.site,
            session=record.manifest.session,
            reset=record.reset,
            path=trial.trace.path,
            rung=trial.trace.rung,
        )
        for trial in record.trials
    )
