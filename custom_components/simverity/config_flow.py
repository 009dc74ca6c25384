"""Set-up: without a camera there is no question; with one, the connection to the witness app is tried first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import probatio
from homeassistant.config_entries import (
    ConfigEntry,
    ConfigFlow,
    ConfigFlowResult,
    ConfigSubentryFlow,
    OptionsFlow,
)
from homeassistant.core import callback
from homeassistant.helpers.selector import (
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)

from .const import (
    CONF_AGENTS,
    CONF_SETTLE_FROM,
    CONF_SETTLE_WINDOW,
    CONF_TOKEN,
    CONF_URL,
    CONF_WITNESS,
    DEFAULT_SETTLE_FROM,
    DEFAULT_SETTLE_WINDOW,
    DOMAIN,
    SETTLE_FROM_RANGE,
    SETTLE_WINDOW_RANGE,
    SUBENTRY_AUDITED,
    SUBENTRY_WITNESS,
)
from .flow_audited_entity import AuditedEntityFlow
from .flow_witness import WitnessFlow
from .witness_check import WitnessCheckError, async_check_connection, normalized_url

TOKEN_SELECTOR = TextSelector(TextSelectorConfig(type=TextSelectorType.PASSWORD, autocomplete="current-password"))
CONNECTION_SCHEMA = probatio.Schema(
    {
        probatio.Required(CONF_URL): TextSelector(TextSelectorConfig(type=TextSelectorType.URL)),
        probatio.Required(CONF_TOKEN): TOKEN_SELECTOR,
    }
)
TOKEN_SCHEMA = probatio.Schema({probatio.Required(CONF_TOKEN): TOKEN_SELECTOR})


def _seconds(limits: tuple[float, float]) -> NumberSelector:
    return NumberSelector(
        NumberSelectorConfig(
            min=limits[0], max=limits[1], step=0.5, unit_of_measurement="s", mode=NumberSelectorMode.BOX
        )
    )


OPTIONS_SCHEMA = probatio.Schema(
    {
        probatio.Required(CONF_SETTLE_FROM, default=DEFAULT_SETTLE_FROM): _seconds(SETTLE_FROM_RANGE),
        probatio.Required(CONF_SETTLE_WINDOW, default=DEFAULT_SETTLE_WINDOW): _seconds(SETTLE_WINDOW_RANGE),
    }
)


class SimverityConfigFlow(ConfigFlow, domain=DOMAIN):
    """Creates the one entry of the home, and changes its witness."""

    VERSION = 1

    @staticmethod
    @callback
    def async_get_options_flow(config_entry: ConfigEntry) -> OptionsFlow:  # noqa: ARG004 - Home Assistant's signature
        """Offer the settings that hold for the whole home."""
        return SimverityOptionsFlow()

    @classmethod
    @callback
    def async_get_supported_subentry_types(
        cls,
        config_entry: ConfigEntry,  # noqa: ARG003 - Home Assistant's signature
    ) -> dict[str, type[ConfigSubentryFlow]]:
        """Offer to list entities, and to point witnesses at them."""
        return {SUBENTRY_AUDITED: AuditedEntityFlow, SUBENTRY_WITNESS: WitnessFlow}

    async def async_step_user(
        self,
        user_input: Mapping[str, Any] | None = None,  # noqa: ARG002 - a menu has none
    ) -> ConfigFlowResult:
        """Ask the one question: is there a camera?"""
        return self.async_show_menu(step_id="user", menu_options=["without_camera", "with_witness"])

    async def async_step_without_camera(
        self,
        user_input: Mapping[str, Any] | None = None,  # noqa: ARG002 - nothing is asked
    ) -> ConfigFlowResult:
        """Create the entry; the accepted call is then audited against the settled reported state."""
        return self.async_create_entry(title="SimVerity", data={})

    async def async_step_with_witness(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for the witness app and try it."""
        errors: dict[str, str] = {}
        if user_input is not None:
            witness, errors = await self._async_tried(user_input)
            if witness is not None:
                return self.async_create_entry(title="SimVerity", data={CONF_WITNESS: witness})
        return self._connection_form("with_witness", user_input, errors)

    async def async_step_reconfigure(
        self,
        user_input: Mapping[str, Any] | None = None,  # noqa: ARG002 - a menu has none
    ) -> ConfigFlowResult:
        """Set, change or remove the witness."""
        if CONF_WITNESS not in self._get_reconfigure_entry().data:
            return await self.async_step_set_witness()
        return self.async_show_menu(step_id="reconfigure", menu_options=["set_witness", "remove_witness"])

    async def async_step_set_witness(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for the witness app anew and try it; the old connection stays until the new one works."""
        entry = self._get_reconfigure_entry()
        errors: dict[str, str] = {}
        if user_input is not None:
            witness, errors = await self._async_tried(user_input)
            if witness is not None:
                return self.async_update_and_abort(entry, data={**entry.data, CONF_WITNESS: witness})
        suggested = user_input or {CONF_URL: entry.data.get(CONF_WITNESS, {}).get(CONF_URL)}
        return self._connection_form("set_witness", suggested, errors)

    async def async_step_remove_witness(self, user_input: Mapping[str, Any] | None = None) -> ConfigFlowResult:
        """Forget the witness app, once a person has confirmed."""
        if user_input is None:
            return self.async_show_form(step_id="remove_witness", data_schema=probatio.Schema({}))
        entry = self._get_reconfigure_entry()
        return self.async_update_and_abort(
            entry, data={key: value for key, value in entry.data.items() if key != CONF_WITNESS}
        )

    async def async_step_reauth(
        self,
        entry_data: Mapping[str, Any],  # noqa: ARG002 - Home Assistant's signature
    ) -> ConfigFlowResult:
        """Ask for a new token after the witness app has refused the old one."""
        return await self.async_step_reauth_confirm()

    async def async_step_reauth_confirm(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Take the new token and try it at the known address."""
        entry = self._get_reauth_entry()
        url = entry.data[CONF_WITNESS][CONF_URL]
        errors: dict[str, str] = {}
        if user_input is not None:
            witness, errors = await self._async_tried({CONF_URL: url, **user_input})
            if witness is not None:
                return self.async_update_and_abort(entry, data={**entry.data, CONF_WITNESS: witness})
        return self.async_show_form(
            step_id="reauth_confirm",
            data_schema=TOKEN_SCHEMA,
            errors=errors,
            description_placeholders={"address": url},
        )

    async def _async_tried(self, user_input: Mapping[str, Any]) -> tuple[dict[str, str] | None, dict[str, str]]:
        """Return the connection if it works, otherwise the errors to show beside the fields."""
        try:
            url = normalized_url(user_input[CONF_URL])
            await async_check_connection(self.hass, url, user_input[CONF_TOKEN])
        except WitnessCheckError as error:
            return None, {error.field: error.key}
        return {CONF_URL: url, CONF_TOKEN: user_input[CONF_TOKEN]}, {}

    def _connection_form(
        self, step_id: str, suggested: Mapping[str, Any] | None, errors: dict[str, str]
    ) -> ConfigFlowResult:
        return self.async_show_form(
            step_id=step_id,
            data_schema=self.add_suggested_values_to_schema(CONNECTION_SCHEMA, suggested),
            errors=errors,
            description_placeholders={"example": "http://homeassistant.local:8099"},
        )


class SimverityOptionsFlow(OptionsFlow):
    """When a device counts as settled (a session may declare its own), and which users are agents."""

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for the settled boundary and its window, and for the agents."""
        if user_input is not None:
            return self.async_create_entry(data=user_input)
        schema = OPTIONS_SCHEMA.extend({probatio.Optional(CONF_AGENTS): await self._async_users()})
        return self.async_show_form(
            step_id="init", data_schema=self.add_suggested_values_to_schema(schema, self.config_entry.options)
        )

    async def _async_users(self) -> SelectSelector:
        """Offer the users of this home, and those that were picked and are gone: keeping them harms nobody."""
        users = await self.hass.auth.async_get_users()
        names = {user: user for user in self.config_entry.options.get(CONF_AGENTS, ())}
        names |= {user.id: user.name or user.id for user in users if not user.system_generated}
        return SelectSelector(
            SelectSelectorConfig(
                options=[SelectOptionDict(value=user, label=name) for user, name in names.items()],
                multiple=True,
                mode=SelectSelectorMode.DROPDOWN,
            )
        )
