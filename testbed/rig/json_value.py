"""Reading JSON answers: the border at which a loose value becomes a typed one."""

import json

from testbed.rig.errors import AnswerError

type Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None
type Step = str | int


def parse(text: str | bytes) -> Json:
    """Parse one JSON text.

    Raises:
        AnswerError: if it is not JSON.
    """
    try:
        value: Json = json.loads(text)
    except ValueError as error:
        raise AnswerError(f"not JSON: {text[:200]!r}") from error
    return value


def at(value: Json, *path: Step) -> Json:
    """Follow keys and positions into a value; a missing key gives None.

    Raises:
        AnswerError: if the value has no such shape.
    """
    reached = value
    for step in path:
        if isinstance(reached, dict) and isinstance(step, str):
            reached = reached.get(step)
        elif isinstance(reached, list) and isinstance(step, int) and -len(reached) <= step < len(reached):
            reached = reached[step]
        else:
            raise AnswerError(f"no {step!r} in {json.dumps(reached)[:300]}")
    return reached


def text(value: Json, *path: Step) -> str:
    """Return the text at a path.

    Raises:
        AnswerError: if there is none.
    """
    reached = at(value, *path)
    if not isinstance(reached, str):
        raise AnswerError(f"{_name(path)} is no text: {json.dumps(value)[:300]}")
    return reached


def number(value: Json, *path: Step) -> float:
    """Return the number at a path.

    Raises:
        AnswerError: if there is none.
    """
    reached = at(value, *path)
    if isinstance(reached, bool) or not isinstance(reached, int | float):
        raise AnswerError(f"{_name(path)} is no number: {json.dumps(value)[:300]}")
    return float(reached)


def integer(value: Json, *path: Step) -> int:
    """Return the whole number at a path.

    Raises:
        AnswerError: if there is none.
    """
    reached = at(value, *path)
    if isinstance(reached, bool) or not isinstance(reached, int):
        raise AnswerError(f"{_name(path)} is no whole number: {json.dumps(value)[:300]}")
    return reached


def table(value: Json, *path: Step) -> dict[str, Json]:
    """Return the object at a path.

    Raises:
        AnswerError: if there is none.
    """
    reached = at(value, *path)
    if not isinstance(reached, dict):
        raise AnswerError(f"{_name(path)} is no object: {json.dumps(value)[:300]}")
    return reached


def items(value: Json, *path: Step) -> list[Json]:
    """Return the list at a path.

    Raises:
        AnswerError: if there is none.
    """
    reached = at(value, *path)
    if not isinstance(reached, list):
        raise AnswerError(f"{_name(path)} is no list: {json.dumps(value)[:300]}")
    return reached


def texts(value: Json, *path: Step) -> list[str]:
    """Return the list of texts at a path.

    Raises:
        AnswerError: if there is none, or one of them is no text.
    """
    return [text(item) for item in items(value, *path)]


def _name(path: tuple[Step, ...]) -> str:
    return ".".join(str(step) for step in path) or "the answer"
