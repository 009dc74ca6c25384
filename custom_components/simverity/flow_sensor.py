"""Letting a sensor of the home watch an audited entity: which one, and what its word is worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import probatio
from homeassistant.config_entries import ConfigSubentry, ConfigSubentryFlow, SubentryFlowResult
from homeassistant.core import callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.selector import (
    EntitySelector,
    EntitySelectorConfig,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
)

from .adapters.sensor_pairs import (
    SENSOR_DOMAINS,
    Independence,
    Suggestion,
    independence_of,
    measures,
    suggestions,
)
from .const import CONF_SAME_DEVICE, CONF_SENSOR, CONF_SUBJECT, DOMAIN, SWITCHABLE_DOMAINS
from .entry import audited_subentries
from .selection import display_name, domain_of

_SUGGESTED = "suggested"


class SensorWitnessFlow(ConfigSubentryFlow):
    """Adds a sensor as a witness, or puts another one in its place."""

    _subject: er.RegistryEntry
    _sensor: er.RegistryEntry
    _independence: Independence
    _changed: ConfigSubentry | None = None

    async def async_step_sensor(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Ask which device shall be watched. Only what may be strobed can prove a sensor."""
        subjects = self._strobed()
        if not subjects:
            return self.async_abort(reason="nothing_to_strobe")
        if user_input is not None:
            self._subject = subjects[user_input[CONF_SUBJECT]]
            return await self.async_step_sensor_of()
        options = [SelectOptionDict(value=key, label=display_name(self.hass, one)) for key, one in subjects.items()]
        select = SelectSelector(SelectSelectorConfig(options=options, mode=SelectSelectorMode.DROPDOWN))
        return self.async_show_form(
            step_id="sensor", data_schema=probatio.Schema({probatio.Required(CONF_SUBJECT): select})
        )

    async def async_step_sensor_of(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Offer the sensors of the same device and area; any other may be picked."""
        errors: dict[str, str] = {}
        if user_input is not None:
            error = self._refusal(user_input)
            if error is None:
                return await self._async_confirm()
            errors["base"] = error
        return self.async_show_form(
            step_id="sensor_of",
            data_schema=self.add_suggested_values_to_schema(_schema(suggestions(self.hass, self._subject)), user_input),
            errors=errors,
            description_placeholders={"device": display_name(self.hass, self._subject)},
        )

    async def async_step_confirm_other_device(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Take a sensor of another device."""
        return self._confirmed("confirm_other_device", user_input)

    async def async_step_confirm_same_device(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Take a sensor of the same device, once a person knows what that means."""
        return self._confirmed("confirm_same_device", user_input)

    async def async_step_confirm_calculated(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Take a sensor that Home Assistant calculates, once a person knows what that means."""
        return self._confirmed("confirm_calculated", user_input)

    async def async_change_sensor(self, subentry: ConfigSubentry) -> SubentryFlowResult:
        """Ask for another sensor for the device of a subentry."""
        subject = er.async_get(self.hass).entities.get_entry(subentry.data[CONF_SUBJECT])
        if subject is None:
            return self.async_abort(reason="entity_gone")
        self._changed, self._subject = subentry, subject
        return await self.async_step_sensor_of()

    async def _async_confirm(self) -> SubentryFlowResult:
        match self._independence:
            case Independence.CALCULATED:
                return await self.async_step_confirm_calculated()
            case Independence.SAME_DEVICE:
                return await self.async_step_confirm_same_device()
            case _:
                return await self.async_step_confirm_other_device()

    @callback
    def _refusal(self, user_input: Mapping[str, Any]) -> str | None:
        """Take what was picked, or return the key of what speaks against it."""
        registry = er.async_get(self.hass)
        named, picked = user_input.get(CONF_SENSOR), user_input.get(_SUGGESTED)
        if not named and not picked:
            return "no_sensor"
        sensor = registry.async_get(named) if named else registry.entities.get_entry(str(picked))
        if sensor is None:
            return "sensor_not_registered"
        taken = {one.unique_id for one in self._get_entry().subentries.values() if one is not self._changed}
        if f"{self._subject.id}:{sensor.id}" in taken:
            return "sensor_already_witness"
        independence = independence_of(self.hass, self._subject, sensor)
        self._sensor, self._independence = sensor, independence
        return self._unfit(sensor, independence)

    @callback
    def _unfit(self, sensor: er.RegistryEntry, independence: Independence) -> str | None:
        """Return the key of why a sensor can witness nothing, None if it may try."""
        if sensor.platform == DOMAIN:
            return "own_sensor"
        if independence is Independence.DERIVED:
            return "not_independent"
        measuring = measures(self.hass.states.get(sensor.entity_id))
        if measuring is not True:
            return "sensor_unavailable" if measuring is None else "not_measuring"
        return None

    @callback
    def _confirmed(self, step_id: str, user_input: dict[str, Any] | None) -> SubentryFlowResult:
        device, sensor = display_name(self.hass, self._subject), display_name(self.hass, self._sensor)
        if user_input is None:
            return self.async_show_form(
                step_id=step_id,
                data_schema=probatio.Schema({}),
                description_placeholders={"device": device, "sensor": sensor},
            )
        data = {
            CONF_SUBJECT: self._subject.id,
            CONF_SENSOR: self._sensor.id,
            CONF_SAME_DEVICE: self._independence is Independence.SAME_DEVICE,
        }
        title, unique_id = f"{device} ({sensor})", f"{self._subject.id}:{self._sensor.id}"
        if self._changed is None:
            return self.async_create_entry(title=title, data=data, unique_id=unique_id)
        return self.async_update_and_abort(
            self._get_entry(), self._changed, title=title, data=data, unique_id=unique_id
        )

    @callback
    def _strobed(self) -> dict[str, er.RegistryEntry]:
        registry = er.async_get(self.hass).entities
        entries = (registry.get_entry(subject) for subject in audited_subentries(self._get_entry()))
        return {entry.id: entry for entry in entries if entry is not None and domain_of(entry) in SWITCHABLE_DOMAINS}


def _schema(likely: tuple[Suggestion, ...]) -> probatio.Schema:
    fields: dict[probatio.Marker, Any] = {}
    if likely:
        options = [SelectOptionDict(value=one.sensor, label=f"{one.name} ({one.reading})") for one in likely]
        select = SelectSelector(SelectSelectorConfig(options=options, mode=SelectSelectorMode.LIST))
        fields[probatio.Optional(_SUGGESTED)] = select
    fields[probatio.Optional(CONF_SENSOR)] = EntitySelector(EntitySelectorConfig(domain=list(SENSOR_DOMAINS)))
    return probatio.Schema(fields)
