"""Run folders: old ones go, those of a running rig stay."""

import os
from pathlib import Path

import pytest

from testbed.rig import layout

NOBODY = "4194305"
"""No process has this id: it lies beyond the kernel's limit."""


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of runs in a cache of the test's own."""
    monkeypatch.setattr(layout, "CACHE", tmp_path)
    return tmp_path / "runs"


def ended_runs(runs: Path, count: int) -> list[Path]:
    folders = [runs / f"demo-{number:03d}" for number in range(count)]
    for age, folder in enumerate(reversed(folders)):
        folder.mkdir(parents=True)
        (folder / "rig.pid").write_text(NOBODY, encoding="utf-8")
        os.utime(folder, (1_000_000 - age, 1_000_000 - age))
    return folders


def test_the_oldest_runs_that_have_ended_go(runs: Path) -> None:
    folders = ended_runs(runs, layout.KEPT_RUNS + 2)
    layout.new_run_folder(None, "demo")
    assert [folder.exists() for folder in folders] == [False] * 2 + [True] * layout.KEPT_RUNS


def test_a_run_whose_rig_still_runs_stays_however_old(runs: Path) -> None:
    oldest, *_ = ended_runs(runs, layout.KEPT_RUNS + 2)
    (oldest / "rig.pid").write_text(str(os.getpid()), encoding="utf-8")
    layout.new_run_folder(None, "demo")
    assert oldest.exists()


def test_two_runs_in_one_second_get_two_folders(runs: Path) -> None:
    assert layout.new_run_folder(None, "demo") != layout.new_run_folder(None, "demo")
    assert len(list(runs.iterdir())) == 2
