"""The runner's closing lines say what ran, what failed, and what did not run."""

import os
import sys
from pathlib import Path

import pytest

import sections
from running import Outcome, Step, counts_in, run_step
from sections import Row, Section, closing_lines, run_all


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("12 passed in 3.21s", (12, 0, 0)),
        ("=== 1 failed, 2 passed, 3 skipped, 1 warning in 61.00s (0:01:01) ===", (2, 1, 3)),
        ("2 passed, 1 error in 0.10s", (2, 1, 0)),
        ("3 errors in 1.00s", (0, 3, 0)),
        ("      Tests  1 failed | 62 passed | 2 skipped (65)", (62, 1, 2)),
        ("no tests ran in 0.01s", (0, 0, 0)),
        ("nothing at all", (0, 0, 0)),
    ],
)
def test_counts_are_read_from_the_closing_line(line: str, counts: tuple[int, int, int]) -> None:
    found = counts_in(f"noise 9 passed\n{line}\nafterwards\n")
    assert (found["passed"], found["failed"], found["skipped"]) == counts


def row(name: str, *outcomes: Outcome, result: str = "passed", note: str = "") -> Row:
    """Return one line of the table."""
    return Row(name=name, result=result, seconds=1.0, outcomes=outcomes, note=note)


def outcome(*, good: bool = True, passed: int = 0, failed: int = 0, skipped: int = 0) -> Outcome:
    """Return what became of one step."""
    return Outcome(label="step", good=good, output="", passed=passed, failed=failed, skipped=skipped)


def test_the_last_line_sums_all_runs() -> None:
    rows = [row("a", outcome(passed=3, skipped=1)), row("b", outcome(good=False, passed=4, failed=2), result="failed")]
    assert closing_lines(rows, [])[-1] == "7 passed, 2 failed, 1 skipped"


def test_a_failing_check_without_tests_counts_as_one_failure() -> None:
    rows = [row("lint", outcome(good=False), outcome(), result="failed"), row("b", outcome(passed=1))]
    assert closing_lines(rows, [])[-1] == "1 passed, 1 failed"


def test_what_did_not_run_is_said() -> None:
    rows = [row("engine", outcome(passed=1)), row("browser", result="not run", note="no Chromium here")]
    lines = closing_lines(rows, ["e2e"])
    assert any("The browser tests did not run: no Chromium here" in line for line in lines[-2:])
    assert any("left out by --fast: e2e" in line for line in lines)


def script(code: str, *, counts: bool = False) -> Step:
    """Return a step that runs a few words of Python."""
    return Step(label="script", command=(sys.executable, "-c", code), counts=counts)


def test_a_step_reports_its_exit_and_its_output(tmp_path: Path) -> None:
    ended = run_step(
        script("print('2 passed in 0.1s'); exit(3)", counts=True), cwd=tmp_path, env=os.environ, live=False
    )
    assert (ended.good, ended.passed, ended.output) == (False, 2, "--- script\n2 passed in 0.1s\n")


def test_a_step_reads_no_input(tmp_path: Path) -> None:
    ended = run_step(script("import sys; print(repr(sys.stdin.read()))"), cwd=tmp_path, env=os.environ, live=False)
    assert ended.output.endswith("''\n")


def test_sections_continue_after_a_failure_and_keep_their_order() -> None:
    suite = [
        Section(name="timed", steps=(script("print('hi')"),), alone=True),
        Section(name="bad", steps=(script("exit(1)"), script("print('still here')"))),
        Section(name="good", steps=(script("pass"),)),
    ]
    rows = run_all(suite, dict(os.environ))
    assert [(r.name, r.result) for r in rows] == [("timed", "passed"), ("bad", "failed"), ("good", "passed")]
    assert "still here" in rows[1].outcomes[1].output


@pytest.mark.parametrize(("ci", "result"), [("true", "failed"), ("", "not run")])
def test_a_missing_browser_is_a_failure_only_in_ci(monkeypatch: pytest.MonkeyPatch, ci: str, result: str) -> None:
    monkeypatch.setattr(sections, "provide_chromium", lambda: None)
    monkeypatch.setenv("CI", ci)
    browser = Section(name="browser", steps=(script("pass"),), alone=True, needs_browser=True)
    assert run_all([browser], dict(os.environ))[0].result == result
