"""The six predictors: one interface, one table. Each names the level it answers from, or does not answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .counts import ClassCounts, Grouping, Tally, classify
from .row import Query

SIMULATOR_RISK = 0.01
"""What a simulator's pass is taken to mean: one failure in a hundred."""


class PredictorId(StrEnum):
    """The compared predictors."""

    SIMULATOR_VERDICT = "simulator_verdict"
    GLOBAL = "global"
    SCALAR_LATENCY = "scalar_latency"
    PATH_ONLY = "path_only"
    STRONG_LOOKUP = "strong_lookup"
    SIMVERITY = "simverity"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """A predicted risk, with the level of the ladder it comes from.

    ``level`` counts from 1, the finest. ``grouping`` is that level's class, None for a constant, whose ``support`` is
    None too. ``support`` are the k of n calibration trials behind the number.
    """

    risk: float
    level: int
    grouping: Grouping | None
    support: Tally | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncovered:
    """No level of the ladder has a single calibration trial of this kind, so that there is nothing to say."""

    levels: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Predictor:
    """A ladder of classes, finest first; or a constant."""

    predictor_id: PredictorId
    ladder: tuple[Grouping, ...] = ()
    constant: float | None = None

    def predict(self, query: Query, classes: ClassCounts, *, pool_sites: bool) -> Prediction | Uncovered:
        """Return the risk from the first level that has a calibration trial."""
        if self.constant is not None:
            return Prediction(risk=self.constant, level=1, grouping=None, support=None)
        for level, grouping in enumerate(self.ladder, 1):
            counts = classes.groups[grouping]
            found = [counts.get(values) for values in classify(query, grouping, pool_sites=pool_sites)]
            known = [tally for tally in found if tally is not None and tally.trials > 0]
            if known and len(known) == len(found):
                worst = max(known, key=lambda tally: tally.jeffreys)
                return Prediction(risk=worst.jeffreys, level=level, grouping=grouping, support=worst)
        return Uncovered(levels=len(self.ladder))


TABLE = (
    Predictor(predictor_id=PredictorId.SIMULATOR_VERDICT, constant=SIMULATOR_RISK),
    Predictor(predictor_id=PredictorId.GLOBAL, ladder=(Grouping.PROPERTY,)),
    Predictor(predictor_id=PredictorId.SCALAR_LATENCY, ladder=(Grouping.BOUNDARY,)),
    Predictor(
        predictor_id=PredictorId.PATH_ONLY,
        ladder=(Grouping.PATH, Grouping.BOUNDARY, Grouping.PROPERTY_AND_RUNG),
    ),
    # Of several devices that must all take effect the slowest decides: no less than its risk is the trial's.
    Predictor(predictor_id=PredictorId.STRONG_LOOKUP, ladder=(Grouping.DEVICE_LATENCY,)),
    Predictor(
        predictor_id=PredictorId.SIMVERITY,
        ladder=(
            Grouping.FULL,
            Grouping.WITHOUT_PATH,
            Grouping.WITHOUT_BOUNDARY,
            Grouping.PROPERTY_AND_RUNG,
        ),
    ),
)


def predictor(predictor_id: PredictorId) -> Predictor:
    """Return the row of the table."""
    return next(row for row in TABLE if row.predictor_id is predictor_id)
