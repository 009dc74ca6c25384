"""Load Home Assistant before the test harness, and give the newest one the name that the harness still imports.

Use as ``python -m pytest -p tests.phacc_compat``. Harmless on the oldest supported Home Assistant, whose harness it is.
"""

import homeassistant.components.logger as logger_integration
from homeassistant.components.logger import helpers

if not hasattr(logger_integration, "_clear_logger_overwrites"):
    logger_integration._clear_logger_overwrites = helpers._clear_logger_overwrites  # type: ignore[attr-defined]
