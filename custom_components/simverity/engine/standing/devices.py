"""Say "x of m devices clear" with the correction that a joint claim needs: e-BH (Wang and Ramdas, 2022)."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ..terms import SubjectId


def jointly_clear(log_evidence: Mapping[SubjectId, float], error: float) -> frozenset[SubjectId]:
    """Return the devices that may be called clear together, with a false discovery rate of ``error`` at most.

    ``log_evidence`` holds ln E of *every* device of the claim, also of those without trials (ln E = 0). The answer
    is the r devices with the largest E, r the largest number for which the r-th largest E is at least m / (error r).
    """
    ranked = sorted(log_evidence, key=lambda subject: log_evidence[subject], reverse=True)
    log_total = math.log(len(ranked) / error) if ranked else 0.0
    clear = 0
    for rank, subject in enumerate(ranked, start=1):
        if log_evidence[subject] >= log_total - math.log(rank):
            clear = rank
    return frozenset(ranked[:clear])
