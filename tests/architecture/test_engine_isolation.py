"""The engine is pure: it needs only the standard library, and reads no clock, no file and no chance of its own."""

import ast
import subprocess
import sys
from pathlib import Path

from .repository import INTEGRATION, ROOT, name_of, parsed, repository_files

ENGINE = [path for path in repository_files() if path.is_relative_to(INTEGRATION / "engine") and path.suffix == ".py"]
IMPORT_ALL = """
import importlib, importlib.abc, pkgutil, sys

class OnlyStandardLibrary(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in sys.stdlib_module_names and top != "simverity_engine":
            raise ModuleNotFoundError(f"{name} is blocked", name=name)
        return None

sys.meta_path.insert(0, OnlyStandardLibrary())
sys.path.insert(0, sys.argv[1])
for blocked in ("homeassistant", "aiohttp", "numpy", "custom_components"):
    try:
        importlib.import_module(blocked)
    except ModuleNotFoundError:
        continue
    raise SystemExit(f"{blocked} was not blocked")
import simverity_engine
names = [module.name for module in pkgutil.walk_packages(simverity_engine.__path__, "simverity_engine.")]
for name in names:
    importlib.import_module(name)
print(len(names))
"""
WORLD = {"asyncio", "io", "locale", "logging", "os", "pathlib", "secrets", "shutil", "signal", "socket", "sqlite3"}
WORLD |= {"subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid", "zoneinfo"}
READS_THE_WORLD = {"open", "input", "print", "datetime.now", "datetime.utcnow", "datetime.today", "date.today"}


def test_imports_with_everything_else_blocked() -> None:
    command = [sys.executable, "-I", "-c", IMPORT_ALL, str(ROOT / "src")]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    assert int(finished.stdout) == len(ENGINE) - 1  # all but the package itself


def absolute_imports(path: Path) -> set[str]:
    """Return the top-level packages that a file imports by their absolute names."""
    names: set[str] = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add((node.module or "").partition(".")[0])
    return names


def calls(path: Path) -> set[str]:
    """Return what a file calls, as written."""
    return {ast.unparse(node.func) for node in ast.walk(parsed(path)) if isinstance(node, ast.Call)}


def reads_the_world(call: str) -> bool:
    """Return whether a call, as written, reads a clock, a file or a random source of its own."""
    return call in READS_THE_WORLD or (call.startswith("random.") and call != "random.Random")


def test_imports_itself_relatively_and_nothing_of_the_world() -> None:
    allowed = sys.stdlib_module_names - WORLD
    found = {name_of(path): absolute_imports(path) - allowed for path in ENGINE}
    assert {name: imports for name, imports in found.items() if imports} == {}


def test_calls_nothing_that_reads_the_world() -> None:
    found = {name_of(path): calls(path) for path in ENGINE}
    drawn = {
        name: {c for c in made if c.startswith("random.") and c != "random.Random"} for name, made in found.items()
    }
    reading = {name: (made & READS_THE_WORLD) | drawn[name] for name, made in found.items()}
    assert {name: made for name, made in reading.items() if made} == {}
