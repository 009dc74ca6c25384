"""The object graph of one config entry, built once and kept in ``entry.runtime_data``.

Order at set-up: ``runtime = await Runtime.async_build(hass, entry)``; ``entry.runtime_data = runtime``; forward the
platforms (``light`` and ``switch`` register the makers of virtual edges); ``await runtime.async_start()``.
At unload: unload the platforms, then ``await runtime.async_stop()``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from pathlib import Path as Folder
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Event, HassJob, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.helpers.start import async_at_started

from .adapters.bus_observer import BusObserver, Consumer
from .adapters.clocks import Clocks, present_stamp, read_boot_id
from .adapters.ledger.store import LedgerStore
from .adapters.registry import Registry
from .adapters.trial_driver import TrialDriver
from .adapters.virtual_edges import EdgeHost
from .adapters.witness.client import WitnessClient
from .adapters.witness.sensors import SensorWitness
from .audit.apparatus import Apparatus
from .audit.conclusions import Conclusions
from .audit.coordinates import Gathering
from .audit.errors import AuditError, NothingToAcknowledgeError, NothingToReplayError, NotReadyError
from .audit.evidence import Evidence
from .audit.listing import read_listing, watched_entities
from .audit.passive import PassiveTrials
from .audit.predictions import Predictions
from .audit.publishing import Publishing
from .audit.records import Records
from .audit.recovery import Recovery
from .audit.session_plan import SessionRequest
from .audit.sessions import Sessions
from .audit.views import cell_message
from .audit.watching import OwnContexts, Watching
from .audit.witnesses import Witnesses
from .const import CONF_TOKEN, CONF_URL, CONF_WITNESS, DOMAIN
from .coordinator import SimverityCoordinator
from .engine.standing.state import Acknowledgement
from .engine.terms import Direction, SessionId, SubjectId
from .engine.trace.trace import Trace

__all__ = ["Runtime", "SessionRequest"]
_CHECKPOINT_INTERVAL = timedelta(seconds=60)


class Runtime:
    """Everything that lives as long as the config entry is loaded."""

    def __init__(self, hass: HomeAssistant, entry: ConfigEntry[Runtime], boot_id: str | None) -> None:
        """Put the parts together; nothing runs before ``async_start``."""
        self._hass = hass
        self._entry = entry
        self._listing = read_listing(entry)
        self._stops: list[Callable[[], None]] = []
        self._stopped = self._deferred = False
        self._applying = asyncio.Lock()
        self._watched_beside: tuple[SubjectId, ...] = ()
        self.coordinator = SimverityCoordinator()
        self._clocks = Clocks()
        self._registry = Registry(hass)
        self._store = LedgerStore(
            Folder(hass.config.path(DOMAIN)), make_stamp=lambda: present_stamp(boot_id), on_change=self._ledger_changed
        )
        self._predictions = Predictions()
        evidence = Evidence(self._store)
        self._conclusions = Conclusions(self._store, evidence)
        self._sensors = SensorWitness(hass, clocks=self._clocks, boot_id=boot_id, on_change=self._witness_changed)
        client = self._witness_client(boot_id)
        self._witnesses = Witnesses(client, wall=self._clocks.wall, sensors=self._sensors)
        self._watching = Watching(self._clocks, self._witnesses)
        self.edges = EdgeHost(hass, entry.entry_id, monotonic=self._clocks.monotonic)
        self._observer = self._new_observer()
        self._apparatus = self._assemble(evidence)
        self._gathering = Gathering(
            hass=hass, registry=self._registry, witnesses=self._witnesses, policy=self._listing.policy
        )
        self._publishing = Publishing(
            hass,
            self.coordinator,
            store=self._store,
            conclusions=self._conclusions,
            witnesses=self._witnesses,
            registry=self._registry,
            predictions=self._predictions,
            audited=lambda: self._listing.may_be_switched,
        )
        self._passive = PassiveTrials(
            self._apparatus,
            settling=self._listing.settling,
            audited=lambda subject: subject in self._listing.may_be_switched,
            take=self._async_take_passive,
        )
        self._sessions = Sessions(
            self._apparatus,
            self._conclusions,
            self._gathering,
            listing=lambda: self._listing,
            on_progress=self._publishing.session_moved,
            on_idle=self._became_idle,
            watch=self._watch_beside,
        )
        self._recovery = Recovery(self._apparatus, self._conclusions, self._store)
        self.records = Records(hass, self._store, self._conclusions, entry)

    @classmethod
    async def async_build(cls, hass: HomeAssistant, entry: ConfigEntry[Runtime]) -> Runtime:
        """Build the graph; a missing witness or a damaged ledger loads degraded, it never fails the entry."""
        runtime = cls(hass, entry, await hass.async_add_executor_job(read_boot_id))
        await runtime._store.async_open()
        await runtime._conclusions.async_load()
        await runtime._conclusions.async_adopt(runtime._listing.policy)
        await runtime._predictions.async_load(hass, Folder(hass.config.path(DOMAIN)))
        runtime._conclusions.expire(runtime._clocks.wall())
        runtime.edges.purge()
        await runtime._publishing.async_publish_first()
        return runtime

    async def async_start(self) -> None:
        """Start watching; platforms are set up by now."""
        consumer = Consumer(on_command=self._passive.on_command, on_report=self._passive.on_report)
        self._stops = [
            self._observer.async_add_consumer(consumer),
            self._sensors.stop,
            self._hass.bus.async_listen(er.EVENT_ENTITY_REGISTRY_UPDATED, self._registry_updated),
            async_track_time_interval(self._hass, self._async_checkpoint, _CHECKPOINT_INTERVAL),
            self._hass.async_add_shutdown_job(HassJob(self.async_stop, "simverity shutdown")),
            async_at_started(self._hass, self._home_started),
        ]
        self._witnesses.recall(self._listing.bindings, self._conclusions.qualifications)
        if self._witnesses.client is not None:
            self._witnesses.client.start()
        await self._witnesses.async_bind(self._listing.bindings)
        self._watch()
        self._spawn(self._async_verify(), "simverity ledger verification")

    async def async_stop(self) -> None:
        """End the session, remove the edges, cancel tasks, close the ledger and join its thread."""
        if self._stopped:
            return
        self._stopped = True
        for stop in self._stops:
            stop()
        if self._sessions.busy:
            await self._sessions.async_cancel()
        self._publishing.stop()
        self._observer.async_stop()
        await self._passive.async_stop()
        if self._witnesses.client is not None:
            await self._witnesses.client.async_stop()
        self.edges.purge()
        await self._conclusions.async_save()
        await self._store.async_close()

    async def async_apply_subentries(self) -> None:
        """Apply the difference between the entry's subentries and what is watched; deferred while a session runs."""
        if self._sessions.busy:
            self._deferred = True
            return
        async with self._applying:
            if self._stopped:
                return
            self._listing = read_listing(self._entry)
            self._watch()
            self._publishing.changed()
            await self._witnesses.async_bind(self._listing.bindings)
        await self._async_note_coordinates()

    async def async_run_session(self, request: SessionRequest) -> SessionId:
        """Check the request, start the session in the background and return its id at once.

        Raises:
            AuditError: one of the subclasses in ``audit/errors.py``.
        """
        await self._async_up_to_date()
        return self._sessions.start(request)

    async def async_wait_session(self, session_id: SessionId) -> dict[str, Any]:
        """Wait for the end of a session and return its card as JSON values.

        Raises:
            NoSessionError: there is no such session.
        """
        return await self._sessions.async_wait(session_id)

    async def async_cancel_session(self) -> None:
        """Stop the running session; states are restored before this returns.

        Raises:
            NoSessionError: none runs.
        """
        await self._sessions.async_cancel()

    async def async_replay(self, subject: str, direction: Direction, *, at: str | None, repetitions: int) -> SessionId:
        """Repeat a false clearance of a subject (registry id): the same command, the same terms. See ``Records``.

        Raises:
            AuditError: nothing of it failed in that direction, or what forbids any session.
        """
        await self._async_up_to_date()
        request = await self.records.async_replay_request(subject, direction, at=at, repetitions=repetitions)
        if request is None:
            raise NothingToReplayError(entity=self._registry.entity_of(SubjectId(subject)) or subject)
        return self._sessions.start(request)

    async def async_requalify(self, subjects: tuple[str, ...]) -> None:
        """Qualify the witnesses of these subjects (registry ids) anew; returns when the records are in.

        Raises:
            AuditError: one of the subclasses in ``audit/errors.py``.
        """
        await self._async_up_to_date()
        await self._sessions.async_requalify(tuple(SubjectId(subject) for subject in subjects))

    async def async_acknowledge(self, subject: str, *, reason: str, lasts: timedelta) -> None:
        """Set aside, for a while, what stands against a subject (registry id).

        Raises:
            AuditError: one of the subclasses in ``audit/errors.py``.
        """
        self._require_running()
        if not self._conclusions.escalates(SubjectId(subject)):
            raise NothingToAcknowledgeError(entity=self._registry.entity_of(subject) or subject)
        now = self._clocks.wall()
        acknowledgement = Acknowledgement(reason=reason, expires_at=now + lasts.total_seconds())
        await self._conclusions.async_acknowledge(SubjectId(subject), acknowledgement, now)
        self._publishing.changed((SubjectId(subject),))

    async def async_redact(self, subjects: frozenset[str], *, until: str | None, reason: str, author: str) -> int:
        """Remove the traces of these subjects (registry ids); return of how many trials. See ``Records``.

        Raises:
            AuditError: a session runs, or the ledger refuses.
        """
        self._require_running()
        self._sessions.require_idle()
        return await self.records.async_redact(subjects, until=until, reason=reason, author=author)

    async def async_go_on_from_backup(self) -> None:
        """Accept that the ledger is a restored backup.

        Raises:
            AuditError: it is none, or its chain is not whole.
        """
        self._require_running()
        await self.records.async_go_on_from_backup()
        self._publishing.changed()

    def note_return(self, context_id: str, error: str | None) -> None:
        """Learn that a guarded tool's call returned, or failed with an exception of this name."""
        self._passive.on_return(context_id, error)

    def card(self, session_id: str | None = None) -> dict[str, Any] | None:
        """Return the card of a session, or of the last one; None if there is none."""
        return self._sessions.card(None if session_id is None else SessionId(session_id))

    def cells(self, subject: str | None = None) -> list[dict[str, Any]]:
        """Return the standing cells, of one subject (registry id) or of all."""
        standing = self._conclusions.standing
        subjects = standing.subjects() if subject is None else (SubjectId(subject),)
        return [cell_message(cell, standing.policy) for one in subjects for cell in standing.cells_of(one)]

    @property
    def ledger_status(self) -> str:
        """A value of ``StoreState``."""
        return self._store.state.value

    def _assemble(self, evidence: Evidence) -> Apparatus:
        """Put the adapters together for the shells."""
        return Apparatus(
            hass=self._hass,
            spawn=self._spawn,
            clocks=self._clocks,
            registry=self._registry,
            observer=self._observer,
            new_observer=self._new_observer,
            driver=TrialDriver(
                self._hass, monotonic=self._clocks.monotonic, from_wall=self._clocks.from_wall, spawn=self._spawn
            ),
            witnesses=self._witnesses,
            watching=self._watching,
            edges=self.edges,
            evidence=evidence,
            own=OwnContexts(),
        )

    async def _async_up_to_date(self) -> None:
        """Take what a person has listed a moment ago into a session: Home Assistant tells of it only afterwards."""
        self._require_running()
        async with self._applying:
            listed_since = read_listing(self._entry) != self._listing
        if listed_since and not self._sessions.busy:
            await self.async_apply_subentries()

    def _secrets(self) -> frozenset[str]:
        return frozenset(str(value) for value in self._entry.data.get(CONF_WITNESS, {}).values())

    def _require_running(self) -> None:
        if self._stopped or not self._stops:
            raise NotReadyError

    def _new_observer(self) -> BusObserver:
        return BusObserver(self._hass, from_wall=self._clocks.from_wall, members_of=self._registry.members_of)

    def _witness_client(self, boot_id: str | None) -> WitnessClient | None:
        place = self._entry.data.get(CONF_WITNESS)
        if place is None:
            return None
        return WitnessClient(
            async_get_clientsession(self._hass),
            url=place[CONF_URL],
            token=place[CONF_TOKEN],
            monotonic=self._clocks.monotonic,
            boot_id=boot_id,
            spawn=self._spawn,
            on_change=self._witness_changed,
        )

    def _spawn[T](self, work: Coroutine[Any, Any, T], name: str) -> asyncio.Task[T]:
        return self._entry.async_create_background_task(self._hass, work, name, eager_start=True)

    @callback
    def _watch(self) -> None:
        subjects = dict.fromkeys((*self._listing.may_be_switched, *self._watched_beside))
        self._observer.async_watch(watched_entities(subjects, self._registry))

    @callback
    def _watch_beside(self, subjects: tuple[SubjectId, ...]) -> None:
        self._watched_beside = subjects
        if not self._stopped:
            self._watch()

    @callback
    def _ledger_changed(self) -> None:
        self._publishing.changed(None if self.coordinator.snapshot.ledger.state != self._store.state.value else ())

    @callback
    def _witness_changed(self) -> None:
        self._publishing.changed(())

    @callback
    def _became_idle(self) -> None:
        self._publishing.changed()
        if self._deferred and not self._stopped:
            self._deferred = False
            self._spawn(self.async_apply_subentries(), "simverity deferred subentries")

    @callback
    def _registry_updated(self, event: Event[er.EventEntityRegistryUpdatedData]) -> None:
        """Follow renames of what is watched; entities that appear may be listed already."""
        if event.data["action"] == "update" and "old_entity_id" not in event.data:
            return
        self._watch()
        self._sensors.follow_names()
        self._publishing.changed(())

    async def _home_started(self, _hass: HomeAssistant) -> None:
        """Groups and devices are all there now."""
        self._watch()
        await self._async_note_coordinates()
        self._spawn(self._recovery.async_restore_devices(), "simverity restoring devices")

    async def _async_note_coordinates(self) -> None:
        for subject in self._listing.may_be_switched:
            try:
                await self._conclusions.async_note_coordinates(subject, await self._gathering.async_digest(subject))
            except AuditError:
                return

    async def _async_verify(self) -> None:
        await self._store.async_verify()
        for session in await self._recovery.async_close_interrupted():
            self._publishing.interrupted(session)
        self._publishing.changed()

    async def _async_checkpoint(self, now: datetime) -> None:
        """Save what was concluded, and show what only time has changed: an acknowledgement is over."""
        self._publishing.changed(self._conclusions.expire(now.timestamp()))
        await self._conclusions.async_save()

    async def _async_take_passive(self, trace: Trace) -> None:
        coordinates = await self._gathering.async_digest(trace.subject, trace.path)
        await self._conclusions.async_take_passive(trace, coordinates)
        self._publishing.changed((trace.subject, *trace.targets))
