"""Processes of the rig: they come up, explain themselves when they do not, and never outlive their starter."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from testbed.rig.errors import PartError
from testbed.rig.layout import ROOT
from testbed.rig.part import Program, start

SLEEPER = "import sys, time, pathlib; pathlib.Path(sys.argv[1]).write_text('up'); time.sleep(600)"
STARTER = """
import asyncio, pathlib, sys
from testbed.rig.part import Program, start

async def main():
    folder = pathlib.Path(sys.argv[1])
    command = (sys.executable, "-c", sys.argv[2], str(folder / "up"))
    part = await start(Program(name="child", argv=command, cwd=folder), folder)
    await part.file(folder / "up", 20)
    print(part.pid, flush=True)
    await part.ended()

asyncio.run(main())
"""


def program(folder: Path, code: str, *arguments: str) -> Program:
    return Program(name="part", argv=(sys.executable, "-c", code, *arguments), cwd=folder)


def alive(pid: int) -> bool:
    """Return whether a process runs; a dead one that nobody has waited for does not."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except FileNotFoundError, ProcessLookupError:
        return False


async def test_a_part_that_ends_early_shows_the_end_of_its_log(tmp_path: Path) -> None:
    part = await start(program(tmp_path, "raise SystemExit('the port is taken')"), tmp_path)
    with pytest.raises(PartError, match="the port is taken"):
        await part.file(tmp_path / "never", 20)


async def test_a_part_that_comes_up_is_stopped(tmp_path: Path) -> None:
    part = await start(program(tmp_path, SLEEPER, str(tmp_path / "up")), tmp_path)
    assert await part.file(tmp_path / "up", 20) == "up"
    await part.stop()
    assert not alive(part.pid)


async def test_a_program_that_does_not_exist_is_an_error_with_its_name(tmp_path: Path) -> None:
    part = await start(Program(name="nobody", argv=("/nonexistent/program",), cwd=tmp_path), tmp_path)
    with pytest.raises(PartError, match="nobody ended"):
        await part.file(tmp_path / "never", 20)


async def test_no_process_outlives_a_starter_that_is_killed(tmp_path: Path) -> None:
    starter = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", STARTER, str(tmp_path), SLEEPER),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert starter.stdout is not None
    child = int(await starter.stdout.readline())
    assert alive(child)
    starter.kill()
    await starter.wait()
    async with asyncio.timeout(10):
        while alive(child):  # noqa: ASYNC110 - another process sets no Event here
            await asyncio.sleep(0.05)
