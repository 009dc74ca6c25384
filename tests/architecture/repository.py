"""What the architecture tests read: the repository's own files, as git knows them."""

import ast
import json
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INTEGRATION = ROOT / "custom_components" / "simverity"

type JsonValue = str | int | float | bool | list[JsonValue] | dict[str, JsonValue] | None


@cache
def repository_files() -> tuple[Path, ...]:
    """Return every file that is committed or would be, without what git ignores."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    printed = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    files = (ROOT / name for name in printed.split("\0") if name)
    return tuple(sorted(path for path in files if path.is_file()))  # a link to a folder is no file


@cache
def shipped_files() -> tuple[Path, ...]:
    """Return every file of the integration, relative to its folder."""
    return tuple(path.relative_to(INTEGRATION) for path in repository_files() if path.is_relative_to(INTEGRATION))


def name_of(path: Path) -> str:
    """Return the path by which a person knows a file."""
    return path.relative_to(ROOT).as_posix()


def read_object(path: Path) -> dict[str, JsonValue]:
    """Read a JSON file that holds an object."""
    value: JsonValue = json.loads(path.read_text(encoding="utf-8"))
    assert isinstance(value, dict), f"{path} does not hold an object"
    return value


def leaves(value: JsonValue, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield every text of a nested object with the keys that lead to it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    else:
        assert isinstance(value, str), f"{'.'.join(path)} is not a text"
        yield path, value


def branch(value: dict[str, JsonValue], *keys: str) -> dict[str, JsonValue]:
    """Return the object under some keys, empty where there is none."""
    for key in keys:
        inner = value.get(key, {})
        assert isinstance(inner, dict)
        value = inner
    return value


@cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a Python file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def running_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Walk a syntax tree without what only type checkers see."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        yield child
        yield from running_nodes(child)
