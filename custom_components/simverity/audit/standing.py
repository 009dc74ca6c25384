"""The standing of every cell: trials are folded in as they enter the ledger, and checkpointed with its head."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from ..engine.canonical import Json, plain
from ..engine.cells import CellKey, CellVerdicts, claims
from ..engine.errors import EngineError
from ..engine.properties.finding import Outcome
from ..engine.standing.clearing import log_evidence
from ..engine.standing.policy import StandingPolicy
from ..engine.standing.record import policy_from_json
from ..engine.standing.state import Acknowledgement, ClearedTrial, acknowledge, change_coordinates, expire, observe
from ..engine.statistics.fidelity import count_pairs
from ..engine.terms import Digest, Disposition, Linkage, SubjectId, Verdict
from ..engine.trace.trace import Trace
from .standing_cell import StandingCell, SubjectTally, added_counts, read_cell, read_tally, record_part


class Standing:
    """Every cell's state under one policy at a time. It reads no clock: times come from the traces."""

    def __init__(self, policy: StandingPolicy) -> None:
        """Know of no trial."""
        self.policy = policy
        self._cells: dict[SubjectId, dict[CellKey, StandingCell]] = {}
        self._tallies: dict[SubjectId, SubjectTally] = {}

    def cells_of(self, subject: SubjectId) -> tuple[StandingCell, ...]:
        """Return the cells of a subject, in the order of their keys."""
        found = self._cells.get(subject, {})
        return tuple(found[key] for key in sorted(found))

    def subjects(self) -> tuple[SubjectId, ...]:
        """Return every subject that has a trial."""
        return tuple(sorted(self._tallies))

    def tally_of(self, subject: SubjectId) -> SubjectTally:
        """Return the trial counts of a subject."""
        return self._tallies.get(subject, SubjectTally())

    def fold(self, trace: Trace, outcomes: Iterable[Outcome], coordinates: Digest) -> bool:
        """Take in one trial of the physical rung; trials come in the order in which they entered the ledger.

        Return whether a disposition changed.
        """
        turned = self.note_coordinates(trace.subject, coordinates)
        found = claims(trace, outcomes)
        at = datetime.fromisoformat(trace.wall_dispatched).timestamp()
        for one in found:
            turned |= self._count(one, trace, at)
        for subject in dict.fromkeys((trace.subject, *trace.targets)):
            tally = self._tallies.setdefault(subject, SubjectTally())
            tally.trials += 1
            reasons = {one.verdicts.reason for one in found if one.key.subject == subject} | {trace.void}
            tally.undecided.update(reason for reason in reasons if reason is not None)
        return turned

    def note_coordinates(self, subject: SubjectId, coordinates: Digest) -> bool:
        """Learn what a subject's values depend on now; return whether that moved its cells."""
        tally = self._tallies.setdefault(subject, SubjectTally())
        before, tally.coordinates = tally.coordinates, coordinates
        if before is None or before == coordinates:
            return False
        for cell in self.cells_of(subject):
            cell.change_coordinates(self.policy)
        return True

    def adopt(self, policy: StandingPolicy) -> bool:
        """Judge by another policy from now on; return whether it is another. What was cleared must be earned anew."""
        if policy == self.policy:
            return False
        for cell in (cell for cells in self._cells.values() for cell in cells.values()):
            cell.change_coordinates(self.policy)
        self.policy = policy
        return True

    def acknowledge(self, subject: SubjectId, acknowledgement: Acknowledgement, wall_time: float) -> int:
        """Lift every refusal of a subject for a while; return how many cells that concerned."""
        lifted = 0
        for cell in self.cells_of(subject):
            try:
                cell.state = acknowledge(cell.state, acknowledgement, wall_time)
            except EngineError:
                continue
            lifted += 1
        return lifted

    def carry_bad_experience(self, earlier: Standing) -> None:
        """Take over what stood against cells in an earlier standing whose evidence is gone; nothing good is."""
        for cell in (cell for cells in earlier._cells.values() for cell in cells.values()):
            mine = self._cells.get(cell.key.subject, {}).get(cell.key, StandingCell(key=cell.key))
            refused = cell.state.disposition is Disposition.ESCALATE
            lifted = cell.state.acknowledgement is not None
            if refused or lifted or self._evidence(cell) < min(self._evidence(mine), 0.0):
                mine.state = change_coordinates(cell.state)
                mine.last_failure = mine.last_failure or cell.last_failure
                self._cells.setdefault(cell.key.subject, {})[cell.key] = mine
                self._tallies.setdefault(cell.key.subject, SubjectTally())

    def _evidence(self, cell: StandingCell) -> float:
        return log_evidence(cell.state.clearing, self.policy.tolerance)

    def expire(self, wall_time: float) -> set[SubjectId]:
        """Bring back every refusal whose acknowledgement has run out; return whose."""
        returned: set[SubjectId] = set()
        for subject, cells in self._cells.items():
            for cell in cells.values():
                before, cell.state = cell.state, expire(cell.state, wall_time)
                if cell.state is not before:
                    returned.add(subject)
        return returned

    def to_json(self) -> Json:
        """Return everything that was concluded, for the checkpoint."""
        return {
            "policy": plain(self.policy),
            "cells": {key.text: cell.to_json() for cells in self._cells.values() for key, cell in cells.items()},
            "subjects": {subject: tally.to_json() for subject, tally in self._tallies.items()},
        }

    def load(self, value: Json) -> bool:
        """Take over a checkpoint; return whether it was one. What is damaged concludes nothing."""
        before = (self.policy, self._cells, self._tallies)
        try:
            cells, subjects = record_part(value, "cells"), record_part(value, "subjects")
            self.policy = policy_from_json(record_part(value, "policy"))
            self._cells = {}
            for text, record in cells.items():
                cell = read_cell(text, record)
                self._cells.setdefault(cell.key.subject, {})[cell.key] = cell
            self._tallies = {SubjectId(subject): read_tally(record) for subject, record in subjects.items()}
        except EngineError, ValueError, TypeError, KeyError:
            self.policy, self._cells, self._tallies = before
            return False
        return True

    def _count(self, one: CellVerdicts, trace: Trace, at: float) -> bool:
        cell = self._cells.setdefault(one.key.subject, {}).setdefault(one.key, StandingCell(key=one.key))
        cell.counts = added_counts(cell.counts, count_pairs((one.verdicts,)))
        cell.two_sided = cell.two_sided and one.two_sided
        target, reason = one.verdicts.target, one.verdicts.reason
        if one.verdicts.source is not Verdict.PASS:
            return False
        if target is Verdict.ABSTAIN and (reason is None or reason.linkage is not Linkage.OUTCOME):
            return False
        before = cell.state
        trial = ClearedTrial(verdict=target, wall_time=at, reason=reason, trial=trace.trial)
        cell.state = observe(before, trial, self.policy)
        if cell.state.clearing != before.clearing:
            cell.note_counted(at)
        if target is Verdict.FAIL:
            cell.last_failure = trace.wall_dispatched
        return cell.state.disposition is not before.disposition
