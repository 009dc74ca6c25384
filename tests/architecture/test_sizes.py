"""No file is too long to read, and no function too long to see at once."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from .repository import name_of, parsed, repository_files

FILE_LINES = 400
FUNCTION_LINES = 60
PYTHON = [path for path in repository_files() if path.suffix == ".py"]
TYPESCRIPT = [path for path in repository_files() if path.suffix in {".ts", ".mts"}]
# A function, method or accessor of formatted TypeScript: it ends at the first brace of its own indentation.
OPENING = re.compile(
    r"^(?P<indent>\s*)(?!(?:if|for|while|switch|catch|else|do|try)\b)"
    r"(?:(?:export|default|async|static|private|protected|public|override|get|set|function|const)\s+)*"
    r"(?P<name>[\w#$]+).*\)(?::[^{=]*)?\s*(?:=>\s*)?\{$"
)


def typescript_functions(text: str) -> Iterator[tuple[str, int]]:
    """Yield the name and the length of each function of a formatted TypeScript file."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        found = OPENING.match(line)
        if found:
            closing = re.compile(rf"^{found['indent']}\}}")
            length = next((n for n, later in enumerate(lines[number + 1 :], 2) if closing.match(later)), 1)
            yield found["name"], length


def python_functions(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the name and the length of each function of a Python file, without its decorators."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


def test_files_are_short_enough() -> None:
    lengths = {name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in [*PYTHON, *TYPESCRIPT]}
    assert {name: length for name, length in lengths.items() if length > FILE_LINES} == {}


def test_python_functions_are_short_enough() -> None:
    lengths = {f"{name_of(path)}: {name}": length for path in PYTHON for name, length in python_functions(path)}
    assert {name: length for name, length in lengths.items() if length > FUNCTION_LINES} == {}


def test_typescript_functions_are_short_enough() -> None:
    lengths = {
        f"{name_of(path)}: {name}": length
        for path in TYPESCRIPT
        for name, length in typescript_functions(path.read_text(encoding="utf-8"))
    }
    assert {name: length for name, length in lengths.items() if length > FUNCTION_LINES} == {}


def test_typescript_functions_are_measured() -> None:
    text = """class Card {
  private async load(a: string): Promise<void> {
    if (a) {
      await b();
    }
  }
  get x(): number {
    return 1;
  }
}
export const later = (a: string) => {
  b(a);
};
"""
    assert dict(typescript_functions(text)) == {"load": 5, "x": 3, "later": 3}
