"""Paired comparisons over sessions: exact one-sided tests, and resampling of whole sessions (METHOD 7)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

FEW_SESSIONS = 5
"""Below this many sessions resampling says nothing that its own support, [min, max], does not say better."""
MOST_ENUMERATED = 200
"""Differences beyond which the 2^n signs of the Wilcoxon test are not enumerated (and no approximation stands in)."""
SMALLEST_PRINTED = 0.0001
_BATCH = 1_000_000
"""Drawn sessions to hold in memory at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactTest:
    """A one-sided exact p: the probability of so much in favour if signs were fair coins.

    ``n`` are the sessions that differ, ``statistic`` the wins or the rank sum of the wins.
    """

    n: int
    statistic: float
    p: float

    @property
    def text(self) -> str:
        """The p as it is printed: never as zero."""
        return f"p = {self.p:.4f}" if self.p >= SMALLEST_PRINTED else f"p < {SMALLEST_PRINTED}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampled:
    """The mean difference over sessions, with what resampling supports.

    ``label`` is ``percentile interval``, or ``resampling support`` where there are too few sessions for one.
    """

    mean: float
    lower: float
    upper: float
    label: str
    sessions: int


def sign_test(differences: Sequence[float]) -> ExactTest | None:
    """Test one-sidedly whether differences tend to be negative (a win); zeros are dropped. None if nothing differs."""
    signs = [difference < 0 for difference in differences if difference != 0]
    if not signs:
        return None
    n, wins = len(signs), sum(signs)
    p = Fraction(sum(math.comb(n, k) for k in range(wins, n + 1)), 2**n)
    return ExactTest(n=n, statistic=wins, p=float(p))


def wilcoxon(differences: Sequence[float]) -> ExactTest | None:
    """Test one-sidedly by the ranks of the sizes: zeros dropped, tied sizes share their middle rank.

    Every one of the 2^n assignments of signs counts. None if nothing differs, or too much to enumerate.
    """
    kept = [difference for difference in differences if difference != 0]
    if not kept or len(kept) > MOST_ENUMERATED:
        return None
    doubled = _doubled_ranks([abs(difference) for difference in kept])
    wins = sum(rank for rank, difference in zip(doubled, kept, strict=True) if difference < 0)
    # How many of the assignments give each (doubled) sum of the winning ranks.
    ways = [1]
    for rank in doubled:
        longer = [0] * rank
        ways = [a + b for a, b in zip(ways + longer, longer + ways, strict=True)]
    p = Fraction(sum(ways[wins:]), 2 ** len(kept))
    return ExactTest(n=len(kept), statistic=wins / 2, p=float(p))


def _doubled_ranks(sizes: Sequence[float]) -> list[int]:
    """Return twice the mid-ranks, which are whole numbers."""
    ordered = sorted(sizes)
    first = {size: place for place, size in reversed(list(enumerate(ordered, 1)))}
    last = {size: place for place, size in enumerate(ordered, 1)}
    return [first[size] + last[size] for size in sizes]


def resample_sessions(
    totals: Sequence[float], weights: Sequence[int], *, resamples: int, seed: int, confidence: float
) -> Resampled | None:
    """Draw whole sessions with replacement; the mean is over rows, so that a session weighs as many as it has.

    Args:
        totals: the sum of paired differences in each session.
        weights: the rows behind each sum.
        resamples: how often to draw as many sessions as there are.
        seed: of the draws.
        confidence: of the percentile interval.

    Returns:
        None where there is no row at all.
    """
    kept = [(total, weight) for total, weight in zip(totals, weights, strict=True) if weight > 0]
    if not kept:
        return None
    mean = math.fsum(total for total, _ in kept) / sum(weight for _, weight in kept)
    if len(kept) < FEW_SESSIONS:
        each = [total / weight for total, weight in kept]
        return Resampled(mean=mean, lower=min(each), upper=max(each), label="resampling support", sessions=len(kept))
    drawn = _draws(np.array(kept, dtype=np.float64), resamples, seed)
    tail = (1 - confidence) / 2
    lower, upper = np.quantile(drawn, [tail, 1 - tail])
    return Resampled(mean=mean, lower=float(lower), upper=float(upper), label="percentile interval", sessions=len(kept))


def _draws(sessions: npt.NDArray[np.float64], resamples: int, seed: int) -> npt.NDArray[np.float64]:
    generator = np.random.Generator(np.random.PCG64(seed))
    count = len(sessions)
    means: list[npt.NDArray[np.float64]] = []
    batch = max(1, _BATCH // count)
    for start in range(0, resamples, batch):
        picks = generator.integers(0, count, size=(min(batch, resamples - start), count))
        means.append(sessions[picks, 0].sum(axis=1) / sessions[picks, 1].sum(axis=1))
    return np.concatenate(means)
