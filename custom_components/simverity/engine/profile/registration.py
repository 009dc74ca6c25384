"""The evaluation manifest: the split and the criteria, all registered before anything is fitted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from ..canonical import digest, plain
from ..message import Fields, flag, integer, member, number, text
from ..terms import GRID, Boundary, Digest, Path, Rung, SessionId
from .errors import EvaluationError, SplitError
from .predictors import PredictorId

EVALUATION_SCHEMA = 1
"""The version of the evaluation manifest's form."""


class CriterionKind(StrEnum):
    """What a criterion demands, over the sessions of one cohort. Lower Brier scores win."""

    WINS_EVERY_SESSION = "wins_every_session"
    SIGN_TEST = "sign_test"
    WILCOXON = "wilcoxon"
    BOOTSTRAP_BELOW_ZERO = "bootstrap_below_zero"
    COVERAGE = "coverage"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class HeldOutCell:
    """A path at a rung that no calibration session may measure."""

    path: Path
    rung: Rung


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOutSession:
    """A session that is opened once. ``regime`` describes its conditions in one word."""

    session: SessionId
    regime: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cohort:
    """Held-out sessions that are evaluated together."""

    name: str
    sessions: tuple[HeldOutSession, ...]

    @property
    def names(self) -> tuple[SessionId, ...]:
        """The sessions, in order."""
        return tuple(one.session for one in self.sessions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One registered demand on ``predictor``, against ``rival`` (its own name where it has none).

    ``limit`` is the largest p of a test, or the least coverage; 0 where the kind needs none.
    """

    name: str
    kind: CriterionKind
    cohort: str
    predictor: PredictorId
    rival: PredictorId
    limit: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampling:
    """How whole sessions are drawn again: how often, from which seed, and the confidence of the interval."""

    resamples: int
    seed: int
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationManifest:
    """All that is decided before a profile is fitted.

    ``synthetic``: the evidence was generated, nothing was measured. ``pool_sites``: whether homes share their counts.
    ``n_min`` is the least number of rows for a cohort to be evaluated at all.
    """

    schema: int
    name: str
    declared_at: str
    synthetic: bool
    pool_sites: bool
    n_min: int
    calibration: tuple[SessionId, ...]
    held_out: tuple[HeldOutCell, ...]
    cohorts: tuple[Cohort, ...]
    primary: tuple[Criterion, ...]
    secondary: tuple[Criterion, ...]
    resampling: Resampling
    grid: tuple[Boundary, ...] = GRID

    @property
    def held_out_sessions(self) -> tuple[SessionId, ...]:
        """Every session that is opened once, over all cohorts."""
        return tuple(session for cohort in self.cohorts for session in cohort.names)

    def cohort(self, name: str) -> Cohort:
        """Return a cohort by its name, which ``check_evaluation`` found."""
        return next(cohort for cohort in self.cohorts if cohort.name == name)


def evaluation_digest(manifest: EvaluationManifest) -> Digest:
    """Return the digest under which the evaluation manifest is locked."""
    return digest(plain(manifest))


def check_evaluation(manifest: EvaluationManifest) -> None:
    """Refuse a manifest that contradicts itself.

    Raises:
        SplitError: a session is on both sides, or twice on one.
        EvaluationError: anything else, naming the first thing that is wrong.
    """
    sessions = Counter((*manifest.calibration, *manifest.held_out_sessions))
    twice = sorted(session for session, count in sessions.items() if count > 1)
    if twice:
        raise SplitError(f"on both sides of the split, or named twice: {', '.join(twice)}")
    for complaint in _complaints(manifest):
        raise EvaluationError(complaint)


def _complaints(manifest: EvaluationManifest) -> Iterator[str]:
    names = [cohort.name for cohort in manifest.cohorts]
    criteria = (*manifest.primary, *manifest.secondary)
    labels = [criterion.name for criterion in criteria]
    seconds = [0.0, *(boundary.seconds for boundary in manifest.grid)]
    for holds, complaint in (
        (manifest.schema == EVALUATION_SCHEMA, f"schema {manifest.schema} is not {EVALUATION_SCHEMA}"),
        (bool(manifest.calibration), "there are no calibration sessions"),
        (bool(manifest.held_out), "nothing is held out"),
        (bool(names) and all(cohort.sessions for cohort in manifest.cohorts), "a cohort needs sessions"),
        (len(set(names)) == len(names), "two cohorts have the same name"),
        (bool(manifest.primary), "no primary criterion is registered"),
        (len(set(labels)) == len(labels), "two criteria have the same name"),
        (all(one.cohort in names for one in criteria), "a criterion names a cohort that does not exist"),
        (all(0 <= one.limit <= 1 for one in criteria), "a limit must lie between 0 and 1"),
        (manifest.n_min >= 1, "n_min must be at least 1"),
        (manifest.resampling.resamples >= 1, "there must be a resample"),
        (0 < manifest.resampling.confidence < 1, "the confidence must lie between 0 and 1"),
        (len(seconds) > 1 and seconds == sorted(set(seconds)), "the boundaries must rise from above 0"),
    ):
        if not holds:
            yield complaint


def parse_evaluation(document: object) -> EvaluationManifest:
    """Read an evaluation manifest from JSON, strictly, and check it.

    Raises:
        MessageError: it does not have the agreed form.
        SplitError, EvaluationError: as for ``check_evaluation``.
    """
    fields = Fields(document, "evaluation")
    manifest = EvaluationManifest(
        schema=fields.get("schema", integer),
        name=fields.get("name", text),
        declared_at=fields.get("declared_at", text),
        synthetic=fields.get("synthetic", flag),
        pool_sites=fields.get("pool_sites", flag),
        n_min=fields.get("n_min", integer),
        calibration=fields.each("calibration", _session),
        held_out=fields.each("held_out", _cell),
        cohorts=fields.each("cohorts", _cohort),
        primary=fields.each("primary", _criterion),
        secondary=fields.each("secondary", _criterion),
        resampling=fields.get("resampling", _resampling),
        grid=fields.each("grid", _boundary),
    )
    fields.close()
    check_evaluation(manifest)
    return manifest


def _session(value: object, at: str) -> SessionId:
    return SessionId(text(value, at))


def _cell(value: object, at: str) -> HeldOutCell:
    fields = Fields(value, at)
    cell = HeldOutCell(path=fields.get("path", member(Path)), rung=fields.get("rung", member(Rung)))
    fields.close()
    return cell


def _cohort(value: object, at: str) -> Cohort:
    fields = Fields(value, at)
    cohort = Cohort(name=fields.get("name", text), sessions=fields.each("sessions", _held_out_session))
    fields.close()
    return cohort


def _held_out_session(value: object, at: str) -> HeldOutSession:
    fields = Fields(value, at)
    session = HeldOutSession(session=fields.get("session", _session), regime=fields.get("regime", text))
    fields.close()
    return session


def _criterion(value: object, at: str) -> Criterion:
    fields = Fields(value, at)
    criterion = Criterion(
        name=fields.get("name", text),
        kind=fields.get("kind", member(CriterionKind)),
        cohort=fields.get("cohort", text),
        predictor=fields.get("predictor", member(PredictorId)),
        rival=fields.get("rival", member(PredictorId)),
        limit=fields.get("limit", number),
    )
    fields.close()
    return criterion


def _resampling(value: object, at: str) -> Resampling:
    fields = Fields(value, at)
    resampling = Resampling(
        resamples=fields.get("resamples", integer),
        seed=fields.get("seed", integer),
        confidence=fields.get("confidence", number),
    )
    fields.close()
    return resampling


def _boundary(value: object, at: str) -> Boundary:
    fields = Fields(value, at)
    boundary = Boundary(seconds=fields.get("seconds", number), kind=fields.get("kind", text))
    fields.close()
    return boundary
