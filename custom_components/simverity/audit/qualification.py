"""Qualifies witnesses: the lamps are their own strobes, all of a camera at once with independent phases.

Each lamp is commanded on and off in turn, held for a seeded random time; some strobes are held longer, as reference
states. The witness decides and refuses; the engine re-checks every record from the raw readings (METHOD 4).
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..adapters.registry import Registry, on_or_off
from ..adapters.trial_driver import TrialDriver
from ..adapters.witness.instrument import Witness
from ..adapters.witness.messages import WitnessError
from ..engine.errors import MessageError
from ..engine.terms import GRID, Direction, Reason, SubjectId
from ..engine.witness.sensor import Pace
from .errors import NoWitnessError, WitnessFailedError
from .witnesses import Binding, SensorBinding, Witnesses

STROBES_PER_STATE = 20
REFERENCES_PER_STATE = 5
SHORTEST_HOLD, LONGEST_HOLD = 2.0, 2.4
REFERENCE_HOLD = 5.6
"""Seconds: five settled frames at least one second apart, after the lamp has settled, of an ordinary camera."""
_SETTLING, _SPACINGS, _MARGIN = 1.0, 4, 0.4
"""Seconds until a lamp has settled; distances between the five frames of a reference; seconds to spare."""
ATTEMPTS = 3
"""Commands of one strobe before the lamp is said not to follow."""
VALID_FOR = 86_400.0
"""Seconds for which a qualification holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strobe:
    """One planned strobe: the state to command, how long to hold it (seconds), and whether it is a reference."""

    state: Direction
    hold: float
    reference: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A lamp that did not qualify, and the codes why."""

    binding: Binding
    codes: tuple[str, ...]


type TakeRecord = Callable[[Mapping[str, Any], Binding], Awaitable[tuple[str, ...]]]
"""Keeps a raw record and grants it if the engine agrees; returns what speaks against it, nothing if granted."""


def reference_hold(fps: float | None) -> float:
    """Return how long a reference must be held for a camera of so many frames a second.

    The frames of a reference are at least a second apart, so that those of a slow camera may be up to a second and a
    frame apart, and the first and the last may come a frame late.
    """
    interval = 1 / fps if fps else 0.0
    return max(REFERENCE_HOLD, _SETTLING + _SPACINGS * (1.0 + interval) + 2 * interval + _MARGIN)


def plan_strobes(chance: random.Random, first: Direction, pace: Pace | None = None) -> tuple[Strobe, ...]:
    """Return a lamp's strobes: both states in turn, references spread at random over them, at an ordinary pace if None.

    Other strobes are held for a random time, so that they fall into every phase of what reports or films.
    """
    pace = pace or Pace(shortest=SHORTEST_HOLD, longest=LONGEST_HOLD, reference=REFERENCE_HOLD)
    references = {
        state: frozenset(chance.sample(range(STROBES_PER_STATE), REFERENCES_PER_STATE)) for state in Direction
    }
    return tuple(
        Strobe(
            state=state,
            hold=pace.reference if number in references[state] else chance.uniform(pace.shortest, pace.longest),
            reference=number in references[state],
        )
        for number in range(STROBES_PER_STATE)
        for state in (first, first.opposite)
    )


def seconds_needed() -> float:
    """Return about how long a qualification takes."""
    ordinary = (STROBES_PER_STATE - REFERENCES_PER_STATE) * (SHORTEST_HOLD + LONGEST_HOLD)
    return ordinary + 2 * REFERENCES_PER_STATE * REFERENCE_HOLD + SHORTEST_HOLD + LONGEST_HOLD


class Qualifying:
    """Drives the strobes of one qualification per camera, all cameras at once; then those beside the sensors.

    A device is strobed for one sensor at a time, different devices at once.

    ``on_step`` is told how many strobes of how many are done.
    """

    def __init__(
        self,
        driver: TrialDriver,
        registry: Registry,
        witnesses: Witnesses,
        *,
        take_record: TakeRecord,
        on_context: Callable[[str], None],
    ) -> None:
        """Keep what a qualification needs. ``on_context`` learns every command's context before it is given."""
        self._driver = driver
        self._registry = registry
        self._witnesses = witnesses
        self._take_record = take_record
        self._on_context = on_context

    async def async_qualify(
        self,
        subjects: tuple[SubjectId, ...],
        *,
        name: str,
        seed: int,
        on_step: Callable[[int, int], None],
    ) -> tuple[Refused, ...]:
        """Qualify everything that watches one of the subjects; return what was refused.

        ``name`` names the qualification for the witness; the caller puts the devices back afterwards.

        Raises:
            NoWitnessError: nothing watches these subjects.
            WitnessFailedError: the witness cannot be reached, or gave the qualification up.
        """
        wanted = [binding for subject in subjects for binding in self._witnesses.bindings_of(subject)]
        if not any(self._witnesses.witness_of(binding) for binding in wanted):
            raise NoWitnessError(entity=", ".join(self._registry.entity_of(one) or one for one in subjects))
        groups, refused = self._groups(wanted)
        if not groups:
            raise WitnessFailedError(code=refused[0].codes[0], message=refused[0].binding.instrument)
        total = sum(len(group.bindings) for group in groups)
        steps = _Steps(total=2 * STROBES_PER_STATE * total, on_step=on_step)
        try:
            for number in sorted({group.round for group in groups}):
                async with asyncio.TaskGroup() as running:
                    tasks = [
                        running.create_task(
                            self._group(f"{name}-{group.name}", group, random.Random(f"{seed}/{group.name}"), steps)  # noqa: S311 - a plan, no secret
                        )
                        for group in groups
                        if group.round == number
                    ]
                refused += [one for task in tasks for one in task.result()]
        except* (WitnessError, MessageError) as failures:
            raise _failed(failures) from failures
        return tuple(refused)

    def _groups(self, wanted: list[Binding]) -> tuple[list[_Group], list[Refused]]:
        """Return what is qualified together and when, and what cannot even begin."""
        groups: dict[tuple[int, str], _Group] = {}
        refused: list[Refused] = []
        sensors: Counter[SubjectId] = Counter()
        for binding in wanted:
            witness = self._witnesses.witness_of(binding)
            code = "no_witness" if witness is None else witness.obstacle(binding.lamp)
            if witness is None or code is not None:
                refused.append(Refused(binding=binding, codes=(code or "no_witness",)))
                continue
            if isinstance(binding, SensorBinding):
                sensors[binding.subject] += 1
            key = (sensors[binding.subject] if isinstance(binding, SensorBinding) else 0, binding.instrument)
            groups.setdefault(key, _Group(round=key[0], name=key[1], witness=witness)).bindings.append(binding)
        return list(groups.values()), refused

    async def _group(self, qualification: str, group: _Group, chance: random.Random, steps: _Steps) -> list[Refused]:
        witness = group.witness
        try:
            await witness.async_begin_qualification(
                qualification,
                lamps=[binding.lamp for binding in group.bindings],
                boundaries=[boundary.seconds for boundary in GRID],
                valid_for=VALID_FOR,
            )
            async with asyncio.TaskGroup() as running:
                strobing = {
                    binding.lamp: running.create_task(
                        self._lamp(witness, qualification, binding, random.Random(chance.random()), steps)  # noqa: S311 - a plan, no secret
                    )
                    for binding in group.bindings
                }
            records = await witness.async_finish_qualification(qualification)
        except BaseException:
            await witness.async_cancel_qualification(qualification)
            raise
        by_lamp = {record.get("lamp"): record for record in records}
        refused: list[Refused] = []
        for binding in group.bindings:
            record = by_lamp.get(binding.lamp)
            codes = ("no_record",) if record is None else await self._take_record(record, binding)
            if not strobing[binding.lamp].result():
                codes = (Reason.LAMP_DID_NOT_FOLLOW.value, *codes)
            if codes:
                refused.append(Refused(binding=binding, codes=tuple(dict.fromkeys(codes))))
        return refused

    async def _lamp(
        self,
        witness: Witness,
        qualification: str,
        binding: Binding,
        chance: random.Random,
        steps: _Steps,
    ) -> bool:
        """Strobe one lamp; return whether it followed. One that does not is given up: lamp or camera?"""
        stands = on_or_off(self._registry.state_of(binding.subject)) or Direction.OFF
        await asyncio.sleep(chance.uniform(SHORTEST_HOLD, SHORTEST_HOLD + LONGEST_HOLD))
        pace = witness.pace(binding.lamp) or await self._async_camera_pace(binding)
        for strobe in plan_strobes(chance, stands.opposite, pace):
            for attempt in range(ATTEMPTS):
                if attempt:
                    # Only a change shows anything: step back first, in case the lamp had moved unseen.
                    await self._command(binding, strobe.state.opposite)
                    await asyncio.sleep(chance.uniform(pace.shortest, pace.longest))
                if await self._strobe(witness, qualification, binding, strobe):
                    break
            else:
                return False
            steps.done()
        return True

    async def _async_camera_pace(self, binding: Binding) -> Pace:
        client = self._witnesses.client
        held = reference_hold(None if client is None else await client.async_frame_rate(binding.instrument))
        return Pace(shortest=SHORTEST_HOLD, longest=LONGEST_HOLD, reference=held)

    async def _strobe(self, witness: Witness, qualification: str, binding: Binding, strobe: Strobe) -> bool:
        """Command one strobe and return whether the witness saw it obeyed."""
        commanded_at = await self._command(binding, strobe.state)
        if commanded_at is None:
            return False
        observed = await witness.async_strobe(
            qualification,
            binding.lamp,
            state=strobe.state,
            commanded_at=commanded_at,
            observe_until=commanded_at + strobe.hold,
            reference=strobe.reference,
        )
        return observed == strobe.state.value

    async def _command(self, binding: Binding, state: Direction) -> float | None:
        """Command a lamp; return when the command went out (monotonic), None if it did not."""
        entity_id = self._registry.entity_of(binding.subject)
        if entity_id is None:
            return None
        call = await self._driver.async_drive(state, addressed=(entity_id,), targets={}, on_context=self._on_context)
        return None if call.dispatch is None else call.dispatch.at


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """Devices that one camera or sensor watches, qualified together in one round."""

    round: int
    name: str
    witness: Witness
    bindings: list[Binding] = field(default_factory=list)


class _Steps:
    """Counts strobes that are done, over all lamps."""

    def __init__(self, *, total: int, on_step: Callable[[int, int], None]) -> None:
        self._done = 0
        self._total = total
        self._on_step = on_step

    def done(self) -> None:
        """Count one more."""
        self._done += 1
        self._on_step(self._done, self._total)


def _failed(failures: BaseExceptionGroup[WitnessError | MessageError]) -> WitnessFailedError:
    """Return the first failure, for a person."""
    first: BaseException = failures
    while isinstance(first, BaseExceptionGroup):
        first = first.exceptions[0]
    code = first.code if isinstance(first, WitnessError) else "bad_message"
    return WitnessFailedError(code=code, message=str(first))
