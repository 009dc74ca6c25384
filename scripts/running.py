"""Run one command of the test suite, with its output and the counts that test runners print."""

import os
import re
import signal
import subprocess
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

# No step comes near this; one that hangs must not take the whole run with it.
STEP_SECONDS = 1800.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One command.

    Attributes:
        label: what it checks, for the heading and the table.
        command: the program and its arguments.
        counts: whether it runs tests that are to be counted.
    """

    label: str
    command: tuple[str, ...]
    counts: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a step: whether it was good, what it printed, and its counts of tests."""

    label: str
    good: bool
    output: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0


# The closing lines of pytest, ``3 passed, 1 failed in 0.5s``, and of vitest, ``Tests  1 failed | 3 passed (4)``.
CLOSING = re.compile(r"\bin \d+(\.\d+)?s\b|^\s*Tests {2}")


def counts_in(output: str) -> dict[str, int]:
    """Return the counts of tests in the last closing line of an output."""
    closing = [line for line in output.splitlines() if CLOSING.search(line)]
    found = re.findall(r"(\d+) (passed|failed|skipped|errors?)\b", closing[-1] if closing else "")
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for number, word in found:
        counts["failed" if word.startswith("error") else word] += int(number)
    return counts


def end_group(process: subprocess.Popen[str]) -> None:
    """End a step that took too long, with all that it started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)


def run_step(step: Step, *, cwd: Path, env: Mapping[str, str], live: bool) -> Outcome:
    """Run a step to its end and return its outcome.

    Args:
        step: the command.
        cwd: the folder to run it in.
        env: its environment.
        live: whether its output is shown while it runs.
    """
    heading = f"--- {step.label}\n"
    lines = [heading]
    if live:
        print(heading, end="", flush=True)
    with subprocess.Popen(
        step.command,
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        limit = threading.Timer(STEP_SECONDS, end_group, (process,))
        limit.start()
        try:
            for line in process.stdout or ():
                lines.append(line)
                if live:
                    print(line, end="", flush=True)
        except KeyboardInterrupt:
            end_group(process)
            raise
        finally:
            limit.cancel()
    output = "".join(lines)
    counts = counts_in(output) if step.counts else {}
    return Outcome(label=step.label, good=process.returncode == 0, output=output, **counts)
