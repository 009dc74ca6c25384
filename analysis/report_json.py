"""The evaluation as JSON: every published number, and beside it whether it was registered or is descriptive."""

from collections import Counter
from collections.abc import Callable, Mapping

from analysis.accounting import Account, Accounts
from analysis.comparing import Comparison
from analysis.evaluating import CohortResult, CriterionResult, Evaluation
from simverity_engine.canonical import Json, plain
from simverity_engine.profile.freezing import FrozenProfile

REPORT_FORM = "simverity-evaluation/1"
DESCRIPTIVE = "descriptive"
DIGITS = 12
MOST_LISTED = 200
"""Sessions beyond which they are counted and no longer listed one by one."""


def document(evaluation: Evaluation, frozen: FrozenProfile) -> dict[str, Json]:
    """Return the report, its numbers to ``DIGITS`` significant digits: the rest depends on the processor."""
    manifest = evaluation.manifest
    whole: dict[str, Json] = {
        "form": REPORT_FORM,
        "name": manifest.name,
        "synthetic": manifest.synthetic,
        "frozen": {
            "lock": frozen.lock,
            "manifest": frozen.manifest,
            "monitors": frozen.monitors,
            "thresholds": frozen.thresholds,
        },
        "criteria": [
            *(_criterion(one, "primary") for one in evaluation.primary),
            *(_criterion(one, "secondary") for one in evaluation.secondary),
        ],
        "cohorts": [_cohort(one) for one in evaluation.cohorts],
        "accounting": {
            "calibration": _accounts(evaluation.calibration),
            "held_out": _accounts(evaluation.held_out),
        },
    }
    return {name: _rounded(value) for name, value in whole.items()}


def _rounded(value: Json) -> Json:
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, Mapping):
        return {name: _rounded(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(inner) for inner in value]
    return value


def _criterion(one: CriterionResult, role: str) -> Json:
    return {**_object(plain(one.criterion)), "role": role, "met": one.met, "finding": one.finding}


def _cohort(one: CohortResult) -> Json:
    listed = one.sessions[:MOST_LISTED]
    return {
        "status": DESCRIPTIVE,
        "name": one.name,
        "trials": one.trials,
        "failures": one.failures,
        "sessions": [{**_object(plain(session)), "brier": dict(session.brier)} for session in listed],
        "sessions_not_listed": len(one.sessions) - len(listed),
        "predictors": [
            {**_object(plain(result)), "levels": {str(level): count for level, count in result.levels}}
            for result in one.predictors
        ],
        "comparisons": [_comparison(comparison) for comparison in one.comparisons],
        "properties": plain(one.counts),
        "boundaries": plain(one.boundaries),
    }


def _comparison(one: Comparison) -> Json:
    listed = one.sessions[:MOST_LISTED]
    return {**_object(plain(one)), "sessions": plain(listed), "sessions_not_listed": len(one.sessions) - len(listed)}


def _accounts(accounts: Accounts) -> Json:
    sessions = [accounts.sessions[session] for session in sorted(accounts.sessions)]
    invalid = [session for session in sessions if not session.valid]
    return {
        "sessions": len(sessions),
        "valid_sessions": len(sessions) - len(invalid),
        "invalid_sessions": plain(invalid[:MOST_LISTED]),
        "invalid_not_listed": max(0, len(invalid) - MOST_LISTED),
        "trials_planned": _sum([session.planned for session in sessions]),
        "trials_recorded": _sum([session.recorded for session in sessions]),
        "by_path_and_rung": _totals(accounts, lambda one: (one.path.value, one.rung.value, one.fate)),
        "by_property": _totals(accounts, lambda one: (one.property_id.value, one.rung.value, one.fate)),
        "by_reason": _totals(accounts, lambda one: (one.fate, one.reason) if one.reason else None),
    }


def _sum(counts: list[int | None]) -> int | None:
    """Return the sum, None where one of the counts is not known."""
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def _totals(accounts: Accounts, place: Callable[[Account], tuple[str, ...] | None]) -> list[Json]:
    totals: Counter[tuple[str, ...]] = Counter()
    for account, count in accounts.lines.items():
        key = place(account)
        if key is not None:
            totals[key] += count
    return [[*key, totals[key]] for key in sorted(totals)]


def _object(value: Json) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise TypeError(f"{type(value).__name__} is no object")
    return value
