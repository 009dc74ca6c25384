"""The evaluation as a page that a person reads: registered criteria first, everything else marked descriptive."""

from collections.abc import Iterable, Sequence

from analysis.accounting import ROW, Accounts
from analysis.comparing import Comparison
from analysis.evaluating import CohortResult, CriterionResult, Evaluation, PredictorResult
from analysis.paired_tests import ExactTest
from simverity_engine.profile.freezing import FrozenProfile

NOTHING = "-"
"""What stands where there is no number to give."""
MOST_ROWS = 40
"""Sessions beyond which the table of sessions is left to the JSON report."""


def page(evaluation: Evaluation, frozen: FrozenProfile, plots: Sequence[str]) -> str:
    """Return the report; ``plots`` are file names beside it."""
    manifest = evaluation.manifest
    warning = "> **Synthetic evidence.** It was generated from a seed. Nothing here was measured.\n"
    parts = [
        f"# Evaluation: {manifest.name}\n",
        *([warning] if manifest.synthetic else []),
        f"Declared {manifest.declared_at}; frozen under `{frozen.lock}`.\n",
        _criteria("Primary criteria (registered)", evaluation.primary),
        _criteria("Secondary criteria (registered)", evaluation.secondary),
        *(part for cohort in evaluation.cohorts for part in _cohort(cohort)),
        "## Accounting (descriptive)\n",
        _account("Calibration", evaluation.calibration),
        _account("Held out", evaluation.held_out),
        "## Plots (descriptive)\n",
        "".join(f"![{name}]({name})\n\n" for name in plots).rstrip() + "\n",
    ]
    return "\n".join(parts)


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(str(cell) for cell in line)} |\n" for line in lines)


def _criteria(title: str, results: Sequence[CriterionResult]) -> str:
    rows = [
        (
            one.criterion.name,
            one.criterion.cohort,
            f"{one.criterion.predictor} against {one.criterion.rival}",
            one.criterion.kind,
            {True: "met", False: "**not met**", None: "undecided"}[one.met],
            one.finding,
        )
        for one in results
    ]
    body = _table(("Criterion", "Cohort", "Predictors", "Demands", "Result", "Finding"), rows) if rows else "None.\n"
    return f"## {title}\n\n{body}"


def _cohort(cohort: CohortResult) -> list[str]:
    intro = f"{cohort.trials} rows over {len(cohort.sessions)} sessions, {cohort.failures} false clearances.\n"
    parts = [f"## Cohort {cohort.name} (descriptive)\n", intro, _predictors(cohort), _comparisons(cohort)]
    if len(cohort.sessions) <= MOST_ROWS:
        parts.append(_sessions(cohort))
    rows = [(c.property_id, f"{c.failures}/{c.trials}") for c in cohort.counts]
    parts.append(f"### False clearances by property\n\n{_table(('Property', 'Failed of cleared and decided'), rows)}")
    return parts


def _predictors(cohort: CohortResult) -> str:
    head = ("Predictor", "Brier", "Log loss", "AUROC", "Covered", "Uncovered", "Answers by back-off level")
    return f"### Predictors\n\n{_table(head, [_predictor(one) for one in cohort.predictors])}"


def _predictor(one: PredictorResult) -> tuple[str, ...]:
    levels = ", ".join(f"level {level}: {count}" for level, count in one.levels) or "none"
    covered = NOTHING if one.coverage is None else f"{one.coverage:.1%}"
    scores = one.scores
    if scores is None:
        return (one.predictor, NOTHING, NOTHING, NOTHING, covered, str(one.uncovered), levels)
    auroc = NOTHING if scores.auroc is None else f"{scores.auroc:.3f}"
    numbers = (f"{scores.brier:.4f}", f"{scores.log_loss:.4f}", auroc)
    return (one.predictor, *numbers, covered, str(one.uncovered), levels)


def _comparisons(cohort: CohortResult) -> str:
    head = ("SimVerity against", "Rows", "Win/tie/loss", "Sign test", "Wilcoxon", "Brier difference", "Range")
    return f"### Paired over sessions\n\n{_table(head, [_comparison(one) for one in cohort.comparisons])}"


def _comparison(one: Comparison) -> tuple[str, ...]:
    record = f"{one.wins}/{one.ties}/{one.losses}"
    drawn = one.resampled
    mean = NOTHING if drawn is None else f"{drawn.mean:+.4f}"
    span = NOTHING if drawn is None else f"{drawn.lower:+.4f} to {drawn.upper:+.4f} ({drawn.label})"
    return (one.rival, str(one.trials), record, _p(one.sign_test), _p(one.wilcoxon), mean, span)


def _p(test: ExactTest | None) -> str:
    return NOTHING if test is None else test.text


def _sessions(cohort: CohortResult) -> str:
    names = [predictor for predictor, _ in cohort.sessions[0].brier]
    rows = [
        (
            one.session,
            one.regime,
            f"{one.failures}/{one.trials}",
            *(NOTHING if brier is None else f"{brier:.4f}" for _, brier in one.brier),
        )
        for one in cohort.sessions
    ]
    return f"### Sessions\n\n{_table(('Session', 'Regime', 'Failed', *names), rows)}"


def _account(title: str, accounts: Accounts) -> str:
    valid = sum(session.valid for session in accounts.sessions.values())
    paths = sorted({(line.path, line.rung) for line in accounts.lines})
    fates = sorted({line.fate for line in accounts.lines}, key=lambda fate: (fate != ROW, fate))
    rows = [
        (
            path,
            rung,
            *(
                sum(n for line, n in accounts.lines.items() if (line.path, line.rung, line.fate) == (path, rung, fate))
                for fate in fates
            ),
        )
        for path, rung in paths
    ]
    return (
        f"### {title}\n\n{len(accounts.sessions)} sessions, {valid} of them valid. "
        "Each number counts (trial, property).\n\n" + _table(("Path", "Rung", *fates), rows)
    )
