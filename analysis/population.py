"""A synthetic population of homes as partitioned Parquet, to see how the analysis scales. Nothing in it was measured.

Every home has its own lamps, delays and sessions; one trial gives a line for each of four properties. Lines are drawn
column by column, so that a million trials take seconds.
"""

import argparse
import resource
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from analysis.accounting import ROW
from analysis.folder import EvaluationFolder
from analysis.json_lines import write_whole
from analysis.table_source import SCHEMA
from simverity_engine.canonical import canonical_bytes, plain
from simverity_engine.profile.predictors import PredictorId
from simverity_engine.profile.registration import (
    EVALUATION_SCHEMA,
    Cohort,
    Criterion,
    CriterionKind,
    EvaluationManifest,
    HeldOutCell,
    HeldOutSession,
    Resampling,
)
from simverity_engine.terms import GRID, PropertyId, Rung, SessionId
from simverity_engine.terms import Path as TrialPath

type Column = npt.NDArray[np.generic]

DEVICES = 3
CALIBRATION_SHARE = 0.8
_CELLS = (
    (TrialPath.SINGLE_LIGHT, Rung.PHYSICAL),
    (TrialPath.SINGLE_LIGHT, Rung.SOFTWARE),
    (TrialPath.MULTI_TARGET, Rung.PHYSICAL),
    (TrialPath.SENSOR_TO_EFFECT, Rung.SOFTWARE),
)
_HELD_OUT = (TrialPath.SENSOR_TO_EFFECT, Rung.PHYSICAL)
_ABSTAINED = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationPlan:
    """How large the population is.

    Attributes:
        trials: of all homes together, over both sides of the split.
        homes: each has as many trials as any other, up to rounding.
        partitions: files of each side; a home is in one file.
        sessions: calibration sessions of each home; it has one that is held out besides.
        seed: of everything.
    """

    trials: int
    homes: int
    partitions: int
    sessions: int = 4
    seed: int = 1


def write_population(root: Path, plan: PopulationPlan) -> EvaluationFolder:
    """Write the manifest and both sides of the evidence."""
    folder = EvaluationFolder(root=root)
    write_whole(folder.manifest_file, canonical_bytes(plain(population_manifest(plan))) + b"\n")
    each = plan.trials / plan.homes
    for side, share in (("calibration", CALIBRATION_SHARE), ("held_out", 1 - CALIBRATION_SHARE)):
        (root / side).mkdir(parents=True, exist_ok=True)
        for part, homes in enumerate(np.array_split(np.arange(plan.homes), plan.partitions)):
            trials = round(each * share * len(homes))
            lines = _side(plan, side, homes, trials, np.random.default_rng([plan.seed, part, len(side)]))
            lines.write_parquet(root / side / f"part-{part:03d}.parquet")
    return folder


def population_manifest(plan: PopulationPlan) -> EvaluationManifest:
    """Return the manifest: the sensor path at the physical rung is held out in every home, and homes are kept apart."""
    criteria = [
        Criterion(
            name=f"all homes: {kind}",
            kind=kind,
            cohort="all-homes",
            predictor=PredictorId.SIMVERITY,
            rival=PredictorId.PATH_ONLY,
            limit=0.05,
        )
        for kind in (CriterionKind.BOOTSTRAP_BELOW_ZERO, CriterionKind.SIGN_TEST)
    ]
    return EvaluationManifest(
        schema=EVALUATION_SCHEMA,
        name="synthetic population",
        declared_at="2026-01-01T00:00:00+00:00",
        synthetic=True,
        pool_sites=False,
        n_min=10,
        calibration=tuple(
            SessionId(_session(home, session)) for home in range(plan.homes) for session in range(plan.sessions)
        ),
        held_out=(HeldOutCell(path=_HELD_OUT[0], rung=_HELD_OUT[1]),),
        cohorts=(
            Cohort(
                name="all-homes",
                sessions=tuple(
                    HeldOutSession(session=SessionId(_session(home, plan.sessions)), regime="natural")
                    for home in range(plan.homes)
                ),
            ),
        ),
        primary=(criteria[0],),
        secondary=(criteria[1],),
        resampling=Resampling(resamples=2000, seed=7, confidence=0.95),
    )


def _session(home: int, session: int) -> str:
    return f"home-{home:04d}-session-{session}"


def _side(
    plan: PopulationPlan, side: str, homes: npt.NDArray[np.int64], trials: int, draw: np.random.Generator
) -> pl.DataFrame:
    """Draw the lines of some homes on one side of the split."""
    held = side == "held_out"
    home = draw.choice(homes, trials)
    session = np.full(trials, plan.sessions) if held else draw.integers(0, plan.sessions, trials)
    cells = (_HELD_OUT,) if held else _CELLS
    cell = draw.integers(0, len(cells), trials)
    path, rung = (np.array([one[place].value for one in cells])[cell] for place in (0, 1))
    going_off = draw.random(trials) < 0.5  # noqa: PLR2004 - either way
    device = draw.integers(0, DEVICES, trials)
    boundary = draw.integers(0, len(GRID), trials)
    seconds = np.array([one.seconds for one in GRID])[boundary]
    real = rung == Rung.PHYSICAL.value
    # A home's lamps are slower or faster than another's, and off is slower than on.
    pace = 0.7 + 0.6 * ((home * 7919 + device * 104729) % 101) / 100
    effect = np.where(going_off, draw.uniform(0.2, 0.38, trials), draw.uniform(0.02, 0.05, trials)) * pace
    latency = np.where(real, effect, 0.001)
    report = np.where(real, draw.uniform(0.04, 0.06, trials), 0.001)
    several = path == TrialPath.MULTI_TARGET.value
    common = pl.DataFrame(
        {
            "site": pl.Series(home).map_elements(lambda one: f"home-{one:04d}", return_dtype=pl.String),
            "number": session,
            "valid": np.full(trials, fill_value=True),
            "direction": np.where(going_off, "off", "on"),
            "path": path,
            "rung": rung,
            "source": np.where(real, "twin", "accepted_call"),
            "action": np.where(going_off, "light.turn_off", "light.turn_on"),
            "device": device,
            "several": several,
            "latency": latency,
            "abstains": draw.random(trials) < _ABSTAINED,
            "at": np.array([one.label for one in GRID])[boundary],
        }
    )
    failed = {
        PropertyId.REPORTED_COMPLETION: real,
        PropertyId.REPORTED_READ_AFTER_WRITE: report > seconds,
        PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE: latency > seconds,
        PropertyId.SETTLED_POSTCONDITION: draw.random(trials) < 0.001,  # noqa: PLR2004 - one in a thousand
    }
    return pl.concat([_lines(common, property_id, column) for property_id, column in failed.items()])


def _lines(common: pl.DataFrame, property_id: PropertyId, failed: npt.NDArray[np.bool_]) -> pl.DataFrame:
    """Return the lines of one property; an abstention is left out of the observable effect alone."""
    effect = property_id is PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE
    fixed = {PropertyId.REPORTED_COMPLETION: "return", PropertyId.SETTLED_POSTCONDITION: "settled"}.get(property_id)
    device = pl.format("device-{}", "device")
    pair = pl.concat_list(device, pl.format("device-{}", (pl.col("device") + 1) % DEVICES))
    seconds = pl.col("latency") if effect else pl.lit(None, dtype=pl.Float64)
    abstains = pl.col("abstains") if effect else pl.lit(value=False)
    lines = common.with_columns(
        pl.lit(property_id.value).alias("property"),
        (pl.lit(fixed) if fixed else pl.col("at")).alias("boundary"),
        pl.format("{}-session-{}", "site", "number").alias("session"),
        pl.format("{}-reset-{}", "site", "number").alias("reset"),
        pl.when("several").then(pair).otherwise(pl.concat_list(device)).alias("devices"),
        pl.when("several").then(pl.concat_list(seconds, seconds)).otherwise(pl.concat_list(seconds)).alias("latencies"),
        pl.Series("failed", failed),
        pl.when(abstains).then(pl.lit("abstained")).otherwise(pl.lit(ROW)).alias("fate"),
        pl.when(abstains).then(pl.lit("below_resolution")).otherwise(pl.lit(None, dtype=pl.String)).alias("reason"),
    )
    return lines.select([pl.col(name).cast(kind) for name, kind in SCHEMA.items()])


def main(argv: list[str] | None = None) -> int:
    """Write a population into a folder."""
    parser = argparse.ArgumentParser(prog="scripts/population", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--trials", type=int, default=1_000_000)
    parser.add_argument("--homes", type=int, default=1_000)
    parser.add_argument("--partitions", type=int, default=20, help="Parquet files of each side")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(argv)
    started = time.monotonic()
    plan = PopulationPlan(trials=given.trials, homes=given.homes, partitions=given.partitions, seed=given.seed)
    write_population(given.folder, plan)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.stdout.write(f"{given.folder} ({time.monotonic() - started:.1f} s, at most {peak:.0f} MB)\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
