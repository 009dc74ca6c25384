"""One process of the rig: started with its log in the run folder, watched while it comes up, stopped cleanly."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from testbed.rig.errors import PartError

POLL_S = 0.1
# Compiling Home Assistant anew costs 8 s at each start; what this process imports is nobody else's business.
_ENVIRONMENT = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPATH": ""}
_LEASH = Path(__file__).with_name("leash.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """What to start."""

    name: str
    """How messages and the log file call it."""
    argv: tuple[str, ...]
    """The program and its arguments."""
    cwd: Path
    """Its working directory."""
    env: dict[str, str] = field(default_factory=dict)
    """Variables on top of this process's own."""


class Part:
    """A running program."""

    def __init__(self, program: Program, log: Path, process: asyncio.subprocess.Process) -> None:
        """Hold a started process; use :func:`start`."""
        self.name = program.name
        self.log = log
        self._process = process

    @property
    def alive(self) -> bool:
        """Whether the process has not ended yet."""
        return self._process.returncode is None

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def tail(self, lines: int = 25) -> str:
        """Return the end of its log."""
        written = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join(f"  | {line}" for line in written[-lines:])

    def failure(self, what: str) -> PartError:
        """Return an error that says what is wrong and shows the end of the log."""
        return PartError(f"{self.name} {what}. The end of {self.log}:\n{self.tail()}")

    async def until[Found](self, check: Callable[[], Awaitable[Found | None]], seconds: float, what: str) -> Found:
        """Ask repeatedly until the check answers something.

        Raises:
            PartError: if the process ends first, or the seconds run out.
        """
        deadline = time.monotonic() + seconds
        while True:
            found = await check()
            if found is not None:
                return found
            if not self.alive:
                raise self.failure(f"ended with code {self._process.returncode} before {what}")
            if time.monotonic() > deadline:
                raise self.failure(f"was still running but {what} did not happen within {seconds:.0f} s")
            await asyncio.sleep(POLL_S)

    async def file(self, path: Path, seconds: float) -> str:
        """Wait until the program has written a file and return its text.

        Raises:
            PartError: if it does not.
        """

        async def written() -> str | None:
            return _text_of(path)

        return await self.until(written, seconds, f"writing {path.name}")

    async def ended(self) -> int:
        """Wait for the end of the process and return its exit code."""
        return await self._process.wait()

    async def kill(self) -> None:
        """End it at once, as a power cut would."""
        if self.alive:
            self._process.kill()
        await self._process.wait()

    async def stop(self, grace_s: float = 25.0) -> None:
        """Ask it to end, and insist after the grace."""
        if self.alive:
            self._process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(grace_s):
                await self._process.wait()
        except TimeoutError:
            await self.kill()


async def start(program: Program, folder: Path) -> Part:
    """Start a program whose output goes to ``<folder>/<name>.log``.

    Raises:
        PartError: if it cannot be executed.
    """
    log = folder / f"{program.name}.log"
    command = (sys.executable, "-I", "-S", str(_LEASH), str(os.getpid()), *program.argv)
    with log.open("ab") as output:
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=asyncio.subprocess.STDOUT,
                cwd=program.cwd,
                env={**os.environ, **_ENVIRONMENT, **program.env},
                start_new_session=True,
            )
        except OSError as error:
            raise PartError(f"{program.name} cannot be started: {error}") from error
    return Part(program, log, process)


def _text_of(path: Path) -> str | None:
    """Return the text of a file, or None while it is missing or empty."""
    return path.read_text(encoding="utf-8") or None if path.exists() else None
