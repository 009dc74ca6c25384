"""The risk profile: counts of calibration trials by class, and the document in which it is kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from ..canonical import Json
from ..message import Fields, elements, flag, integer, text
from .counts import Counted, Grouping, Tally, Values, group
from .errors import ProfileError
from .predictors import Prediction, PredictorId, Uncovered, predictor
from .registration import EvaluationManifest
from .row import Query
from .split import Evidence, check_calibration

PROFILE_FORM = "simverity-profile/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskProfile:
    """What calibration says about every class that it measured.

    ``resets`` are the (site, stretch between two resets) that were used up by it.
    """

    pool_sites: bool
    groups: Mapping[Grouping, Mapping[Values, Tally]]
    resets: frozenset[tuple[str, str]]

    def predict(self, predictor_id: PredictorId, query: Query) -> Prediction | Uncovered:
        """Return what one predictor says of a trial before it runs."""
        return predictor(predictor_id).predict(query, self.groups, pool_sites=self.pool_sites)

    def document(self) -> dict[str, Json]:
        """Return the profile as JSON, the same whatever the order in which it was counted."""
        return {
            "form": PROFILE_FORM,
            "pool_sites": self.pool_sites,
            "resets": [list(reset) for reset in sorted(self.resets)],
            "groups": {
                grouping.name.lower(): [
                    [*values, tally.failures, tally.trials] for values, tally in sorted(classes.items())
                ]
                for grouping, classes in self.groups.items()
            },
        }


def fit(manifest: EvaluationManifest, counts: Counted, evidence: Iterable[Evidence]) -> RiskProfile:
    """Fit a profile to the counts of calibration.

    Raises:
        SplitError: the evidence is not that of calibration alone.
        ProfileError: there is nothing to fit.
    """
    resets = check_calibration(manifest, evidence)
    if not counts.rows:
        raise ProfileError("calibration left no row")
    return RiskProfile(
        pool_sites=manifest.pool_sites,
        groups=group(counts, pool_sites=manifest.pool_sites),
        resets=resets,
    )


def parse_profile(document: object) -> RiskProfile:
    """Read a profile from JSON, strictly.

    Raises:
        MessageError: it does not have the agreed form.
        ProfileError: it has another form, or names a class twice or out of order.
    """
    fields = Fields(document, "profile")
    form = fields.get("form", text)
    if form != PROFILE_FORM:
        raise ProfileError(f"{form} is not {PROFILE_FORM}")
    pool_sites = fields.get("pool_sites", flag)
    groups = Fields(fields.raw("groups"), fields.path("groups"))
    profile = RiskProfile(
        pool_sites=pool_sites,
        groups={
            grouping: _classes(groups.each(grouping.name.lower(), _class), grouping, head=not pool_sites)
            for grouping in Grouping
        },
        resets=frozenset(fields.each("resets", _reset)),
    )
    groups.close()
    fields.close()
    return profile


def _classes(listed: tuple[tuple[Values, Tally], ...], grouping: Grouping, *, head: bool) -> dict[Values, Tally]:
    length = len(grouping.fields) + head
    if any(len(values) != length for values, _ in listed):
        raise ProfileError(f"a class of {grouping.name.lower()} needs {length} values")
    if any(before >= after for (before, _), (after, _) in pairwise(listed)):
        raise ProfileError(f"the classes of {grouping.name.lower()} must be in order, each once")
    return dict(listed)


def _class(value: object, at: str) -> tuple[Values, Tally]:
    *values, failures, trials = _at_least_two(value, at)
    return tuple(text(*one) for one in values), Tally(trials=integer(*trials), failures=integer(*failures))


def _reset(value: object, at: str) -> tuple[str, str]:
    site, reset = _at_least_two(value, at)[:2]
    return text(*site), text(*reset)


def _at_least_two(value: object, at: str) -> list[tuple[object, str]]:
    parts = elements(value, at)
    if len(parts) < 2:  # noqa: PLR2004 - a count has two numbers, a stretch two names
        raise ProfileError(f"{at} is too short")
    return parts
