"""The one clock that stamps are taken from, and the boot that it belongs to."""

from __future__ import annotations

import time
import uuid
from pathlib import Path

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")

monotonic = time.monotonic
"""Seconds on ``CLOCK_MONOTONIC``: shared by every process of one boot."""


def boot_id() -> str:
    """Return this boot's id; where the system has none, a fresh one, so that no foreign clock is taken for ours."""
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return str(uuid.uuid4())
