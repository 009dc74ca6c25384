"""Run the sections of the test suite, each under a heading, and sum up; started by scripts/test.

Ends with a table of sections and one plain line, ``N passed, N failed``. A failing section does not stop the others.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from chromium import provide_chromium
from running import Outcome, Step, run_step

ROOT = Path(__file__).resolve().parent.parent
PYTEST = ("-m", "pytest", "-q")
METERED = "tests/e2e/test_metered_home.py"
NO_HARNESS = ("-p", "no:homeassistant")
IN_HARNESS = ("-p", "tests.phacc_compat", "--timeout=120", "--tb=short", "--show-capture=log")
COVERED = (
    "--cov=custom_components.simverity",
    "--cov-config=tests/integration/coverage.ini",
    "--cov-fail-under=96",
    "--cov-report=term:skip-covered",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One part of the suite.

    Attributes:
        name: how a person asks for it.
        steps: what it runs, in order; it fails if one of them does.
        alone: whether it keeps real time and must therefore run while nothing else does.
        slow: whether ``--fast`` leaves it out.
        needs_browser: whether it cannot run without Chromium.
        by_hand: whether it runs only when it is named: it would take a whole run beyond half an hour.
    """

    name: str
    steps: tuple[Step, ...]
    alone: bool = False
    slow: bool = False
    needs_browser: bool = False
    by_hand: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the closing table; ``note`` says why a section did not run, or which step failed."""

    name: str
    result: str
    seconds: float
    outcomes: tuple[Outcome, ...] = ()
    note: str = ""


def lint_steps(environments: Path) -> tuple[Step, ...]:
    """Return the checks of style, types and imports."""
    home = environments / "home" / "bin"
    mypy = ("-m", "mypy")
    python = str(home / "python")
    instruments = str(environments / "instruments" / "bin" / "python")
    analysis = str(environments / "analysis" / "bin" / "python")
    scripts = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "scripts").glob("*.py"))
    return (
        Step(label="ruff check", command=(str(home / "ruff"), "check", "--no-cache")),
        Step(label="ruff format", command=(str(home / "ruff"), "format", "--check", "--no-cache")),
        Step(label="mypy: engine and integration", command=(python, *mypy, "-p", "custom_components.simverity")),
        Step(label="mypy: witness", command=(instruments, *mypy, "-p", "simverity_witness")),
        Step(label="mypy: testbed", command=(instruments, *mypy, "-p", "testbed")),
        Step(label="mypy: analysis", command=(analysis, *mypy, "-p", "analysis")),
        Step(label="mypy: scripts", command=(python, *mypy, *scripts)),
        Step(label="import-linter", command=(str(home / "lint-imports"), "--no-cache", "--no-logo")),
    )


def card_steps(environments: Path) -> tuple[Step, ...]:
    """Return the checks of the dashboard card, with the project's own Node."""
    node = environments / "node" / "bin"
    here = ("env", f"PATH={node}{os.pathsep}{os.environ['PATH']}")
    npm = (*here, "npm", "--prefix", "card")
    python = str(environments / "home" / "bin" / "python")
    return (
        # Not "ci": it refuses a lock without an optional package for another system, which our registry did not have.
        Step(label="npm install", command=(*npm, "install", "--no-save", "--no-audit", "--no-fund")),
        Step(label="card: types", command=(*npm, "run", "--silent", "types")),
        Step(label="card: format", command=(*npm, "run", "--silent", "format")),
        Step(label="card: tests", command=(*npm, "run", "--silent", "test"), counts=True),
        Step(label="card: build", command=(*here, python, "scripts/same_card.py")),
    )


def sections(environments: Path, *, fast: bool) -> tuple[Section, ...]:
    """Return the whole suite in the order of its table."""

    def tests(environment: str, *arguments: str) -> tuple[Step, ...]:
        markers = ("-m", "not realtime and not browser") if fast else ()
        python = str(environments / environment / "bin" / "python")
        return (Step(label=arguments[-1], command=(python, *PYTEST, *markers, *arguments), counts=True),)

    integration = (*IN_HARNESS, "tests/integration")
    coverage = ("--cov=simverity_engine", "--cov-branch", "--cov-fail-under=100", "--cov-report=term:skip-covered")
    return (
        Section(name="lint", steps=lint_steps(environments)),
        Section(name="architecture", steps=tests("home", *NO_HARNESS, "tests/architecture")),
        Section(name="scripts", steps=tests("home", *NO_HARNESS, "tests/scripts")),
        Section(name="engine", steps=tests("home", *NO_HARNESS, *coverage, "tests/engine")),
        Section(name="analysis", steps=tests("analysis", "tests/analysis")),
        Section(name="card", steps=card_steps(environments)),
        Section(name="integration-newest", steps=tests("home", *COVERED, *integration)),
        Section(name="integration-oldest", steps=tests("home-oldest", *integration)),
        Section(name="testbed", steps=tests("instruments", "tests/testbed"), alone=True),
        Section(name="witness", steps=tests("instruments", "addon/tests"), alone=True),
        Section(
            name="e2e",
            steps=tests("home", *NO_HARNESS, "-m", "not browser", f"--ignore={METERED}", "tests/e2e"),
            alone=True,
            slow=True,
        ),
        Section(name="metered", steps=tests("home", *NO_HARNESS, METERED), alone=True, slow=True, by_hand=True),
        Section(
            name="browser",
            steps=tests("home", *NO_HARNESS, "-m", "browser", "tests/e2e"),
            alone=True,
            slow=True,
            needs_browser=True,
        ),
    )


def run_section(section: Section, environment: dict[str, str], *, live: bool) -> Row:
    """Run one section to its end; when not ``live``, print what it said only afterwards, in one piece."""
    started = time.monotonic()
    if live:
        print(f"\n===== {section.name} =====", flush=True)
    outcomes = tuple(run_step(step, cwd=ROOT, env=environment, live=live) for step in section.steps)
    failing = [outcome.label for outcome in outcomes if not outcome.good]
    if not live:
        said = "".join(outcome.output for outcome in outcomes)
        print(f"\n===== {section.name} =====\n{said}", end="", flush=True)
    return Row(
        name=section.name,
        result="failed" if failing else "passed",
        seconds=time.monotonic() - started,
        outcomes=outcomes,
        note=", ".join(failing),
    )


def run_all(chosen: Sequence[Section], environment: dict[str, str]) -> list[Row]:
    """Run the sections: two at a time where time does not matter, then one by one where it does."""
    rows: dict[str, Row] = {}
    together = [section for section in chosen if not section.alone]
    if len(together) == 1:
        rows[together[0].name] = run_section(together[0], environment, live=True)
    elif together:
        print(f"running two at a time: {', '.join(section.name for section in together)}", flush=True)
        with ThreadPoolExecutor(max_workers=2) as pool:
            waiting: dict[str, Future[Row]] = {
                section.name: pool.submit(run_section, section, environment, live=False) for section in together
            }
        rows |= {name: future.result() for name, future in waiting.items()}
    for section in chosen:
        if section.alone:
            rows[section.name] = run_alone(section, environment)
    return [rows[section.name] for section in chosen]


def run_alone(section: Section, environment: dict[str, str]) -> Row:
    """Run a section that keeps real time, if what it needs is here."""
    if section.needs_browser and provide_chromium() is None:
        result = "failed" if os.environ.get("CI") == "true" else "not run"
        return Row(name=section.name, result=result, seconds=0, note="no Chromium here")
    return run_section(section, environment, live=True)


def closing_lines(rows: Sequence[Row], left_out: Sequence[str]) -> list[str]:
    """Return the table, what did not run and why, and the plain last line."""
    width = max(len(row.name) for row in rows)
    lines = ["", "===== summary ====="]
    lines += [f"{row.name:<{width}}  {row.result:<7}  {row.seconds:6.1f} s  {row.note}".rstrip() for row in rows]
    if left_out:
        lines.append(f"left out by --fast: {', '.join(left_out)}, and every test marked realtime")
    lines += [
        f"The {row.name} tests did not run: {row.note}. Install Debian's chromium, then: scripts/test {row.name}"
        for row in rows
        if not row.outcomes
    ]
    outcomes = [outcome for row in rows for outcome in row.outcomes]
    passed = sum(outcome.passed for outcome in outcomes)
    skipped = sum(outcome.skipped for outcome in outcomes)
    # A failing check that counts no tests of its own is one failure, so that the line cannot look good.
    failed = sum(max(outcome.failed, not outcome.good) for outcome in outcomes)
    failed += sum(row.result == "failed" and not row.outcomes for row in rows)
    lines.append(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return lines


def main() -> None:
    """Run what the command line asks for; exit with 1 if any of it failed."""
    parser = argparse.ArgumentParser(prog="scripts/test", description="Run every test, or the named sections.")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help="run only these (default: all not by hand)")
    parser.add_argument("--fast", action="store_true", help="leave out tests that take real time or a browser")
    parser.add_argument("--list", action="store_true", help="name the sections and stop")
    parser.add_argument("--environments", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    suite = sections(options.environments, fast=options.fast)
    names = [section.name for section in suite]
    if options.list:
        print("\n".join(f"{one.name} (by hand)" if one.by_hand else one.name for one in suite))
        return
    unknown = sorted(set(options.sections) - set(names))
    if unknown:
        parser.error(f"no section {', '.join(unknown)}; there are {', '.join(names)}")
    ordinary = [section.name for section in suite if not section.by_hand]
    wanted = [section for section in suite if section.name in (options.sections or ordinary)]
    chosen = [section for section in wanted if not (options.fast and section.slow)]
    if not chosen:
        parser.error("--fast leaves out all that was asked for")
    search_path = os.pathsep.join(str(ROOT / folder) for folder in (".", "src", "addon"))
    environment = {
        **os.environ,
        "PYTHONPATH": search_path,
        "PYTHONDONTWRITEBYTECODE": "1",
        "NO_COLOR": "1",
        "SIMVERITY_ENVIRONMENTS": str(options.environments),
    }
    rows = run_all(chosen, environment)
    left_out = [section.name for section in wanted if section not in chosen]
    print("\n".join(closing_lines(rows, left_out)), flush=True)
    sys.exit(any(row.result == "failed" for row in rows))


if __name__ == "__main__":
    main()
