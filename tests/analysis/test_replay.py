"""Every committed evaluation is regenerated from its evidence, byte for byte."""

from pathlib import Path

import pytest

from analysis.execution import Here
from analysis.folder import EvaluationFolder
from analysis.job import evaluate_again
from analysis.json_lines import read_lines
from analysis.publishing import check_published, published
from analysis.session_file import read_record
from analysis.synthetic import write_evaluation

EVALUATIONS = Path(__file__).resolve().parents[2] / "evaluations"
FOLDERS = [EvaluationFolder(root=file.parent) for file in sorted(EVALUATIONS.glob("*/evaluation.json"))]
by_folder = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.root.name)


@by_folder
def test_every_published_file_is_regenerated(folder: EvaluationFolder) -> None:
    check_published(folder, published(folder, *evaluate_again(folder, Here())))


@by_folder
def test_only_what_says_so_is_synthetic(folder: EvaluationFolder) -> None:
    manifest = folder.manifest()
    assert manifest.synthetic == ("synthetic" in folder.root.name)
    page = (folder.report / "report.md").read_text(encoding="utf-8")
    assert ("Nothing here was measured" in page) == manifest.synthetic


@by_folder
def test_evidence_is_sanitised(folder: EvaluationFolder) -> None:
    for file in (*folder.calibration(), *folder.held_out()):
        content = "".join(map(str, [*read_lines(file), read_record(file)])).lower()
        assert not [word for word in ("http", "token", "192.168.", "light.desk") if word in content]


def test_the_synthetic_evidence_is_what_its_seed_gives(tmp_path: Path) -> None:
    committed = EvaluationFolder(root=EVALUATIONS / "synthetic")
    again = write_evaluation(tmp_path, seed=1)
    for side in ("calibration", "held_out"):
        before, after = (sorted((folder.root / side).iterdir()) for folder in (committed, again))
        assert [file.name for file in before] == [file.name for file in after]
        assert [read_record(file) for file in before] == [read_record(file) for file in after]
