"""The engine's own judgement of a qualification, from the raw readings alone (METHOD 4 and 1).

The witness decides and refuses. Here every rule that the readings allow is applied again, and every number that the
witness froze is computed again: on any disagreement nothing is qualified.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from statistics import median

from ..terms import Direction, Tier
from ..trace.samples import SAME_BOUNDARY, FrozenLevels
from .record import Claim, ClaimedLevels, QualificationRecord, Reference, Refusal, Strobe, parse_record

__all__ = ["Recheck", "Refusal", "expired", "parse_record", "recheck"]

REFERENCES_PER_STATE = 5
FRAMES_PER_REFERENCE = 5
STROBES_PER_CLASS = 20
MIN_CONTRAST = 10.0
"""Levels."""
MAD_FACTOR = 20.0
SPREAD_FACTOR = 4.0
MIN_GUARD = 2.0
"""Levels."""
CLIPPED_PART = 0.01
FRAME_SPACING = 1.0
"""Seconds between the arrivals of one reference's frames."""
STAMP_SPACING = 0.5
"""Seconds between their stamps: two arrivals a second apart may have been late by different times."""
TWO_SIDED_SHARE = 0.95
LEVEL_TOLERANCE = 0.051
"""Levels by which a frozen number may differ from ours: it may have been written with one decimal."""
TIME_TOLERANCE = 0.001
"""Seconds, likewise."""
DRIFT = 1e-4
"""Seconds a second by which a believed stream clock may run away from ours while a qualification lasts."""

_OURS = frozenset(
    {
        Refusal.TOO_FEW_REFERENCES,
        Refusal.CONTRAST_TOO_LOW,
        Refusal.LEVELS_OVERLAP,
        Refusal.SPREAD_TOO_LARGE,
        Refusal.REFERENCE_FOLLOWS_LAMP,
        Refusal.CROSS_RESPONSE,
        Refusal.CLIPPING,
    }
)
"""Refusals that the readings in the record decide completely; others rest on frames that it does not hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recheck:
    """Whether a witness may testify, what speaks against it, and under which levels it does."""

    qualified: bool
    reasons: tuple[Refusal, ...]
    levels: FrozenLevels | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Computed:
    """What the references give: levels of region and patch, and the worst deviation of a reference's median."""

    on: float
    off: float
    spread: float
    reference_on: float | None
    reference_off: float | None
    reference_spread: float | None
    ons: tuple[float, ...]
    offs: tuple[float, ...]

    @property
    def contrast(self) -> float:
        return abs(self.on - self.off)

    @property
    def guard(self) -> float:
        return min(self.contrast / 4, max(MIN_GUARD, 2 * self.spread))


def recheck(record: QualificationRecord) -> Recheck:
    """Judge a record again. Not qualified unless the witness says so, and we find the same from its readings."""
    computed = _compute(record)
    found = {Refusal.TOO_FEW_REFERENCES} if computed is None else _speaks_against(record, computed)
    found |= _timing_refusals(record)
    claimed = set(record.refusals)
    if claimed:
        if not found & _OURS and claimed <= _OURS:
            found.add(Refusal.WITNESS_AND_ENGINE_DISAGREE)
    elif found or computed is None or not _same_numbers(record, computed):
        found.add(Refusal.WITNESS_AND_ENGINE_DISAGREE)
    reasons = tuple(refusal for refusal in Refusal if refusal in found | claimed)
    if reasons or computed is None:
        return Recheck(qualified=False, reasons=reasons, levels=None)
    return Recheck(qualified=True, reasons=(), levels=_freeze(record, computed))


def frozen_levels(record: QualificationRecord) -> FrozenLevels | None:
    """Return the levels that the references give, without boundaries; None where there are too few references."""
    computed = _compute(record)
    return None if computed is None else _freeze(record, computed)


def claimed_by_readings(record: QualificationRecord) -> QualificationRecord:
    """Return a record that claims what its own readings give: of an instrument that has no judge of its own."""
    computed = _compute(record)
    found = {Refusal.TOO_FEW_REFERENCES} if computed is None else _speaks_against(record, computed)
    found |= _timing_refusals(record)
    if record.timing is None:
        found.add(Refusal.TOO_FEW_STROBES)
    if computed is None or found:
        refusals = tuple(refusal for refusal in Refusal if refusal in found)
        return replace(record, levels=None, verdict=Claim.REFUSED, refusals=refusals)
    return replace(
        record,
        levels=ClaimedLevels(
            on=computed.on,
            off=computed.off,
            midpoint=(computed.on + computed.off) / 2,
            guard=computed.guard,
            spread=computed.spread,
            reference_on=computed.reference_on,
            reference_off=computed.reference_off,
            reference_spread=computed.reference_spread,
        ),
        two_sided=tuple((direction, _two_sided(record, direction)) for direction in Direction),
        verdict=Claim.QUALIFIED,
        refusals=(),
    )


def expired(record: QualificationRecord, *, now: float, boot_id: str, epoch: int) -> bool:
    """Whether a record is no longer good: too old, from before a restart of the machine, or of the connection.

    ``now`` is the witness's monotonic clock.
    """
    age = now - record.made_at
    return not 0 <= age < record.valid_for or boot_id != record.boot_id or epoch != record.epoch


def _compute(record: QualificationRecord) -> _Computed | None:
    """Return the levels, or None where the references are not five of five frames in each state."""
    by_state = {state: [r for r in record.references if r.state is state] for state in Direction}
    enough = all(len(found) >= REFERENCES_PER_STATE for found in by_state.values())
    if not enough or any(len(r.frames) < FRAMES_PER_REFERENCE for r in record.references):
        return None
    patched = record.reference_region is not None
    if patched and any(frame.reference is None for r in record.references for frame in r.frames):
        return None
    ons, offs = (_medians(by_state[state]) for state in Direction)
    on, off = median(ons), median(offs)
    patch_ons, patch_offs = (_patch_medians(by_state[state]) if patched else () for state in Direction)
    return _Computed(
        on=on,
        off=off,
        spread=max(_worst(ons, on), _worst(offs, off)),
        reference_on=median(patch_ons) if patched else None,
        reference_off=median(patch_offs) if patched else None,
        reference_spread=max(_worst(levels, median(levels)) for levels in (patch_ons, patch_offs)) if patched else None,
        ons=ons,
        offs=offs,
    )


def _medians(references: Sequence[Reference]) -> tuple[float, ...]:
    return tuple(median(frame.level for frame in reference.frames) for reference in references)


def _patch_medians(references: Sequence[Reference]) -> tuple[float, ...]:
    return tuple(
        median(frame.reference for frame in reference.frames if frame.reference is not None) for reference in references
    )


def _worst(values: Sequence[float], centre: float) -> float:
    return max(abs(value - centre) for value in values)


def _speaks_against(record: QualificationRecord, computed: _Computed) -> set[Refusal]:
    contrast = computed.contrast
    responses = [abs(cross.response) for cross in record.cross_response]
    follows = (
        computed.reference_on is not None
        and computed.reference_off is not None
        and abs(computed.reference_on - computed.reference_off) > contrast / 4
    )
    apart = min(computed.ons) > max(computed.offs) or max(computed.ons) < min(computed.offs)
    tests = {
        Refusal.CONTRAST_TOO_LOW: contrast < max(MIN_CONTRAST, MAD_FACTOR * _pooled_mad(record.references)),
        Refusal.LEVELS_OVERLAP: not apart,
        Refusal.SPREAD_TOO_LARGE: contrast < SPREAD_FACTOR * computed.spread,
        Refusal.REFERENCE_FOLLOWS_LAMP: follows,
        Refusal.CROSS_RESPONSE: any(r >= contrast / 2 for r in responses) or sum(responses) > contrast / 4,
        Refusal.CLIPPING: any(frame.clipped >= CLIPPED_PART for r in record.references for frame in r.frames),
        Refusal.REPEATED_FRAMES: any(_too_close(record, reference) for reference in record.references),
        Refusal.FLICKER: any(_swing(reference) > contrast / 4 for reference in record.references),
    }
    return {refusal for refusal, applies in tests.items() if applies}


def _pooled_mad(references: Sequence[Reference]) -> float:
    """Return the median of all frames' absolute deviations from their own reference's median, unscaled."""
    return median(
        abs(frame.level - centre)
        for reference, centre in zip(references, _medians(references), strict=True)
        for frame in reference.frames
    )


def _swing(reference: Reference) -> float:
    levels = [frame.level for frame in reference.frames]
    return max(levels) - min(levels)


def _too_close(record: QualificationRecord, reference: Reference) -> bool:
    """Whether frames of a reference are the same one, or less than a second apart.

    A stream clock that is not believed can only tell frames apart.
    """
    stamps = sorted(frame.stamp for frame in reference.frames)
    shortest = min(after - before for before, after in pairwise(stamps))
    if all(strobe.first_new_stamp is None for strobe in record.strobes):
        return shortest < FRAME_SPACING - TIME_TOLERANCE
    believed = record.timing is not None and record.timing.tier is not Tier.ARRIVAL
    return shortest < STAMP_SPACING if believed else shortest <= 0


def _timing_refusals(record: QualificationRecord) -> set[Refusal]:
    """Return what the strobes say against the frozen timing's very possibility."""
    found = set()
    if any(len(record.strobes_to(direction)) < STROBES_PER_CLASS for direction in Direction):
        found.add(Refusal.TOO_FEW_STROBES)
    early = any(strobe.first_new_arrival < strobe.commanded_at for strobe in record.strobes)
    timing = record.timing
    if timing is None:
        return found
    if timing.tier is Tier.ARRIVAL:
        missing = timing.arrival_bound is None
    else:
        missing = timing.offset_hi is None or timing.offset_lo is None or timing.offset_lo > timing.offset_hi
    return found | ({Refusal.LYING_CLOCK} if early or missing else set())


def _same_numbers(record: QualificationRecord, computed: _Computed) -> bool:
    """Whether everything that the witness froze is what its readings give."""
    return (
        record.levels is not None
        and _same_levels(record.levels, computed)
        and _timing_follows(record)
        and all(_decisions_follow(strobe, _mentioned(record)) for strobe in record.strobes)
        and all(_same_set(claimed, _two_sided(record, direction)) for direction, claimed in record.two_sided)
    )


def _same_levels(claimed: ClaimedLevels, computed: _Computed) -> bool:
    pairs = (
        (claimed.on, computed.on),
        (claimed.off, computed.off),
        (claimed.midpoint, (computed.on + computed.off) / 2),
        (claimed.guard, computed.guard),
        (claimed.spread, computed.spread),
        (claimed.reference_on, computed.reference_on),
        (claimed.reference_off, computed.reference_off),
        (claimed.reference_spread, computed.reference_spread),
    )
    return all(_close(theirs, ours) for theirs, ours in pairs)


def _close(theirs: float | None, ours: float | None) -> bool:
    if theirs is None or ours is None:
        return theirs is ours
    return abs(theirs - ours) <= LEVEL_TOLERANCE


def _timing_follows(record: QualificationRecord) -> bool:
    """Whether the bounds agree with this lamp's strobes.

    Other lamps of the camera may have tightened them; none of ours may lie outside.
    """
    timing = record.timing
    if timing is None:
        return False
    if timing.tier is Tier.ARRIVAL:
        longest = min(
            max(strobe.first_new_arrival - strobe.commanded_at for strobe in record.strobes_to(direction))
            for direction in Direction
        )
        return timing.arrival_bound is not None and 0 < timing.arrival_bound <= longest + TIME_TOLERANCE
    stamped = [(strobe, strobe.first_new_stamp) for strobe in record.strobes if strobe.first_new_stamp is not None]
    return (
        timing.offset_lo is not None
        and timing.offset_hi is not None
        and len(stamped) == len(record.strobes)
        and all(s.commanded_at - stamp <= timing.offset_lo + _slack(record, s) for s, stamp in stamped)
        and all(s.first_new_arrival - stamp >= timing.offset_hi - _slack(record, s) for s, stamp in stamped)
    )


def _slack(record: QualificationRecord, strobe: Strobe) -> float:
    """Return by how much a strobe may lie outside the bounds: they hold for the end of the qualification."""
    return TIME_TOLERANCE + DRIFT * abs(record.made_at - strobe.commanded_at)


def _mentioned(record: QualificationRecord) -> tuple[float, ...]:
    """Return every boundary that the witness says anything about."""
    lists = chain((strobe.decided for strobe in record.strobes), (found for _, found in record.two_sided))
    return tuple(sorted(set(chain.from_iterable(lists))))


def _decisions_follow(strobe: Strobe, boundaries: tuple[float, ...]) -> bool:
    """Whether a strobe decides where the witness says, at whatever is not within a rounding of its edges."""
    for boundary in boundaries:
        says = _contains(strobe.decided, boundary)
        if says and not _decides(strobe, boundary, TIME_TOLERANCE):
            return False
        if not says and _decides(strobe, boundary, -TIME_TOLERANCE):
            return False
    return True


def _decides(strobe: Strobe, boundary: float, slack: float) -> bool:
    deadline = strobe.commanded_at + boundary
    passes = strobe.latest is not None and strobe.latest <= deadline + slack
    fails = strobe.earliest is not None and strobe.earliest >= deadline - slack
    return passes or fails


def _two_sided(record: QualificationRecord, direction: Direction) -> tuple[float, ...]:
    """Return the boundaries at which at least 19 of 20 strobes decide."""
    strobes = record.strobes_to(direction)
    return tuple(
        boundary
        for boundary in _mentioned(record)
        if sum(_contains(strobe.decided, boundary) for strobe in strobes) >= TWO_SIDED_SHARE * len(strobes)
    )


def _contains(boundaries: Sequence[float], boundary: float) -> bool:
    return any(abs(one - boundary) < SAME_BOUNDARY for one in boundaries)


def _same_set(theirs: Sequence[float], ours: Sequence[float]) -> bool:
    return all(_contains(ours, one) for one in theirs) and all(_contains(theirs, one) for one in ours)


def _freeze(record: QualificationRecord, computed: _Computed) -> FrozenLevels:
    return FrozenLevels(
        on=computed.on,
        off=computed.off,
        guard=computed.guard,
        reference_on=computed.reference_on,
        reference_off=computed.reference_off,
        reference_spread=computed.reference_spread or 0.0,
        two_sided=tuple((direction, _two_sided(record, direction)) for direction in Direction),
    )
