"""The last published picture of the audit, and who wants to hear of the next one. It decides nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from .engine.standing.suspects import Side
from .engine.terms import Digest, Direction, Disposition, PropertyId, Reason, SessionId, Source, SubjectId

_LOGGER = logging.getLogger(__name__)


class Basis(StrEnum):
    """On what kind of look a figure rests (METHOD: standing disposition)."""

    ONE_LOOK = "one_look"
    STANDING = "standing"


class WitnessState(StrEnum):
    """What the witness of one audited entity can do now."""

    NONE = "none"
    UNQUALIFIED = "unqualified"
    QUALIFIED = "qualified"
    EXPIRED = "expired"
    OFFLINE = "offline"


class WitnessLink(StrEnum):
    """The connection to the witness app."""

    NOT_CONFIGURED = "not_configured"
    CONNECTING = "connecting"
    CONNECTED = "connected"
    UNREACHABLE = "unreachable"
    UNAUTHORIZED = "unauthorized"
    UNSUPPORTED = "unsupported"


class Phase(StrEnum):
    """What the one session at a time is doing, in order."""

    IDLE = "idle"
    QUALIFYING = "qualifying"
    STROBING = "strobing"
    RUNNING = "running"
    FINISHING = "finishing"


class LedgerState(StrEnum):
    """Whether the evidence can be read, trusted and added to."""

    VERIFYING = "verifying"
    SOUND = "sound"
    BEHIND = "behind"
    DAMAGED = "damaged"
    MISSING = "missing"
    READ_ONLY = "read_only"
    FULL = "full"


class Explanation(StrEnum):
    """Why a disposition is what it is. Each has its sentence in the translations (attribute ``meaning``)."""

    NO_TRIALS_YET = "no_trials_yet"
    NOT_ENOUGH_TRIALS = "not_enough_trials"
    WITNESS_UNDECIDED = "witness_undecided"
    CLEARED = "cleared"
    CLEARED_ONCE = "cleared_once"
    SEEN_TO_FAIL = "seen_to_fail"
    CHANGE_DETECTED = "change_detected"
    CARRIED_OVER = "carried_over"
    ACKNOWLEDGED = "acknowledged"
    LEDGER_UNVERIFIED = "ledger_unverified"
    LEDGER_UNUSABLE = "ledger_unusable"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineView:
    """The cell that speaks for an audited entity, the worse of both directions.

    ``failures`` of ``decided`` cleared trials were seen to fail; ``abstained`` more could not be decided. ``interval``
    is the two-sided 95 % interval, ``upper_limit`` the one-sided (one look) or always-valid (standing) limit, both as
    proportions; None where the evidence does not suffice. ``boundary`` is the label of the read boundary. In ``agreed``
    of ``compared`` trials, failed claims included, claim and observation were the same (verdict fidelity);
    ``failures_seen`` says whether the observation ever failed: if not, agreement says nothing about catching a failure.
    """

    property_id: PropertyId
    boundary: str
    direction: Direction | None
    source: Source
    basis: Basis
    failures: int
    decided: int
    abstained: int
    interval: tuple[float, float] | None = None
    upper_limit: float | None = None
    agreed: int = 0
    compared: int = 0
    failures_seen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FalseClearance:
    """The last trial of a headline cell that was cleared and failed.

    ``direction`` is what was asked, ``source`` who said that it was done, ``property_id`` and ``boundary`` at what it
    failed, ``at`` when the command went out.
    """

    at: datetime
    direction: Direction
    source: Source
    property_id: PropertyId
    boundary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What stood before something that the figures depend on changed: ``failures`` of ``decided``, and the limit."""

    failures: int
    decided: int
    upper_limit: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicted:
    """A risk that was not measured here: what a frozen profile expects of the worse direction.

    ``level`` of the profile's ladder it comes from counts from 1, the finest.
    """

    risk: float
    level: int
    direction: Direction


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectView:
    """What is known about one audited entity.

    ``explanation`` says why the disposition is what it is. ``carried_over`` marks a refusal that survived a change of
    coordinates. ``trials`` counts all trials, whatever became of them; ``abstentions`` those left undecided, by reason.
    ``clean_audits_to_clear`` is None where nothing but an acknowledgement can clear. ``false_clearance`` tells of the
    trial that ``last_false_clearance`` dates. ``expected_clear`` is when clearing is expected at the pace of the last
    counted trials, None while there is no pace. ``suspect`` is the side that the evidence speaks against.
    ``log_evidence`` is ln E of the worse direction. ``before`` is the value before the last change of coordinates.
    ``predicted`` is there only while nothing was measured.
    """

    subject: SubjectId
    entity_id: str
    disposition: Disposition = Disposition.ABSTAIN
    explanation: Explanation = Explanation.NO_TRIALS_YET
    carried_over: bool = False
    headline: HeadlineView | None = None
    trials: int = 0
    abstentions: tuple[tuple[Reason, int], ...] = ()
    last_false_clearance: datetime | None = None
    false_clearance: FalseClearance | None = None
    clean_audits_to_clear: int | None = None
    witness: WitnessState = WitnessState.NONE
    expected_clear: datetime | None = None
    suspect: Side | None = None
    log_evidence: float = 0.0
    before: Before | None = None
    predicted: Predicted | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LastSession:
    """How the last session that ended ended. ``reasons`` are translation keys; empty when it is valid."""

    session: SessionId
    valid: bool
    reasons: tuple[str, ...]
    ended_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionView:
    """The session that runs, if one does, and the last one that ended. ``seconds_left`` is an estimate."""

    phase: Phase = Phase.IDLE
    session: SessionId | None = None
    done: int = 0
    total: int = 0
    seconds_left: float | None = None
    last: LastSession | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerView:
    """The state of the evidence ledger. ``head`` is the digest of its last entry."""

    state: LedgerState = LedgerState.VERIFYING
    entries: int = 0
    head: Digest | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Clearance:
    """What a clearance promises, and of how many devices it may be said together.

    A device that failed ``tolerance`` of the time or more would ever be called clear with probability ``error`` at
    most. ``together`` is the number of audited devices of which that may be said as one claim (e-BH).
    """

    tolerance: float = 0.05
    error: float = 0.05
    together: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """Everything that entities, the dashboard and repairs may show. ``interrupted`` is a session cut off by a stop."""

    subjects: Mapping[SubjectId, SubjectView] = field(default_factory=lambda: MappingProxyType({}))
    session: SessionView = field(default_factory=SessionView)
    ledger: LedgerView = field(default_factory=LedgerView)
    witness: WitnessLink = WitnessLink.NOT_CONFIGURED
    clearance: Clearance = field(default_factory=Clearance)
    interrupted: SessionId | None = None


type SnapshotListener = Callable[[Snapshot, Snapshot], None]
"""Is called in the event loop with the previous and the current snapshot."""


class SimverityCoordinator:
    """Holds the last snapshot and tells listeners of the next."""

    def __init__(self, snapshot: Snapshot | None = None) -> None:
        """Start from a snapshot, or from one in which nothing is known."""
        self._snapshot = snapshot or Snapshot()
        self._listeners: dict[object, SnapshotListener] = {}

    @property
    def snapshot(self) -> Snapshot:
        """The last published snapshot."""
        return self._snapshot

    def async_add_listener(self, listener: SnapshotListener) -> Callable[[], None]:
        """Call the listener on every change until the returned function is called."""
        key = object()
        self._listeners[key] = listener

        def remove() -> None:
            self._listeners.pop(key, None)

        return remove

    def publish(self, snapshot: Snapshot) -> None:
        """Replace the snapshot, in the event loop. One listener that fails does not silence the others."""
        previous, self._snapshot = self._snapshot, snapshot
        if snapshot == previous:
            return
        for listener in tuple(self._listeners.values()):
            try:
                listener(previous, snapshot)
            except Exception:
                _LOGGER.exception("A listener of the snapshot failed")
