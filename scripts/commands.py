"""Say what is being done, and run commands that must not fail.

Runs under any Python 3.9 or newer.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def say(text: str) -> None:
    """Print one progress line at once."""
    sys.stderr.write(f"[setup] {text}\n")  # in one piece: several threads speak
    sys.stderr.flush()


def run(*command: str | Path, env: dict[str, str] | None = None) -> str:
    """Run a command and return its output; on failure show what it printed and stop."""
    words = [str(part) for part in command]
    finished = subprocess.run(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=env, cwd=ROOT
    )
    if finished.returncode:
        sys.stderr.write(finished.stdout)
        sys.exit(f"[setup] failed: {' '.join(words[:6])} …")
    return finished.stdout
