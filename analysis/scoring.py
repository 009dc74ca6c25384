"""Scores of predictions, from counts: how often each predicted risk was given, and how often the trial then failed."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from simverity_engine.profile.counts import Tally
from simverity_engine.statistics.binomial import Interval, two_sided

type Forecasts = Mapping[float, Tally]
"""Predicted risk to the trials for which it was given."""


MOST_BINS = 20
"""Predicted risks beyond which the reliability plot pools them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """How good the predictions of covered trials were.

    Attributes:
        trials: rows for which there was a prediction.
        failures: of them.
        brier: mean squared difference of risk and outcome; lower is better.
        log_loss: mean negative log-likelihood in nats.
        auroc: probability that a failing trial had the higher risk, ties half; None if all trials ended alike.
    """

    trials: int
    failures: int
    brier: float
    log_loss: float
    auroc: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReliabilityBin:
    """One predicted risk (or the mean of a tenth of them) beside what was observed, with the exact interval."""

    risk: float
    trials: int
    failures: int
    observed: float
    interval: Interval


def score(forecasts: Forecasts) -> Scores | None:
    """Return the scores, or None where no trial was covered."""
    trials, failures = totals(forecasts)
    if trials == 0:
        return None
    return Scores(
        trials=trials,
        failures=failures,
        brier=squared_error(forecasts) / trials,
        log_loss=math.fsum(_log_terms(forecasts)) / trials,
        auroc=_auroc(forecasts),
    )


def totals(forecasts: Forecasts) -> tuple[int, int]:
    """Return how many trials were covered and how many of them failed."""
    return sum(t.trials for t in forecasts.values()), sum(t.failures for t in forecasts.values())


def squared_error(forecasts: Forecasts) -> float:
    """Return the sum of squared differences between risk and outcome."""
    return math.fsum(
        part
        for risk, tally in forecasts.items()
        for part in (tally.failures * (1 - risk) ** 2, (tally.trials - tally.failures) * risk**2)
    )


def reliability(forecasts: Forecasts, confidence: float) -> tuple[ReliabilityBin, ...]:
    """Return one bin for each predicted risk, in order; for more than ``MOST_BINS`` risks, for each tenth of them.

    A tenth's risk is the mean over its trials.
    """
    given = [(risk, tally) for risk, tally in sorted(forecasts.items()) if tally.trials]
    tenths = len(given) > MOST_BINS
    parts = [list(part) for _, part in groupby(given, key=lambda one: min(int(one[0] * 10), 9) if tenths else one[0])]
    return tuple(_bin(part, confidence) for part in parts)


def _bin(part: Sequence[tuple[float, Tally]], confidence: float) -> ReliabilityBin:
    pooled = sum((tally for _, tally in part), Tally())
    risk = part[0][0] if len(part) == 1 else math.fsum(risk * tally.trials for risk, tally in part) / pooled.trials
    return ReliabilityBin(
        risk=risk,
        trials=pooled.trials,
        failures=pooled.failures,
        observed=pooled.failures / pooled.trials,
        interval=two_sided(pooled.failures, pooled.trials, confidence),
    )


def _log_terms(forecasts: Forecasts) -> Iterable[float]:
    for risk, tally in forecasts.items():
        if tally.failures:
            yield tally.failures * _surprise(risk)
        if tally.trials > tally.failures:
            yield (tally.trials - tally.failures) * _surprise(1 - risk)


def _surprise(probability: float) -> float:
    return -math.log(probability) if probability > 0 else math.inf


def _auroc(forecasts: Forecasts) -> float | None:
    trials, failures = totals(forecasts)
    if failures in (0, trials):
        return None
    below = 0  # passing trials with a lower risk
    halves = 0  # twice the pairs that are in order, counted exactly
    for _, tally in sorted(forecasts.items()):
        passes = tally.trials - tally.failures
        halves += tally.failures * (2 * below + passes)
        below += passes
    return halves / (2 * failures * (trials - failures))
