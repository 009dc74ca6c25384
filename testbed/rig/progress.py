"""Telling a person in a terminal what goes on: which step, which trial of how many, how long it will take."""

import sys
import time
from typing import TextIO

from testbed.rig.auditing import Progress

LINE_EVERY_S = 10.0
_COUNTED = {"qualifying": "strobe", "running": "trial"}
_WORDS = {
    "qualifying": "qualifying the camera",
    "strobing": "checking that the camera still tells on from off",
    "running": "session",
    "finishing": "writing the card",
}


class Narrator:
    """Writes steps and progress: in a terminal one line that is rewritten, elsewhere a line now and then."""

    def __init__(self, steps: int, out: TextIO = sys.stderr) -> None:
        """Tell of a number of steps."""
        self._steps = steps
        self._step = 0
        self._out = out
        self._started = time.monotonic()
        self._told: tuple[str, float] = ("", float("-inf"))
        self._open_line = False

    def step(self, text: str) -> None:
        """Begin the next step."""
        self._step += 1
        self._line(f"[{self._step}/{self._steps}] {text}")

    def say(self, text: str) -> None:
        """Tell something within a step."""
        self._line(f"      {text}")

    def progress(self, progress: Progress) -> None:
        """Tell how far a session has come; one that has not begun has nothing to tell."""
        if progress.phase == "idle":
            return
        text = _WORDS.get(progress.phase, progress.phase)
        if progress.phase in _COUNTED and progress.total:
            text += f": {_COUNTED[progress.phase]} {progress.done} of {progress.total}"
        if progress.seconds_left is not None:
            text += f", about {_clock(progress.seconds_left)} left"
        now = time.monotonic()
        if self._out.isatty():
            self._out.write(f"\r\x1b[K      {text}")
            self._out.flush()
            self._open_line = True
        elif progress.phase != self._told[0] or now - self._told[1] >= LINE_EVERY_S:
            self._told = (progress.phase, now)
            self._line(f"      {text}")

    def _line(self, text: str) -> None:
        if self._open_line:
            self._out.write("\n")
            self._open_line = False
        self._out.write(f"{_clock(time.monotonic() - self._started):>5} {text}\n")
        self._out.flush()


def _clock(seconds: float) -> str:
    whole = max(0, round(seconds))
    return f"{whole // 60}:{whole % 60:02d}"
