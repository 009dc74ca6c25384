"""Listing entities for the audit: one flow takes any number and adds one subentry each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import probatio
from homeassistant.config_entries import ConfigSubentry, ConfigSubentryFlow, SubentryFlowResult
from homeassistant.core import callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.selector import (
    AreaSelector,
    AreaSelectorConfig,
    BooleanSelector,
    EntitySelector,
    EntitySelectorConfig,
    LabelSelector,
    LabelSelectorConfig,
)

from .const import (
    CONF_MAY_BE_SWITCHED,
    CONF_SUBJECT,
    DOMAIN,
    OBSERVABLE_DOMAINS,
    SUBENTRY_AUDITED,
    SWITCHABLE_DOMAINS,
)
from .entry import audited_subentries
from .selection import Selection, async_select, display_name, domain_of

_PICKERS = {"entities": "entity_id", "areas": "area_id", "labels": "label_id"}

SELECTION_SCHEMA = probatio.Schema(
    {
        probatio.Optional("entities"): EntitySelector(
            EntitySelectorConfig(domain=list(OBSERVABLE_DOMAINS), multiple=True)
        ),
        probatio.Optional("areas"): AreaSelector(AreaSelectorConfig(multiple=True)),
        probatio.Optional("labels"): LabelSelector(LabelSelectorConfig(multiple=True)),
        probatio.Required(CONF_MAY_BE_SWITCHED, default=False): BooleanSelector(),
    }
)
CONSENT_SCHEMA = probatio.Schema({probatio.Required(CONF_MAY_BE_SWITCHED, default=False): BooleanSelector()})


class _SelectionError(Exception):
    """What was picked cannot be listed. ``key`` names the sentence; ``names`` whom it is about."""

    def __init__(self, key: str, names: tuple[str, ...] = ()) -> None:
        super().__init__(key)
        self.key = key
        self.names = names


class AuditedEntityFlow(ConfigSubentryFlow):
    """Lists entities, and changes whether one of them may be switched."""

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Take entities, areas and labels. Listing alone is no consent to be switched."""
        errors: dict[str, str] = {}
        names: tuple[str, ...] = ()
        if user_input is not None:
            try:
                picked = self._listable(user_input)
            except _SelectionError as error:
                errors, names = {"base": error.key}, error.names
            else:
                return self._list(picked, may_be_switched=user_input[CONF_MAY_BE_SWITCHED])
        return self.async_show_form(
            step_id="user",
            data_schema=self.add_suggested_values_to_schema(SELECTION_SCHEMA, user_input),
            errors=errors,
            description_placeholders={"entities": ", ".join(names)},
        )

    async def async_step_reconfigure(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Give or withdraw the consent to be switched."""
        subentry = self._get_reconfigure_subentry()
        source = er.async_get(self.hass).entities.get_entry(subentry.data[CONF_SUBJECT])
        if source is None:
            return self.async_abort(reason="entity_gone")
        if domain_of(source) not in SWITCHABLE_DOMAINS:
            return self.async_abort(reason="only_observed")
        if user_input is not None:
            return self.async_update_and_abort(self._get_entry(), subentry, data_updates=user_input)
        return self.async_show_form(
            step_id="reconfigure",
            data_schema=self.add_suggested_values_to_schema(CONSENT_SCHEMA, subentry.data),
            description_placeholders={"entity": display_name(self.hass, source)},
        )

    @callback
    def _listable(self, user_input: Mapping[str, Any]) -> tuple[er.RegistryEntry, ...]:
        """Return what can be listed. What was named must be listable; an area or label is searched for it."""
        selection = async_select(
            self.hass, {target: user_input[field] for field, target in _PICKERS.items() if user_input.get(field)}
        )
        if not (selection.named or selection.implied or selection.unregistered):
            raise _SelectionError("nothing_selected")
        self._refuse_unlistable(selection)
        candidates = {entry.id: entry for entry in (*selection.named, *selection.implied) if _is_listable(entry)}
        if not candidates:
            raise _SelectionError("nothing_listable")
        listed = audited_subentries(self._get_entry())
        fresh = tuple(entry for subject, entry in candidates.items() if subject not in listed)
        if not fresh:
            raise _SelectionError("already_audited")
        return fresh

    @callback
    def _refuse_unlistable(self, selection: Selection) -> None:
        if selection.unregistered:
            raise _SelectionError("not_registered", selection.unregistered)
        if ours := tuple(display_name(self.hass, entry) for entry in selection.named if entry.platform == DOMAIN):
            raise _SelectionError("own_entities", ours)
        if foreign := tuple(display_name(self.hass, entry) for entry in selection.named if not _is_listable(entry)):
            raise _SelectionError("unsupported_domain", foreign)

    @callback
    def _list(self, picked: tuple[er.RegistryEntry, ...], *, may_be_switched: bool) -> SubentryFlowResult:
        """Add one subentry for each; the flow itself ends with the last of them."""
        *others, last = picked
        for source in others:
            self.hass.config_entries.async_add_subentry(
                self._get_entry(),
                ConfigSubentry(
                    data=MappingProxyType(_consent(source, may_be_switched=may_be_switched)),
                    subentry_type=SUBENTRY_AUDITED,
                    title=display_name(self.hass, source),
                    unique_id=source.id,
                ),
            )
        return self.async_create_entry(
            title=display_name(self.hass, last),
            data=_consent(last, may_be_switched=may_be_switched),
            unique_id=last.id,
        )


def _is_listable(entry: er.RegistryEntry) -> bool:
    return entry.platform != DOMAIN and domain_of(entry) in OBSERVABLE_DOMAINS


def _consent(source: er.RegistryEntry, *, may_be_switched: bool) -> dict[str, Any]:
    """Return the data of a subentry. Only lights and switches can be consented for."""
    return {
        CONF_SUBJECT: source.id,
        CONF_MAY_BE_SWITCHED: may_be_switched and domain_of(source) in SWITCHABLE_DOMAINS,
    }
