"""From what one camera saw during a qualification to one record per lamp. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..freshness import Scenery
from ..regions import Region
from ..terms import Channel, Refusal, State, Tier
from ..timing import MIN_STROBES, Lag, Timing
from . import references as refs
from .cross_response import course, cross_refusals, cross_response
from .record import Levels, QualificationRecord, Reference
from .series import LampSeries, Numbers, Strobe, in_order
from .strobes import Shown, camera_timing, lag, reading, shown, two_sided

STALE_AFTER = 2.0
"""Seconds from command to photon beyond which a camera that cannot prove more is no witness of a command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """One lamp as it was watched."""

    lamp: str
    region: Region
    reference_region: Region | None
    series: LampSeries
    strobes: tuple[Strobe, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Footage:
    """One camera as it was watched; ``faults`` are what spoke against all its lamps."""

    qualification: str
    camera: str
    epoch: int
    boot_id: str
    made_at: float
    valid_for: float
    boundaries: tuple[float, ...]
    lamps: tuple[Watched, ...]
    scenery: Scenery | None
    longest_stale: float
    clock_jumps: int
    faults: frozenset[Refusal] = frozenset()
    min_strobes: int = MIN_STROBES


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """One lamp's references, and how its strobes showed."""

    watched: Watched
    strobes: tuple[Strobe, ...]
    settled: tuple[refs.SettledRows, ...]
    channel: Channel
    references: tuple[Reference, ...]
    levels: Levels | None
    shown: tuple[Shown, ...]


def judge(footage: Footage) -> tuple[QualificationRecord, ...]:
    """Return one record per lamp, refused ones included."""
    readings = [_read(watched) for watched in footage.lamps]
    lags = [lag(one.watched.series, seen) for one in readings for seen in one.shown]
    timing = _timing(footage, readings, lags)
    courses = {one.watched.lamp: course(one.watched.series, one.strobes, one.channel, one.levels) for one in readings}
    return tuple(_record(footage, one, timing, courses) for one in readings)


def _timing(footage: Footage, readings: Sequence[_Reading], lags: Sequence[Lag]) -> Timing | None:
    if not readings:
        return None
    series = readings[0].watched.series
    return camera_timing(series, lags, clock_jumps=footage.clock_jumps, min_strobes=footage.min_strobes)


def _read(watched: Watched) -> _Reading:
    strobes = in_order(watched.strobes)
    settled = refs.settled_rows(watched.series, strobes)
    channel = refs.choose_channel(watched.series, settled)
    taken = refs.references(watched.series, settled, channel)
    levels = refs.levels_of(taken)
    if levels is not None:
        kept = refs.followed(taken, levels)
        settled = [one for one, keep in zip(settled, kept, strict=True) if keep]
        taken = tuple(one for one, keep in zip(taken, kept, strict=True) if keep)
        levels = refs.levels_of(taken)
    visible = levels is not None and levels.contrast > 0
    found = [shown(watched.series, strobe, channel, levels) for strobe in strobes if levels is not None and visible]
    return _Reading(
        watched=watched,
        strobes=strobes,
        settled=tuple(settled),
        channel=channel,
        references=taken,
        levels=levels,
        shown=tuple(seen for seen in found if seen is not None),
    )


def _record(
    footage: Footage, one: _Reading, timing: Timing | None, courses: Mapping[str, Numbers]
) -> QualificationRecord:
    watched = one.watched
    others = {lamp: values for lamp, values in courses.items() if lamp != watched.lamp}
    responses = cross_response(watched.series, one.strobes, one.channel, others)
    strobed = tuple(reading(watched.series, seen, timing, footage.boundaries) for seen in one.shown)
    refused = footage.faults | _own_refusals(footage, one) | _timing_refusals(watched.series, one, timing)
    if one.levels is not None:
        refused |= cross_refusals(responses, one.levels.contrast)
    return QualificationRecord(
        qualification=footage.qualification,
        lamp=watched.lamp,
        camera=footage.camera,
        epoch=footage.epoch,
        boot_id=footage.boot_id,
        region=watched.region,
        reference_region=watched.reference_region,
        channel=one.channel,
        made_at=footage.made_at,
        valid_for=footage.valid_for,
        references=one.references,
        cross_response=responses,
        strobes=strobed,
        timing=timing,
        levels=one.levels,
        two_sided=two_sided(strobed, footage.boundaries, footage.min_strobes),
        refusals=tuple(sorted(refused)),
        scenery=footage.scenery,
        longest_stale=footage.longest_stale,
        clock_jumps=footage.clock_jumps,
    )


def _own_refusals(footage: Footage, one: _Reading) -> frozenset[Refusal]:
    """What the lamp's references and its obedience speak against."""
    refused = refs.reference_refusals(one.references, one.levels)
    if one.levels is not None and refs.flickers(one.watched.series, one.settled, one.channel, one.levels.contrast):
        refused.add(Refusal.FLICKER)
    for state in State:
        commanded = sum(strobe.state is state for strobe in one.strobes)
        if commanded < footage.min_strobes:
            refused.add(Refusal.TOO_FEW_STROBES)
        elif sum(seen.strobe.state is state for seen in one.shown) < footage.min_strobes:
            refused.add(Refusal.LAMP_DID_NOT_FOLLOW)
    return frozenset(refused)


def _timing_refusals(series: LampSeries, one: _Reading, timing: Timing | None) -> frozenset[Refusal]:
    """What the camera's time speaks against."""
    if timing is None:
        has_clock = series.stamp.size > 0 and not bool(np.isnan(series.stamp).any())
        return frozenset({Refusal.LYING_CLOCK}) if has_clock and one.shown else frozenset()
    if timing.tier is Tier.ARRIVAL and timing.arrival_bound is not None and timing.arrival_bound > STALE_AFTER:
        return frozenset({Refusal.STALE_FRAMES})
    return frozenset()
