"""MQTT topics, and the retained messages by which Home Assistant discovers the devices. Pure."""

import json
from dataclasses import dataclass

from testbed.declaration import Contact, DeviceKind, Meter, MeterKind, ReportBehaviour, Switchable

BRIDGE_AVAILABILITY = "testbed/bridge/availability"
BIRTH_TOPIC = "homeassistant/status"
"""Home Assistant's default birth topic: ``online`` asks every device to tell its state again."""
ONLINE = "online"
OFFLINE = "offline"
ON = "ON"
OFF = "OFF"
COMMANDS = "testbed/+/set"

_UNITS = {MeterKind.POWER: "W", MeterKind.ILLUMINANCE: "lx"}
_PLATFORMS = {DeviceKind.LAMP: "light", DeviceKind.PLUG: "switch", DeviceKind.TV: "switch"}
_MODELS = {
    DeviceKind.LAMP: "Emulated dimming lamp",
    DeviceKind.PLUG: "Emulated plug",
    DeviceKind.TV: "Emulated television",
    DeviceKind.CONTACT: "Emulated contact sensor",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """One retained discovery message."""

    topic: str
    payload: str


def command_topic(device: str) -> str:
    """Return where a device listens."""
    return f"testbed/{device}/set"


def state_topic(device: str) -> str:
    """Return where a device reports."""
    return f"testbed/{device}/state"


def availability_topic(device: str) -> str:
    """Return where the bridge tells whether it still hears the device."""
    return f"testbed/{device}/availability"


def device_of(topic: str) -> str:
    """Return the device that a command topic addresses."""
    return topic.split("/")[1]


def entity_id(device: Switchable | Contact) -> str:
    """Return the entity id that the device suggests."""
    return f"{_platform(device)}.{device.object_id}"


def _platform(device: Switchable | Contact) -> str:
    return "binary_sensor" if isinstance(device, Contact) else _PLATFORMS[device.kind]


def announcement(device: Switchable | Contact) -> Announcement:
    """Return the discovery message of one device."""
    kind = DeviceKind.CONTACT if isinstance(device, Contact) else device.kind
    config: dict[str, object] = {
        "name": None,
        "unique_id": f"testbed_{device.id}",
        "default_entity_id": entity_id(device),
        "availability_mode": "all",
        "availability": [{"topic": BRIDGE_AVAILABILITY}, {"topic": availability_topic(device.id)}],
        "device": {
            "identifiers": [f"testbed_{device.id}"],
            "name": device.name,
            "manufacturer": "SimVerity testbed",
            "model": _MODELS[kind],
            "sw_version": "1.0",
        },
        "origin": {"name": "simverity-testbed"},
    }
    if isinstance(device, Contact):
        config |= {"state_topic": state_topic(device.id), "device_class": "door"}
    else:
        config |= _switchable_topics(device)
    return Announcement(
        topic=f"homeassistant/{_platform(device)}/testbed_{device.id}/config", payload=json.dumps(config)
    )


def meter_announcement(meter: Meter) -> Announcement:
    """Return the discovery message of a sensor. A power meter is part of the device that it measures."""
    own = meter.kind is MeterKind.ILLUMINANCE
    config: dict[str, object] = {
        "name": None if own else "Power",
        "unique_id": f"testbed_{meter.id}",
        "default_entity_id": f"sensor.{meter.object_id}",
        "availability": [{"topic": BRIDGE_AVAILABILITY}],
        "state_topic": state_topic(meter.id),
        "device_class": meter.kind.value,
        "unit_of_measurement": _UNITS[meter.kind],
        "state_class": "measurement",
        "device": {"identifiers": [f"testbed_{meter.id if own else meter.devices[0]}"]},
        "origin": {"name": "simverity-testbed"},
    }
    if own:
        config["device"] = {
            "identifiers": [f"testbed_{meter.id}"],
            "name": meter.name,
            "manufacturer": "SimVerity testbed",
            "model": "Emulated light sensor",
            "sw_version": "1.0",
        }
    return Announcement(topic=f"homeassistant/sensor/testbed_{meter.id}/config", payload=json.dumps(config))


def _switchable_topics(device: Switchable) -> dict[str, object]:
    topics: dict[str, object] = {"command_topic": command_topic(device.id), "payload_on": ON, "payload_off": OFF}
    if device.report is not ReportBehaviour.OPTIMISTIC:
        topics["state_topic"] = state_topic(device.id)
    if device.kind is DeviceKind.PLUG:
        topics["device_class"] = "outlet"
    return topics
