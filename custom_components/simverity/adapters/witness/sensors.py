"""Sensors of the home as witnesses: a power meter, a light sensor, a contact. They speak by their reports alone.

What a sensor says is kept as it comes in, with the time of its ingestion. Nothing is read from the state machine when
a verdict is due: a value that merely stands there is silence, and silence is no testimony.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Protocol

from homeassistant.const import ATTR_UNIT_OF_MEASUREMENT, STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import CALLBACK_TYPE, Event, EventStateChangedData, EventStateReportedData, HomeAssistant, State
from homeassistant.core import callback as ha_callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.event import async_track_state_change_event, async_track_state_report_event

from ...engine.terms import Direction, Reason, SubjectId, Tier
from ...engine.witness.record import QualificationRecord, record_message
from ...engine.witness.scale import Quantity, SensorReport, speaks
from ...engine.witness.sensor import (
    SLOWEST,
    Listening,
    Observed,
    Pace,
    SensorStrobe,
    followed,
    heard_in,
    pace_for,
    qualification_record,
    reach,
)
from .messages import ArmedWindow, LampWindow

_KEPT = 4096
"""Reports of one sensor that are kept: a qualification's, and more than an hour of most."""
_RECENT = 600.0
"""Seconds over which the distance of a sensor's reports is looked at before it is strobed."""
_SPARE = 0.05
"""Seconds to spare for a report that comes in with the end of a window."""
_COUNTERS = frozenset({"energy", "gas", "water"})
_GONE = frozenset({STATE_UNAVAILABLE, STATE_UNKNOWN})


class Clock(Protocol):
    """What is needed of the machine's clocks, in seconds."""

    def monotonic(self) -> float:
        """Return the clock of all times."""

    def from_wall(self, timestamp: float) -> float:
        """Convert a recent wall timestamp to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorSpec:
    """A sensor to listen to for one device: ``lamp`` names the pair, ``name`` the sensor as an instrument."""

    lamp: str
    name: str
    sensor: SubjectId
    same_device: bool


@dataclass(slots=True)
class _Run:
    """A qualification that is open: the strobes so far, by lamp."""

    valid_for: float
    strobes: dict[str, list[SensorStrobe]]


@dataclass(slots=True)
class _Heard:
    """What one sensor has said, and whether it is there now."""

    reports: deque[SensorReport] = field(default_factory=lambda: deque(maxlen=_KEPT))
    present: bool = False


class SensorWitness:
    """Listens to the sensors that are bound to devices, and testifies from their reports.

    ``clocks`` are the clocks of all times here; ``on_change`` is called in the event loop when a sensor comes or goes
    or speaks in another unit.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        *,
        clocks: Clock,
        boot_id: str | None,
        on_change: Callable[[], None],
    ) -> None:
        """Listen to nothing yet."""
        self._hass = hass
        self._clocks = clocks
        self._boot_id = boot_id or "unknown"
        self._on_change = on_change
        self._specs: dict[str, SensorSpec] = {}
        self._heard: dict[SubjectId, _Heard] = {}
        self._entities: dict[str, SubjectId] = {}
        self._records: dict[str, QualificationRecord] = {}
        self._runs: dict[str, _Run] = {}
        self._dispatches: dict[str, tuple[float, float]] = {}
        self._stops: list[CALLBACK_TYPE] = []

    @ha_callback
    def configure(self, specs: Iterable[SensorSpec]) -> None:
        """Listen to exactly these sensors; what is no longer wanted is forgotten."""
        self._specs = {spec.lamp: spec for spec in specs}
        self._records = {lamp: record for lamp, record in self._records.items() if lamp in self._specs}
        wanted = {spec.sensor for spec in self._specs.values()}
        self._heard = {sensor: self._heard.get(sensor) or _Heard() for sensor in wanted}
        self.follow_names()

    @ha_callback
    def follow_names(self) -> None:
        """Listen to the sensors under the entity ids that they have now."""
        self.stop()
        entities = er.async_get(self._hass).entities
        found = ((entities.get_entry(sensor), sensor) for sensor in self._heard)
        self._entities = {entry.entity_id: sensor for entry, sensor in found if entry is not None}
        for entity_id, sensor in self._entities.items():
            state = self._hass.states.get(entity_id)
            self._heard[sensor].present = state is not None and state.state not in _GONE
        if names := list(self._entities):
            self._stops = [
                async_track_state_change_event(self._hass, names, self._changed),
                async_track_state_report_event(self._hass, names, self._reported),
            ]

    @ha_callback
    def stop(self) -> None:
        """Listen no longer."""
        while self._stops:
            self._stops.pop()()

    def absence(self, lamp: str) -> Reason | None:
        """Return why nothing can be seen of a lamp now, None if it can."""
        spec = self._specs.get(lamp)
        present = spec is not None and self._state(spec) is not None and self._heard[spec.sensor].present
        return None if present else Reason.WITNESS_OFFLINE

    def obstacle(self, lamp: str) -> str | None:
        """Return the code of what forbids even to qualify, None if nothing does."""
        if self.absence(lamp) is not None:
            return "sensor_unavailable"
        interval = self._interval(self._specs[lamp])
        return "sensor_too_slow" if interval is not None and interval > SLOWEST else None

    def admit(self, record: QualificationRecord) -> None:
        """Take note of a qualification that the engine has agreed to."""
        if record.lamp in self._specs:
            self._records[record.lamp] = record

    def stands_by(self, lamp: str, qualification: str) -> bool:
        """Whether a qualification still holds: of the same sensor, in the same unit."""
        record, spec = self._records.get(lamp), self._specs.get(lamp)
        if record is None or spec is None or record.instrument is None or record.qualification != qualification:
            return False
        held = record.instrument
        return (held.sensor, held.scale.unit) == (spec.sensor, self._unit(spec))

    def pace(self, lamp: str) -> Pace:
        """Return how long strobes must be held for a sensor that reports as often as it did lately."""
        spec = self._specs[lamp]
        return pace_for(self._interval(spec))

    async def async_begin_qualification(
        self,
        qualification: str,
        *,
        lamps: Iterable[str],
        boundaries: Iterable[float],  # noqa: ARG002 - always the grid
        valid_for: float,
    ) -> None:
        """Open a qualification."""
        self._runs[qualification] = _Run(valid_for=valid_for, strobes={lamp: [] for lamp in lamps})

    async def async_strobe(
        self,
        qualification: str,
        lamp: str,
        *,
        state: Direction,
        commanded_at: float,
        observe_until: float,
        reference: bool,
    ) -> str:
        """Watch a strobe to its end; return which state the sensor's last report looks like, ``unclear`` if none."""
        await asyncio.sleep(max(0.0, observe_until - self._clocks.monotonic()))
        strobe = SensorStrobe(state=state, at=commanded_at, until=observe_until, reference=reference)
        seen = followed(self._observed(qualification, lamp), strobe)
        if seen is state:
            self._runs[qualification].strobes[lamp].append(strobe)
        return "unclear" if seen is None else seen.value

    async def async_finish_qualification(self, qualification: str) -> tuple[Mapping[str, Any], ...]:
        """Return the records, one per lamp: what the strobes gave, in levels."""
        observed = [self._observed(qualification, lamp) for lamp in self._runs[qualification].strobes]
        del self._runs[qualification]
        records = await self._hass.async_add_executor_job(lambda: [qualification_record(one) for one in observed])
        return tuple(record_message(record) for record in records)

    async def async_cancel_qualification(self, qualification: str) -> None:
        """Give a qualification up."""
        self._runs.pop(qualification, None)

    def arm(
        self,
        window: str,
        lamps: Iterable[str],
        *,
        dispatched_at: float,
        close_at: float,
        lookback: float,
    ) -> ArmedWindow:
        """Open a window: its reports are there already or come in by themselves."""
        armed = ArmedWindow(
            window=window, lamps=tuple(lamps), armed_at=self._clocks.monotonic(), close_at=close_at, cameras=set()
        )
        self._dispatches[window] = (dispatched_at, lookback)
        return armed

    async def async_collect(self, armed: ArmedWindow) -> None:
        """Wait until even a late report on the window's end must have come in, and put together what was said."""
        records = {lamp: record for lamp in armed.lamps if (record := self._records.get(lamp)) is not None}
        late = max((_reach(record) for record in records.values()), default=0.0) + _SPARE
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, armed.close_at + late - self._clocks.monotonic())):
                await armed.complete.wait()
        dispatched_at, lookback = self._dispatches.pop(armed.window, (armed.armed_at, 0.0))
        for lamp, record in records.items():
            spec = self._specs.get(lamp)
            if spec is None:
                continue
            until = armed.close_at + _reach(record)
            window = Listening(dispatched_at=dispatched_at, lookback=lookback, until=until)
            samples, faults = heard_in(tuple(self._heard[spec.sensor].reports), record, window)
            armed.reports[lamp] = LampWindow(samples=samples, tier=Tier.ARRIVAL, faults=faults)

    def disarm(self, armed: ArmedWindow) -> None:
        """Drop a window that nobody waits for any more."""
        armed.complete.set()
        self._dispatches.pop(armed.window, None)

    @ha_callback
    def _changed(self, event: Event[EventStateChangedData]) -> None:
        old, new = event.data["old_state"], event.data["new_state"]
        sensor = self._entities.get(event.data["entity_id"])
        if sensor is None or sensor not in self._heard:
            return
        heard = self._heard[sensor]
        was_present, heard.present = heard.present, new is not None and new.state not in _GONE
        # The first value after an absence may be restored or retained: it says nothing about when it was measured.
        text = STATE_UNKNOWN if new is None or _is_gone(old) else new.state
        heard.reports.append(SensorReport(at=self._clocks.from_wall(event.time_fired_timestamp), text=text))
        if was_present is not heard.present or _unit_of(old) != _unit_of(new):
            self._on_change()

    @ha_callback
    def _reported(self, event: Event[EventStateReportedData]) -> None:
        sensor = self._entities.get(event.data["entity_id"])
        if sensor is not None and sensor in self._heard:
            at = self._clocks.from_wall(event.data["last_reported"].timestamp())
            self._heard[sensor].reports.append(SensorReport(at=at, text=event.data["new_state"].state))

    def _state(self, spec: SensorSpec) -> State | None:
        entry = er.async_get(self._hass).entities.get_entry(spec.sensor)
        return None if entry is None else self._hass.states.get(entry.entity_id)

    def _unit(self, spec: SensorSpec) -> str:
        return _unit_of(self._state(spec))

    def _quantity(self, spec: SensorSpec) -> Quantity:
        state = self._state(spec)
        if state is not None and state.domain == "binary_sensor":
            return Quantity.BINARY
        counts = state is not None and (
            state.attributes.get("device_class") in _COUNTERS
            or str(state.attributes.get("state_class", "")).startswith("total")
        )
        return Quantity.RATE if counts else Quantity.VALUE

    def _interval(self, spec: SensorSpec) -> float | None:
        """Return the longest distance of a sensor's recent reports; None for one that is expected to be silent."""
        if self._quantity(spec) is Quantity.BINARY:
            return None
        since = self._clocks.monotonic() - _RECENT
        times = [report.at for report in self._heard[spec.sensor].reports if report.at >= since]
        return max((after - before for before, after in pairwise(times)), default=1.0)

    def _observed(self, qualification: str, lamp: str) -> Observed:
        spec, run = self._specs[lamp], self._runs[qualification]
        strobes = tuple(run.strobes[lamp])
        quantity = self._quantity(spec)
        reports = tuple(r for r in self._heard[spec.sensor].reports if speaks(r.text, quantity))
        return Observed(
            qualification=qualification,
            lamp=lamp,
            name=spec.name,
            sensor=spec.sensor,
            unit=self._unit(spec),
            quantity=quantity,
            same_device=spec.same_device,
            boot_id=self._boot_id,
            made_at=self._clocks.monotonic(),
            valid_for=run.valid_for,
            reports=reports,
            strobes=strobes,
        )


def _unit_of(state: State | None) -> str:
    return "" if state is None else str(state.attributes.get(ATTR_UNIT_OF_MEASUREMENT) or "")


def _is_gone(state: State | None) -> bool:
    return state is None or state.state in _GONE


def _reach(record: QualificationRecord) -> float:
    if record.timing is None or record.instrument is None:
        return 0.0
    return reach(record.timing, record.instrument.scale.quantity)
