"""What a person listed: the audited entities with their consent, and what watches them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from homeassistant.config_entries import ConfigEntry

from ..adapters.registry import Registry
from ..adapters.witness.messages import CameraSpec
from ..const import (
    CONF_BLOCK,
    CONF_CAMERA,
    CONF_CLEARANCE,
    CONF_CONFIDENCE,
    CONF_COUNTING,
    CONF_KIND,
    CONF_MAY_BE_SWITCHED,
    CONF_ONE_IN,
    CONF_REFERENCE,
    CONF_REGION,
    CONF_SAME_DEVICE,
    CONF_SENSOR,
    CONF_SETTLE_FROM,
    CONF_SETTLE_WINDOW,
    CONF_STRICT,
    CONF_SUBJECT,
    CONF_TOLERANCE,
    CONF_URL,
    COUNT_BLOCKS,
    COUNT_DRAWN,
    DEFAULT_BLOCK,
    DEFAULT_CONFIDENCE,
    DEFAULT_ONE_IN,
    DEFAULT_SETTLE_FROM,
    DEFAULT_SETTLE_WINDOW,
    DEFAULT_TOLERANCE,
    SUBENTRY_AUDITED,
    SUBENTRY_WITNESS,
)
from ..engine.standing.policy import StandingPolicy
from ..engine.terms import SubjectId
from .watching import Settling
from .witnesses import Binding, LampBinding, SensorBinding


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """The config entry's content. ``may_be_switched`` has every audited entity, ``policy`` what clearing takes."""

    may_be_switched: Mapping[SubjectId, bool]
    bindings: tuple[Binding, ...]
    settling: Settling
    policy: StandingPolicy


def read_listing(entry: ConfigEntry[Any]) -> Listing:
    """Return what the config entry and its subentries say."""
    listed: dict[SubjectId, bool] = {}
    bindings: list[Binding] = []
    for subentry in entry.subentries.values():
        if subentry.subentry_type == SUBENTRY_AUDITED:
            listed[SubjectId(subentry.data[CONF_SUBJECT])] = bool(subentry.data.get(CONF_MAY_BE_SWITCHED))
        elif subentry.subentry_type == SUBENTRY_WITNESS:
            bindings.append(_binding(subentry.data))
    start = float(entry.options.get(CONF_SETTLE_FROM, DEFAULT_SETTLE_FROM))
    window = float(entry.options.get(CONF_SETTLE_WINDOW, DEFAULT_SETTLE_WINDOW))
    return Listing(
        may_be_switched=listed,
        bindings=tuple(bindings),
        settling=Settling(start=start, until=start + window),
        policy=_policy(entry.options.get(CONF_CLEARANCE, {}), home=entry.entry_id),
    )


def watched_entities(subjects: Mapping[SubjectId, Any], registry: Registry) -> dict[str, SubjectId]:
    """Return the entity ids to watch for these subjects: their own, and those of the members of groups."""
    watched: dict[str, SubjectId] = {}
    for subject in subjects:
        entity_id = registry.entity_of(subject)
        if entity_id is None:
            continue
        for name in (entity_id, *registry.members_of(entity_id)):
            if (known := registry.subject_of(name)) is not None:
                watched[name] = known
    return watched


def _policy(chosen: Mapping[str, Any], *, home: str) -> StandingPolicy:
    """Return what a person demands of a clearance; the draw of one in k is seeded by the entry, before any outcome."""
    drawn = chosen.get(CONF_COUNTING, COUNT_BLOCKS) == COUNT_DRAWN
    return StandingPolicy(
        tolerance=float(chosen.get(CONF_TOLERANCE, DEFAULT_TOLERANCE)) / 100,
        error=round(1 - float(chosen.get(CONF_CONFIDENCE, DEFAULT_CONFIDENCE)) / 100, 6),
        block=timedelta(minutes=float(chosen.get(CONF_BLOCK, DEFAULT_BLOCK))),
        strict=chosen.get(CONF_STRICT) is True,
        one_in=int(chosen.get(CONF_ONE_IN, DEFAULT_ONE_IN)) if drawn else None,
        seed=int.from_bytes(hashlib.sha256(home.encode()).digest()[:4]) if drawn else 0,
    )


def _binding(place: Mapping[str, Any]) -> Binding:
    if CONF_SENSOR in place:
        return SensorBinding(
            subject=SubjectId(place[CONF_SUBJECT]),
            sensor=SubjectId(place[CONF_SENSOR]),
            same_device=place[CONF_SAME_DEVICE] is True,
        )
    reference = place.get(CONF_REFERENCE)
    return LampBinding(
        subject=SubjectId(place[CONF_SUBJECT]),
        camera=CameraSpec(camera=place[CONF_CAMERA], kind=place[CONF_KIND], url=place[CONF_URL]),
        region=tuple(float(side) for side in place[CONF_REGION]),
        reference=None if reference is None else tuple(float(side) for side in reference),
    )
