"""Plots as SVG: the same numbers give the same bytes."""

import io
from collections.abc import Sequence
from itertools import batched
from typing import TYPE_CHECKING

import matplotlib as mpl
from matplotlib.figure import Figure

from analysis.evaluating import CohortResult, PropertyCount
from analysis.timelines import Timeline

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PER_PAGE = 20
_EARLIEST, _LATEST = -0.1, 1.2
"""Seconds after dispatch that a time line shows."""
_ROOM = 2.0
"""Distance of time lines; the way from the old level to the new one is 1."""
_GOOD, _BAD, _PALE = "#1b7f5c", "#c0392b", "#7f8c8d"


def plots_of(cohort: CohortResult, timelines: Sequence[Timeline]) -> dict[str, bytes]:
    """Return the cohort's plots by file name; one time line for each trial with a false clearance."""
    # The salt makes the ids of clip paths a function of the drawing; text stays text, whatever fonts there are.
    with mpl.rc_context({"svg.hashsalt": "simverity", "svg.fonttype": "none", "font.size": 8.0}):
        drawn = {
            f"{cohort.name}-reliability.svg": _reliability(cohort),
            f"{cohort.name}-boundaries.svg": _boundaries(cohort),
            f"{cohort.name}-predictors.svg": _predictors(cohort),
        }
        for number, shown in enumerate(batched(timelines, _PER_PAGE, strict=False), 1):
            drawn[f"{cohort.name}-false-clearances-{number:02d}.svg"] = _timelines(shown)
    return drawn


def _svg(figure: Figure) -> bytes:
    content = io.BytesIO()
    figure.savefig(content, format="svg", metadata={"Date": None, "Creator": None})
    return content.getvalue()


def _reliability(cohort: CohortResult) -> bytes:
    """Draw observed against predicted risk for each predictor, with exact bars."""
    figure = Figure(figsize=(9.0, 6.0))
    figure.subplots_adjust(hspace=0.4, wspace=0.35)
    for place, result in enumerate(cohort.predictors, 1):
        axes = figure.add_subplot(2, 3, place)
        axes.plot([0, 1], [0, 1], color=_PALE, linewidth=0.8)
        for one in result.reliability:
            low, high = one.observed - one.interval.lower, one.interval.upper - one.observed
            axes.errorbar(one.risk, one.observed, yerr=[[low], [high]], fmt="o", markersize=3, color=_GOOD, capsize=2)
        axes.set(title=result.predictor.value, xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
        axes.set(xlabel="predicted", ylabel="observed")
    return _svg(figure)


def _boundaries(cohort: CohortResult) -> bytes:
    """Draw failed of decided trials at each boundary, by property and direction."""
    properties = sorted({count.property_id for count in cohort.boundaries})
    figure = Figure(figsize=(9.0, 1.0 + 2.0 * len(properties)))
    figure.subplots_adjust(hspace=0.5)
    for place, property_id in enumerate(properties, 1):
        axes = figure.add_subplot(max(1, len(properties)), 1, place)
        counts = [count for count in cohort.boundaries if count.property_id is property_id]
        labels = list(dict.fromkeys(count.boundary for count in counts))
        for shift, direction in ((-0.2, "on"), (0.2, "off")):
            _bars(axes, [count for count in counts if count.direction == direction], labels, shift)
        axes.set_xticks(range(len(labels)), labels)
        axes.set(title=property_id.value, ylabel="trials: on | off")
        axes.margins(y=0.15)
    return _svg(figure)


def _bars(axes: Axes, counts: Sequence[PropertyCount], labels: Sequence[str], shift: float) -> None:
    for count in counts:
        at = labels.index(count.boundary) + shift
        axes.bar(at, count.trials, width=0.35, color="#ecf0f1", edgecolor=_PALE, linewidth=0.5)
        axes.bar(at, count.failures, width=0.35, color=_BAD)
        axes.annotate(f"{count.failures}/{count.trials}", (at, count.trials), ha="center", va="bottom", fontsize=6)


def _predictors(cohort: CohortResult) -> bytes:
    """Draw every session's Brier score and the cohort's, for each predictor."""
    figure = Figure(figsize=(7.0, 3.8))
    figure.subplots_adjust(bottom=0.2)
    axes = figure.add_subplot()
    names = [result.predictor.value for result in cohort.predictors]
    for place, result in enumerate(cohort.predictors):
        if result.scores is not None:
            axes.bar(place, result.scores.brier, width=0.6, color="#d5e8df")
        each = [brier for session in cohort.sessions for one, brier in session.brier if one is result.predictor]
        known = [brier for brier in each if brier is not None]
        axes.plot([place] * len(known), known, "o", markersize=3, color=_GOOD, alpha=0.6)
    axes.set_xticks(range(len(names)), names, rotation=15)
    axes.set(ylabel="Brier score (bar: cohort, dots: sessions)", title=f"{cohort.name}: lower is better")
    return _svg(figure)


def _timelines(shown: Sequence[Timeline]) -> bytes:
    """Draw time lines below one another: the witness's levels, the reports, the failed reads and what happened when."""
    figure = Figure(figsize=(9.0, 0.8 + 0.9 * len(shown)))
    figure.subplots_adjust(left=0.02, right=0.98, top=0.97, bottom=0.06)
    axes = figure.add_subplot()
    for place, timeline in enumerate(shown):
        _timeline(axes, timeline, -_ROOM * place)
    axes.set(xlim=(_EARLIEST, _LATEST), ylim=(-_ROOM * (len(shown) - 1) - 0.2, 2.0), yticks=[])
    axes.set_xlabel(f"seconds after dispatch (up to {_LATEST:g}); dots: witness, blue: reports, red: failed reads")
    return _svg(figure)


def _timeline(axes: Axes, timeline: Timeline, base: float) -> None:
    inside = [(at, base + level) for at, level in timeline.levels if _EARLIEST <= at <= _LATEST]
    axes.plot([at for at, _ in inside], [level for _, level in inside], ".", markersize=2, color=_GOOD)
    axes.hlines([base, base + 1], _EARLIEST, _LATEST, color="#ecf0f1", linewidth=0.6)
    reports = [at for at, _ in timeline.reports if at <= _LATEST]
    axes.vlines(reports, base, base + 1, color="#2e6da4", linewidth=0.8)
    reads = [min(failure.at, _LATEST) for failure in timeline.failures]
    axes.vlines(reads, base - 0.1, base + 1.1, color=_BAD, linewidth=1.0, linestyle="--")
    for place, (name, earliest, latest) in enumerate(timeline.stages):
        seen = latest if latest is not None else earliest
        if seen is not None and _EARLIEST <= seen <= _LATEST:
            axes.annotate(name, (seen, base + 0.1 + 0.16 * place), fontsize=4, color=_PALE)
    failed = ", ".join(f"{failure.property_id} at {failure.boundary}" for failure in timeline.failures)
    title = f"{timeline.session} {timeline.trial} {timeline.direction}: {failed}"
    axes.annotate(title, (_EARLIEST, base + 1.2), fontsize=6, annotation_clip=False)
