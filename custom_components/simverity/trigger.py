"""Triggers: a disposition changed, a false clearance was seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, override

import probatio
from homeassistant.const import CONF_OPTIONS, CONF_TARGET
from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.dispatcher import async_dispatcher_connect
from homeassistant.helpers.trigger import Trigger, TriggerActionRunner, TriggerConfig
from homeassistant.helpers.typing import ConfigType

from .announcing import DISPOSITION_CHANGED, FALSE_CLEARANCE, DispositionChange, SeenFalseClearance
from .coordinator import SubjectView
from .engine.terms import Disposition
from .selection import async_select
from .sentences import meaning_of
from .wire import headline_message

CONF_FROM = "from"
CONF_TO = "to"

_DISPOSITIONS = probatio.All(cv.ensure_list, [probatio.In([disposition.value for disposition in Disposition])])
FALSE_CLEARANCE_SCHEMA = probatio.Schema(
    {
        probatio.Optional(CONF_TARGET): cv.TARGET_FIELDS,
        probatio.Required(CONF_OPTIONS, default=dict): probatio.Any({}),
    }
)
DISPOSITION_CHANGED_SCHEMA = FALSE_CLEARANCE_SCHEMA.extend(
    {
        probatio.Required(CONF_OPTIONS, default=dict): {
            probatio.Optional(CONF_FROM): _DISPOSITIONS,
            probatio.Optional(CONF_TO): _DISPOSITIONS,
        },
    }
)


class AuditTrigger(Trigger):
    """A trigger about targeted entities, or about all audited ones if nothing is targeted."""

    schema: ClassVar[probatio.Schema]

    @classmethod
    async def async_validate_config(cls, hass: HomeAssistant, config: ConfigType) -> ConfigType:  # noqa: ARG003 - Home Assistant's signature
        """Check target and options."""
        validated: ConfigType = cls.schema(config)
        return validated

    def __init__(self, hass: HomeAssistant, config: TriggerConfig) -> None:
        """Keep the target: it is resolved at each change, so that an area means what is in it then."""
        super().__init__(hass, config)
        self._target: Mapping[str, Any] = config.target or {}
        self._options: Mapping[str, Any] = config.options or {}

    def _concerns(self, view: SubjectView) -> bool:
        if not any(self._target.values()):
            return True
        selection = async_select(self._hass, self._target)
        return any(entry.id == view.subject for entry in (*selection.named, *selection.implied))

    def _known(self, view: SubjectView) -> dict[str, Any]:
        return {
            "entity_id": view.entity_id,
            "disposition": view.disposition.value,
            "why": view.explanation.value,
            "meaning": meaning_of(self._hass, view.explanation),
            "headline": None if view.headline is None else headline_message(view.headline),
        }


class DispositionChanged(AuditTrigger):
    """The disposition of an audited entity changed."""

    schema = DISPOSITION_CHANGED_SCHEMA

    @override
    async def async_attach_runner(self, run_action: TriggerActionRunner, *_: Any) -> CALLBACK_TYPE:
        """Run the action on each change that the options let through."""

        @callback
        def handle(change: DispositionChange) -> None:
            before, after = change.before.value, change.view.disposition.value
            wanted = before in self._options.get(CONF_FROM, (before,)) and after in self._options.get(CONF_TO, (after,))
            if wanted and self._concerns(change.view):
                payload = self._known(change.view) | {"from_disposition": before, "to_disposition": after}
                run_action(payload, f"disposition of {change.view.entity_id} changed from {before} to {after}")

        return async_dispatcher_connect(self._hass, DISPOSITION_CHANGED, handle)


class FalseClearanceSeen(AuditTrigger):
    """A command was reported as done and was not."""

    schema = FALSE_CLEARANCE_SCHEMA

    @override
    async def async_attach_runner(self, run_action: TriggerActionRunner, *_: Any) -> CALLBACK_TYPE:
        """Run the action with what was asked, what was claimed and what was seen."""

        @callback
        def handle(seen: SeenFalseClearance) -> None:
            if self._concerns(seen.view):
                failure = seen.failure
                payload = self._known(seen.view) | {
                    "asked": failure.direction.value,
                    "seen": failure.direction.opposite.value,
                    "claimed_by": failure.source.value,
                    "property": failure.property_id.value,
                    "boundary": failure.boundary,
                    "at": failure.at.isoformat(),
                }
                run_action(payload, f"false clearance of {seen.view.entity_id}")

        return async_dispatcher_connect(self._hass, FALSE_CLEARANCE, handle)


TRIGGERS: dict[str, type[Trigger]] = {
    "disposition_changed": DispositionChanged,
    "false_clearance": FalseClearanceSeen,
}


async def async_get_triggers(hass: HomeAssistant) -> dict[str, type[Trigger]]:  # noqa: ARG001 - Home Assistant's signature
    """Return the triggers of the integration."""
    return TRIGGERS
