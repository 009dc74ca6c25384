"""What the surface's tests do again and again: register entities, list them, set the entry up."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.simverity.const import DOMAIN
from tests.integration.fake_runtime import FakeRuntime


def register(
    hass: HomeAssistant, key: str, *, domain: str = "light", device: str | None = None, **extra: Any
) -> er.RegistryEntry:
    """Register an entity of another integration, on a device of its own if one is named."""
    other = MockConfigEntry(domain="other", entry_id=f"other_{key}")
    other.add_to_hass(hass)
    device_id = None
    if device is not None:
        made = dr.async_get(hass).async_get_or_create(
            config_entry_id=other.entry_id, identifiers={("other", key)}, name=device
        )
        device_id = made.id
    source = er.async_get(hass).async_get_or_create(
        domain,
        "other",
        key,
        suggested_object_id=key,
        config_entry=other,
        device_id=device_id,
        **extra,
    )
    hass.states.async_set(source.entity_id, "off", {"friendly_name": device or key.title()})
    return source


def list_for_audit(
    hass: HomeAssistant, entry: MockConfigEntry, source: er.RegistryEntry, *, may_be_switched: bool = True
) -> ConfigSubentry:
    """List an entity, as the flow does."""
    subentry = ConfigSubentry(
        data=MappingProxyType({"subject": source.id, "may_be_switched": may_be_switched}),
        subentry_type="audited_entity",
        title=source.entity_id,
        unique_id=source.id,
    )
    hass.config_entries.async_add_subentry(entry, subentry)
    return subentry


async def set_up(hass: HomeAssistant, entry: MockConfigEntry) -> FakeRuntime:
    """Set the entry up and return the runtime behind it."""
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    runtime = entry.runtime_data
    assert isinstance(runtime, FakeRuntime)
    return runtime


def entity_id_of(hass: HomeAssistant, platform: str, unique_id: str) -> str:
    """Return the entity id that one of our unique ids got."""
    entity_id = er.async_get(hass).async_get_entity_id(platform, DOMAIN, unique_id)
    assert entity_id is not None
    return entity_id


def own_device(hass: HomeAssistant, entry: MockConfigEntry, identifier: str) -> dr.DeviceEntry:
    """Return a device of ours."""
    device = dr.async_get(hass).async_get_device_by_identifier((DOMAIN, identifier), entry.entry_id)
    assert device is not None
    return device
