"""What a person listed: the audited entities with their consent, and what watches them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from homeassistant.config_entries import ConfigEntry

from ..adapters.registry import Registry
from ..adapters.witness.messages import CameraSpec
from ..const import (
    CONF_CAMERA,
    CONF_KIND,
    CONF_MAY_BE_SWITCHED,
    CONF_REFERENCE,
    CONF_REGION,
    CONF_SAME_DEVICE,
    CONF_SENSOR,
    CONF_SETTLE_FROM,
    CONF_SETTLE_WINDOW,
    CONF_SUBJECT,
    CONF_URL,
    DEFAULT_SETTLE_FROM,
    DEFAULT_SETTLE_WINDOW,
    SUBENTRY_AUDITED,
    SUBENTRY_WITNESS,
)
from ..engine.terms import SubjectId
from .watching import Settling
from .witnesses import Binding, LampBinding, SensorBinding


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """The config entry's content. ``may_be_switched`` has every audited entity."""

    may_be_switched: Mapping[SubjectId, bool]
    bindings: tuple[Binding, ...]
    settling: Settling


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
        may_be_switched=listed, bindings=tuple(bindings), settling=Settling(start=start, until=start + window)
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
