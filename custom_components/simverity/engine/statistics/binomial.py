"""Exact binomial (Clopper-Pearson) bounds from the standard library alone.

A bound is a quantile of a beta distribution. Its distribution function is evaluated with the continued fraction of
the incomplete beta function (DLMF 8.17.22, modified Lentz) and inverted by a bracketed Newton iteration on the
logit scale. The factor in front of the fraction uses Loader's saddle-point form ("Fast and accurate computation of
binomial probabilities", 2000), since a difference of log-gammas loses ten digits at n = 100,000.

Every bound here is a lower one: the upper bound of k is one minus the lower bound of n - k.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from ..errors import EngineError

_FRACTION_TOLERANCE = 1e-15
_STEP_TOLERANCE = 1e-6
"""Newton errors square: a last step of a millionth of a standard deviation leaves 1e-12 of one."""
_NEAR = 0.5
_STIRLING_FROM = 16
_HALF_LOG_TWO_PI = 0.5 * math.log(2 * math.pi)


class CountsError(EngineError):
    """k of n trials, or a confidence, that cannot be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A confidence interval for a probability.

    ``lower`` and ``upper`` lie in [0, 1].
    """

    lower: float
    upper: float


def two_sided(k: int, n: int, confidence: float = 0.95) -> Interval:
    """Return the Clopper-Pearson interval of ``k`` events in ``n`` trials.

    Raises:
        CountsError: not 0 <= k <= n with n >= 1, or a confidence outside (0, 1).
    """
    _check(k, n, confidence)
    tail = (1.0 - confidence) / 2.0
    return Interval(lower=_lower(k, n, tail), upper=_upper(k, n, tail))


def lower_limit(k: int, n: int, confidence: float = 0.95) -> float:
    """Return the one-sided Clopper-Pearson lower limit.

    Raises:
        CountsError: as for ``two_sided``.
    """
    _check(k, n, confidence)
    return _lower(k, n, 1.0 - confidence)


def upper_limit(k: int, n: int, confidence: float = 0.95) -> float:
    """Return the one-sided Clopper-Pearson upper limit: 0 of 59 at 95 % stays below 5 %.

    Raises:
        CountsError: as for ``two_sided``.
    """
    _check(k, n, confidence)
    return _upper(k, n, 1.0 - confidence)


def _check(k: int, n: int, confidence: float) -> None:
    if n < 1 or not 0 <= k <= n:
        raise CountsError(f"{k} of {n} is not a count of trials")
    if not 0.0 < confidence < 1.0:
        raise CountsError(f"a confidence of {confidence} is not between 0 and 1")


def _lower(k: int, n: int, tail: float) -> float:
    """Solve P(X >= k) = tail for the probability of one event."""
    if k == 0:
        return 0.0
    if k == 1:
        return -math.expm1(math.log1p(-tail) / n)
    if k == n:
        return math.exp(math.log(tail) / n)
    return _expit(_solve(k, n, tail, _start(k, n - k + 1, tail)))


def _upper(k: int, n: int, tail: float) -> float:
    """Return one minus the lower bound of the complement, without the cancellation."""
    if k == n:
        return 1.0
    if k == n - 1:
        return math.exp(math.log1p(-tail) / n)
    if k == 0:
        return -math.expm1(math.log(tail) / n)
    return _expit(-_solve(n - k, n, tail, _start(n - k, k + 1, tail)))


def _expit(logit: float) -> float:
    return 1.0 / (1.0 + math.exp(-logit))


def _start(a: int, b: int, tail: float) -> float:
    """Approximate the logit of the beta quantile from the normal one (Abramowitz and Stegun, 26.5.22)."""
    normal = -NormalDist().inv_cdf(tail)
    curve = (normal * normal - 3.0) / 6.0
    inverse_a, inverse_b = 1.0 / (2 * a - 1), 1.0 / (2 * b - 1)
    harmonic = 2.0 / (inverse_a + inverse_b)
    shift = normal * math.sqrt(harmonic + curve) / harmonic
    shift -= (inverse_b - inverse_a) * (curve + 5.0 / 6.0 - 2.0 / (3.0 * harmonic))
    return math.log(a / b) - 2.0 * shift


def _solve(k: int, n: int, tail: float, logit: float) -> float:
    """Return the logit of the lower bound for 2 <= k < n, from a first guess.

    The bound grows with k, so the closed forms for 1 and for n events bracket it. The logarithm of the tail is
    concave in the logit, so that inside the bracket Newton closes in from the left and cannot diverge.
    """
    a, b = k, n - k + 1
    target = math.log(tail)
    one, all_of_them = -math.log1p(-tail) / n, -target / n
    low, high = math.log(math.expm1(one)), -math.log(math.expm1(all_of_them))
    logit = min(max(logit, low), high)
    enough = _STEP_TOLERANCE * math.sqrt((a + b) / (a * b))
    while True:
        log_tail, slope = _log_tail(a, b, logit)
        if log_tail > target:
            high = logit
        else:
            low = logit
        step = (log_tail - target) / slope if slope > 0.0 else math.inf
        logit -= step
        if abs(step) <= enough:
            return logit
        if not low <= logit <= high:
            logit = (low + high) / 2.0


def _log_tail(a: int, b: int, logit: float) -> tuple[float, float]:
    """Return ln I_x(a, b) and its derivative in the logit of x."""
    x, y = _expit(logit), _expit(-logit)
    log_density = _log_density(a, b, x, y)
    if x * (a + b + 2) <= a + 1:
        log_tail = log_density - math.log(a * _fraction(a, b, x))
    else:
        log_tail = math.log1p(-math.exp(log_density) / (b * _fraction(b, a, y)))
    return log_tail, math.exp(log_density - log_tail)


def _log_density(a: int, b: int, x: float, y: float) -> float:
    """Return ln(x^a y^b / B(a, b)), the density on the logit scale, by Loader's saddle-point form."""
    n = a + b
    return (
        0.5 * math.log(a)
        + 0.5 * math.log(b)
        - 0.5 * math.log(n)
        - _HALF_LOG_TWO_PI
        + _stirling_error(n)
        - _stirling_error(a)
        - _stirling_error(b)
        - _deviance(a, n * x)
        - _deviance(b, n * y)
    )


def _stirling_error(n: int) -> float:
    """Return ln n! - ln(sqrt(2 pi n) (n/e)^n)."""
    if n < _STIRLING_FROM:
        return math.lgamma(n + 1) - (n + 0.5) * math.log(n) + n - _HALF_LOG_TWO_PI
    square = n * n
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square) / n


def _deviance(count: int, mean: float) -> float:
    """Return count ln(count/mean) + mean - count without the cancellation near count = mean."""
    excess = (mean - count) / count
    logarithm = math.log1p(excess) if abs(excess) < _NEAR else math.log(mean / count)
    return count * (excess - logarithm)


def _fraction(a: int, b: int, x: float) -> float:
    """Return x^a (1 - x)^b / (a B(a, b) I_x(a, b)), for x below the mean (DLMF 8.17.22, modified Lentz)."""
    value, upper, lower = 1.0, 1.0, 0.0
    m = 0
    change = 0.0
    while abs(change - 1.0) > _FRACTION_TOLERANCE:
        here = a + 2 * m
        odd = -(a + m) * (a + b + m) * x / (here * (here + 1))
        lower = 1.0 / (1.0 + odd * lower)
        upper = 1.0 + odd / upper
        value *= upper * lower
        m += 1
        even = m * (b - m) * x / ((here + 1) * (here + 2))
        lower = 1.0 / (1.0 + even * lower)
        upper = 1.0 + even / upper
        change = upper * lower
        value *= change
    return value
