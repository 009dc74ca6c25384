"""A predicted risk for a cell of the home that was never measured: shown as predicted, and never clears anything."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ..cells import CellKey
from ..statistics.fidelity import PairCounts
from ..terms import Rung, Source, SubjectId
from .predictors import Prediction, PredictorId, Uncovered
from .profile import RiskProfile
from .row import Query

SHOWN = PredictorId.SIMVERITY
"""The predictor that homes are shown."""
SOURCES = {Rung.PHYSICAL: Source.TWIN, Rung.SOFTWARE: Source.ACCEPTED_CALL}
"""The clearance that calibration rows of each rung have; sources are never pooled, so that no other is predicted."""


class NotPredicted(StrEnum):
    """Why a cell shows no prediction."""

    MEASURED = "measured"
    OTHER_SOURCE = "other_source"
    UNCOVERED = "uncovered"


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictedRisk:
    """A risk that was not measured here. It has no disposition and no interval: nothing decides by it."""

    key: CellKey
    prediction: Prediction

    @property
    def label(self) -> str:
        """The words under which it may be shown; level 1 is the finest."""
        return f"predicted (backoff level {self.prediction.level})"


def predicted_risk(
    profile: RiskProfile,
    key: CellKey,
    *,
    site: str,
    action: str,
    devices: tuple[SubjectId, ...],
    measured: PairCounts | None,
) -> PredictedRisk | NotPredicted:
    """Return the prediction for a cell, unless a single trial of its own was ever cleared there.

    ``action`` and ``devices`` are the service and the targets by which the cell is reached; ``measured`` its counts.
    """
    if measured is not None and measured.cleared > 0:
        return NotPredicted.MEASURED
    if SOURCES.get(key.rung) is not key.source:
        return NotPredicted.OTHER_SOURCE
    query = Query(
        site=site,
        property_id=key.property_id,
        boundary=key.boundary,
        direction=key.direction,
        path=key.path,
        rung=key.rung,
        action=action,
        devices=devices,
    )
    found = profile.predict(SHOWN, query)
    return NotPredicted.UNCOVERED if isinstance(found, Uncovered) else PredictedRisk(key=key, prediction=found)
