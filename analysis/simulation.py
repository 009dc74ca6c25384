"""What the standing disposition promises, tried on simulated homes whose true risk is known.

Many homes at once, as arrays of (home, trial); a test plays some of them through the engine itself and finds the same.
Every figure has its seed, its number of homes, and the bound that the method states for it. Where a home's state is two
numbers, the probability is also computed exactly, trial by trial, and the simulation must agree with it. What looking
or starting afresh ever clears grows with the horizon, so every such figure names its own.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import beta

from simverity_engine.standing.clearing import ClearingEvidence, clean_audits_to_clear, log_evidence
from simverity_engine.standing.policy import MIXTURE_POINTS, StandingPolicy

type Trials = npt.NDArray[np.bool_]
"""Whether each counted trial failed: one row a home, one column a trial."""

POLICY = StandingPolicy()
LOOKS = 1_500
"""Trials after each of which somebody looks."""
LONG_LOOKS, LONG_RESTARTS = 2_000, 2_900
"""Trials within which peeking and fresh starts reach what the method states, 27 % and 97 %."""
DEVIATIONS = 4.0
"""Standard errors by which a simulation may differ from what is exact."""
BURST = 20
"""Trials of one burst of failures, and of one clock block."""
HEALTHY = 200
"""Trials of a healthy home before it changes."""
AUDITS = 300
"""Trials over which undecided ones are left out or counted."""
_FALSE_REVOCATION = 0.005
"""What the method states for a healthy home in 4,000 trials."""
_FRACTIONS = (np.arange(MIXTURE_POINTS) + 0.5) / MIXTURE_POINTS
_ANGLE = math.asin(math.sqrt(POLICY.tolerance))


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One result: ``value`` must lie in [``least``, ``most``], which the method states or implies.

    ``homes`` were simulated; None where the value is exact.
    """

    name: str
    value: float
    least: float
    most: float
    homes: int | None

    @property
    def holds(self) -> bool:
        """Whether the value lies within its bounds."""
        return self.least <= self.value <= self.most


def homes_at(risk: float, homes: int, trials: int, seed: int) -> Trials:
    """Return independent trials of homes that fail with a probability."""
    return np.random.default_rng(seed).random((homes, trials)) < risk


def cleared_by_evidence(failed: Trials, *, restart: str = "never") -> npt.NDArray[np.bool_]:
    """Return which homes the e-process ever clears, with somebody looking after every trial.

    ``restart`` says what a failure does: ``never`` nothing; ``carry`` closes the segment with S <- min(1, E); ``fresh``
    begins anew from 1, which the method forbids.
    """
    below = np.sin(_FRACTIONS * _ANGLE) ** 2
    on_failure, on_pass = np.log(below / POLICY.tolerance), np.log((1 - below) / (1 - POLICY.tolerance))
    logs = np.zeros((len(failed), MIXTURE_POINTS))
    carried = np.zeros(len(failed))
    cleared = np.zeros(len(failed), dtype=bool)
    for column in failed.T:
        logs += np.where(column[:, None], on_failure, on_pass)
        largest = logs.max(axis=1)
        evidence = carried + largest + np.log(np.exp(logs - largest[:, None]).mean(axis=1))
        cleared |= evidence >= POLICY.log_demand
        if restart != "never" and column.any():
            carried[column] = np.minimum(0.0, evidence[column]) if restart == "carry" else 0.0
            logs[column] = 0.0
    return cleared


def cleared_by_peeking(failed: Trials) -> npt.NDArray[np.bool_]:
    """Return which homes a one-sided 95 % Clopper-Pearson limit ever clears, if one looks after every trial."""
    seen = np.cumsum(failed, axis=1)
    looks = np.arange(1, failed.shape[1] + 1)
    with np.errstate(invalid="ignore"):
        upper = np.asarray(beta.ppf(1 - POLICY.error, seen + 1, np.maximum(looks - seen, 1)))
    return np.asarray((upper <= POLICY.tolerance).any(axis=1))


def first_alarms(failed: Trials) -> npt.NDArray[np.int64]:
    """Return after how many trials the change detector first rings in each home; 0 if it never does."""
    above = np.sin(_ANGLE + _FRACTIONS * (math.pi / 2 - _ANGLE)) ** 2
    on_failure, on_pass = above / POLICY.tolerance, (1 - above) / (1 - POLICY.tolerance)
    sums = np.zeros((len(failed), MIXTURE_POINTS))
    rang = np.zeros(len(failed), dtype=np.int64)
    for number, column in enumerate(failed.T, start=1):
        sums = (sums + 1) * np.where(column[:, None], on_failure, on_pass)
        rang[(rang == 0) & (sums.mean(axis=1) >= POLICY.alarm)] = number
        sums[rang > 0] = 0.0
    return rang


def bursty(homes: int, trials: int, seed: int) -> Trials:
    """Return homes that fail in runs of ``BURST`` trials, one trial in five altogether."""
    chance = np.random.default_rng(seed)
    begins = chance.random((homes, trials)) < 1 / (4 * BURST)
    failed = np.zeros((homes, trials), dtype=bool)
    left = np.zeros(homes, dtype=np.int64)
    for number in range(trials):
        left = np.where((left == 0) & begins[:, number], BURST, left)
        failed[:, number] = left > 0
        left = np.maximum(0, left - 1)
    return failed


def runs_once(failed: Trials) -> list[Trials]:
    """Return each home's trials with every run of failures counted once: what the method forbids."""
    starts = failed & ~np.hstack((np.zeros((len(failed), 1), dtype=bool), failed[:, :-1]))
    return [row[(~bad) | row][None, :] for row, bad in zip(starts, failed, strict=True)]


def exactly_by_peeking(risk: float, looks: int) -> float:
    """Return the probability that Clopper-Pearson ever clears a home at a risk, if one looks after every trial."""

    def clears(failures: npt.NDArray[np.int64], trials: int) -> npt.NDArray[np.bool_]:
        upper = beta.ppf(1 - POLICY.error, failures + 1, np.maximum(trials - failures, 1))
        return np.asarray(upper <= POLICY.tolerance)

    return _ever(clears, risk, looks)


def exactly_by_evidence(risk: float, looks: int) -> float:
    """Return the probability that the e-process ever clears a home at a risk, if one looks after every trial."""

    def clears(failures: npt.NDArray[np.int64], trials: int) -> npt.NDArray[np.bool_]:
        counts = [ClearingEvidence(failures=int(k), passes=max(0, trials - int(k))) for k in failures]
        found = [log_evidence(one, POLICY.tolerance) >= POLICY.log_demand for one in counts]
        return np.asarray(found) & (failures <= trials)

    return _ever(clears, risk, looks)


def exactly_by_fresh_starts(risk: float, trials: int) -> float:
    """Return the probability of a run of passes that clears, which is what a fresh start after a failure takes."""
    enough = clean_audits_to_clear(ClearingEvidence(), POLICY.tolerance, POLICY.log_demand)
    runs, cleared = np.zeros(enough), 0.0
    runs[0] = 1.0
    for _ in range(trials):
        cleared += float(runs[-1]) * (1 - risk)
        runs = np.concatenate(([runs.sum() * risk], runs[:-1] * (1 - risk)))
    return cleared


def _ever(clears: Callable[[npt.NDArray[np.int64], int], npt.NDArray[np.bool_]], risk: float, looks: int) -> float:
    """Return the probability of ever being cleared; homes are spread over their numbers of failures so far."""
    largest = int(np.ceil(looks * risk + 6 * np.sqrt(looks * risk)))
    failures, spread, cleared = np.arange(largest + 1), np.zeros(largest + 1), 0.0
    spread[0] = 1.0
    for trials in range(1, looks + 1):
        spread = spread * (1 - risk) + np.concatenate(([0.0], spread[:-1])) * risk
        reached = np.nonzero(spread > 0.0)[0]
        done = reached[clears(failures[reached], trials)]
        cleared += float(spread[done].sum())
        spread[done] = 0.0
    return cleared


def _share(cleared: npt.NDArray[np.bool_]) -> float:
    return float(cleared.mean())


def _clearing_figures(homes: int) -> list[Figure]:
    at_limit = homes_at(POLICY.tolerance, homes, LOOKS, seed=1)

    def figure(name: str, value: float, least: float, most: float) -> Figure:
        return Figure(name=name, value=value, least=least, most=most, homes=homes)

    def agreeing(name: str, value: float, exact: float) -> Figure:
        off = DEVIATIONS * math.sqrt(exact * (1 - exact) / homes)
        return figure(name, value, exact - off, exact + off)

    peeked, started = exactly_by_peeking(POLICY.tolerance, LOOKS), exactly_by_fresh_starts(POLICY.tolerance, LOOKS)
    return [
        agreeing(
            f"at 5 %: wrongly cleared by peeking at Clopper-Pearson in {LOOKS:,} looks",
            _share(cleared_by_peeking(at_limit)),
            peeked,
        ),
        _exact(
            f"at 5 %: wrongly cleared by peeking in {LONG_LOOKS:,} looks",
            exactly_by_peeking(POLICY.tolerance, LONG_LOOKS),
            0.27,
        ),
        figure("at 5 %: wrongly cleared by the e-process", _share(cleared_by_evidence(at_limit)), 0.0, POLICY.error),
        _exact(
            f"at 5 %: wrongly cleared by the e-process in {LOOKS:,} looks",
            exactly_by_evidence(POLICY.tolerance, LOOKS),
            0.04,
        ),
        figure(
            "at 5 %: wrongly cleared with a restart after each failure, bad experience carried",
            _share(cleared_by_evidence(at_limit, restart="carry")),
            0.0,
            POLICY.error,
        ),
        agreeing(
            f"at 5 %: wrongly cleared in {LOOKS:,} trials with a fresh start after each failure",
            _share(cleared_by_evidence(at_limit, restart="fresh")),
            started,
        ),
        _exact(
            f"at 5 %: wrongly cleared in {LONG_RESTARTS:,} trials with a fresh start after each failure",
            exactly_by_fresh_starts(POLICY.tolerance, LONG_RESTARTS),
            0.97,
        ),
    ]


def _exact(name: str, value: float, stated: float) -> Figure:
    return Figure(name=name, value=value, least=stated - 0.005, most=stated + 0.005, homes=None)


def _burst_figures(homes: int) -> list[Figure]:
    failing = bursty(homes, LOOKS, seed=2)
    once = np.array([cleared_by_evidence(row)[0] for row in runs_once(failing[: homes // 10])])
    first_of_block = failing[:, ::BURST]
    return [
        Figure(
            name="20 % in bursts: cleared if each run of failures counted once",
            value=_share(once),
            least=0.80,
            most=1.0,
            homes=len(once),
        ),
        Figure(
            name="20 % in bursts: cleared by the first trial of each block",
            value=_share(cleared_by_evidence(first_of_block)),
            least=0.0,
            most=POLICY.error,
            homes=homes,
        ),
    ]


def _abstention_figures(homes: int) -> list[Figure]:
    """A lamp about as slow as the boundary: as many passes as failures are too close to call."""
    truly, shown, close_passes = 0.067, 0.0162, 0.049
    drawn = np.random.default_rng(3).random((homes, AUDITS))
    failed = drawn < truly
    undecided = (drawn >= shown) & (drawn < truly + close_passes)
    decided = (row[~gone][None, :] for row, gone in zip(failed, undecided, strict=True))
    left_out = np.array([cleared_by_evidence(row)[0] for row in decided])
    return [
        Figure(
            name="6.7 %, of which 1.8 % shows: the share that shows",
            value=float((failed & ~undecided).sum() / (~undecided).sum()),
            least=0.016,
            most=0.020,
            homes=homes,
        ),
        Figure(
            name=f"6.7 %, of which 1.8 % shows: cleared in {AUDITS} if what is undecided is left out",
            value=_share(left_out),
            least=0.58,
            most=0.72,
            homes=homes,
        ),
        Figure(
            name=f"6.7 %, of which 1.8 % shows: cleared in {AUDITS} if what is undecided counts as failed",
            value=_share(cleared_by_evidence(failed | undecided)),
            least=0.0,
            most=0.003,
            homes=homes,
        ),
    ]


def _revocation_figures(homes: int) -> list[Figure]:
    figures = []
    for risk, change, stated in ((1.0, "a dead device", 3), (0.5, "a jump to 50 %", 7), (0.2, "a jump to 20 %", 31)):
        after = homes_at(risk, homes, 400, seed=5)
        rang = first_alarms(np.hstack((homes_at(0.01, homes, HEALTHY, seed=7), after)))
        figures.append(
            Figure(
                name=f"{change} after {HEALTHY} healthy trials: median trials until it is revoked",
                value=float(np.median(rang[rang > HEALTHY] - HEALTHY)),
                least=0.9 * stated,
                most=1.1 * stated,
                homes=homes,
            )
        )
    healthy = first_alarms(homes_at(0.01, homes, 4_000, seed=6)) > 0
    name = "a healthy home at 1 %: ever wrongly revoked in 4,000 trials"
    most = _FALSE_REVOCATION + DEVIATIONS * math.sqrt(_FALSE_REVOCATION / homes)
    return [*figures, Figure(name=name, value=_share(healthy), least=0.0, most=most, homes=homes)]


PARTS: tuple[Callable[[int], list[Figure]], ...] = (
    _clearing_figures,
    _burst_figures,
    _abstention_figures,
    _revocation_figures,
)


def simulate(homes: int) -> list[Figure]:
    """Return every figure, each from so many homes."""
    return [figure for part in PARTS for figure in part(homes)]


def main(argv: list[str] | None = None) -> int:
    """Print the figures; return 1 if one lies outside its bounds."""
    parser = argparse.ArgumentParser(prog="scripts/simulate", description=__doc__)
    parser.add_argument("--homes", type=int, default=4_000, help="simulated homes for each figure")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args(argv)
    figures = simulate(given.homes)
    if given.json:
        sys.stdout.write(json.dumps([asdict(one) for one in figures], indent=1) + "\n")
    else:
        for one in figures:
            mark = "ok" if one.holds else "NO"
            bounds = f"[{one.least:.3g}, {one.most:.3g}]"
            basis = "exact" if one.homes is None else f"{one.homes} homes"
            sys.stdout.write(f"{mark}  {one.value:8.3f}  within {bounds}  {one.name} ({basis})\n")
    return 0 if all(one.holds for one in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
