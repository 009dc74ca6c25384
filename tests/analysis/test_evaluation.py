"""One synthetic evaluation from its evidence to its replay, and everything that must stop it."""

import gzip
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from operator import add
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.accounting import ROW
from analysis.commands import main
from analysis.errors import AnalysisError, ReplayError
from analysis.evidence import PREDICTORS, PRIMARY_PROPERTY, Calibration
from analysis.execution import Here
from analysis.folder import EvaluationFolder
from analysis.job import calibrate, evaluate_again, evaluate_once, fit_profile
from analysis.openings import read_openings
from analysis.publishing import check_published, publish, published
from analysis.session_file import read_record, read_session, write_session
from analysis.session_source import calibration_of
from analysis.synthetic import write_evaluation
from simverity_engine.profile.predictors import PredictorId
from simverity_engine.terms import SessionId

HERE = Here()


@pytest.fixture(scope="session")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Evidence of both sides, and a frozen profile."""
    folder = write_evaluation(tmp_path_factory.mktemp("evaluation"), seed=1)
    fit_profile(folder, HERE)
    return folder.root


@pytest.fixture
def folder(evidence: Path, tmp_path: Path) -> EvaluationFolder:
    """A copy that a test may spoil."""
    shutil.copytree(evidence, tmp_path / "copy")
    return EvaluationFolder(root=tmp_path / "copy")


def respoil(file: Path, change: Callable[[dict[str, object]], object]) -> None:
    """Change the heading of a record."""
    first, *others = gzip.decompress(file.read_bytes()).splitlines()
    heading = json.loads(first)
    change(heading)
    file.write_bytes(gzip.compress(b"\n".join([json.dumps(heading).encode(), *others]), mtime=0))


def test_what_was_published_is_regenerated_byte_for_byte(folder: EvaluationFolder) -> None:
    publish(folder, published(folder, *evaluate_once(folder, HERE)))
    check_published(folder, published(folder, *evaluate_again(folder, HERE)))


@pytest.mark.parametrize("spoil", ["change", "remove", "add"])
def test_a_published_file_that_differs_is_named(folder: EvaluationFolder, spoil: str) -> None:
    files = {"report.json": b"{}", "report.md": b"page"}
    publish(folder, files)
    if spoil == "change":
        (folder.report / "report.md").write_bytes(b"pages")
    elif spoil == "remove":
        (folder.report / "report.md").unlink()
    else:
        (folder.report / "extra.svg").write_bytes(b"")
    with pytest.raises(ReplayError, match=r"extra\.svg|report\.md"):
        check_published(folder, files)


def test_held_out_evidence_is_opened_once_and_on_the_record(folder: EvaluationFolder) -> None:
    evaluate_once(folder, HERE)
    (opening,) = read_openings(folder.openings_file).openings
    assert opening.lock == folder.frozen().lock
    assert opening.sessions == folder.manifest().held_out_sessions
    with pytest.raises(AnalysisError, match="already opened"):
        evaluate_once(folder, HERE)


def test_the_opening_is_on_record_even_if_the_evaluation_fails(folder: EvaluationFolder) -> None:
    folder.held_out()[0].write_bytes(b"no record")
    with pytest.raises(AnalysisError):
        evaluate_once(folder, HERE)
    assert len(read_openings(folder.openings_file).openings) == 1


def test_nothing_is_fitted_after_an_opening(folder: EvaluationFolder) -> None:
    evaluate_once(folder, HERE)
    with pytest.raises(AnalysisError, match="nothing may be fitted any more"):
        fit_profile(folder, HERE)


def test_nothing_is_replayed_that_was_never_opened(folder: EvaluationFolder) -> None:
    with pytest.raises(AnalysisError, match="nothing to replay"):
        evaluate_again(folder, HERE)


@pytest.mark.parametrize("name", ["profile.json", "lock.json", "evaluation.json"])
def test_one_changed_byte_stops_the_opening(folder: EvaluationFolder, name: str) -> None:
    file = folder.root / name
    file.write_bytes(file.read_bytes().replace(b"1", b"2", 1))
    with pytest.raises(AnalysisError):
        evaluate_once(folder, HERE)
    assert read_openings(folder.openings_file).openings == ()


def test_changed_calibration_evidence_stops_the_opening(folder: EvaluationFolder) -> None:
    file = folder.calibration()[0]
    record = read_record(file)
    write_session(file, replace(record, trials=record.trials[2:]))
    with pytest.raises(AnalysisError, match="no longer gives the frozen profile"):
        evaluate_once(folder, HERE)
    assert read_openings(folder.openings_file).openings == ()


def test_a_changed_record_of_openings_is_noticed(folder: EvaluationFolder) -> None:
    evaluate_once(folder, HERE)
    content = folder.openings_file.read_bytes()
    folder.openings_file.write_bytes(content.replace(b"first-1", b"first-9"))
    with pytest.raises(AnalysisError, match="payload_altered"):
        evaluate_once(folder, HERE)


def test_a_session_that_was_not_held_out_is_refused(folder: EvaluationFolder) -> None:
    shutil.copy(folder.calibration()[0], folder.root / "held_out")
    with pytest.raises(AnalysisError, match="not registered as held out"):
        evaluate_once(folder, HERE)


def test_a_held_out_session_among_the_calibration_is_refused(folder: EvaluationFolder) -> None:
    shutil.copy(folder.held_out()[0], folder.root / "calibration")
    with pytest.raises(AnalysisError, match="not registered for calibration"):
        fit_profile(folder, HERE)


def test_repetitions_between_two_resets_never_cross_the_split(folder: EvaluationFolder) -> None:
    respoil(folder.held_out()[0], lambda heading: heading.update(reset="reset-calibration-1"))
    with pytest.raises(AnalysisError, match="shares the stretch reset-calibration-1"):
        evaluate_once(folder, HERE)


def test_every_predictor_is_scored_and_every_trial_accounted_for(folder: EvaluationFolder) -> None:
    evaluation, _ = evaluate_once(folder, HERE)
    assert [len(cohort.sessions) for cohort in evaluation.cohorts] == [3, 8]
    held_out = evaluation.held_out
    assert sum(session.planned or 0 for session in held_out.sessions.values()) == 36 + 96
    for cohort in evaluation.cohorts:
        assert [one.predictor for one in cohort.predictors] == list(PREDICTORS)
        assert all(sum(n for _, n in one.levels) + one.uncovered == cohort.trials for one in cohort.predictors)
    rows = sum(cohort.trials for cohort in evaluation.cohorts)
    mine = [
        (line.fate, count)
        for line, count in held_out.lines.items()
        if line.property_id is PRIMARY_PROPERTY and line.rung == "physical"
    ]
    assert sum(count for fate, count in mine if fate == ROW) == rows
    assert sum(count for _, count in mine) == 132


def test_an_interrupted_session_is_counted_and_contributes_nothing(folder: EvaluationFolder) -> None:
    found = calibrate(folder, HERE)
    session = found.accounts.sessions[SessionId("calibration-4")]
    assert (session.valid, session.reasons) == (False, ("interrupted",))
    assert {one.session for one in found.evidence} == set(folder.manifest().calibration)


def test_held_out_predictions_name_a_coarser_level_than_the_path(folder: EvaluationFolder) -> None:
    evaluation, _ = evaluate_once(folder, HERE)
    for cohort in evaluation.cohorts:
        levels = {one.predictor: dict(one.levels) for one in cohort.predictors}
        assert set(levels[PredictorId.SIMVERITY]) <= {2, 3, 4}
        assert set(levels[PredictorId.PATH_ONLY]) == {2}


@pytest.fixture(scope="session")
def parts(evidence: Path) -> list[Calibration]:
    """Every calibration session by itself."""
    folder = EvaluationFolder(root=evidence)
    return [calibration_of(file, folder.manifest()) for file in folder.calibration()]


@given(st.permutations(range(5)))
def test_the_order_of_files_changes_nothing(parts: list[Calibration], order: list[int]) -> None:
    assert reduce(add, [parts[place] for place in order]) == reduce(add, parts)


@pytest.mark.parametrize(
    "change",
    [
        lambda heading: heading.update(form="other"),
        lambda heading: heading.update(trials=1),
        lambda heading: heading.update(extra=1),
        lambda heading: heading["manifest"].update(session="else"),
        lambda heading: heading["manifest"]["rows"][0].update(repetitions=1),
    ],
)
def test_a_record_of_another_form_is_refused(
    folder: EvaluationFolder, change: Callable[[dict[str, object]], object]
) -> None:
    file = folder.calibration()[0]
    respoil(file, change)
    with pytest.raises(AnalysisError, match=r"calibration-1"):
        read_session(file)


def test_the_commands_say_in_one_line_why_they_stop(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
