"""Two predictors on the trials that both cover, session by session."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from analysis.evidence import PREDICTORS, Vector
from analysis.paired_tests import ExactTest, Resampled, resample_sessions, sign_test, wilcoxon
from simverity_engine.profile.counts import Tally
from simverity_engine.profile.predictors import PredictorId
from simverity_engine.profile.registration import Resampling
from simverity_engine.terms import SessionId


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionDifference:
    """One session: how many trials both predictors cover, and the mean difference of their squared errors."""

    session: SessionId
    trials: int
    difference: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A predictor against a rival; a negative difference is a win of the predictor.

    ``trials`` are those that both cover, ``uncompared`` the others. ``unshared`` are sessions without a shared trial.
    """

    predictor: PredictorId
    rival: PredictorId
    trials: int
    uncompared: int
    sessions: tuple[SessionDifference, ...]
    unshared: int
    wins: int
    ties: int
    losses: int
    sign_test: ExactTest | None
    wilcoxon: ExactTest | None
    resampled: Resampled | None


def compare(
    sessions: Mapping[SessionId, Mapping[Vector, Tally]],
    predictor: PredictorId,
    rival: PredictorId,
    resampling: Resampling,
) -> Comparison:
    """Compare two predictors over sessions, by the Brier score."""
    shared = [(session, *_shared(found, predictor, rival)) for session, found in sorted(sessions.items())]
    kept = [(session, trials, total) for session, trials, total in shared if trials]
    differences = [total / trials for _, trials, total in kept]
    everything = sum(tally.trials for found in sessions.values() for tally in found.values())
    trials = sum(trials for _, trials, _ in kept)
    return Comparison(
        predictor=predictor,
        rival=rival,
        trials=trials,
        uncompared=everything - trials,
        sessions=tuple(
            SessionDifference(session=session, trials=trials, difference=total / trials)
            for session, trials, total in kept
        ),
        unshared=len(shared) - len(kept),
        wins=sum(difference < 0 for difference in differences),
        ties=differences.count(0),
        losses=sum(difference > 0 for difference in differences),
        sign_test=sign_test(differences),
        wilcoxon=wilcoxon(differences),
        resampled=resample_sessions(
            [total for _, _, total in kept],
            [trials for _, trials, _ in kept],
            resamples=resampling.resamples,
            seed=resampling.seed,
            confidence=resampling.confidence,
        ),
    )


def _shared(found: Mapping[Vector, Tally], predictor: PredictorId, rival: PredictorId) -> tuple[int, float]:
    """Return how many trials both cover, and the sum over them of the predictor's squared error less the rival's."""
    place, other = PREDICTORS.index(predictor), PREDICTORS.index(rival)
    trials = 0
    parts: list[float] = []
    for vector, tally in found.items():
        mine, theirs = vector[place], vector[other]
        if mine is None or theirs is None:
            continue
        trials += tally.trials
        parts.append(tally.failures * ((1 - mine[0]) ** 2 - (1 - theirs[0]) ** 2))
        parts.append((tally.trials - tally.failures) * (mine[0] ** 2 - theirs[0] ** 2))
    return trials, math.fsum(parts)
