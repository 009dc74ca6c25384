"""The software rung of a session: every planned trial's twin, on virtual edges, in other rows' settle waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from ..adapters.bus_observer import Command, Consumer
from ..adapters.trial_driver import Dispatch, DrivenCall
from ..adapters.virtual_edges import Edge
from ..engine.session.pairing import JudgedTrial, judged
from ..engine.session.plan import PlannedTrial
from ..engine.terms import Reason, RowId, Rung, SubjectId, TrialId
from ..engine.trace.trace import Goal, Trace
from .apparatus import Apparatus
from .watching import OpenTrial, Settling, Watching
from .witnesses import Witnesses

type Keep = Callable[[PlannedTrial, Trace], Coroutine[Any, Any, None]]


class Twins:
    """Runs twins while the physical rung waits. An edge serves one twin at a time.

    ``keep`` puts a finished twin's trace into the ledger.
    """

    def __init__(
        self,
        apparatus: Apparatus,
        edges: Mapping[SubjectId, Edge],
        planned: Sequence[PlannedTrial],
        *,
        settling: Settling,
        keep: Keep,
    ) -> None:
        """Have every planned trial's twin still to run."""
        self._edges = edges
        self._waiting = list(planned)
        self._settling = settling
        self._driver = apparatus.driver
        self._clocks = apparatus.clocks
        self._spawn = apparatus.spawn
        self._observer = apparatus.new_observer()
        self._watching = Watching(apparatus.clocks, Witnesses(None, wall=apparatus.clocks.wall))
        self._keep = keep
        self._busy: set[SubjectId] = set()
        self._running: set[asyncio.Task[None]] = set()
        self._stop_consuming: Callable[[], None] | None = None
        self._own: set[str] = set()
        self.finished: list[JudgedTrial] = []

    def start(self) -> None:
        """Listen to the edges."""
        self._observer.async_watch({edge.entity_id: subject for subject, edge in self._edges.items()})
        self._stop_consuming = self._observer.async_add_consumer(
            Consumer(on_command=self._on_command, on_report=self._watching.on_report)
        )

    async def async_stop(self) -> None:
        """Give up what still runs."""
        for task in tuple(self._running):
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        if self._stop_consuming is not None:
            self._stop_consuming()
        self._observer.async_stop()

    def launch(self, *, during: RowId | None) -> bool:
        """Start one twin of another row than the one whose trial is running; return whether there was one to start."""
        for planned in self._waiting:
            if planned.row.row != during and self._busy.isdisjoint(_edges_of(planned)):
                self._waiting.remove(planned)
                self._busy.update(_edges_of(planned))
                task = self._spawn(self._run(planned), f"simverity twin {planned.key.text}")
                self._running.add(task)
                task.add_done_callback(self._running.discard)
                return True
        return False

    async def async_drain(self) -> None:
        """Run the twins that are left, and wait for all."""
        while self._waiting or self._running:
            while self.launch(during=None):
                pass
            done, _ = await asyncio.wait(tuple(self._running), return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()

    def _on_command(self, command: Command) -> None:
        """A command that is not ours, on an edge: whoever gave it, the twin proves nothing any more."""
        if command.context_id in self._own or command.parent_id in self._own:
            return
        for trial in self._watching.open_trials(target.subject for target in command.targets):
            trial.end(Reason.FOREIGN_CONTEXT)

    async def _run(self, planned: PlannedTrial) -> None:
        row = planned.row
        edges = {subject: self._edges[subject] for subject in row.targets}
        still = [self._edges[subject] for subject in row.quiet]
        opened: list[OpenTrial] = []
        try:
            for edge in edges.values():
                edge.prepare(row.direction.opposite)
            for edge in still:
                edge.prepare(row.direction.opposite)
            call = await self._driver.async_drive(
                row.direction,
                addressed=tuple(edge.entity_id for edge in edges.values()),
                targets={subject: edge.entity_id for subject, edge in edges.items()},
                on_context=self._own.add,
                on_dispatch=lambda dispatch: opened.append(self._watching.open(self._trial(planned, dispatch))),
            )
            if not opened:
                opened.append(self._watching.open(self._trial(planned, _never_announced(call))))
            trial = opened[0]
            await self._watching.async_wait(trial)
            trial.returned = call.returned()
            if any(edge.contexts - {call.context_id} for edge in (*edges.values(), *still)):
                trial.end(Reason.FOREIGN_CONTEXT)
            until = self._clocks.monotonic()
            channels, quiet = (
                tuple(edge.channel(trial.dispatched_at, until, row.direction.opposite) for edge in some)
                for some in (edges.values(), still)
            )
            trace = self._watching.trace(trial, Rung.SOFTWARE, channels, quiet)
            self.finished.append(judged(planned.key, trace))
            await self._keep(planned, trace)
        finally:
            for trial in opened:
                self._watching.drop(trial)
            self._busy.difference_update(_edges_of(planned))

    def _trial(self, planned: PlannedTrial, dispatch: Dispatch) -> OpenTrial:
        row = planned.row
        return OpenTrial(
            trial=TrialId(f"{planned.key.text}/twin"),
            path=row.path,
            direction=row.direction,
            subject=row.subject,
            goals=tuple(Goal(subject=subject, state=row.direction) for subject in row.targets),
            dispatched_at=dispatch.at,
            wall_dispatched=dispatch.wall,
            settling=self._settling,
            pre_states=dispatch.pre_states,
            contexts={dispatch.context_id},
            requested_at=dispatch.requested_at,
            quiet=row.quiet,
        )


def _edges_of(planned: PlannedTrial) -> tuple[SubjectId, ...]:
    """Return all whose edges a twin needs for itself."""
    return (*planned.row.targets, *planned.row.quiet)


def _never_announced(call: DrivenCall) -> Dispatch:
    """Stand in for the announcement of a call that was refused before: it was dispatched to nobody."""
    return Dispatch(
        context_id=call.context_id,
        requested_at=call.requested_at,
        at=call.requested_at,
        wall=datetime.now(UTC).isoformat(),
        pre_states=call.pre_states,
    )
