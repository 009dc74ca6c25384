"""``cross_device_quiet``: a device that the command must not touch keeps its level."""

from __future__ import annotations

from ..terms import PropertyId
from ..trace.trace import Trace
from ..witness.settled import kept_still
from .common import answer, settled_of, settled_window
from .finding import Outcome


def cross_device_quiet(trace: Trace) -> tuple[Outcome, ...]:
    """Judge every quiet device from dispatch to the end of the settled window."""
    return tuple(
        Outcome(
            subject=channel.subject,
            property_id=PropertyId.CROSS_DEVICE_QUIET,
            boundary=boundary,
            finding=answer(
                kept_still(channel, dispatched_at=trace.dispatched_at, window=settled_window(trace)),
            ),
        )
        for boundary in settled_of(trace)
        for channel in trace.quiet
    )
