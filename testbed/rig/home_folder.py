"""The configuration folder of the Home Assistant that the rig starts."""

import json
from pathlib import Path

from testbed.rig.layout import ROOT

GATED_LAMP_RADIO = "gated_lamp_radio"
"""Object id of the MQTT lamp below the confirmation-gated one."""

CONFIGURATION = """\
homeassistant:
  name: Emulated home
  time_zone: UTC

frontend:
history:
logger:
  default: warning
  logs:
    custom_components.simverity: info

# A group as many homes have one: Home Assistant sends one command to each member.
light:
  - platform: group
    name: Ceiling
    unique_id: ceiling_group
    entities:
      - light.ceiling_a
      - light.ceiling_b

# MQTT alone returns once a command is published. This lamp returns only after the acknowledged state has arrived.
template:
  - light:
      - name: Gated lamp
        unique_id: gated_lamp
        default_entity_id: light.gated_lamp
        state: "{{ is_state('light.gated_lamp_radio', 'on') }}"
        availability: "{{ has_value('light.gated_lamp_radio') }}"
        turn_on:
          - action: light.turn_on
            target:
              entity_id: light.gated_lamp_radio
          - wait_template: "{{ is_state('light.gated_lamp', 'on') }}"
            timeout: 5
            continue_on_timeout: false
        turn_off:
          - action: light.turn_off
            target:
              entity_id: light.gated_lamp_radio
          - wait_template: "{{ is_state('light.gated_lamp', 'off') }}"
            timeout: 5
            continue_on_timeout: false
"""


# The rig creates the owner; the other steps would fetch the weather and a speech service from the internet.
_ONBOARDING = {
    "version": 4,
    "minor_version": 1,
    "key": "onboarding",
    "data": {"done": ["core_config", "analytics", "integration"]},
}


def write_home_folder(folder: Path, *, with_simverity: bool = True) -> None:
    """Write the configuration of the emulated home, with the integration of this checkout linked into it."""
    storage = folder / ".storage"
    storage.mkdir(parents=True, exist_ok=True)
    (storage / "onboarding").write_text(json.dumps(_ONBOARDING), encoding="utf-8")
    (folder / "configuration.yaml").write_text(CONFIGURATION, encoding="utf-8")
    custom = folder / "custom_components"
    if with_simverity and not custom.exists():
        custom.mkdir()
        (custom / "simverity").symlink_to(ROOT / "custom_components" / "simverity", target_is_directory=True)
