"""Turns every command on an audited entity into a passive trial, whoever gave it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import replace
from itertools import count
from typing import Any

from ..adapters.bus_observer import Command, CommandTarget, Report, said
from ..engine.canonical import Json
from ..engine.ledger.entry import EntryKind
from ..engine.terms import Direction, Path, Reason, SubjectId, TrialId
from ..engine.trace.trace import Goal, Return, Trace
from .aftermath import Aftermath
from .apparatus import Apparatus
from .errors import AuditError
from .slimming import fit
from .watching import OpenTrial, Settling

_LOGGER = logging.getLogger(__name__)

type TakeTrial = Callable[[Trace], Coroutine[Any, Any, None]]


class PassiveTrials:
    """Opens, supersedes and closes passive trials.

    ``audited`` tells whether a subject is listed; ``take`` keeps a closed trace in the ledger and counts it.
    """

    def __init__(
        self,
        apparatus: Apparatus,
        *,
        settling: Settling,
        audited: Callable[[SubjectId], bool],
        take: TakeTrial,
    ) -> None:
        """Have no trial open."""
        self._apparatus = apparatus
        self._settling = settling
        self._audited = audited
        self._take = take
        self._open: dict[SubjectId, OpenTrial] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self._numbers = count(1)
        self._aftermath = Aftermath(domain_of=self._domain, keep=self._async_keep_amendment, spawn=self._spawn)

    async def async_stop(self) -> None:
        """Drop the open trials: the process ends before they do."""
        for task in tuple(self._closing):
            task.cancel()
        await asyncio.gather(*self._closing, return_exceptions=True)

    def on_command(self, command: Command) -> None:
        """Take a command from the observer."""
        own = self._apparatus.own.own(command.context_id, command.parent_id)
        for target in command.targets:
            if own:
                self._aftermath.forget(target.subject)
            else:
                self._aftermath.on_command(command, target)
        if own:
            return
        fresh = tuple(
            target
            for target in command.targets
            if target.goal is not None and self._audited(target.subject) and not self._joins(command, target)
        )
        if not fresh:
            return
        for target in fresh:
            if (older := self._open.get(target.subject)) is not None and not _outlives(older, target):
                older.end(Reason.SUPERSEDED)
        for direction in Direction:
            if targets := tuple(target for target in fresh if target.goal is direction):
                self._start(command, targets, direction)

    def on_report(self, report: Report) -> None:
        """Take a report from the observer: open trials gather it, closed ones may be amended."""
        self._apparatus.watching.on_report(report)
        self._aftermath.on_report(report)

    def on_return(self, context_id: str, error: str | None) -> None:
        """Learn when a call returned of which only its maker can know, with the states that it could read then."""
        for trial in {id(one): one for one in self._open.values() if context_id in one.contexts}.values():
            if trial.returned is None:
                states = ((subject, self._apparatus.registry.state_of(subject)) for subject in trial.targets)
                shown = tuple((subject, said(state)) for subject, state in states if state is not None)
                trial.returned = Return(at=self._apparatus.clocks.monotonic(), states=shown, error=error)

    def _domain(self, subject: SubjectId) -> str:
        return (self._apparatus.registry.entity_of(subject) or "").partition(".")[0]

    def _spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = self._apparatus.spawn(work, name)
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def _async_keep_amendment(self, payload: Json) -> None:
        try:
            await self._apparatus.evidence.async_append(EntryKind.TRIAL_AMENDED, payload)
        except AuditError as error:
            _LOGGER.debug("An amendment could not be kept: %s", error)

    def _joins(self, command: Command, target: CommandTarget) -> bool:
        """Whether a command asks once more for what an open trial waits for: a retry, a child call, a second call.

        Whoever retries does so under any context: the goal tells, not the context.
        """
        trial = self._open.get(target.subject)
        if trial is None or trial.void is not None or trial.direction is not target.goal:
            return False
        if target.asked and target.asked != trial.asked.get(target.subject):
            return False
        trial.contexts.add(command.context_id)
        return True

    def _start(self, command: Command, targets: tuple[CommandTarget, ...], direction: Direction) -> None:
        several = command.wanted > 1
        subject = self._addressed(command) if several else targets[0].subject
        trial = OpenTrial(
            trial=TrialId(f"{command.context_id}/{next(self._numbers)}"),
            path=Path.MULTI_TARGET if several else Path.SINGLE_LIGHT,
            direction=direction,
            subject=subject,
            goals=tuple(_goal(target, direction) for target in targets),
            dispatched_at=command.dispatched_at,
            wall_dispatched=command.wall_dispatched,
            settling=self._settling.after(fade=command.fades_for, least=command.settles_in),
            pre_states=tuple(target.pre_state for target in targets),
            contexts={command.context_id},
            asked={target.subject: target.asked for target in targets if target.asked},
            requested_at=command.dispatched_at,
        )
        if not all(target.available for target in targets):
            trial.end(Reason.NOT_DISPATCHED)
        for target in targets:
            self._open[target.subject] = trial
        self._apparatus.watching.open(trial)
        self._spawn(self._finish(trial), f"simverity passive {trial.trial}")

    def _addressed(self, command: Command) -> SubjectId:
        """Return the group that a command named; a command on several things at once belongs to none of them."""
        found = None if command.addressed is None else self._apparatus.registry.subject_of(command.addressed)
        return found or SubjectId(f"several:{command.service}")

    async def _finish(self, trial: OpenTrial) -> None:
        try:
            trace = await self._apparatus.watching.async_close(trial)
        finally:
            for subject in trial.targets:
                if self._open.get(subject) is trial:
                    del self._open[subject]
        moved = only_moved(trace)
        try:
            await self._take(fit(moved))
        except AuditError as error:
            _LOGGER.debug("A passive trial could not be kept: %s", error)
        else:
            self._aftermath.follow(moved, self._apparatus.clocks.monotonic(), trial.asked)


def _outlives(older: OpenTrial, target: CommandTarget) -> bool:
    """Whether a trial goes on beside a new command: a brightness asked of a device that was only to be on.

    Where something watches it does not: what is dimmed may look off.
    """
    return older.direction is target.goal and not older.asked and not older.qualified


def _goal(target: CommandTarget, direction: Direction) -> Goal:
    asked = "; ".join(level.text for level in target.asked)
    return Goal(subject=target.subject, state=direction, asked=asked or None)


def only_moved(trace: Trace) -> Trace:
    """Keep the goals of targets that had to change; void if there is none, since nothing can then be seen.

    How a target stood is what the witness saw before dispatch, or else what was reported then.
    """
    if trace.void is not None:
        return trace
    stood: dict[SubjectId, str | None] = {}
    for pre in sorted(trace.pre_states, key=lambda pre: pre.source == "witness"):
        stood[pre.subject] = pre.value
    goals = tuple(goal for goal in trace.goals if stood.get(goal.subject) != goal.state.value)
    if not goals:
        return replace(trace, void=Reason.ALREADY_IN_TARGET_STATE)
    return replace(trace, goals=goals)
