"""What the end-to-end tests share: the audited lamps, how they are filmed, and what a session leaves behind."""

from dataclasses import dataclass

from testbed.rig.auditing import Audited, SessionOutcome, SessionPlan
from testbed.rig.card import Card
from testbed.rig.emulation import Crossing
from testbed.rig.lamps import View
from testbed.rig.ledger import RecordedTrial
from testbed.rig.rig import Rig
from testbed.rig.variants import SLOW_WINDOW_S

DESK, GATED, LYING, SHELF = "light.desk_lamp", "light.gated_lamp", "light.lying_lamp", "light.shelf_lamp"
VIEWS = {
    DESK: View("desk_lamp"),
    GATED: View("gated_lamp"),
    LYING: View("lying_lamp"),
    SHELF: View("shelf_lamp", camera="slow"),
}
"""The shelf lamp is filmed by a second, slower camera without a stream clock."""
REPETITIONS = 2
LIES = {"probability": 0.3, "seed": 2002}
"""With this seed of the default home the lamp lies to its first and third command and to none of the next twelve.

Whichever direction is tried first, and whether it needs a preparation, one lie falls on a trial and none on two
reference strobes in a row.
"""
SLOW_CAMERA = """
[camera.slow]
kind = "mjpeg"
width = 320
height = 192
fps = 12
capture_jitter_s = 0.0
gamma = 2.2
noise_levels = 1.0
cross_light = 0.004
reference = [0.4375, 0.4375, 0.125, 0.125]

[camera.slow.regions]
shelf_lamp = [0.5625, 0.125, 0.125, 0.1875]
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedHome:
    """A rig in which SimVerity is set up."""

    rig: Rig
    audited: Audited

    def subject(self, entity_id: str) -> str:
        """Return an audited entity's registry id."""
        return self.audited.subjects[entity_id]

    def view(self, subject: str) -> View:
        """Return where an audited entity is seen."""
        return next(view for entity_id, view in VIEWS.items() if self.audited.subjects[entity_id] == subject)

    def plan(self, *entity_ids: str, repetitions: int) -> SessionPlan:
        """Return a session of these entities with the home's own settled time."""
        return SessionPlan(
            entity_ids=entity_ids,
            repetitions=repetitions,
            seed=7,
            settle_from=self.rig.emulated.ports.settled_s,
            settle_window=SLOW_WINDOW_S,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What one session left behind, and what truly happened meanwhile."""

    outcome: SessionOutcome
    card: Card
    trials: tuple[RecordedTrial, ...]
    crossings: tuple[Crossing, ...]
