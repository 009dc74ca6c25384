import json
from dataclasses import replace

import pytest

from testbed import discovery
from testbed.declaration import Contact, Home, ReportBehaviour, Switchable


@pytest.mark.parametrize(
    ("device", "topic", "entity_id"),
    [
        ("desk_lamp", "homeassistant/light/testbed_desk_lamp/config", "light.desk_lamp"),
        ("gated_lamp", "homeassistant/light/testbed_gated_lamp/config", "light.gated_lamp_radio"),
        ("plug", "homeassistant/switch/testbed_plug/config", "switch.plug"),
        ("tv", "homeassistant/switch/testbed_tv/config", "switch.tv"),
        ("front_door", "homeassistant/binary_sensor/testbed_front_door/config", "binary_sensor.front_door"),
    ],
)
def test_each_device_announces_itself_on_its_platform(home: Home, device: str, topic: str, entity_id: str) -> None:
    declared = home.contacts[device] if device in home.contacts else home.switchables[device]
    announcement = discovery.announcement(declared)

    config = json.loads(announcement.payload)
    assert (announcement.topic, config["default_entity_id"]) == (topic, entity_id)


def test_identifiers_are_unique(home: Home) -> None:
    devices: list[Switchable | Contact] = [*home.switchables.values(), *home.contacts.values()]

    configs = [json.loads(discovery.announcement(device).payload) for device in devices]

    assert len({config["unique_id"] for config in configs}) == len(devices)
    assert len({config["device"]["identifiers"][0] for config in configs}) == len(devices)


def test_an_optimistic_device_announces_no_state_topic(home: Home) -> None:
    lamp = replace(home.switchables["desk_lamp"], report=ReportBehaviour.OPTIMISTIC)

    assert "state_topic" not in json.loads(discovery.announcement(lamp).payload)


def test_a_command_topic_names_its_device() -> None:
    assert discovery.device_of(discovery.command_topic("desk_lamp")) == "desk_lamp"
