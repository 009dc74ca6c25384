"""Letting a sensor watch an audited entity: what is suggested, what is refused, and what is said about its word."""

from __future__ import annotations

from typing import Any

import pytest
from homeassistant.config_entries import SOURCE_USER
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.simverity.adapters.sensor_pairs import Independence, independence_of, suggestions
from custom_components.simverity.audit.listing import read_listing
from custom_components.simverity.audit.witnesses import SensorBinding
from custom_components.simverity.coordinator import Phase, SessionView
from tests.integration.surface import list_for_audit, register, set_up

pytest_plugins = ["tests.integration.surface_fixtures"]

type Flow = dict[str, Any]


@pytest.fixture
def plug(hass: HomeAssistant, entry: MockConfigEntry) -> er.RegistryEntry:
    """Return an audited plug in the kitchen."""
    plug = register(hass, "kettle", domain="switch", device="Kettle plug")
    kitchen = ar.async_get(hass).async_create("Kitchen")
    assert plug.device_id is not None
    dr.async_get(hass).async_update_device(plug.device_id, area_id=kitchen.id)
    list_for_audit(hass, entry, plug)
    return plug


def sensor(
    hass: HomeAssistant,
    key: str,
    state: str = "60.2",
    *,
    beside: er.RegistryEntry | None = None,
    area: str | None = None,
    device_class: str | None = "power",
    platform: str = "meters",
    domain: str = "sensor",
    helper: MockConfigEntry | None = None,
) -> er.RegistryEntry:
    """Register a sensor, beside a device or in an area."""
    registry = er.async_get(hass)
    made = registry.async_get_or_create(
        domain,
        platform,
        key,
        suggested_object_id=key,
        original_device_class=device_class,
        device_id=None if beside is None else beside.device_id,
        config_entry=helper,
    )
    if area is not None:
        made = registry.async_update_entity(made.entity_id, area_id=area)
    hass.states.async_set(made.entity_id, state, {"friendly_name": key, "unit_of_measurement": "W"})
    return made


async def _start(hass: HomeAssistant, entry: MockConfigEntry) -> Flow:
    flow: Any = await hass.config_entries.subentries.async_init(
        (entry.entry_id, "witness"), context={"source": SOURCE_USER}
    )
    return dict(flow)


async def _answered(hass: HomeAssistant, flow: Flow, answer: Flow) -> Flow:
    result: Any = await hass.config_entries.subentries.async_configure(flow["flow_id"], answer)
    await hass.async_block_till_done()
    return dict(result)


async def _asked(hass: HomeAssistant, entry: MockConfigEntry, plug: er.RegistryEntry) -> Flow:
    """Go to the question which sensor shall watch the plug."""
    return await _answered(hass, await _start(hass, entry), {"subject": plug.id})


def _options(flow: Flow) -> list[tuple[str, str]]:
    select = flow["data_schema"].schema["suggested"]
    return [(option["value"], option["label"]) for option in select.config["options"]]


async def test_sensors_of_the_same_device_and_area_are_suggested_in_order(
    hass: HomeAssistant, entry: MockConfigEntry, plug: er.RegistryEntry
) -> None:
    lux = sensor(hass, "kitchen light", "80", area="kitchen", device_class="illuminance")
    energy = sensor(hass, "kettle energy", "5.1", beside=plug, device_class="energy")
    power = sensor(hass, "kettle power", beside=plug)
    door = sensor(hass, "kitchen door", "off", area="kitchen", device_class="door", domain="binary_sensor")
    sensor(hass, "cellar power", area="cellar")
    sensor(hass, "kettle signal", beside=plug, device_class="signal_strength")
    sensor(hass, "kettle estimate", beside=plug, platform="powercalc")
    sensor(hass, "kettle text", "boiling", beside=plug)
    sensor(hass, "our own", beside=plug, platform="simverity")
    form = await _asked(hass, entry, plug)
    assert form["step_id"] == "sensor_of"
    assert _options(form) == [
        (power.id, "kettle power (60.2 W)"),
        (energy.id, "kettle energy (5.1 W)"),
        (lux.id, "kitchen light (80 W)"),
        (door.id, "kitchen door (off W)"),
    ]


async def test_a_suggested_meter_of_the_same_device_is_taken_with_words_about_it(
    hass: HomeAssistant, entry: MockConfigEntry, plug: er.RegistryEntry
) -> None:
    power = sensor(hass, "kettle power", beside=plug)
    confirm = await _answered(hass, await _asked(hass, entry, plug), {"suggested": power.id})
    assert confirm["step_id"] == "confirm_same_device"
    assert confirm["description_placeholders"] == {"device": "Kettle plug", "sensor": "kettle power"}
    result = await _answered(hass, confirm, {})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert (result["title"], result["unique_id"]) == ("Kettle plug (kettle power)", f"{plug.id}:{power.id}")
    assert result["data"] == {"subject": plug.id, "sensor": power.id, "same_device": True}
    [binding] = read_listing(entry).bindings
    assert isinstance(binding, SensorBinding)
    assert binding.instrument == f"sensor:{power.id}:same_device"


async def test_a_sensor_of_another_device_is_taken(
    hass: HomeAssistant, entry: MockConfigEntry, plug: er.RegistryEntry
) -> None:
    lux = sensor(hass, "hall light", "80", device_class="illuminance")
    form = await _asked(hass, entry, plug)
    assert "suggested" not in form["data_schema"].schema
    confirm = await _answered(hass, form, {"sensor": lux.entity_id})
    assert confirm["step_id"] == "confirm_other_device"
    result = await _answered(hass, confirm, {})
    assert result["data"]["same_device"] is False


async def test_a_calculated_sensor_is_warned_about_and_one_made_from_the_device_is_refused(
    hass: HomeAssistant, entry: MockConfigEntry, plug: er.RegistryEntry
) -> None:
    about_plug = MockConfigEntry(domain="template", options={"state": "{{ 60 if is_state('switch.kettle', 'on') }}"})
    about_plug.add_to_hass(hass)
    derived = sensor(hass, "made up", platform="template", helper=about_plug)
    calculated = sensor(hass, "from yaml", platform="template")
    form = await _answered(hass, await _asked(hass, entry, plug), {"sensor": derived.entity_id})
    assert form["errors"] == {"base": "not_independent"}
    confirm = await _answered(hass, form, {"sensor": calculated.entity_id})
    assert confirm["step_id"] == "confirm_calculated"


async def test_independence_as_far_as_the_registries_tell(
    hass: HomeAssistant, entry: MockConfigEntry, plug: er.RegistryEntry
) -> None:
    mean = MockConfigEntry(domain="min_max", options={"entity_ids": ["sensor.a"]})
    mean.add_to_hass(hass)
    found = {
        "mean": independence_of(hass, plug, sensor(hass, "mean", platform="min_max", helper=mean)),
        "self": independence_of(hass, plug, plug),
        "estimate": independence_of(hass, plug, sensor(hass, "estimate", platform="powercalc")),
    }
    echo = sensor(hass, "echo", beside=plug)
    hass.states.async_set(echo.entity_id, "60", {"assumed_state": True})
    found["echo"] = independence_of(hass, plug, echo)
    assert found == {
        "mean": Independence.CALCULATED,
        "self": Independence.DERIVED,
        "estimate": Independence.DERIVED,
        "echo": Independence.DERIVED,
    }


@pytest.mark.parametrize(
    ("state", "platform", "error"),
    [
        ("unavailable", "meters", "sensor_unavailable"),
        ("boiling", "meters", "not_measuring"),
        ("5", "simverity", "own_sensor"),
    ],
)
async def test_what_cannot_testify_is_refused(
    hass: HomeAssistant, entry: MockConfigEntry, plug: er.RegistryEntry, state: str, platform: str, error: str
) -> None:
    picked = sensor(hass, "meter", state, platform=platform)
    form = await _answered(hass, await _asked(hass, entry, plug), {"sensor": picked.entity_id})
    assert form["errors"] == {"base": error}


async def test_something_must_be_picked_that_home_assistant_knows(
    hass: HomeAssistant, entry: MockConfigEntry, plug: er.RegistryEntry
) -> None:
    form = await _answered(hass, await _asked(hass, entry, plug), {})
    assert form["errors"] == {"base": "no_sensor"}
    hass.states.async_set("sensor.passing", "5")
    form = await _answered(hass, form, {"sensor": "sensor.passing"})
    assert form["errors"] == {"base": "sensor_not_registered"}


async def test_a_sensor_watches_a_device_once_and_can_be_changed(
    hass: HomeAssistant, entry: MockConfigEntry, plug: er.RegistryEntry
) -> None:
    power, current = sensor(hass, "power", beside=plug), sensor(hass, "current", beside=plug, device_class="current")
    await _answered(hass, await _answered(hass, await _asked(hass, entry, plug), {"suggested": power.id}), {})
    form = await _answered(hass, await _asked(hass, entry, plug), {"suggested": power.id})
    assert form["errors"] == {"base": "sensor_already_witness"}
    subentry = next(other for other in entry.subentries.values() if other.subentry_type == "witness")
    asked: Any = await entry.start_subentry_reconfigure_flow(hass, subentry.subentry_id)
    assert asked["step_id"] == "sensor_of"
    result = await _answered(hass, await _answered(hass, asked, {"suggested": current.id}), {})
    assert result["reason"] == "reconfigure_successful"
    assert entry.subentries[subentry.subentry_id].data["sensor"] == current.id


async def test_a_pair_whose_device_is_gone_cannot_be_changed(
    hass: HomeAssistant, entry: MockConfigEntry, plug: er.RegistryEntry
) -> None:
    power = sensor(hass, "power", beside=plug)
    await _answered(hass, await _answered(hass, await _asked(hass, entry, plug), {"suggested": power.id}), {})
    er.async_get(hass).async_remove(plug.entity_id)
    subentry = next(other for other in entry.subentries.values() if other.subentry_type == "witness")
    asked: Any = await entry.start_subentry_reconfigure_flow(hass, subentry.subentry_id)
    assert asked["reason"] == "entity_gone"


async def test_what_may_never_be_strobed_cannot_be_given_a_sensor(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    list_for_audit(hass, entry, register(hass, "gate", domain="cover"))
    assert (await _start(hass, entry))["reason"] == "nothing_to_strobe"


async def test_sensors_are_not_touched_while_a_session_runs(
    hass: HomeAssistant, entry: MockConfigEntry, plug: er.RegistryEntry
) -> None:
    power = sensor(hass, "power", beside=plug)
    await _answered(hass, await _answered(hass, await _asked(hass, entry, plug), {"suggested": power.id}), {})
    runtime = await set_up(hass, entry)
    runtime.publish(session=SessionView(phase=Phase.RUNNING))
    subentry = next(other for other in entry.subentries.values() if other.subentry_type == "witness")
    asked: Any = await entry.start_subentry_reconfigure_flow(hass, subentry.subentry_id)
    assert (await _start(hass, entry))["reason"] == asked["reason"] == "session_running"


async def test_a_device_without_an_area_has_only_its_own_sensors_suggested(
    hass: HomeAssistant, entry: MockConfigEntry
) -> None:
    lamp = register(hass, "lamp")
    sensor(hass, "anywhere")
    assert suggestions(hass, lamp) == ()
