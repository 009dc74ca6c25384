"""What the audit works with: every adapter once, built by the runtime."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Protocol

from homeassistant.core import HomeAssistant

from ..adapters.bus_observer import BusObserver
from ..adapters.clocks import Clocks
from ..adapters.registry import Registry
from ..adapters.trial_driver import TrialDriver
from ..adapters.virtual_edges import EdgeHost
from .evidence import Evidence
from .watching import OwnContexts, Watching
from .witnesses import Witnesses


class Spawn(Protocol):
    """Starts a background task that ends with the config entry."""

    def __call__[T](self, work: Coroutine[Any, Any, T], name: str) -> asyncio.Task[T]:
        """Start the task at once, up to its first wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Apparatus:
    """The adapters and what is shared between the shells. ``new_observer`` makes an observer that watches nothing."""

    hass: HomeAssistant
    spawn: Spawn
    clocks: Clocks
    registry: Registry
    observer: BusObserver
    new_observer: Callable[[], BusObserver]
    driver: TrialDriver
    witnesses: Witnesses
    watching: Watching
    edges: EdgeHost
    evidence: Evidence
    own: OwnContexts
