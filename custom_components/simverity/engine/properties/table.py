"""Which monitors judge which path, as data, and the one function that applies them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..terms import Path, PropertyId
from ..trace.trace import Trace
from .cross_device_quiet import cross_device_quiet
from .effect_order import effect_order
from .fanout_completion import fanout_completion
from .finding import Outcome
from .observable_effect import observable_effect_after_write
from .reported_completion import reported_completion
from .reported_read_after_write import reported_read_after_write
from .settled_postcondition import settled_postcondition

EVERY_PATH = frozenset(Path)
SEVERAL_TARGETS = frozenset({Path.MULTI_TARGET})


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One property: its monitor, and the paths that have it."""

    property_id: PropertyId
    monitor: Callable[[Trace], tuple[Outcome, ...]]
    paths: frozenset[Path] = EVERY_PATH


TABLE = (
    Row(property_id=PropertyId.REPORTED_COMPLETION, monitor=reported_completion),
    Row(property_id=PropertyId.REPORTED_READ_AFTER_WRITE, monitor=reported_read_after_write),
    Row(property_id=PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE, monitor=observable_effect_after_write),
    Row(property_id=PropertyId.SETTLED_POSTCONDITION, monitor=settled_postcondition),
    Row(property_id=PropertyId.FANOUT_COMPLETION, monitor=fanout_completion, paths=SEVERAL_TARGETS),
    Row(property_id=PropertyId.EFFECT_ORDER, monitor=effect_order, paths=SEVERAL_TARGETS),
    Row(property_id=PropertyId.CROSS_DEVICE_QUIET, monitor=cross_device_quiet),
)


def judge(trace: Trace) -> tuple[Outcome, ...]:
    """Return the outcome of every property that the trace's path has, at every boundary. A void trace has none."""
    if trace.void is not None:
        return ()
    return tuple(outcome for row in TABLE if trace.path in row.paths for outcome in row.monitor(trace))
