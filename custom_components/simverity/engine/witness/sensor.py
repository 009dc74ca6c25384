"""A sensor's qualification and testimony: its readings as samples, and the record that its strobes give.

A report has an ingestion time only: nothing says when the sensor measured. It came in at c_hi; c_lo lies twice the
longest time from a command to its report before, as with a camera that proves arrival only, and never less than the
longest distance of two reports (METHOD 1, tier T3). It is never presented as the time of the effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from ..terms import GRID, Direction, Reason, SubjectId, Tier
from ..trace.samples import FrozenLevels, Sample, SampledChannel
from .effect import Crossing, crossing
from .qualification import FRAME_SPACING, FRAMES_PER_REFERENCE, claimed_by_readings, frozen_levels
from .record import Claim, ClaimedLevels, Instrument, QualificationRecord, Reference, ReferenceFrame, Strobe, Timing
from .scale import Quantity, Reading, SensorReport, readings, reread, scale_of, speaks
from .testimony import QUARTER, Side, side

SETTLING = 1.0
"""Seconds after a command from which a reference's readings count."""
GAP_FACTOR = 1.05
"""How much longer than the longest at qualification the distance of two reports may be (METHOD 1)."""
REREAD = 0.5
"""Seconds taken for the interval of a sensor that reports changes only."""
SLOWEST = 120.0
"""Seconds between two reports beyond which qualifying would take hours: such a sensor is refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorStrobe:
    """A strobe of a device beside a sensor: commanded at ``at``, held until ``until`` (monotonic seconds)."""

    state: Direction
    at: float
    until: float
    reference: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How long strobes must be held for a sensor to show them, in seconds."""

    shortest: float
    longest: float
    reference: float


def reach(timing: Timing, quantity: Quantity) -> float:
    """Return how far back before its ingestion a report may have been measured, seconds."""
    interval = 0.0 if quantity is Quantity.BINARY else timing.arrival_gap_limit / GAP_FACTOR
    return max(2 * (timing.arrival_bound or 0.0), interval)


def samples(found: Sequence[Reading], back: float) -> tuple[Sample, ...]:
    """Return readings as samples: what came in at an instant may have been measured so many seconds ``back``."""
    return tuple(Sample(earliest=one.since - back, latest=one.at, level=one.level) for one in found)


def gap_fault(reports: Sequence[SensorReport], timing: Timing, *, since: float, until: float) -> Reason | None:
    """Return the fault of a sensor that kept silent for longer than it may between two instants."""
    times = [report.at for report in reports if report.at <= until]
    before = [at for at in times if at <= since][-1:]
    heard = [*(before or [since]), *(at for at in times if at > since), until]
    longest = max((after - at for at, after in pairwise(heard)), default=0.0)
    return Reason.ARRIVAL_GAP if longest > timing.arrival_gap_limit else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Listening:
    """A window on a sensor: from ``lookback`` seconds before the dispatch to ``until`` (monotonic seconds)."""

    dispatched_at: float
    lookback: float
    until: float


def heard_in(
    reports: Sequence[SensorReport], record: QualificationRecord, window: Listening
) -> tuple[tuple[Sample, ...], tuple[Reason, ...]]:
    """Return what a sensor said in a window, with the last report before it, and the faults that make it void.

    Nothing is heard by a sensor that is not qualified.
    """
    instrument, timing, levels = record.instrument, record.timing, record.levels
    if instrument is None or timing is None or levels is None:
        return (), (Reason.UNQUALIFIED,)
    quantity = instrument.scale.quantity
    since = window.dispatched_at - (0.0 if quantity is Quantity.BINARY else window.lookback)
    kept = _from(reports, since, window.until, quantity)
    if not all(speaks(report.text, quantity) for report in kept):
        return (), (Reason.STREAM_RESTARTED,)
    if quantity is Quantity.BINARY:
        kept, gap = reread(kept, after=since, until=window.until), None
    else:
        gap = gap_fault(kept, timing, since=since, until=window.until)
    found = samples(readings(kept, instrument.scale), reach(timing, quantity))
    outside = outside_fault(found, levels, window.dispatched_at)
    return found, tuple(fault for fault in (gap, outside) if fault is not None)


def outside_fault(found: Sequence[Sample], levels: ClaimedLevels, dispatched_at: float) -> Reason | None:
    """Return the fault of readings beyond both qualified levels: something else moves the sensor, such as the sun.

    Known before the dispatch it narrows the claim; seen only later it could depend on the outcome. One reading alone
    may be a spike.
    """
    low, high = sorted((levels.on, levels.off))
    margin = QUARTER * (high - low)
    beyond = [(one.latest <= dispatched_at, not low - margin <= one.level <= high + margin) for one in found]
    if [out for before, out in beyond if before][-1:] == [True]:
        return Reason.AMBIENT_UNSUITABLE
    later = [out for before, out in beyond if not before]
    return Reason.OUTSIDE_LEVELS if any(one and after for one, after in pairwise(later)) else None


def _from(reports: Sequence[SensorReport], since: float, until: float, quantity: Quantity) -> tuple[SensorReport, ...]:
    """Return the reports from the last one before an instant (two for a rate) on, unless that one said nothing."""
    before = [report for report in reports if report.at <= since]
    kept = before[-2:] if quantity is Quantity.RATE else before[-1:]
    spoken = tuple(report for report in kept if speaks(report.text, quantity))
    return (*spoken, *(report for report in reports if since < report.at <= until))


def pace_for(interval: float | None) -> Pace:
    """Return how long to hold strobes for a sensor that reports so often; None for one that reports changes only."""
    every = REREAD if interval is None else interval
    shortest = max(2.0, 3 * every + 0.5)
    spacing = every if every > FRAME_SPACING * 1.1 else FRAME_SPACING + every
    held = SETTLING + 2 * every + FRAMES_PER_REFERENCE * spacing
    return Pace(shortest=shortest, longest=shortest + max(0.4, every), reference=max(held, shortest))


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """All that a sensor said while its device was strobed, and about whom. ``strobes`` are those that were followed."""

    qualification: str
    lamp: str
    name: str
    sensor: SubjectId
    unit: str
    quantity: Quantity
    same_device: bool
    boot_id: str
    made_at: float
    valid_for: float
    reports: tuple[SensorReport, ...]
    strobes: tuple[SensorStrobe, ...]

    def during(self, strobe: SensorStrobe) -> tuple[SensorReport, ...]:
        """Return the reports from the last before a strobe (two for a rate) to its end, re-read if binary."""
        inside = _from(self.reports, strobe.at, strobe.until, self.quantity)
        return reread(inside, after=strobe.at, until=strobe.until) if self.quantity is Quantity.BINARY else inside


def followed(observed: Observed, strobe: SensorStrobe) -> Direction | None:
    """Return the state that a strobe's last reading looks like, by the strobes before; None if it cannot be told."""
    scale = scale_of(observed.reports, observed.quantity, observed.unit)
    seen: dict[Direction, list[float]] = {state: [] for state in Direction}
    for earlier in observed.strobes:
        seen[earlier.state].append(readings(observed.during(earlier), scale)[-1].level)
    current = [one.level for one in readings(observed.during(strobe), scale) if one.at > strobe.at][-1:]
    if not current:
        return None
    if not all(seen.values()):
        return strobe.state
    return min(Direction, key=lambda state: abs(current[0] - median(seen[state])))


def qualification_record(observed: Observed) -> QualificationRecord:
    """Return the record of a sensor's qualification: its readings in levels, and what they claim."""
    scale = scale_of(observed.reports, observed.quantity, observed.unit)
    bare = QualificationRecord(
        qualification=observed.qualification,
        lamp=observed.lamp,
        camera=observed.name,
        epoch=0,
        boot_id=observed.boot_id,
        region=(0.0, 0.0, 1.0, 1.0),
        reference_region=None,
        channel=observed.quantity.value,
        made_at=observed.made_at,
        valid_for=observed.valid_for,
        references=tuple(
            Reference(state=strobe.state, frames=frames)
            for strobe in observed.strobes
            if strobe.reference
            and len(frames := _frames(readings(observed.during(strobe), scale), strobe)) == FRAMES_PER_REFERENCE
        ),
        cross_response=(),
        strobes=(),
        timing=None,
        levels=None,
        two_sided=tuple((direction, ()) for direction in Direction),
        verdict=Claim.REFUSED,
        refusals=(),
        instrument=Instrument(sensor=observed.sensor, scale=scale, same_device=observed.same_device),
    )
    levels = frozen_levels(bare)
    return claimed_by_readings(bare if levels is None or levels.contrast == 0 else _timed(bare, observed, levels))


def _frames(found: Sequence[Reading], strobe: SensorStrobe) -> tuple[ReferenceFrame, ...]:
    """Return a reference's last five readings that are at least a second apart, all after it had settled."""
    kept: list[Reading] = []
    for one in reversed([one for one in found if one.since >= strobe.at + SETTLING]):
        if len(kept) < FRAMES_PER_REFERENCE and (not kept or kept[-1].at - one.at >= FRAME_SPACING):
            kept.append(one)
    return tuple(ReferenceFrame(stamp=one.at, level=one.level, reference=None, clipped=0.0) for one in reversed(kept))


def _timed(record: QualificationRecord, observed: Observed, levels: FrozenLevels) -> QualificationRecord:
    """Return the record with its strobes and the timing that follows from them."""
    instrument = record.instrument
    assert instrument is not None  # noqa: S101 - made so above
    shown: list[tuple[SensorStrobe, tuple[Reading, ...], float]] = []
    for strobe in observed.strobes:
        found = readings(observed.during(strobe), instrument.scale)
        arrival = _first_new(found, levels, strobe)
        if arrival is not None:
            shown.append((strobe, found, arrival))
    delays = {state: [a - one.at for one, _, a in shown if one.state is state] for state in Direction}
    gaps = _gaps(observed)
    timing = Timing(
        tier=Tier.ARRIVAL,
        offset_hi=None,
        offset_lo=None,
        frame_interval=median(gaps),
        arrival_bound=min(max(found) for found in delays.values()),
        arrival_gap_limit=record.valid_for if observed.quantity is Quantity.BINARY else GAP_FACTOR * max(gaps),
    )
    back = reach(timing, observed.quantity)
    strobes = tuple(_strobe(one, samples(found, back), arrival, levels) for one, found, arrival in shown)
    return replace(record, strobes=strobes, timing=timing)


def _gaps(observed: Observed) -> list[float]:
    """Return the distances of the reports over the qualification; a sensor that reports changes only has none."""
    if observed.quantity is Quantity.BINARY:
        return [REREAD]
    start = min(strobe.at for strobe in observed.strobes)
    times = [report.at for report in observed.reports if report.at >= start]
    return [after - before for before, after in pairwise(times)] or [SLOWEST]


def _first_new(found: Sequence[Reading], levels: FrozenLevels, strobe: SensorStrobe) -> float | None:
    for one in found:
        sample = Sample(earliest=one.since, latest=one.at, level=one.level)
        if one.at > strobe.at and side(sample, levels, strobe.state) is Side.NEW:
            return one.at
    return None


def _strobe(strobe: SensorStrobe, found: tuple[Sample, ...], arrival: float, levels: FrozenLevels) -> Strobe:
    channel = SampledChannel(
        subject=SubjectId(""),
        levels=levels,
        samples=found,
        tier=Tier.ARRIVAL,
        qualification="",
        armed_at=strobe.at,
    )
    seen = crossing(channel, direction=strobe.state, dispatched_at=strobe.at)
    proven = seen if isinstance(seen, Crossing) and seen.first_new is not None else None
    earliest, latest = (None, None) if proven is None else (proven.last_old, proven.first_new)
    decided = tuple(
        boundary.seconds
        for boundary in GRID
        if (latest is not None and latest <= strobe.at + boundary.seconds)
        or (earliest is not None and earliest >= strobe.at + boundary.seconds)
    )
    return Strobe(
        direction=strobe.state,
        commanded_at=strobe.at,
        first_new_stamp=None,
        first_new_arrival=arrival,
        earliest=earliest,
        latest=latest,
        decided=decided,
    )
