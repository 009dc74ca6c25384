"""Conditions: may something act on a device, is it cleared, is it escalated.

What is not known is never answered with False: an entity that is not audited, evidence that is missing, or a record
that is not verified raises. Home Assistant then runs neither the condition's actions nor those behind a ``not``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Unpack

import probatio
from homeassistant.const import CONF_OPTIONS, CONF_TARGET
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ConditionErrorMessage
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.condition import (
    Condition,
    ConditionCheckParams,
    ConditionConfig,
    condition_trace_set_result,
)
from homeassistant.helpers.typing import ConfigType

from .actors import Actor, actor_of
from .const import DOMAIN, OBSERVABLE_DOMAINS
from .coordinator import LedgerState, Snapshot, SubjectView
from .engine.terms import Disposition, SubjectId
from .entry import loaded_entry
from .selection import async_select, domain_of
from .speaking_for import views_of

CONF_ACTOR = "actor"
CONF_ON_ABSTAIN = "on_abstain"

ACTOR_AGENT, ACTOR_ANY = ACTORS = ("agent", "any")
ABSTAIN_REFUSE, ABSTAIN_ALLOW = ON_ABSTAIN = ("refuse", "allow")

STANDING_SCHEMA = probatio.Schema(
    {
        probatio.Required(CONF_TARGET): probatio.All(
            cv.TARGET_FIELDS, cv.has_at_least_one_key(*(str(field) for field in cv.TARGET_FIELDS))
        ),
        probatio.Required(CONF_OPTIONS, default=dict): probatio.Any({}),
    }
)
MAY_ACT_SCHEMA = STANDING_SCHEMA.extend(
    {
        probatio.Required(CONF_OPTIONS, default=dict): {
            probatio.Required(CONF_ON_ABSTAIN, default=ABSTAIN_REFUSE): probatio.In(ON_ABSTAIN),
            probatio.Required(CONF_ACTOR, default=ACTOR_AGENT): probatio.In(ACTORS),
        },
    }
)


class StandingCondition(Condition):
    """A condition on what is known about the targeted entities."""

    key: ClassVar[str]
    schema: ClassVar[probatio.Schema] = STANDING_SCHEMA

    @classmethod
    async def async_validate_config(cls, hass: HomeAssistant, config: ConfigType) -> ConfigType:  # noqa: ARG003 - Home Assistant's signature
        """Check target and options."""
        validated: ConfigType = cls.schema(config)
        return validated

    def __init__(self, hass: HomeAssistant, config: ConditionConfig) -> None:
        """Keep the target: it is resolved at each check, so that an area means what is in it then."""
        super().__init__(hass, config)
        self._target: Mapping[str, Any] = config.target or {}
        self._options: Mapping[str, Any] = config.options or {}

    def _views(self) -> tuple[SubjectView, ...]:
        """Return what is known about every targeted entity.

        Raises:
            ConditionErrorMessage: nothing is set up or targeted, or an entity is not audited.
        """
        subjects = self._snapshot().subjects
        views: dict[SubjectId, SubjectView] = {}
        for entry in self._targeted():
            found = views_of(self._hass, entry, subjects)
            if not found:
                raise self._error(f"{entry.entity_id} is not audited")
            views |= {view.subject: view for view in found}
        if not views:
            raise self._error("the target names nothing that could be audited")
        return tuple(views.values())

    def _targeted(self) -> list[er.RegistryEntry]:
        """Return what was named, and of areas, floors, devices and labels what could be audited at all."""
        selection = async_select(self._hass, self._target)
        if selection.unregistered:
            raise self._error(f"there is no record of {', '.join(selection.unregistered)}")
        implied = (
            entry for entry in selection.implied if domain_of(entry) in OBSERVABLE_DOMAINS and entry.platform != DOMAIN
        )
        return [*selection.named, *implied]

    def _require_verified(self) -> None:
        if (state := self._snapshot().ledger.state) is not LedgerState.SOUND:
            raise self._error(f"the evidence record is not verified ({state.value})")

    def _require_evidence(self, views: tuple[SubjectView, ...]) -> None:
        bare = [view.entity_id for view in views if not _has_evidence(view)]
        if bare:
            raise self._error(f"there is no evidence about {', '.join(bare)}")

    def _snapshot(self) -> Snapshot:
        if (entry := loaded_entry(self._hass)) is None:
            raise self._error("SimVerity is not set up or not running")
        return entry.runtime_data.coordinator.snapshot

    def _error(self, message: str) -> ConditionErrorMessage:
        return ConditionErrorMessage(f"{DOMAIN}.{self.key}", message)


class MayAct(StandingCondition):
    """Nothing escalates; what abstains is let through or stopped as the option says."""

    key = "may_act"
    schema = MAY_ACT_SCHEMA

    def _async_check(self, **kwargs: Unpack[ConditionCheckParams]) -> bool:
        """Judge an agent, or everybody, by what is known about the targets."""
        actor = actor_of(self._hass, kwargs.get("variables"))
        if self._options[CONF_ACTOR] == ACTOR_AGENT and actor is Actor.PERSON:
            condition_trace_set_result(result=True, actor=actor.value)
            return True
        views = self._views()
        self._require_verified()
        stopping = {Disposition.ESCALATE}
        if self._options[CONF_ON_ABSTAIN] == ABSTAIN_REFUSE:
            stopping.add(Disposition.ABSTAIN)
        refused = [view.entity_id for view in views if view.disposition in stopping]
        condition_trace_set_result(result=not refused, actor=actor.value, refused=refused, targets=_explained(views))
        return not refused


class IsCleared(StandingCondition):
    """Every targeted entity is cleared."""

    key = "is_cleared"

    def _async_check(self, **_kwargs: Unpack[ConditionCheckParams]) -> bool:
        """Say whether all are clear, if the evidence says anything about each."""
        views = self._views()
        self._require_verified()
        self._require_evidence(views)
        result = all(view.disposition is Disposition.CLEAR for view in views)
        condition_trace_set_result(result=result, targets=_explained(views))
        return result


class IsEscalated(StandingCondition):
    """At least one targeted entity escalates. A refusal stands while the record is verified; its absence does not."""

    key = "is_escalated"

    def _async_check(self, **_kwargs: Unpack[ConditionCheckParams]) -> bool:
        """Say whether any escalates; that none does needs verified evidence about each."""
        views = self._views()
        result = any(view.disposition is Disposition.ESCALATE for view in views)
        if not result:
            self._require_verified()
            self._require_evidence(views)
        condition_trace_set_result(result=result, targets=_explained(views))
        return result


CONDITIONS: dict[str, type[Condition]] = {kind.key: kind for kind in (MayAct, IsCleared, IsEscalated)}


async def async_get_conditions(hass: HomeAssistant) -> dict[str, type[Condition]]:  # noqa: ARG001 - Home Assistant's signature
    """Return the conditions of the integration."""
    return CONDITIONS


def _has_evidence(view: SubjectView) -> bool:
    decided = view.headline is not None and view.headline.decided > 0
    return decided or view.disposition is not Disposition.ABSTAIN


def _explained(views: tuple[SubjectView, ...]) -> dict[str, dict[str, str]]:
    return {view.entity_id: {"disposition": view.disposition.value, "why": view.explanation.value} for view in views}
