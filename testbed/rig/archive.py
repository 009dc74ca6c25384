"""The archive of a campaign: compressed JSON lines, one physical trial a line, without names, addresses or tokens.

A session's first line is its heading. ``trace`` is the stored trace in base64, as the ledger holds it, with the
devices' ids as its subjects. ``truth`` says what each target truly did, in seconds after dispatch; null where no
command reached it.
"""

import base64
import gzip
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from testbed.rig.emulation import Crossing
from testbed.rig.json_value import Json, parse
from testbed.rig.lamps import View
from testbed.rig.ledger import RecordedTrial
from testbed.rig.truth import TrueEffect, true_effect

FORM = 1
"""The version of the archive's form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """The first line of a session."""

    session: int
    """Counts from 1 within the campaign."""
    valid: bool
    reasons: tuple[str, ...]
    variant: str
    """How the emulated home differed from the default one."""
    trials: int
    """Physical trials that follow."""
    form: int = FORM


def session_lines(
    heading: Heading, trials: Sequence[RecordedTrial], views: Mapping[str, View], crossings: Iterable[Crossing]
) -> list[Json]:
    """Return the lines of one session.

    Args:
        heading: its first line.
        trials: its physical trials.
        views: where each target is seen, by registry id.
        crossings: what truly happened meanwhile.
    """
    known = list(crossings)
    first: Json = parse(json.dumps(asdict(heading)))
    return [first, *(_trial_line(number, trial, views, known) for number, trial in enumerate(trials, 1))]


def _trial_line(number: int, trial: RecordedTrial, views: Mapping[str, View], known: list[Crossing]) -> Json:
    effects = {target: truth_of(trial, views[target], known) for target in trial.targets}
    return {
        "trial": number,
        "direction": trial.direction,
        "path": trial.path,
        "void": trial.void,
        "trace": base64.b64encode(_renamed(trial.trace, views)).decode(),
        "truth": {views[target].device: _effect(effect) for target, effect in effects.items()},
    }


def truth_of(trial: RecordedTrial, view: View, crossings: Iterable[Crossing]) -> TrueEffect | None:
    """Return what one target of a trial truly did, as its camera could have seen it."""
    return true_effect(
        (crossing for crossing in crossings if crossing.camera == view.camera),
        device=view.device,
        direction=trial.direction,
        dispatched_at=trial.dispatched_at,
    )


def _effect(effect: TrueEffect | None) -> Json:
    if effect is None:
        return None
    crossed = effect.crossed_after
    return {
        "obeyed": effect.obeyed,
        "already_there": effect.already_there,
        "crossed_after": None if crossed is None else round(crossed, 6),
    }


def _renamed(stored: bytes, views: Mapping[str, View]) -> bytes:
    """Return a stored trace with registry ids replaced; they are values only, so that its canonical form stays."""
    document = zlib.decompress(stored).decode()
    for registry_id, view in views.items():
        document = document.replace(registry_id, view.device)
    return zlib.compress(document.encode(), level=9)


def write_lines(file: Path, lines: Iterable[Json]) -> None:
    """Write compressed JSON lines, whole or not at all; the same lines give the same bytes."""
    partial = file.with_name(f"{file.name}.partial")
    content = "".join(json.dumps(line, separators=(",", ":"), sort_keys=True) + "\n" for line in lines)
    partial.write_bytes(gzip.compress(content.encode(), mtime=0))
    partial.replace(file)


def read_lines(file: Path) -> list[Json]:
    """Return the lines of an archive.

    Raises:
        AnswerError: if a line is not JSON.
    """
    return [parse(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
