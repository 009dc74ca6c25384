"""Pointing a witness at an audited entity: a sensor, or a camera and where in its picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import probatio
from homeassistant.config_entries import ConfigEntryState, ConfigSubentry, SubentryFlowResult
from homeassistant.core import callback
from homeassistant.helpers import entity_registry as er
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

from .adapters.witness.messages import CameraSpec, LampSpec
from .const import (
    CONF_CAMERA,
    CONF_KIND,
    CONF_REFERENCE,
    CONF_REGION,
    CONF_SENSOR,
    CONF_SUBJECT,
    CONF_URL,
    CONF_WITNESS,
    STREAM_KINDS,
)
from .coordinator import Phase
from .entry import SimverityConfigEntry, audited_subentries
from .flow_sensor import SensorWitnessFlow
from .selection import display_name
from .witness_check import WitnessCheckError, async_check_lamp

_SIDES = ("x", "y", "width", "height")
_HAS_REFERENCE = "has_reference"
_FRACTION = NumberSelector(NumberSelectorConfig(min=0, max=1, step=0.001, mode=NumberSelectorMode.SLIDER))


def _region_fields(prefix: str) -> dict[probatio.Marker, Any]:
    return {probatio.Required(f"{prefix}_{side}"): _FRACTION for side in _SIDES}


def _schema(subjects: list[SelectOptionDict]) -> probatio.Schema:
    return probatio.Schema(
        {
            probatio.Required(CONF_SUBJECT): SelectSelector(
                SelectSelectorConfig(options=subjects, mode=SelectSelectorMode.DROPDOWN)
            ),
            probatio.Required(CONF_CAMERA): TextSelector(),
            probatio.Required(CONF_KIND, default=STREAM_KINDS[0]): SelectSelector(
                SelectSelectorConfig(options=list(STREAM_KINDS), translation_key="stream_kind")
            ),
            probatio.Required(CONF_URL): TextSelector(TextSelectorConfig(type=TextSelectorType.URL)),
            **_region_fields(CONF_REGION),
            probatio.Required(_HAS_REFERENCE, default=False): BooleanSelector(),
            **{probatio.Optional(f"{CONF_REFERENCE}_{side}"): _FRACTION for side in _SIDES},
        }
    )


class WitnessFlow(SensorWitnessFlow):
    """Adds a witness to an audited entity, and moves its region or changes its sensor."""

    async def async_step_user(
        self,
        user_input: dict[str, Any] | None = None,  # noqa: ARG002 - a menu has none
    ) -> SubentryFlowResult:
        """Ask whether a camera or a sensor shall watch; without the witness app it is a sensor."""
        entry: SimverityConfigEntry = self._get_entry()
        if not audited_subentries(entry):
            return self.async_abort(reason="nothing_audited")
        if _session_running(entry):
            return self.async_abort(reason="session_running")
        if CONF_WITNESS not in entry.data:
            return await self.async_step_sensor()
        return self.async_show_menu(step_id="user", menu_options=["camera", "sensor"])

    async def async_step_camera(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Ask for the entity, the camera and the region, and try them where the witness app is reachable."""
        return await self._async_step("camera", user_input, None)

    async def async_step_reconfigure(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Change the camera or the region, or the sensor. The witness then has to qualify anew."""
        subentry = self._get_reconfigure_subentry()
        if CONF_SENSOR not in subentry.data:
            return await self._async_step("reconfigure", user_input, subentry)
        if _session_running(self._get_entry()):
            return self.async_abort(reason="session_running")
        return await self.async_change_sensor(subentry)

    async def _async_step(
        self, step_id: str, user_input: dict[str, Any] | None, subentry: ConfigSubentry | None
    ) -> SubentryFlowResult:
        entry: SimverityConfigEntry = self._get_entry()
        if CONF_WITNESS not in entry.data:
            return self.async_abort(reason="no_witness_app")
        if _session_running(entry):
            return self.async_abort(reason="session_running")
        errors: dict[str, str] = {}
        if user_input is not None:
            data, errors = await self._async_tried(entry, user_input, subentry)
            if data is not None:
                return self._finish(entry, data, subentry)
        suggested = user_input or (None if subentry is None else _fields(subentry.data))
        return self.async_show_form(
            step_id=step_id,
            data_schema=self.add_suggested_values_to_schema(_schema(self._subjects(entry)), suggested),
            errors=errors,
        )

    async def _async_tried(
        self, entry: SimverityConfigEntry, user_input: Mapping[str, Any], subentry: ConfigSubentry | None
    ) -> tuple[dict[str, Any] | None, dict[str, str]]:
        data = _parsed(user_input)
        taken = {other.unique_id for other in entry.subentries.values() if other is not subentry}
        if _unique_id(data) in taken:
            return None, {CONF_CAMERA: "already_witnessed"}
        for name in (CONF_REGION, CONF_REFERENCE):
            if data[name] is not None and not _inside_frame(data[name]):
                return None, {f"{name}_x": "region_outside_frame"}
        try:
            await async_check_lamp(self.hass, entry.data[CONF_WITNESS], *_specs(data))
        except WitnessCheckError as error:
            return None, {error.field if error.field in user_input else "base": error.key}
        return data, {}

    @callback
    def _finish(
        self, entry: SimverityConfigEntry, data: dict[str, Any], subentry: ConfigSubentry | None
    ) -> SubentryFlowResult:
        source = er.async_get(self.hass).entities.get_entry(data[CONF_SUBJECT])
        name = data[CONF_SUBJECT] if source is None else display_name(self.hass, source)
        title = f"{name} ({data[CONF_CAMERA]})"
        if subentry is None:
            return self.async_create_entry(title=title, data=data, unique_id=_unique_id(data))
        return self.async_update_and_abort(entry, subentry, title=title, data=data, unique_id=_unique_id(data))

    @callback
    def _subjects(self, entry: SimverityConfigEntry) -> list[SelectOptionDict]:
        registry = er.async_get(self.hass)
        sources = [registry.entities.get_entry(subject) for subject in audited_subentries(entry)]
        return [
            SelectOptionDict(value=source.id, label=display_name(self.hass, source))
            for source in sources
            if source is not None
        ]


def _session_running(entry: SimverityConfigEntry) -> bool:
    if entry.state is not ConfigEntryState.LOADED:
        return False
    return entry.runtime_data.coordinator.snapshot.session.phase is not Phase.IDLE


def _parsed(user_input: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a subentry from the fields of the form."""
    reference = [float(user_input.get(f"{CONF_REFERENCE}_{side}", 0.0)) for side in _SIDES]
    return {
        CONF_SUBJECT: user_input[CONF_SUBJECT],
        CONF_CAMERA: user_input[CONF_CAMERA].strip(),
        CONF_KIND: user_input[CONF_KIND],
        CONF_URL: user_input[CONF_URL].strip(),
        CONF_REGION: [float(user_input[f"{CONF_REGION}_{side}"]) for side in _SIDES],
        CONF_REFERENCE: reference if user_input[_HAS_REFERENCE] else None,
    }


def _fields(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the form from the data of a subentry."""
    fields = {key: data[key] for key in (CONF_SUBJECT, CONF_CAMERA, CONF_KIND, CONF_URL)}
    fields[_HAS_REFERENCE] = data[CONF_REFERENCE] is not None
    for name in (CONF_REGION, CONF_REFERENCE):
        if data[name] is not None:
            fields |= {f"{name}_{side}": value for side, value in zip(_SIDES, data[name], strict=True)}
    return fields


def _specs(data: Mapping[str, Any]) -> tuple[CameraSpec, LampSpec]:
    reference = data[CONF_REFERENCE]
    camera = CameraSpec(camera=data[CONF_CAMERA], kind=data[CONF_KIND], url=data[CONF_URL])
    lamp = LampSpec(
        lamp=_unique_id(data),
        camera=data[CONF_CAMERA],
        region=tuple(data[CONF_REGION]),
        reference=None if reference is None else tuple(reference),
    )
    return camera, lamp


def _unique_id(data: Mapping[str, Any]) -> str:
    return f"{data[CONF_SUBJECT]}:{data[CONF_CAMERA]}"


def _inside_frame(region: list[float]) -> bool:
    """Whether a region ``[x, y, width, height]``, in fractions of the frame, has an area and lies in the frame."""
    x, y, width, height = region
    return width > 0 and height > 0 and x + width <= 1 and y + height <= 1
