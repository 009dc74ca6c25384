"""Names that the parts of the integration share. It imports nothing."""

from __future__ import annotations

from typing import Final

DOMAIN: Final = "simverity"

SUBENTRY_AUDITED: Final = "audited_entity"
SUBENTRY_WITNESS: Final = "witness"

CONF_AGENTS: Final = "agents"
CONF_APP: Final = "app"
CONF_BLOCK: Final = "block"
CONF_CAMERA: Final = "camera"
CONF_CLEARANCE: Final = "clearance"
CONF_CONFIDENCE: Final = "confidence"
CONF_COUNTING: Final = "counting"
CONF_KIND: Final = "kind"
CONF_MAY_BE_SWITCHED: Final = "may_be_switched"
CONF_ONE_IN: Final = "one_in"
CONF_REFERENCE: Final = "reference"
CONF_REGION: Final = "region"
CONF_SAME_DEVICE: Final = "same_device"
CONF_SENSOR: Final = "sensor"
CONF_SETTLE_FROM: Final = "settle_from"
CONF_SETTLE_WINDOW: Final = "settle_window"
CONF_STRICT: Final = "strict"
CONF_SUBJECT: Final = "subject"
CONF_TOKEN: Final = "token"
CONF_TOLERANCE: Final = "tolerance"
CONF_URL: Final = "url"
CONF_WITNESS: Final = "witness"

DEFAULT_SETTLE_FROM: Final = 10.0
"""Seconds after dispatch from which an effect must have settled."""
DEFAULT_SETTLE_WINDOW: Final = 2.0
"""Seconds for which a settled effect must hold."""
SETTLE_FROM_RANGE: Final = (3.5, 120.0)
"""The settled boundary lies beyond the last boundary of the grid, 3 s."""
SETTLE_WINDOW_RANGE: Final = (0.5, 30.0)

COUNT_BLOCKS: Final = "blocks"
COUNT_DRAWN: Final = "drawn"
COUNTING: Final = (COUNT_BLOCKS, COUNT_DRAWN)
"""What counts towards clearing: the first trial of each block of time, or one trial in k."""
DEFAULT_TOLERANCE: Final = 5.0
"""Failures that a person tolerates, in percent."""
TOLERANCE_RANGE: Final = (0.5, 20.0)
DEFAULT_CONFIDENCE: Final = 95.0
"""One minus the chance that a device at that limit is ever called clear, in percent."""
CONFIDENCE_RANGE: Final = (80.0, 99.9)
DEFAULT_BLOCK: Final = 60.0
"""Minutes of which only the first trial counts towards clearing."""
BLOCK_RANGE: Final = (5.0, 1440.0)
DEFAULT_ONE_IN: Final = 5
ONE_IN_RANGE: Final = (1, 100)

STREAM_KINDS: Final = ("rtsp", "mpegts", "mjpeg")
SWITCHABLE_DOMAINS: Final = ("light", "switch")
"""What a session may switch, and only with a person's consent."""
OBSERVABLE_DOMAINS: Final = (
    *SWITCHABLE_DOMAINS,
    "fan",
    "cover",
    "valve",
    "lock",
    "climate",
    "media_player",
    "input_boolean",
)
"""What may be listed: commands that somebody else gives are then audited."""
