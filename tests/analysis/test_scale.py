"""The same job from records, from Parquet, here and on a Dask cluster: always the same counts."""

from pathlib import Path

import polars as pl
import pytest
from distributed import Client, LocalCluster

from analysis.errors import EvidenceError
from analysis.execution import Here, OnDask
from analysis.folder import EvaluationFolder
from analysis.job import calibrate, evaluate_once, fit_profile
from analysis.ledger_export import tabulate
from analysis.population import PopulationPlan, write_population
from analysis.publishing import published
from analysis.synthetic import write_evaluation
from analysis.table_source import calibration_of_table
from simverity_engine.profile.counts import Grouping

PLAN = PopulationPlan(trials=4000, homes=8, partitions=3)


@pytest.fixture
def population(tmp_path: Path) -> EvaluationFolder:
    """Eight homes in three files on each side."""
    return write_population(tmp_path / "population", PLAN)


def test_a_table_counts_what_the_records_count(tmp_path: Path) -> None:
    folder = write_evaluation(tmp_path, seed=1)
    tabulate(folder.calibration(), tmp_path / "all.parquet")
    records, table = calibrate(folder, Here()), calibration_of_table(tmp_path / "all.parquet", folder.manifest())
    assert table.classes == records.classes
    assert table.accounts.lines == records.accounts.lines
    # A table has a line for every trial under a property; an interrupted session has none of either.
    assert table.evidence == {one for one in records.evidence if one.session != "calibration-4"}


def test_homes_are_not_pooled_unless_the_manifest_says_so(population: EvaluationFolder) -> None:
    found = calibrate(population, Here())
    assert {values[0] for values in found.classes.groups[Grouping.FULL]} == {f"home-{n:04d}" for n in range(8)}


def test_the_population_is_as_large_as_planned(population: EvaluationFolder) -> None:
    lines = sum(pl.scan_parquet(file).select(pl.len()).collect().item() for file in population.calibration())
    lines += sum(pl.scan_parquet(file).select(pl.len()).collect().item() for file in population.held_out())
    assert lines == PLAN.trials * 4


def test_the_same_job_runs_on_a_cluster(population: EvaluationFolder, tmp_path: Path) -> None:
    again = write_population(tmp_path / "again", PLAN)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        there = OnDask(client)
        assert calibrate(again, there) == calibrate(population, Here())
        assert fit_profile(again, there).content == fit_profile(population, Here()).content
        files = published(again, *evaluate_once(again, there))
    assert files == published(population, *evaluate_once(population, Here()))


def test_another_source_of_the_clearance_is_refused(population: EvaluationFolder) -> None:
    file = population.calibration()[0]
    pl.read_parquet(file).with_columns(pl.lit("reported_claim").alias("source")).write_parquet(file)
    with pytest.raises(EvidenceError, match="mixes sources"):
        calibration_of_table(file, population.manifest())


@pytest.mark.parametrize("content", ["columns", "bytes"])
def test_what_is_no_table_of_ours_is_refused(tmp_path: Path, population: EvaluationFolder, content: str) -> None:
    file = tmp_path / "other.parquet"
    if content == "columns":
        pl.DataFrame({"site": ["home"]}).write_parquet(file)
    else:
        file.write_bytes(b"no table")
    with pytest.raises(EvidenceError):
        calibration_of_table(file, population.manifest())
