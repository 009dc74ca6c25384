"""A trace as a few hundred bytes that can be judged again, and back.

The form is canonical JSON, deflated. Samples are columns of integers: differences of ticks and of levels.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence
from itertools import accumulate

from ..canonical import Json, canonical_bytes, digest
from ..errors import MessageError
from ..message import Fields, elements, flag, integer, member, number, several, text
from ..terms import Boundary, Digest, Direction, Path, Reason, Rung, SubjectId, Tier, TrialId
from .quantise import REFERENCE_STEPS_PER_LEVEL, STEPS_PER_LEVEL, TICKS_PER_SECOND, quantise, steps, ticks
from .samples import EffectChannel, FrozenLevels, LoggedChannel, NoChannel, Sample, SampledChannel
from .trace import Feedback, Goal, PreState, Return, Trace

FORM = 1
"""The version of the encoding."""
MAX_ENCODED = 65_536
"""Bytes beyond which nothing is even inflated."""
MAX_INFLATED = 1_048_576
"""Bytes beyond which inflation stops."""


def encode(trace: Trace) -> bytes:
    """Return the quantised trace in its stored form.

    Raises:
        MessageError: a time or a level is not finite.
    """
    return zlib.compress(canonical_bytes(_document(quantise(trace))), level=9)


def decode(stored: bytes) -> Trace:
    """Return the trace that ``encode`` stored.

    Raises:
        MessageError: the bytes are not a stored trace, or claim to be a very large one.
    """
    content = _inflate(stored)
    try:
        document = json.loads(content)
        canonical = canonical_bytes(document) == content
    except (ValueError, RecursionError) as error:
        raise MessageError(f"the stored trace is not canonical JSON: {error}") from error
    if not canonical:
        raise MessageError("the stored trace is not canonical JSON")
    return _trace(document)


def trace_digest(trace: Trace) -> Digest:
    """Return the digest of the quantised trace's content, whatever library deflates it."""
    return digest(_document(quantise(trace)))


def _inflate(stored: bytes) -> bytes:
    if len(stored) > MAX_ENCODED:
        raise MessageError("the stored trace is too large")
    inflater = zlib.decompressobj()
    try:
        content = inflater.decompress(stored, MAX_INFLATED)
    except zlib.error as error:
        raise MessageError(f"the stored trace does not inflate: {error}") from error
    if not inflater.eof or inflater.unused_data:
        raise MessageError("the stored trace is cut short, too large or followed by something else")
    return content


def _document(trace: Trace) -> dict[str, Json]:
    return {
        "form": FORM,
        "trial": trace.trial,
        "rung": trace.rung.value,
        "path": trace.path.value,
        "direction": trace.direction.value,
        "subject": trace.subject,
        "goals": [
            [goal.subject, goal.state.value, *([] if goal.asked is None else [goal.asked])] for goal in trace.goals
        ],
        "wall_dispatched": trace.wall_dispatched,
        "settle": [trace.settle_from, trace.settle_until],
        "boundaries": [[boundary.seconds, boundary.kind] for boundary in trace.boundaries],
        "pre_states": [[pre.subject, pre.value, _maybe_ticks(pre.age), pre.source] for pre in trace.pre_states],
        "requested_at": _maybe_ticks(trace.requested_at),
        "source_reported_at": _maybe_ticks(trace.source_reported_at),
        "agent_read_at": _maybe_ticks(trace.agent_read_at),
        "returned": None if trace.returned is None else _return_document(trace.returned),
        "feedback": [
            [report.subject, ticks(report.at), report.state, report.assumed, report.repeated, report.context_matches]
            for report in trace.feedback
        ],
        "channels": [_channel_document(channel) for channel in trace.channels],
        "quiet": [_channel_document(channel) for channel in trace.quiet],
        "clock_moved": ticks(trace.clock_moved),
        "void": None if trace.void is None else trace.void.value,
        "closed_at": _maybe_ticks(trace.closed_at),
    }


def _maybe_ticks(seconds: float | None) -> int | None:
    return None if seconds is None else ticks(seconds)


def _return_document(returned: Return) -> dict[str, Json]:
    return {
        "at": ticks(returned.at),
        "states": [[subject, state] for subject, state in returned.states],
        "error": returned.error,
    }


def _channel_document(channel: EffectChannel) -> dict[str, Json]:
    if isinstance(channel, NoChannel):
        return {"kind": "none", "subject": channel.subject, "reason": channel.reason.value}
    if isinstance(channel, LoggedChannel):
        return {
            "kind": "logged",
            "subject": channel.subject,
            "initial": channel.initial.value,
            "effects": [[ticks(at), state.value] for at, state in channel.effects],
            "watched_until": ticks(channel.watched_until),
        }
    samples = channel.samples
    return {
        "kind": "sampled",
        "subject": channel.subject,
        "levels": _levels_document(channel.levels),
        "earliest": _differences(ticks(sample.earliest) for sample in samples),
        "width": [ticks(sample.latest) - ticks(sample.earliest) for sample in samples],
        "level": _differences(steps(sample.level) for sample in samples),
        "reference": _differences(
            None if sample.reference is None else steps(sample.reference, REFERENCE_STEPS_PER_LEVEL)
            for sample in samples
        ),
        "tier": channel.tier.value,
        "qualification": channel.qualification,
        "armed_at": ticks(channel.armed_at),
        "faults": [reason.value for reason in channel.faults],
    }


def _levels_document(levels: FrozenLevels) -> dict[str, Json]:
    return {
        "on": levels.on,
        "off": levels.off,
        "guard": levels.guard,
        "reference_on": levels.reference_on,
        "reference_off": levels.reference_off,
        "reference_spread": levels.reference_spread,
        "two_sided": [[state.value, list(boundaries)] for state, boundaries in levels.two_sided],
    }


def _differences(values: Iterable[int | None]) -> list[Json]:
    """Return each value less the one before it (the first less zero); a gap stays a gap and changes nothing."""
    differences: list[Json] = []
    before = 0
    for value in values:
        differences.append(None if value is None else value - before)
        before = before if value is None else value
    return differences


def _sums(differences: Sequence[int | None]) -> list[int | None]:
    """Undo ``_differences``."""
    values: list[int | None] = []
    before = 0
    for difference in differences:
        before += difference or 0
        values.append(None if difference is None else before)
    return values


def _trace(document: object) -> Trace:
    fields = Fields(document, "trace")
    if fields.get("form", integer) != FORM:
        raise MessageError(f"trace.form is not {FORM}")
    settle_from, settle_until = fields.get("settle", several(number, 2))
    trace = Trace(
        trial=TrialId(fields.get("trial", text)),
        rung=fields.get("rung", member(Rung)),
        path=fields.get("path", member(Path)),
        direction=fields.get("direction", member(Direction)),
        subject=fields.get("subject", _subject),
        goals=fields.each("goals", _goal),
        dispatched_at=0.0,
        wall_dispatched=fields.get("wall_dispatched", text),
        settle_from=settle_from,
        settle_until=settle_until,
        boundaries=fields.each("boundaries", _boundary),
        pre_states=fields.each("pre_states", _pre_state),
        requested_at=fields.optional("requested_at", _seconds),
        source_reported_at=fields.optional("source_reported_at", _seconds),
        agent_read_at=fields.optional("agent_read_at", _seconds),
        returned=fields.optional("returned", _returned),
        feedback=fields.each("feedback", _feedback),
        channels=fields.each("channels", _channel),
        quiet=fields.each("quiet", _channel),
        clock_moved=fields.get("clock_moved", _seconds),
        void=fields.optional("void", member(Reason)),
        closed_at=fields.optional("closed_at", _seconds),
    )
    fields.close()
    return trace


def _subject(value: object, at: str) -> SubjectId:
    return SubjectId(text(value, at))


def _seconds(value: object, at: str) -> float:
    return integer(value, at) / TICKS_PER_SECOND


def _parts(value: object, at: str, count: int) -> list[tuple[object, str]]:
    parts = elements(value, at)
    if len(parts) != count:
        raise MessageError(f"{at} must have {count} elements")
    return parts


def _goal(value: object, at: str) -> Goal:
    parts = elements(value, at)
    if len(parts) not in (2, 3):
        raise MessageError(f"{at} must have 2 or 3 elements")
    subject, state, *asked = parts
    return Goal(
        subject=_subject(*subject),
        state=member(Direction)(*state),
        asked=text(*asked[0]) if asked else None,
    )


def _boundary(value: object, at: str) -> Boundary:
    seconds, kind = _parts(value, at, 2)
    return Boundary(seconds=number(*seconds), kind=text(*kind))


def _pre_state(value: object, at: str) -> PreState:
    subject, state, age, source = _parts(value, at, 4)
    return PreState(
        subject=_subject(*subject),
        value=None if state[0] is None else text(*state),
        age=None if age[0] is None else _seconds(*age),
        source=text(*source),
    )


def _returned(value: object, at: str) -> Return:
    fields = Fields(value, at)
    returned = Return(
        at=fields.get("at", _seconds),
        states=fields.each("states", _returned_state),
        error=fields.optional("error", text),
    )
    fields.close()
    return returned


def _returned_state(value: object, at: str) -> tuple[SubjectId, str]:
    subject, state = _parts(value, at, 2)
    return _subject(*subject), text(*state)


def _feedback(value: object, at: str) -> Feedback:
    subject, when, state, assumed, repeated, matches = _parts(value, at, 6)
    return Feedback(
        subject=_subject(*subject),
        at=_seconds(*when),
        state=text(*state),
        assumed=flag(*assumed),
        repeated=flag(*repeated),
        context_matches=flag(*matches),
    )


def _channel(value: object, at: str) -> EffectChannel:
    fields = Fields(value, at)
    kind = fields.get("kind", text)
    subject = fields.get("subject", _subject)
    channel: EffectChannel
    if kind == "none":
        channel = NoChannel(subject=subject, reason=fields.get("reason", member(Reason)))
    elif kind == "logged":
        channel = LoggedChannel(
            subject=subject,
            initial=fields.get("initial", member(Direction)),
            effects=fields.each("effects", _effect),
            watched_until=fields.get("watched_until", _seconds),
        )
    elif kind == "sampled":
        channel = SampledChannel(
            subject=subject,
            levels=fields.get("levels", _levels),
            samples=_samples(fields),
            tier=fields.get("tier", member(Tier)),
            qualification=fields.get("qualification", text),
            armed_at=fields.get("armed_at", _seconds),
            faults=fields.each("faults", member(Reason)),
        )
    else:
        raise MessageError(f"{fields.path('kind')} must be none, logged or sampled")
    fields.close()
    return channel


def _effect(value: object, at: str) -> tuple[float, Direction]:
    when, state = _parts(value, at, 2)
    return _seconds(*when), member(Direction)(*state)


def _levels(value: object, at: str) -> FrozenLevels:
    fields = Fields(value, at)
    levels = FrozenLevels(
        on=fields.get("on", number),
        off=fields.get("off", number),
        guard=fields.get("guard", number),
        reference_on=fields.optional("reference_on", number),
        reference_off=fields.optional("reference_off", number),
        reference_spread=fields.get("reference_spread", number),
        two_sided=fields.each("two_sided", _two_sided),
    )
    fields.close()
    return levels


def _two_sided(value: object, at: str) -> tuple[Direction, tuple[float, ...]]:
    state, boundaries = _parts(value, at, 2)
    return member(Direction)(*state), tuple(number(*item) for item in elements(*boundaries))


def _samples(fields: Fields) -> tuple[Sample, ...]:
    earliest = tuple(accumulate(fields.each("earliest", integer)))
    widths = fields.each("width", integer)
    levels = tuple(accumulate(fields.each("level", integer)))
    references = _sums(fields.each("reference", _integer_or_gap))
    if not len(earliest) == len(widths) == len(levels) == len(references):
        raise MessageError(f"{fields.path('width')}: the columns of samples differ in length")
    return tuple(
        Sample(
            earliest=start / TICKS_PER_SECOND,
            latest=(start + width) / TICKS_PER_SECOND,
            level=level / STEPS_PER_LEVEL,
            reference=None if reference is None else reference / REFERENCE_STEPS_PER_LEVEL,
        )
        for start, width, level, reference in zip(earliest, widths, levels, references, strict=True)
    )


def _integer_or_gap(value: object, at: str) -> int | None:
    return None if value is None else integer(value, at)
