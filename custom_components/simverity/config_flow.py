"""Set-up: without a camera there is no question; with one, the connection to the witness app is tried first.

One entry is enough for a home. The manifest does not say so: Home Assistant would then keep discoveries from an entry
that exists, and the entry could neither be given a witness nor its new token.
"""

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
from homeassistant.const import PERCENTAGE, UnitOfTime
from homeassistant.core import callback
from homeassistant.data_entry_flow import section
from homeassistant.helpers.selector import (
    BooleanSelector,
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
from homeassistant.helpers.service_info.hassio import HassioServiceInfo

from .const import (
    BLOCK_RANGE,
    CONF_AGENTS,
    CONF_BLOCK,
    CONF_CLEARANCE,
    CONF_CONFIDENCE,
    CONF_COUNTING,
    CONF_ONE_IN,
    CONF_SETTLE_FROM,
    CONF_SETTLE_WINDOW,
    CONF_STRICT,
    CONF_TOKEN,
    CONF_TOLERANCE,
    CONF_URL,
    CONF_WITNESS,
    CONFIDENCE_RANGE,
    COUNT_BLOCKS,
    COUNTING,
    DEFAULT_BLOCK,
    DEFAULT_CONFIDENCE,
    DEFAULT_ONE_IN,
    DEFAULT_SETTLE_FROM,
    DEFAULT_SETTLE_WINDOW,
    DEFAULT_TOLERANCE,
    DOMAIN,
    ONE_IN_RANGE,
    SETTLE_FROM_RANGE,
    SETTLE_WINDOW_RANGE,
    SUBENTRY_AUDITED,
    SUBENTRY_WITNESS,
    TOLERANCE_RANGE,
)
from .flow_audited_entity import AuditedEntityFlow
from .flow_witness import WitnessFlow
from .witness_check import WitnessCheckError, async_check_connection, normalized_url
from .witness_discovery import DiscoveredWitness, parse_discovery

EXAMPLE_URL = "http://homeassistant.local:8127"
TOKEN_SELECTOR = TextSelector(TextSelectorConfig(type=TextSelectorType.PASSWORD, autocomplete="current-password"))
CONNECTION_SCHEMA = probatio.Schema(
    {
        probatio.Required(CONF_URL): TextSelector(TextSelectorConfig(type=TextSelectorType.URL)),
        probatio.Required(CONF_TOKEN): TOKEN_SELECTOR,
    }
)
TOKEN_SCHEMA = probatio.Schema({probatio.Required(CONF_TOKEN): TOKEN_SELECTOR})


def _number(limits: tuple[float, float], step: float, unit: str | None = None) -> NumberSelector:
    config = NumberSelectorConfig(min=limits[0], max=limits[1], step=step, mode=NumberSelectorMode.BOX)
    return NumberSelector(config if unit is None else config | {"unit_of_measurement": unit})


def _seconds(limits: tuple[float, float]) -> NumberSelector:
    return _number(limits, 0.5, UnitOfTime.SECONDS)


CLEARANCE_SCHEMA = probatio.Schema(
    {
        probatio.Required(CONF_TOLERANCE, default=DEFAULT_TOLERANCE): _number(TOLERANCE_RANGE, 0.5, PERCENTAGE),
        probatio.Required(CONF_CONFIDENCE, default=DEFAULT_CONFIDENCE): _number(CONFIDENCE_RANGE, 0.1, PERCENTAGE),
        probatio.Required(CONF_STRICT, default=False): BooleanSelector(),
        probatio.Required(CONF_COUNTING, default=COUNT_BLOCKS): SelectSelector(
            SelectSelectorConfig(options=list(COUNTING), translation_key="counting", mode=SelectSelectorMode.LIST)
        ),
        probatio.Required(CONF_BLOCK, default=DEFAULT_BLOCK): _number(BLOCK_RANGE, 5, UnitOfTime.MINUTES),
        probatio.Required(CONF_ONE_IN, default=DEFAULT_ONE_IN): _number(ONE_IN_RANGE, 1),
    }
)
OPTIONS_SCHEMA = probatio.Schema(
    {
        probatio.Required(CONF_SETTLE_FROM, default=DEFAULT_SETTLE_FROM): _seconds(SETTLE_FROM_RANGE),
        probatio.Required(CONF_SETTLE_WINDOW, default=DEFAULT_SETTLE_WINDOW): _seconds(SETTLE_WINDOW_RANGE),
        probatio.Optional(CONF_CLEARANCE): section(CLEARANCE_SCHEMA, {"collapsed": True}),
    }
)


class SimverityConfigFlow(ConfigFlow, domain=DOMAIN):
    """Creates the one entry of the home, and changes its witness."""

    VERSION = 1
    _found: DiscoveredWitness

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
        if self._home_entry() is not None:
            return self.async_abort(reason="single_instance_allowed")
        return self.async_show_menu(step_id="user", menu_options=["without_camera", "with_witness"])

    async def async_step_without_camera(
        self,
        user_input: Mapping[str, Any] | None = None,  # noqa: ARG002 - nothing is asked
    ) -> ConfigFlowResult:
        """Create the entry; the accepted call is then audited against the settled reported state."""
        return await self._async_create({})

    async def async_step_with_witness(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for the witness app and try it."""
        errors: dict[str, str] = {}
        if user_input is not None:
            witness, errors = await self._async_tried(user_input)
            if witness is not None:
                return await self._async_create({CONF_WITNESS: witness})
        return self._connection_form("with_witness", user_input, errors)

    async def async_step_hassio(self, discovery_info: HassioServiceInfo) -> ConfigFlowResult:
        """Take the witness app that Supervisor found; one that a person has agreed to needs no question any more."""
        found = parse_discovery(discovery_info)
        if found is None:
            return self.async_abort(reason="not_a_witness")
        entry = self._home_entry()
        if entry is not None and found.agreed_to(entry.data):
            return self.async_update_and_abort(
                entry, data={**entry.data, CONF_WITNESS: found.connection()}, reason="already_configured"
            )
        for flow in self._async_in_progress(include_uninitialized=True):
            if flow["context"].get("unique_id") == found.app:  # it asks with a token that is no longer the newest
                self.hass.config_entries.flow.async_abort(flow["flow_id"])
        await self.async_set_unique_id(found.app)
        self._abort_if_unique_id_configured()
        self._found = found
        self.context["title_placeholders"] = {"name": found.name}
        self.context["configuration_url"] = f"homeassistant://config/app/{found.slug}/info"
        if entry is not None and CONF_WITNESS in entry.data:
            return await self.async_step_hassio_replace()
        return await self.async_step_hassio_confirm()

    async def async_step_hassio_confirm(self, user_input: Mapping[str, Any] | None = None) -> ConfigFlowResult:
        """Connect the app that was found, once a person agrees."""
        return await self._async_step_found("hassio_confirm", user_input)

    async def async_step_hassio_replace(self, user_input: Mapping[str, Any] | None = None) -> ConfigFlowResult:
        """Put the app that was found in the place of another one, once a person agrees."""
        return await self._async_step_found("hassio_replace", user_input)

    async def _async_step_found(self, step_id: str, user_input: Mapping[str, Any] | None) -> ConfigFlowResult:
        errors: dict[str, str] = {}
        entry = self._home_entry()
        if user_input is not None:
            witness, refused = await self._async_tried(self._found.connection())
            if witness is not None:
                return await self._async_connect(entry)
            errors = {"base": next(iter(refused.values()))}
        current = {} if entry is None else entry.data.get(CONF_WITNESS, {})
        return self.async_show_form(
            step_id=step_id,
            data_schema=probatio.Schema({}),
            errors=errors,
            description_placeholders={
                "app": self._found.name,
                "address": self._found.url,
                "current": current.get(CONF_URL, ""),
                "example": EXAMPLE_URL,
            },
        )

    async def _async_connect(self, entry: ConfigEntry | None) -> ConfigFlowResult:
        connection = {CONF_WITNESS: self._found.connection()}
        if entry is None:
            return await self._async_create(connection)
        return self.async_update_and_abort(entry, data={**entry.data, **connection}, reason="witness_connected")

    async def _async_create(self, data: dict[str, Any]) -> ConfigFlowResult:
        """Create the one entry. It is the home's, not an app's: it stays when the app is uninstalled."""
        if self._home_entry() is not None:
            return self.async_abort(reason="single_instance_allowed")
        await self.async_set_unique_id(DOMAIN, raise_on_progress=False)
        return self.async_create_entry(title="SimVerity", data=data)

    def _home_entry(self) -> ConfigEntry | None:
        """Return the entry of the home, if there is one."""
        return next(iter(self._async_current_entries(include_ignore=False)), None)

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
                connection = {**entry.data[CONF_WITNESS], **witness}
                return self.async_update_and_abort(entry, data={**entry.data, CONF_WITNESS: connection})
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
            description_placeholders={"example": EXAMPLE_URL},
        )


class SimverityOptionsFlow(OptionsFlow):
    """When a device counts as settled (a session may declare its own), what clearing takes, which users are agents."""

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
