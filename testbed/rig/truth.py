"""What truly happened in a trial, from the truth port, beside what the witness made of it."""

from collections.abc import Iterable
from dataclasses import dataclass

from testbed.rig.emulation import Crossing

ARRIVAL_S = 1.0
"""A command reaches its device within this time of its dispatch; broker and radio take milliseconds."""
EARLY_S = 0.001
"""Dispatch is stamped by Home Assistant from its wall clock; it may look this much later than the arrival."""
WITNESSED = frozenset({"observable_effect_after_write"})
"""Properties that are judged from the witness alone, target by target."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueEffect:
    """What one target truly did after one command.

    ``crossed_after`` is when its noiseless region crossed the midpoint, in seconds after dispatch; None if never.
    """

    obeyed: bool
    already_there: bool
    crossed_after: float | None

    def holds_at(self, seconds: float) -> bool | None:
        """Return whether the effect had truly happened by then; None if it needed none."""
        if self.already_there:
            return None
        return self.crossed_after is not None and self.crossed_after <= seconds


def true_effect(
    crossings: Iterable[Crossing], *, device: str, direction: str, dispatched_at: float
) -> TrueEffect | None:
    """Return what a device did after the command that was dispatched then, or None if no command reached it."""
    for crossing in crossings:
        if (
            crossing.device == device
            and crossing.direction == direction
            and -EARLY_S <= crossing.command_received_at - dispatched_at <= ARRIVAL_S
        ):
            crossed = crossing.crossed_at
            return TrueEffect(
                obeyed=crossing.obeyed,
                already_there=crossing.already_there,
                crossed_after=None if crossed is None else crossed - dispatched_at,
            )
    return None
