"""What is published of an evaluation: JSON, a page, plots; and its comparison with what was published before."""

from pathlib import Path

from analysis.errors import ReplayError
from analysis.evaluating import Evaluation
from analysis.folder import PARQUET, EvaluationFolder
from analysis.json_lines import write_whole
from analysis.plots import plots_of
from analysis.report_json import document
from analysis.report_markdown import page
from analysis.timelines import Timeline, timelines_of
from simverity_engine.canonical import canonical_bytes
from simverity_engine.profile.freezing import FrozenProfile


def published(folder: EvaluationFolder, evaluation: Evaluation, frozen: FrozenProfile) -> dict[str, bytes]:
    """Return every published file by name. Time lines need traces, which tables do not hold."""
    timelines = [
        timeline
        for file in folder.held_out()
        if file.suffix != PARQUET
        for timeline in timelines_of(file, evaluation.manifest)
    ]
    plots: dict[str, bytes] = {}
    for cohort, result in zip(evaluation.manifest.cohorts, evaluation.cohorts, strict=True):
        plots |= plots_of(result, _of_cohort(timelines, frozenset(cohort.names)))
    return {
        "report.json": canonical_bytes(document(evaluation, frozen)) + b"\n",
        "report.md": page(evaluation, frozen, list(plots)).encode(),
        **plots,
    }


def _of_cohort(timelines: list[Timeline], sessions: frozenset[str]) -> list[Timeline]:
    return [timeline for timeline in timelines if timeline.session in sessions]


def publish(folder: EvaluationFolder, files: dict[str, bytes]) -> None:
    """Write the published files."""
    for name, content in files.items():
        write_whole(folder.report / name, content)


def check_published(folder: EvaluationFolder, files: dict[str, bytes]) -> None:
    """Compare what was regenerated with what was published, byte for byte.

    Raises:
        ReplayError: naming the files that differ, are missing, or are too many.
    """
    there = {path.name: path.read_bytes() for path in _files(folder.report)}
    complaints = [
        *(f"{name} differs" for name in sorted(files.keys() & there.keys()) if files[name] != there[name]),
        *(f"{name} was not published" for name in sorted(files.keys() - there.keys())),
        *(f"{name} was published and cannot be regenerated" for name in sorted(there.keys() - files.keys())),
    ]
    if complaints:
        raise ReplayError(f"{folder.root}: {'; '.join(complaints)}")


def _files(report: Path) -> list[Path]:
    return [path for path in report.iterdir() if path.is_file()] if report.is_dir() else []
