"""Which repair issues stand, decided from the snapshot. An issue says what a person can do."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.event import async_call_later

from .const import CONF_URL, CONF_WITNESS, DOMAIN
from .coordinator import LedgerState, Snapshot, WitnessLink
from .device_issues import DeviceIssues
from .entry import SimverityConfigEntry

_LOGGER = logging.getLogger(__name__)

UNREACHABLE_GRACE = 300.0
"""Seconds for which a witness may be away (a restart, an update) before a person is bothered."""

LEDGER_BEHIND = "ledger_behind"
_LEDGER_ISSUES = {
    LedgerState.BEHIND: LEDGER_BEHIND,
    LedgerState.DAMAGED: "ledger_damaged",
    LedgerState.MISSING: "ledger_missing",
    LedgerState.READ_ONLY: "ledger_read_only",
    LedgerState.FULL: "ledger_full",
}
SESSION_INTERRUPTED = "session_interrupted"
WITNESS_UNREACHABLE = "witness_unreachable"
WITNESS_UNSUPPORTED = "witness_unsupported"


@callback
def async_watch_issues(hass: HomeAssistant, entry: SimverityConfigEntry) -> None:
    """Raise and withdraw issues as the snapshot changes, until the entry is unloaded."""
    watch = _IssueWatch(hass, entry)
    coordinator = entry.runtime_data.coordinator
    watch.handle(Snapshot(), coordinator.snapshot)
    entry.async_on_unload(coordinator.async_add_listener(watch.handle))
    entry.async_on_unload(watch.end)


class _IssueWatch:
    """Turns changes of the snapshot into issues."""

    def __init__(self, hass: HomeAssistant, entry: SimverityConfigEntry) -> None:
        self._hass = hass
        self._entry = entry
        self._told_away = False
        self._devices = DeviceIssues(hass, entry)
        self._stop_grace: Callable[[], None] | None = None

    @callback
    def handle(self, previous: Snapshot, current: Snapshot) -> None:
        """Compare two snapshots."""
        self._set_ledger(current.ledger.state)
        if previous.witness is not current.witness:
            self._set_witness(current.witness)
        self._devices.handle(current)
        if current.interrupted is not None and current.interrupted != previous.interrupted:
            self._create(SESSION_INTERRUPTED, fixable=True, session=current.interrupted)

    @callback
    def end(self) -> None:
        """Forget a grace that still runs. Standing issues stay until the next start has looked."""
        self._end_grace()
        self._devices.end()

    @callback
    def _end_grace(self) -> None:
        if self._stop_grace is not None:
            self._stop_grace()
            self._stop_grace = None

    @callback
    def _set_ledger(self, state: LedgerState) -> None:
        if state is LedgerState.VERIFYING:
            return
        for bad_state, key in _LEDGER_ISSUES.items():
            if state is bad_state:
                fixable = key == LEDGER_BEHIND
                path = self._hass.config.path(DOMAIN)
                self._create(key, severity=ir.IssueSeverity.ERROR, fixable=fixable, path=path)
            else:
                ir.async_delete_issue(self._hass, DOMAIN, key)

    @callback
    def _set_witness(self, link: WitnessLink) -> None:
        if link is WitnessLink.UNREACHABLE:
            if not self._told_away:
                _LOGGER.info("The witness app does not answer")
                self._told_away = True
            if self._stop_grace is None:
                self._stop_grace = async_call_later(self._hass, UNREACHABLE_GRACE, self._grace_over)
            return
        if link is WitnessLink.CONNECTING:
            return
        self._end_grace()
        ir.async_delete_issue(self._hass, DOMAIN, WITNESS_UNREACHABLE)
        if self._told_away and link is WitnessLink.CONNECTED:
            _LOGGER.info("The witness app answers again")
            self._told_away = False
        if link is WitnessLink.UNSUPPORTED:
            self._create(WITNESS_UNSUPPORTED)
        else:
            ir.async_delete_issue(self._hass, DOMAIN, WITNESS_UNSUPPORTED)
        if link is WitnessLink.UNAUTHORIZED:
            self._entry.async_start_reauth(self._hass)

    @callback
    def _grace_over(self, _: datetime) -> None:
        self._stop_grace = None
        self._create(WITNESS_UNREACHABLE, url=str(self._entry.data[CONF_WITNESS][CONF_URL]))

    @callback
    def _create(
        self,
        key: str,
        *,
        severity: ir.IssueSeverity = ir.IssueSeverity.WARNING,
        fixable: bool = False,
        **placeholders: str,
    ) -> None:
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            key,
            is_fixable=fixable,
            severity=severity,
            translation_key=key,
            translation_placeholders=placeholders,
        )
