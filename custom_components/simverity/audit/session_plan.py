"""From a person's request to a session's rows: who may be switched, what a group stands for, what is frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from homeassistant.const import STATE_OFF, STATE_ON

from ..adapters.registry import Registry
from ..engine.session.manifest import ManifestRow
from ..engine.terms import Direction, Path, RowId, SubjectId
from .errors import (
    BadSettlingError,
    EntityNotAuditedError,
    EntityUnavailableError,
    MayNotBeSwitchedError,
    NothingToDoError,
    UnknownEntityError,
    UnsupportedEntityError,
)
from .watching import Settling

SWITCHABLE = frozenset({"light", "switch"})
_EARLIEST_SETTLING, _LATEST_SETTLING = 3.5, 120.0
_SHORTEST_WINDOW, _LONGEST_WINDOW = 0.5, 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRequest:
    """What a person asks of a session.

    ``subjects`` are entity registry ids or entity ids; a light group with audited members gives a multi-target row.
    ``seed`` orders the trials (None: it is drawn). ``settle_from`` and ``settle_window`` (seconds) override the entry's
    options. ``paths`` limits the rows to those paths (None: all that apply); ``directions`` to going on or off.
    ``replays`` is the id of a trial that the session repeats. ``quiet`` are entities that must not react: each device
    also gets cross-device rows, in which they are watched.
    """

    subjects: tuple[str, ...]
    repetitions: int = 10
    seed: int | None = None
    settle_from: float | None = None
    settle_window: float | None = None
    paths: frozenset[Path] | None = None
    directions: frozenset[Direction] = frozenset(Direction)
    replays: str | None = None
    quiet: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionDraft:
    """A checked request: all that a manifest needs but the qualifications.

    ``targets`` are all devices to switch, those that must keep quiet included: what watches them must qualify.
    """

    rows: tuple[ManifestRow, ...]
    targets: tuple[SubjectId, ...]
    settling: Settling
    seed: int | None
    replays: str | None


def draft_session(
    request: SessionRequest,
    *,
    registry: Registry,
    may_be_switched: Mapping[SubjectId, bool],
    default_settling: tuple[float, float],
) -> SessionDraft:
    """Check a request against what was listed and consented to.

    Raises:
        AuditError: the first thing that forbids the session.
    """
    quiet = tuple(dict.fromkeys(_quiet(name, registry, may_be_switched) for name in request.quiet))
    rows: list[ManifestRow] = []
    for name in dict.fromkeys(request.subjects):
        subject = registry.subject_of(name)
        if subject is None:
            raise UnknownEntityError(entity=name)
        own = _rows(request, subject, registry, may_be_switched)
        wanted = request.paths or frozenset(Path)
        rows += [row for row in (*own, *_cross_device(own, quiet)) if row.path in wanted]
    if not rows or request.repetitions < 1:
        raise NothingToDoError
    targets = tuple(dict.fromkeys(target for row in rows for target in (*row.targets, *row.quiet)))
    for target in targets:
        _check_available(registry, target)
    return SessionDraft(
        rows=tuple(rows),
        targets=targets,
        settling=_settling(request, default_settling),
        seed=request.seed,
        replays=request.replays,
    )


def _rows(
    request: SessionRequest, subject: SubjectId, registry: Registry, may_be_switched: Mapping[SubjectId, bool]
) -> list[ManifestRow]:
    entity_id = registry.entity_of(subject) or subject
    domain = entity_id.partition(".")[0]
    if domain not in SWITCHABLE:
        raise UnsupportedEntityError(entity=entity_id)
    members = registry.members_of(entity_id)
    if len(members) == 1:
        subject = _target(registry, members[0])
    path = Path.MULTI_TARGET if len(members) > 1 else Path.SINGLE_LIGHT
    targets = tuple(_target(registry, member) for member in members) if len(members) > 1 else (subject,)
    for target in targets:
        _check_consent(registry, target, may_be_switched)
    return [
        ManifestRow(
            row=RowId(f"{subject}:{direction}"),
            path=path,
            subject=subject,
            targets=targets,
            direction=direction,
            service=f"{domain}.turn_{direction}",
            repetitions=request.repetitions,
        )
        for direction in Direction
        if direction in request.directions
    ]


def _cross_device(rows: list[ManifestRow], quiet: tuple[SubjectId, ...]) -> list[ManifestRow]:
    """Return the rows in which the other devices must keep quiet."""
    return [
        replace(row, row=RowId(f"{row.row}:quiet"), path=Path.CROSS_DEVICE, quiet=others)
        for row in rows
        if row.path is Path.SINGLE_LIGHT and (others := tuple(one for one in quiet if one not in row.targets))
    ]


def _quiet(name: str, registry: Registry, may_be_switched: Mapping[SubjectId, bool]) -> SubjectId:
    """Return a device that must not react. To know what watches it, it is strobed: that takes consent, too."""
    subject = registry.subject_of(name)
    if subject is None:
        raise UnknownEntityError(entity=name)
    entity_id = registry.entity_of(subject) or subject
    if entity_id.partition(".")[0] not in SWITCHABLE or len(registry.members_of(entity_id)) > 1:
        raise UnsupportedEntityError(entity=entity_id)
    _check_consent(registry, subject, may_be_switched)
    return subject


def _target(registry: Registry, entity_id: str) -> SubjectId:
    subject = registry.subject_of(entity_id)
    if subject is None:
        raise EntityNotAuditedError(entity=entity_id)
    return subject


def _check_consent(registry: Registry, subject: SubjectId, may_be_switched: Mapping[SubjectId, bool]) -> None:
    entity_id = registry.entity_of(subject) or subject
    if subject not in may_be_switched:
        raise EntityNotAuditedError(entity=entity_id)
    if not may_be_switched[subject]:
        raise MayNotBeSwitchedError(entity=entity_id)


def _check_available(registry: Registry, subject: SubjectId) -> None:
    state = registry.state_of(subject)
    found = "missing" if state is None else state.state
    if found not in (STATE_ON, STATE_OFF):
        raise EntityUnavailableError(entity=registry.entity_of(subject) or subject, state=found)


def _settling(request: SessionRequest, default: tuple[float, float]) -> Settling:
    start = default[0] if request.settle_from is None else request.settle_from
    window = default[1] if request.settle_window is None else request.settle_window
    if not (_EARLIEST_SETTLING <= start <= _LATEST_SETTLING and _SHORTEST_WINDOW <= window <= _LONGEST_WINDOW):
        raise BadSettlingError(settle_from=f"{start:g}", window=f"{window:g}")
    return Settling(start=start, until=start + window)
