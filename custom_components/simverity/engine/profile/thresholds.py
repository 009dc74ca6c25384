"""Every limit that a verdict or a session's validity depends on, as one digest."""

from __future__ import annotations

from ..canonical import Json, digest
from ..properties.common import CLOCK_TOLERANCE
from ..session.validity import CONTROL_SHARE, STROBES_PER_STATE, STROBES_REPEATED
from ..terms import Digest
from ..witness import qualification
from ..witness.testimony import QUARTER, SETTLED_FRAMES
from .predictors import SIMULATOR_RISK


def thresholds() -> dict[str, Json]:
    """Return the limits by name; times in seconds, levels in camera levels, shares as fractions."""
    return {
        "clip_part": qualification.CLIPPED_PART,
        "clock_tolerance_s": CLOCK_TOLERANCE,
        "control_share": CONTROL_SHARE,
        "frames_per_reference": qualification.FRAMES_PER_REFERENCE,
        "guard_levels": qualification.MIN_GUARD,
        "mad_factor": qualification.MAD_FACTOR,
        "min_contrast_levels": qualification.MIN_CONTRAST,
        "references_per_state": qualification.REFERENCES_PER_STATE,
        "settled_frames": SETTLED_FRAMES,
        "settled_part": QUARTER,
        "simulator_risk": SIMULATOR_RISK,
        "spread_factor": qualification.SPREAD_FACTOR,
        "strobes_per_class": qualification.STROBES_PER_CLASS,
        "strobes_per_state": STROBES_PER_STATE,
        "strobes_repeated": STROBES_REPEATED,
        "two_sided_share": qualification.TWO_SIDED_SHARE,
    }


def thresholds_digest() -> Digest:
    """Return the digest of the limits."""
    return digest(thresholds())
