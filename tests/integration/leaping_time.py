"""Time that leaps to the next thing that waits for it: seconds pass in no time, and a busy machine stretches none.

Only what is scheduled in the event loop moves it. While a job runs in a thread the clocks stand still.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import selectors
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Protocol, cast

import pytest
from homeassistant.helpers import entity, event
from homeassistant.util import dt as dt_util

from custom_components.simverity.adapters.clocks import Clocks

_PATIENCE = 0.02
"""Real seconds after which it is looked again whether a thread has ended."""
_TICK = 2.0**-17
"""Seconds that a reading of the clocks takes. Their sums are exact in floating point: no order is lost to rounding."""


class _Loop(Protocol):
    """What is replaced in an event loop of selectors."""

    time: Any
    _selector: Any


class LeapingTime:
    """The clocks of one event loop: they stand still while something runs, and leap when nothing does."""

    def __init__(self, selector: selectors.BaseSelector) -> None:
        self._selector = selector
        self._passed = 0.0
        self._began_monotonic = float(int(time.monotonic()))
        self._began_wall = float(int(time.time()))
        self.jobs = 0

    def monotonic(self) -> float:
        return self._began_monotonic + self._ticked()

    def wall(self) -> float:
        return self._began_wall + self._ticked()

    def utcnow(self) -> datetime:
        return datetime.fromtimestamp(self.wall(), UTC)

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return what is ready; if nothing is and no thread is at work, let the time pass."""
        ready = self._selector.select(0)
        if ready or (timeout is not None and timeout <= 0):
            return ready
        if self.jobs or timeout is None:
            return self._selector.select(_PATIENCE)
        self.pass_by(timeout)
        return []

    def pass_by(self, seconds: float) -> None:
        """Let time pass."""
        self._passed += math.ceil(seconds / _TICK) * _TICK

    def _ticked(self) -> float:
        """Return what has passed: no two readings of a clock are the same instant."""
        self._passed += _TICK
        return self._passed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._selector, name)


@contextlib.contextmanager
def leaping(monkeypatch: pytest.MonkeyPatch) -> Iterator[LeapingTime]:
    """Let the running event loop, Home Assistant and the integration go by time that leaps."""
    loop = cast("_Loop", asyncio.get_running_loop())
    wrap_future = asyncio.wrap_future
    clock = LeapingTime(loop._selector)

    def counted(*arguments: Any, **options: Any) -> asyncio.Future[Any]:
        job: asyncio.Future[Any] = wrap_future(*arguments, **options)
        clock.jobs += 1
        job.add_done_callback(ended)
        return job

    def ended(_job: asyncio.Future[Any]) -> None:
        clock.jobs -= 1

    sleep = time.sleep

    def slept(seconds: float) -> None:
        if threading.current_thread() is threading.main_thread():
            clock.pass_by(seconds)
        else:
            sleep(seconds)

    with monkeypatch.context() as patch:
        patch.setattr(loop, "time", clock.monotonic)
        patch.setattr(asyncio, "wrap_future", counted)
        patch.setattr(asyncio.futures, "wrap_future", counted)
        patch.setattr(loop, "_selector", clock)
        patch.setattr(time, "monotonic", clock.monotonic)
        patch.setattr(time, "time", clock.wall)
        patch.setattr(time, "sleep", slept)
        patch.setattr(dt_util, "utcnow", clock.utcnow)
        patch.setattr(entity, "timer", clock.wall)
        patch.setattr(event, "time_tracker_timestamp", clock.wall)
        patch.setattr(event, "time_tracker_utcnow", clock.utcnow)
        patch.setitem(Clocks.__init__.__kwdefaults__, "monotonic", clock.monotonic)
        patch.setitem(Clocks.__init__.__kwdefaults__, "wall", clock.wall)
        yield clock
