"""The risk profile: counts of calibration trials by class, and the document in which it is kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from ..canonical import Json
from ..message import Fields, elements, flag, text
from .counts import ClassCounts, Grouping, Tally, Values
from .errors import ProfileError
from .predictors import Prediction, PredictorId, Uncovered, predictor
from .registration import EvaluationManifest
from .row import Query
from .split import Evidence, check_calibration

PROFILE_FORM = "simverity-profile/1"
_SEPARATOR = "\t"


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskProfile:
    """What calibration says about every class that it measured.

    ``resets`` are the (site, stretch between two resets) that were used up by it.
    """

    pool_sites: bool
    classes: ClassCounts
    resets: frozenset[tuple[str, str]]

    def predict(self, predictor_id: PredictorId, query: Query) -> Prediction | Uncovered:
        """Return what one predictor says of a trial before it runs."""
        return predictor(predictor_id).predict(query, self.classes, pool_sites=self.pool_sites)

    def document(self) -> dict[str, Json]:
        """Return the profile as JSON, the same whatever the order in which it was counted.

        A class is one line: its values, then k and n, with tabulators between.
        """
        return {
            "form": PROFILE_FORM,
            "pool_sites": self.pool_sites,
            "resets": [list(reset) for reset in sorted(self.resets)],
            "groups": {
                grouping.name.lower(): [
                    _SEPARATOR.join((*values, str(tally.failures), str(tally.trials)))
                    for values, tally in sorted(classes.items())
                ]
                for grouping, classes in self.classes.groups.items()
            },
        }


def fit(manifest: EvaluationManifest, classes: ClassCounts, evidence: Iterable[Evidence]) -> RiskProfile:
    """Fit a profile to the counts of calibration.

    Raises:
        SplitError: the evidence is not that of calibration alone.
        ProfileError: there is nothing to fit, or a name holds a tabulator.
    """
    resets = check_calibration(manifest, evidence)
    if not classes.trials:
        raise ProfileError("calibration left no row")
    for counts in classes.groups.values():
        for values in counts:
            if _SEPARATOR in "".join(values):
                raise ProfileError(f"a name in {values} holds a tabulator")
    return RiskProfile(pool_sites=manifest.pool_sites, classes=classes, resets=resets)


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
        classes=ClassCounts(
            groups={
                grouping: _classes(groups.each(grouping.name.lower(), text), grouping, head=not pool_sites)
                for grouping in Grouping
            }
        ),
        resets=frozenset(fields.each("resets", _reset)),
    )
    groups.close()
    fields.close()
    return profile


def _classes(lines: tuple[str, ...], grouping: Grouping, *, head: bool) -> dict[Values, Tally]:
    length = len(grouping.fields) + head
    listed = [_class(line, length) for line in lines]
    if any(before >= after for (before, _), (after, _) in pairwise(listed)):
        raise ProfileError(f"the classes of {grouping.name.lower()} must be in order, each once")
    return dict(listed)


def _class(line: str, length: int) -> tuple[Values, Tally]:
    *values, failures, trials = line.split(_SEPARATOR) if line.count(_SEPARATOR) == length + 1 else ("", "")
    if len(values) != length or not (failures.isdecimal() and trials.isdecimal()):
        raise ProfileError(f"{line!r} is no class of {length} values and two counts")
    return tuple(values), Tally(trials=int(trials), failures=int(failures))


def _reset(value: object, at: str) -> tuple[str, str]:
    parts = elements(value, at)
    if len(parts) != 2:  # noqa: PLR2004 - a home and its stretch
        raise ProfileError(f"{at} is not a home and a stretch between resets")
    site, reset = parts
    return text(*site), text(*reset)
