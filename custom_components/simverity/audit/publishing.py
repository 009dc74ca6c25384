"""Puts the snapshot together from what the audit knows, and publishes it at most once per turn of the event loop."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime

from homeassistant.core import HomeAssistant, callback

from ..adapters.ledger.store import LedgerStore
from ..adapters.registry import Registry
from ..adapters.witness.messages import Link
from ..coordinator import (
    Clearance,
    LastSession,
    LedgerState,
    LedgerView,
    Phase,
    SessionView,
    SimverityCoordinator,
    Snapshot,
    SubjectView,
    WitnessLink,
    WitnessState,
)
from ..engine.standing.devices import jointly_clear
from ..engine.terms import Disposition, Reason, SessionId, SubjectId
from .conclusions import Conclusions
from .predictions import Predictions
from .progress import Progress
from .views import view_subject
from .witnesses import Witnesses

_WITNESS_STATES = {
    Reason.NO_WITNESS: WitnessState.NONE,
    Reason.UNQUALIFIED: WitnessState.UNQUALIFIED,
    Reason.QUALIFICATION_EXPIRED: WitnessState.EXPIRED,
    Reason.WITNESS_OFFLINE: WitnessState.OFFLINE,
}


class Publishing:
    """Knows which subjects changed. ``audited`` returns the subjects that are listed now."""

    def __init__(
        self,
        hass: HomeAssistant,
        coordinator: SimverityCoordinator,
        *,
        store: LedgerStore,
        conclusions: Conclusions,
        witnesses: Witnesses,
        registry: Registry,
        predictions: Predictions,
        audited: Callable[[], Iterable[SubjectId]],
    ) -> None:
        """Have everything still to publish."""
        self._hass = hass
        self._coordinator = coordinator
        self._store = store
        self._conclusions = conclusions
        self._witnesses = witnesses
        self._registry = registry
        self._predictions = predictions
        self._audited = audited
        self._views: dict[SubjectId, SubjectView] = {}
        self._session: SessionId | None = None
        self._progress = Progress(phase=Phase.IDLE)
        self._interrupted: SessionId | None = None
        self._scheduled = False
        self._stopped = False

    @callback
    def changed(self, subjects: Iterable[SubjectId] | None = None) -> None:
        """Publish soon; the views of these subjects, or of all, are made anew."""
        for subject in tuple(self._views) if subjects is None else tuple(subjects):
            self._views.pop(subject, None)
        if not self._scheduled and not self._stopped:
            self._scheduled = True
            self._hass.loop.call_soon(self._publish)

    @callback
    def session_moved(self, session: SessionId | None, progress: Progress) -> None:
        """Show how far the running session is; None when none runs."""
        self._session, self._progress = session, progress
        self.changed(())

    @callback
    def interrupted(self, session: SessionId) -> None:
        """Show that a session was cut off by a stop."""
        self._interrupted = session
        self.changed(())

    @callback
    def stop(self) -> None:
        """Publish nothing any more."""
        self._stopped = True

    async def async_publish_first(self) -> None:
        """Publish before entities are made from the snapshot; the figures of a large home are made in an executor."""
        subjects = tuple(self._audited())
        ledger = LedgerState(self._store.state.value)
        await self._hass.async_add_executor_job(self._warm, subjects, ledger)
        self._views.clear()  # what was shown while the conclusions were being read is no view of them
        self.publish_now()

    def _warm(self, subjects: tuple[SubjectId, ...], ledger: LedgerState) -> None:
        for subject in subjects:
            record = self._conclusions.record_of(subject)
            view_subject(subject, "", record=record, ledger=ledger, witness=WitnessState.NONE)

    @callback
    def publish_now(self) -> None:
        """Publish at once."""
        ledger = LedgerState(self._store.state.value)
        subjects = {subject: view for subject in self._audited() if (view := self._view(subject, ledger)) is not None}
        self._views = dict(subjects)
        self._coordinator.publish(
            Snapshot(
                subjects=subjects,
                session=SessionView(
                    phase=self._progress.phase,
                    session=self._session,
                    done=self._progress.done,
                    total=self._progress.total,
                    seconds_left=self._progress.seconds_left,
                    last=self._last(),
                ),
                ledger=LedgerView(state=ledger, entries=self._store.head.sequence, head=self._store.head.digest),
                witness=self._link(),
                clearance=self._clearance(subjects.values()),
                interrupted=self._interrupted,
            )
        )

    def _clearance(self, views: Iterable[SubjectView]) -> Clearance:
        policy = self._conclusions.standing.policy
        evidence = {view.subject: view.log_evidence for view in views}
        standing = {view.subject for view in views if view.disposition is Disposition.CLEAR}
        together = jointly_clear(evidence, policy.error) & standing
        return Clearance(tolerance=policy.tolerance, error=policy.error, together=len(together))

    @callback
    def _publish(self) -> None:
        self._scheduled = False
        if not self._stopped:
            self.publish_now()

    def _view(self, subject: SubjectId, ledger: LedgerState) -> SubjectView | None:
        entity_id = self._registry.entity_of(subject)
        if entity_id is None:
            return None
        known = self._views.get(subject)
        witness = self._witness_state(subject)
        if known is not None and (known.entity_id, known.witness) == (entity_id, witness):
            return known
        record = self._conclusions.record_of(subject)
        view = view_subject(subject, entity_id, record=record, ledger=ledger, witness=witness)
        measured = view.headline is not None and view.headline.decided + view.headline.abstained > 0
        return view if measured else replace(view, predicted=self._predictions.of(subject, entity_id))

    def _witness_state(self, subject: SubjectId) -> WitnessState:
        found = self._witnesses.testifying(subject)
        return _WITNESS_STATES.get(found, WitnessState.NONE) if isinstance(found, Reason) else WitnessState.QUALIFIED

    def _last(self) -> LastSession | None:
        last = self._conclusions.last
        if last is None:
            return None
        return LastSession(
            session=last.session,
            valid=last.valid,
            reasons=last.reasons,
            ended_at=datetime.fromisoformat(last.ended_at),
        )

    def _link(self) -> WitnessLink:
        client = self._witnesses.client
        return WitnessLink.NOT_CONFIGURED if client is None else _LINKS[client.link]


_LINKS = {
    Link.CONNECTING: WitnessLink.CONNECTING,
    Link.CONNECTED: WitnessLink.CONNECTED,
    Link.UNREACHABLE: WitnessLink.UNREACHABLE,
    Link.UNAUTHORIZED: WitnessLink.UNAUTHORIZED,
    Link.UNSUPPORTED: WitnessLink.UNSUPPORTED,
}
