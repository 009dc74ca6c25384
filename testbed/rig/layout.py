"""Where things lie on this machine: the checkout, the environments, the run folders."""

import os
import shutil
import socket
import time
from pathlib import Path

from testbed.rig.errors import RigError

ROOT = Path(__file__).resolve().parents[2]
"""The checkout."""
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "simverity"
"""What scripts/setup provides, and the run folders."""


KEPT_RUNS = 12
"""How many run folders of rigs that have ended stay in the cache."""
_OWNER = "rig.pid"


def interpreter(environment: str) -> Path:
    """Return the Python of an environment.

    Raises:
        RigError: if scripts/setup has not provided it.
    """
    path = CACHE / "environments" / environment / "bin" / "python"
    if not path.exists():
        raise RigError(f"there is no environment {environment!r} in {CACHE}: run scripts/setup demo first")
    return path


def new_run_folder(workdir: Path | None, name: str) -> Path:
    """Create the folder that takes the logs and the configuration of one run.

    Raises:
        RigError: if it cannot be created.
    """
    base = workdir or CACHE / "runs"
    if workdir is None:
        _forget_old(base)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    for attempt in range(100):
        folder = base / (f"{name}-{stamp}" if attempt == 0 else f"{name}-{stamp}-{attempt}")
        try:
            folder.mkdir(parents=True)
            (folder / _OWNER).write_text(str(os.getpid()), encoding="utf-8")
        except FileExistsError:
            continue
        except OSError as error:
            raise RigError(f"the run folder {folder} cannot be created: {error}") from error
        return folder
    raise RigError(f"no free name for a run folder in {base}")


def _forget_old(base: Path) -> None:
    """Remove the oldest run folders of the cache, but never one whose rig still runs."""
    ended = [path for path in base.glob("*-*") if path.is_dir() and not _in_use(path)]
    for folder in sorted(ended, key=lambda path: path.stat().st_mtime)[:-KEPT_RUNS]:
        shutil.rmtree(folder, ignore_errors=True)


def _in_use(folder: Path) -> bool:
    """Return whether the process that created a run folder is still there; a folder that does not say is left alone."""
    try:
        return Path("/proc", (folder / _OWNER).read_text(encoding="utf-8")).exists()
    except OSError:
        return True


def free_port() -> int:
    """Return a TCP port on the loopback interface that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
