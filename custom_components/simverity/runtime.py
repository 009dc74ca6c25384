"""The object graph of one config entry, built once and kept in ``entry.runtime_data``.

Order at set-up: ``runtime = await Runtime.async_build(hass, entry)``; ``entry.runtime_data = runtime``; forward the
platforms (``light`` and ``switch`` register the makers of virtual edges); ``await runtime.async_start()``.
At unload: unload the platforms, then ``await runtime.async_stop()``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .engine.terms import Path, SessionId

if TYPE_CHECKING:
    from homeassistant.config_entries import ConfigEntry
    from homeassistant.core import HomeAssistant

    from .coordinator import SimverityCoordinator


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRequest:
    """What a person asks of a session. (It will move to audit/session.py; import it from here.)

    ``subjects`` are entity registry ids or entity ids; a light group with audited members gives a multi-target row.
    ``seed`` orders the trials (None: drawn by the session). ``settle_from`` and ``settle_window`` (seconds) override the
    entry's options. ``paths`` limits the rows to those paths (None: all that apply).
    """

    subjects: tuple[str, ...]
    repetitions: int = 10
    seed: int | None = None
    settle_from: float | None = None
    settle_window: float | None = None
    paths: frozenset[Path] | None = None


class Runtime:
    """Everything that lives as long as the config entry is loaded."""

    coordinator: SimverityCoordinator

    @classmethod
    async def async_build(cls, hass: HomeAssistant, entry: ConfigEntry[Runtime]) -> Runtime:
        """Build the graph; a missing witness or a damaged ledger loads degraded, it never fails the entry."""
        raise NotImplementedError

    async def async_start(self) -> None:
        """Start watching; platforms are set up by now."""
        raise NotImplementedError

    async def async_stop(self) -> None:
        """End the session, remove the edges, cancel tasks, close the ledger and join its thread."""
        raise NotImplementedError

    async def async_apply_subentries(self) -> None:
        """Apply the difference between the entry's subentries and what is watched; deferred while a session runs."""
        raise NotImplementedError

    async def async_run_session(self, request: SessionRequest) -> SessionId:
        """Check the request, start the session in the background and return its id at once.

        Raises:
            AuditError: one of the subclasses in ``audit/errors.py``.
        """
        raise NotImplementedError

    async def async_wait_session(self, session_id: SessionId) -> dict[str, Any]:
        """Wait for the end of a session and return its card as JSON values."""
        raise NotImplementedError

    async def async_cancel_session(self) -> None:
        """Stop the running session; states are restored before this returns."""
        raise NotImplementedError

    async def async_requalify(self, subjects: tuple[str, ...]) -> None:
        """Qualify the witnesses of these subjects anew; returns when the records are in."""
        raise NotImplementedError

    def card(self, session_id: str | None = None) -> dict[str, Any] | None:
        """Return the card of a session, or of the last one; None if there is none."""
        raise NotImplementedError

    def cells(self, subject: str | None = None) -> list[dict[str, Any]]:
        """Return the standing cells, of one subject (registry id) or of all."""
        raise NotImplementedError

    @property
    def ledger_status(self) -> str:
        """``sound``, ``verifying``, ``damaged``, ``missing``, ``read_only`` or ``full``."""
        raise NotImplementedError
