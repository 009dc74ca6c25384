"""What a part of the evidence amounts to. Parts add up, in any order and anywhere, to the same whole."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from analysis.accounting import INVALID_SESSION, NOT_HELD_OUT, Account, Accounts
from simverity_engine.profile.counts import ClassCounts, Tally, merged
from simverity_engine.profile.predictors import TABLE, PredictorId, Uncovered
from simverity_engine.profile.profile import RiskProfile
from simverity_engine.profile.registration import EvaluationManifest, HeldOutCell
from simverity_engine.profile.row import Query
from simverity_engine.profile.split import Evidence
from simverity_engine.terms import PropertyId, Rung, SessionId, Source

PREDICTORS: tuple[PredictorId, ...] = tuple(row.predictor_id for row in TABLE)
"""The order of the answers in a vector."""
PRIMARY_PROPERTY = PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE
"""The one property over which predictors are scored."""
EXPECTED_SOURCE = {Rung.PHYSICAL: Source.TWIN, Rung.SOFTWARE: Source.ACCEPTED_CALL}
"""Whose pass the rows of a rung rest on; sources are never pooled, so that rows of any other are refused."""

type Answer = tuple[float, int] | None
"""A risk and the back-off level that it comes from; None where the predictor does not cover the query."""
type Vector = tuple[Answer, ...]
"""Every predictor's answer to one query, in the order of ``PREDICTORS``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What calibration sessions amount to."""

    classes: ClassCounts
    evidence: frozenset[Evidence]
    accounts: Accounts

    def __add__(self, other: Calibration) -> Calibration:
        """Count both."""
        return Calibration(
            classes=self.classes + other.classes,
            evidence=self.evidence | other.evidence,
            accounts=self.accounts + other.accounts,
        )


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class BoundaryClass:
    """Where held-out outcomes are counted for the reader: by session, property, direction and boundary."""

    session: SessionId
    property_id: PropertyId
    direction: str
    boundary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOut:
    """What held-out sessions amount to under one frozen profile: answers about the primary property, all outcomes."""

    vectors: Mapping[SessionId, Mapping[Vector, Tally]]
    outcomes: Mapping[BoundaryClass, Tally]
    evidence: frozenset[Evidence]
    accounts: Accounts

    def __add__(self, other: HeldOut) -> HeldOut:
        """Count both."""
        vectors = dict(self.vectors)
        for key, found in other.vectors.items():
            vectors[key] = merged(vectors.get(key, {}), found)
        return HeldOut(
            vectors=vectors,
            outcomes=merged(self.outcomes, other.outcomes),
            evidence=self.evidence | other.evidence,
            accounts=self.accounts + other.accounts,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCount:
    """How often a query was asked in a session, and how often the trial failed."""

    session: SessionId
    query: Query
    tally: Tally


def answers(profile: RiskProfile, query: Query) -> Vector:
    """Return every predictor's answer."""
    found = [profile.predict(predictor_id, query) for predictor_id in PREDICTORS]
    return tuple(None if isinstance(one, Uncovered) else (one.risk, one.level) for one in found)


def answered(profile: RiskProfile, counts: Iterable[SessionCount]) -> dict[SessionId, dict[Vector, Tally]]:
    """Ask the frozen profile about every query, and count outcomes by session and answers."""
    vectors: dict[SessionId, dict[Vector, Tally]] = {}
    for one in counts:
        vector = answers(profile, one.query)
        found = vectors.setdefault(one.session, {})
        found[vector] = found.get(vector, Tally()) + one.tally
    return vectors


def is_held_out(manifest: EvaluationManifest, one: Evidence | Account) -> bool:
    """Return whether something lies in a cell that is held out."""
    return HeldOutCell(path=one.path, rung=one.rung) in manifest.held_out


def refated(accounts: Mapping[Account, int], *, manifest: EvaluationManifest, valid: bool) -> dict[Account, int]:
    """Return held-out accounts with the fate that the split gives them: rows of other cells are not evaluated."""
    fated: dict[Account, int] = {}
    for account, count in accounts.items():
        fate, reason = account.fate, account.reason
        if not valid:
            fate, reason = INVALID_SESSION, ""
        elif not is_held_out(manifest, account):
            fate, reason = NOT_HELD_OUT, ""
        key = Account(
            path=account.path,
            rung=account.rung,
            property_id=account.property_id,
            fate=fate,
            reason=reason,
        )
        fated[key] = fated.get(key, 0) + count
    return fated


def forecasts_of(sessions: Iterable[Mapping[Vector, Tally]], predictor: PredictorId) -> dict[float, Tally]:
    """Return one predictor's forecasts on the trials that it covers."""
    place = PREDICTORS.index(predictor)
    total: dict[float, Tally] = {}
    for found in sessions:
        for vector, tally in found.items():
            answer = vector[place]
            if answer is not None:
                total[answer[0]] = total.get(answer[0], Tally()) + tally
    return total
