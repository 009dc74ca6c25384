"""What a switchable device does when it is commanded, switched by hand or cut off: pure, seeded, without I/O."""

from collections import deque
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from testbed.declaration import ReportBehaviour, Span, Switchable
from testbed.light import Curve

if TYPE_CHECKING:
    from random import Random

_REMEMBERED = 4096
"""Changes kept for truth."""


class Cause(StrEnum):
    """Why a device was asked to change."""

    COMMAND = "command"
    HAND = "hand"
    POWER_CUT = "power_cut"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One state that the device will publish."""

    at: float
    """Monotonic seconds."""
    on: bool
    copies: int
    """How often it is published: 2 for a duplicate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One request and what physically came of it: the device's own record, for truth."""

    device: str
    cause: Cause
    on: bool
    """What was asked for."""
    received_at: float
    """When the request reached the device, monotonic seconds."""
    obeyed: bool
    """Whether the light was sent to the asked level (a lost command, a lie or a dead device does not)."""
    light_from: float
    """Physical light when the request arrived."""
    light_to: float
    """Physical light at which it comes to rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lie:
    """A device that sometimes reports without obeying."""

    probability: float
    random: Random


class SwitchModel:
    """The physical model of one switchable device. Callers pass time; chance comes from the seeded source."""

    def __init__(self, declared: Switchable, random: Random) -> None:
        """Start at rest in the declared state."""
        self.declared = declared
        self.light = Curve(1.0 if declared.starts_on else 0.0)
        self.changes: deque[Change] = deque(maxlen=_REMEMBERED)
        self.powered = True
        self._random = random
        self._on = declared.starts_on
        self._claimed = declared.starts_on
        self._lie: Lie | None = None

    @property
    def on(self) -> bool:
        """Return whether the device itself stands at on."""
        return self._on

    @property
    def claimed(self) -> bool:
        """Return the state that it would report if it were asked now."""
        return self._claimed if self.declared.report is ReportBehaviour.LYING else self._on

    def arm_lie(self, lie: Lie | None) -> None:
        """Start lying, or stop with None.

        Raises:
            ValueError: if this device does not report as ``lying``.
        """
        if self.declared.report is not ReportBehaviour.LYING:
            raise ValueError(f"{self.declared.id} reports {self.declared.report.value}; only a lying device can lie")
        self._lie = lie

    def command(self, now: float, *, on: bool) -> tuple[Report, ...]:
        """Take a command from the radio; return what will be reported of it."""
        lost = self._happens(self.declared.faults.command_loss)
        obeys = self.powered and not lost and not self._lies()
        light_from = self.light.at(now)
        if obeys:
            self._go(now, on=on)
        self._remember(now, Cause.COMMAND, on=on, obeyed=obeys, light_from=light_from)
        if lost or not self.powered:
            return ()
        self._claimed = on
        return self._report(now, on=self.claimed, by_hand=False)

    def by_hand(self, now: float, *, on: bool) -> tuple[Report, ...]:
        """Be switched at the device itself; return what will be reported of it."""
        light_from = self.light.at(now)
        if self.powered:
            self._go(now, on=on)
        self._remember(now, Cause.HAND, on=on, obeyed=self.powered, light_from=light_from)
        if not self.powered:
            return ()
        self._claimed = on
        return self._report(now, on=on, by_hand=True)

    def cut(self, now: float, *, cut: bool) -> None:
        """Lose or regain power: a cut device is dark at once and stays off when power returns."""
        if cut and self.powered:
            light_from = self.light.at(now)
            self._on = self._claimed = False
            self.light.move(starts_at=now, level=0.0, duration_s=0.0)
            self._remember(now, Cause.POWER_CUT, on=False, obeyed=True, light_from=light_from)
        self.powered = not cut

    def poll(self, now: float) -> Report | None:
        """Answer a poll, unless it is dead or the answer is lost."""
        if not self.powered or self._happens(self.declared.faults.report_loss):
            return None
        return Report(at=now, on=self.claimed, copies=1)

    def _go(self, now: float, *, on: bool) -> None:
        ramp = self.declared.on if on else self.declared.off
        delay = self._draw(ramp.delay)
        self._on = on
        level = 1.0 if on else 0.0
        if self.light.target != level:
            self.light.move(starts_at=now + delay, level=level, duration_s=ramp.duration_s)

    def _remember(self, now: float, cause: Cause, *, on: bool, obeyed: bool, light_from: float) -> None:
        change = Change(
            device=self.declared.id,
            cause=cause,
            on=on,
            received_at=now,
            obeyed=obeyed,
            light_from=light_from,
            light_to=self.light.target,
        )
        self.changes.append(change)

    def _report(self, now: float, *, on: bool, by_hand: bool) -> tuple[Report, ...]:
        """Return the reports that the behaviour allows; every behaviour makes the same draws."""
        at = now + self._draw(self.declared.report_delay)
        lost = self._happens(self.declared.faults.report_loss)
        copies = 2 if self._happens(self.declared.faults.report_duplicate) else 1
        if lost or not self._reports(by_hand=by_hand):
            return ()
        return (Report(at=at, on=on, copies=copies),)

    def _reports(self, *, by_hand: bool) -> bool:
        match self.declared.report:
            case ReportBehaviour.AFTER_ACK | ReportBehaviour.LYING:
                return True
            case ReportBehaviour.STALE_AFTER_EXTERNAL:
                return not by_hand
            case ReportBehaviour.OPTIMISTIC | ReportBehaviour.POLLED | ReportBehaviour.SILENT:
                return False

    def _lies(self) -> bool:
        return self._lie is not None and self._lie.random.random() < self._lie.probability

    def _happens(self, probability: float) -> bool:
        return self._random.random() < probability

    def _draw(self, span: Span) -> float:
        return self._random.uniform(span.low, span.high)
