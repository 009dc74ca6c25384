"""What happens when the config entry is edited while it is loaded.

Subentries are applied as a difference. The connection and the options need a reload, which waits for the end of a
running session. Two hundred subentries added in one go are applied once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from homeassistant.core import HomeAssistant, callback

from .coordinator import Phase, Snapshot
from .entry import SimverityConfigEntry


class EntryChanges:
    """The update listener of one loaded entry."""

    def __init__(self, entry: SimverityConfigEntry) -> None:
        """Remember the connection and the options that are in effect."""
        self._in_effect = _reloading_part(entry)
        self._applying = self._pending = False
        self._stop_waiting: Callable[[], None] | None = None
        entry.async_on_unload(self._end)

    async def async_entry_updated(self, hass: HomeAssistant, entry: SimverityConfigEntry) -> None:
        """Apply what changed."""
        if _reloading_part(entry) != self._in_effect:
            self._reload_when_idle(hass, entry)
            return
        self._pending = True
        if self._applying:
            return
        self._applying = True
        try:
            while self._pending:
                self._pending = False
                await entry.runtime_data.async_apply_subentries()
        finally:
            self._applying = False

    @callback
    def _reload_when_idle(self, hass: HomeAssistant, entry: SimverityConfigEntry) -> None:
        coordinator = entry.runtime_data.coordinator
        if coordinator.snapshot.session.phase is Phase.IDLE:
            hass.config_entries.async_schedule_reload(entry.entry_id)
            return

        @callback
        def reload_at_end(_: Snapshot, current: Snapshot) -> None:
            if current.session.phase is Phase.IDLE:
                self._end()
                hass.config_entries.async_schedule_reload(entry.entry_id)

        if self._stop_waiting is None:
            self._stop_waiting = coordinator.async_add_listener(reload_at_end)

    @callback
    def _end(self) -> None:
        if self._stop_waiting is not None:
            self._stop_waiting()
            self._stop_waiting = None


def _reloading_part(entry: SimverityConfigEntry) -> tuple[dict[str, Any], dict[str, Any]]:
    return (dict(entry.data), dict(entry.options))
