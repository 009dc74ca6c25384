"""The vocabulary of the measurement: closed sets and typed ids (docs/glossary.md)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

SubjectId = NewType("SubjectId", str)
"""An audited entity by its entity registry id: stable over renames."""
SessionId = NewType("SessionId", str)
TrialId = NewType("TrialId", str)
RowId = NewType("RowId", str)
Digest = NewType("Digest", str)
"""SHA-256 of canonical bytes, lower-case hexadecimal."""


class Rung(StrEnum):
    """Where a trial ran."""

    SIMULATOR = "simulator"
    SOFTWARE = "software"
    PHYSICAL = "physical"


class Path(StrEnum):
    """How a command reaches its effect."""

    SINGLE_LIGHT = "single_light"
    MULTI_TARGET = "multi_target"
    SENSOR_TO_EFFECT = "sensor_to_effect"
    CROSS_DEVICE = "cross_device"


class Stage(StrEnum):
    """The six stages of a trace, in order."""

    REQUEST = "request"
    SOURCE_REPORT = "source_report"
    AGENT_READ = "agent_read"
    DISPATCH = "dispatch"
    SOFTWARE_FEEDBACK = "software_feedback"
    OBSERVABLE_EFFECT = "observable_effect"


class Direction(StrEnum):
    """The binary goal of a command."""

    ON = "on"
    OFF = "off"

    @property
    def opposite(self) -> Direction:
        """The state that a trial in this direction starts from."""
        return Direction.OFF if self is Direction.ON else Direction.ON


class PropertyId(StrEnum):
    """The frozen set of judged properties."""

    REPORTED_COMPLETION = "reported_completion"
    REPORTED_READ_AFTER_WRITE = "reported_read_after_write"
    OBSERVABLE_EFFECT_AFTER_WRITE = "observable_effect_after_write"
    SETTLED_POSTCONDITION = "settled_postcondition"
    EFFECT_ORDER = "effect_order"
    FANOUT_COMPLETION = "fanout_completion"
    CROSS_DEVICE_QUIET = "cross_device_quiet"


class Verdict(StrEnum):
    """A monitor's answer: always one of three."""

    PASS = "pass"
    FAIL = "fail"
    ABSTAIN = "abstain"


class Source(StrEnum):
    """Whose pass is the clearance under audit; sources are never pooled."""

    SIMULATOR = "simulator"
    TWIN = "twin"
    REPORTED_CLAIM = "reported_claim"
    ACCEPTED_CALL = "accepted_call"


class Disposition(StrEnum):
    """What the evidence of a cell amounts to, best first."""

    CLEAR = "clear"
    ABSTAIN = "abstain"
    ESCALATE = "escalate"


class Tier(StrEnum):
    """How a camera proves when a frame was captured (METHOD: time), best first."""

    MONOTONIC = "T1"
    STREAM_CLOCK = "T2"
    ARRIVAL = "T3"


class Owner(StrEnum):
    """On whose side the cause of an abstention or a void lies."""

    SOFTWARE = "software"
    INSTRUMENT = "instrument"
    DEVICE = "device"
    PROTOCOL = "protocol"


class Linkage(StrEnum):
    """Whether what left a trial undecided could depend on the trial's own outcome."""

    BEFORE_DISPATCH = "before_dispatch"
    OUTCOME = "outcome"
    VOID = "void"


class Reason(StrEnum):
    """Why a verdict abstained or a trial is void. Every reason has an owner and a linkage."""

    # known before the command went out
    NO_WITNESS = "no_witness"
    UNQUALIFIED = "unqualified"
    QUALIFICATION_EXPIRED = "qualification_expired"
    WITNESS_OFFLINE = "witness_offline"
    AMBIENT_UNSUITABLE = "ambient_unsuitable"
    INITIAL_STATE = "initial_state"
    RETURN_NOT_OBSERVED = "return_not_observed"
    CLOCK_STEP = "clock_step"
    NOT_APPLICABLE = "not_applicable"
    # linked to the outcome
    BELOW_RESOLUTION = "below_resolution"
    NOT_ONE_WAY = "not_one_way"
    NO_SAMPLE = "no_sample"
    LATE_REPLY = "late_reply"
    REFERENCE_MOVED = "reference_moved"
    ARRIVAL_GAP = "arrival_gap"
    STREAM_RESTARTED = "stream_restarted"
    NIGHT_SWITCH = "night_switch"
    OUTSIDE_LEVELS = "outside_levels"
    UNWITNESSED_TARGET = "unwitnessed_target"
    STATE_UNKNOWN = "state_unknown"
    # not a trial
    NOT_DISPATCHED = "not_dispatched"
    NO_SUCH_ENTITY = "no_such_entity"
    ALREADY_IN_TARGET_STATE = "already_in_target_state"
    SUPERSEDED = "superseded"
    UNAVAILABLE_IN_WINDOW = "unavailable_in_window"
    FOREIGN_CONTEXT = "foreign_context"
    CALL_REFUSED = "call_refused"
    LAMP_DID_NOT_FOLLOW = "lamp_did_not_follow"
    INTERRUPTED = "interrupted"

    @property
    def owner(self) -> Owner:
        """On whose side the cause lies."""
        return _TRAITS[self].owner

    @property
    def linkage(self) -> Linkage:
        """How the reason relates to the outcome of the trial."""
        return _TRAITS[self].linkage


@dataclass(frozen=True, slots=True)
class _Traits:
    owner: Owner
    linkage: Linkage


_BEFORE, _OUTCOME, _VOID = Linkage.BEFORE_DISPATCH, Linkage.OUTCOME, Linkage.VOID
_TRAITS: dict[Reason, _Traits] = {
    Reason.NO_WITNESS: _Traits(Owner.INSTRUMENT, _BEFORE),
    Reason.UNQUALIFIED: _Traits(Owner.INSTRUMENT, _BEFORE),
    Reason.QUALIFICATION_EXPIRED: _Traits(Owner.INSTRUMENT, _BEFORE),
    Reason.WITNESS_OFFLINE: _Traits(Owner.INSTRUMENT, _BEFORE),
    Reason.AMBIENT_UNSUITABLE: _Traits(Owner.INSTRUMENT, _BEFORE),
    Reason.INITIAL_STATE: _Traits(Owner.PROTOCOL, _BEFORE),
    Reason.RETURN_NOT_OBSERVED: _Traits(Owner.PROTOCOL, _BEFORE),
    Reason.CLOCK_STEP: _Traits(Owner.SOFTWARE, _BEFORE),
    Reason.NOT_APPLICABLE: _Traits(Owner.PROTOCOL, _BEFORE),
    Reason.BELOW_RESOLUTION: _Traits(Owner.INSTRUMENT, _OUTCOME),
    Reason.NOT_ONE_WAY: _Traits(Owner.INSTRUMENT, _OUTCOME),
    Reason.NO_SAMPLE: _Traits(Owner.INSTRUMENT, _OUTCOME),
    Reason.LATE_REPLY: _Traits(Owner.INSTRUMENT, _OUTCOME),
    Reason.REFERENCE_MOVED: _Traits(Owner.INSTRUMENT, _OUTCOME),
    Reason.ARRIVAL_GAP: _Traits(Owner.INSTRUMENT, _OUTCOME),
    Reason.STREAM_RESTARTED: _Traits(Owner.INSTRUMENT, _OUTCOME),
    Reason.NIGHT_SWITCH: _Traits(Owner.INSTRUMENT, _OUTCOME),
    Reason.OUTSIDE_LEVELS: _Traits(Owner.INSTRUMENT, _OUTCOME),
    Reason.UNWITNESSED_TARGET: _Traits(Owner.INSTRUMENT, _BEFORE),
    Reason.STATE_UNKNOWN: _Traits(Owner.DEVICE, _OUTCOME),
    Reason.NOT_DISPATCHED: _Traits(Owner.DEVICE, _VOID),
    Reason.NO_SUCH_ENTITY: _Traits(Owner.PROTOCOL, _VOID),
    Reason.ALREADY_IN_TARGET_STATE: _Traits(Owner.PROTOCOL, _VOID),
    Reason.SUPERSEDED: _Traits(Owner.PROTOCOL, _VOID),
    Reason.UNAVAILABLE_IN_WINDOW: _Traits(Owner.DEVICE, _VOID),
    Reason.FOREIGN_CONTEXT: _Traits(Owner.PROTOCOL, _VOID),
    Reason.CALL_REFUSED: _Traits(Owner.SOFTWARE, _VOID),
    Reason.LAMP_DID_NOT_FOLLOW: _Traits(Owner.DEVICE, _VOID),
    Reason.INTERRUPTED: _Traits(Owner.SOFTWARE, _VOID),
}


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Boundary:
    """A read boundary: the time from dispatch to the read.

    ``seconds`` is the time after dispatch. ``kind`` tells a grid point from the settled boundary and
    from the instant at which the call returned (whose seconds are not known beforehand: 0).
    """

    seconds: float
    kind: str = "grid"

    @property
    def label(self) -> str:
        """``0.25``, ``settled`` or ``return``."""
        return f"{self.seconds:g}" if self.kind == "grid" else self.kind


AT_RETURN = Boundary(seconds=0.0, kind="return")
GRID = tuple(Boundary(seconds=seconds) for seconds in (0.05, 0.1, 0.25, 0.5, 1.0, 3.0))


def settled_boundary(seconds: float) -> Boundary:
    """Return the settled boundary of a home (10 s unless its manifest says otherwise)."""
    return Boundary(seconds=seconds, kind="settled")
