"""Print what the integration costs a home: writes on the bus, start-up, memory. Started by ``scripts/bench home``.

A real Home Assistant core in this process. The bus is compared, in turns within one run, with the same home without the
integration that tracks one entity. The ledger of 100,000 entries is written by a process of its own, so that writing it
leaves no memory behind here.
"""

# ruff: noqa: I001 - what comes before the harness must stay there

from __future__ import annotations

import asyncio
import gc
import resource
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import tests.phacc_compat  # noqa: F401 - before the harness, which needs it
import custom_components.simverity  # noqa: F401 - before the harness too: its own custom_components would win
from homeassistant import loader
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import frame
from homeassistant.helpers.event import async_track_state_change_event
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_test_home_assistant

from custom_components.simverity.adapters.clocks import present_stamp
from custom_components.simverity.adapters.ledger.store import LedgerStore
from custom_components.simverity.audit.evidence import Evidence
from custom_components.simverity.const import DOMAIN
from custom_components.simverity.coordinator import LedgerState
from custom_components.simverity.engine.terms import Digest, TrialId
from custom_components.simverity.runtime import Runtime
from tests.integration.failing_trials import ignored

ENTITIES, AUDITED, ENTRIES = 2_000, 20, 100_000
ROUNDS, WRITES, BURST = 11, 8_000, 50
PAGE = resource.getpagesize()


def _register(hass: HomeAssistant) -> list[str]:
    """Fill the home; return the registry ids of those that will be audited."""
    registry, ids = er.async_get(hass), [f"lamp_{number}" for number in range(ENTITIES)]
    made = [registry.async_get_or_create("light", "bench", one, suggested_object_id=one) for one in ids[:AUDITED]]
    for one in ids:
        hass.states.async_set(f"light.{one}", "off")
    return [entry.id for entry in made]


def _entry(hass: HomeAssistant, subjects: list[str]) -> MockConfigEntry:
    listed = [
        {
            "subentry_type": "audited_entity",
            "title": subject,
            "unique_id": subject,
            "data": {"subject": subject, "may_be_switched": False},
        }
        for subject in subjects
    ]
    entry = MockConfigEntry(domain=DOMAIN, title="SimVerity", subentries_data=listed)
    entry.add_to_hass(hass)
    return entry


async def _write(hass: HomeAssistant, name: str) -> float:
    """Return the microseconds of a write, with all that follows from it in the event loop."""
    began = time.perf_counter()
    for number in range(WRITES):
        hass.states.async_set(name, "on" if number % 2 == 0 else "off")
        if number % BURST == 0:
            await asyncio.sleep(0)
    await asyncio.sleep(0)
    return (time.perf_counter() - began) / WRITES * 1e6


async def bus(folder: Path) -> None:
    """Compare writes with and without the integration, in turns."""
    async with async_test_home_assistant(config_dir=str(folder)) as hass:
        await _prepare(hass)
        entry = _entry(hass, _register(hass))

        @callback
        def track(_event: Event) -> None:
            """Do nothing, as cheaply as a tracker can."""

        async_track_state_change_event(hass, ["light.lamp_1999"], track)
        cost: dict[str, list[float]] = {"without": [], "unaudited": [], "audited": [], "audited without": []}
        for _ in range(ROUNDS):
            cost["without"].append(await _write(hass, "light.lamp_1000"))
            cost["audited without"].append(await _write(hass, "light.lamp_0"))
            assert await hass.config_entries.async_setup(entry.entry_id)
            await _sound(entry.runtime_data)
            cost["unaudited"].append(await _write(hass, "light.lamp_1000"))
            cost["audited"].append(await _write(hass, "light.lamp_0"))
            await hass.config_entries.async_unload(entry.entry_id)
        ratio = statistics.median(one / other for one, other in zip(cost["unaudited"], cost["without"], strict=True))
        more = statistics.median(
            one - other for one, other in zip(cost["audited"], cost["audited without"], strict=True)
        )
        base = statistics.median(cost["without"])
        _say(f"{ratio:8.3f} x   a write of an unaudited entity, against {base:.1f} µs without (wanted: at most 1.03)")
        _say(f"{more:8.1f} µs  more for a write of an audited entity (wanted: at most 60)")
        await hass.async_stop(force=True)


async def start(folder: Path) -> None:
    """Start with a ledger of 100,000 entries, and watch the loop and the memory meanwhile."""
    async with async_test_home_assistant(config_dir=str(folder)) as hass:
        await _prepare(hass)
        subjects = _register(hass)
        filling = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.integration.home_bench", "fill", str(folder), *subjects
        )
        assert await filling.wait() == 0
        entry = _entry(hass, subjects)
        await hass.async_block_till_done()
        before = _resident()
        gaps: list[float] = []
        beating = asyncio.create_task(_beat(gaps))
        await asyncio.sleep(0.05)
        gaps.clear()
        began = time.perf_counter()
        assert await hass.config_entries.async_setup(entry.entry_id)
        ready = time.perf_counter() - began
        blocked = max(gaps)
        await _sound(entry.runtime_data)
        verified = time.perf_counter() - began
        beating.cancel()
        gc.collect()
        _say(f"{blocked * 1e3:8.0f} ms  longest block of the event loop during start-up (wanted: at most 100)")
        _say(f"{ready * 1e3:8.0f} ms  start-up in all, with {ENTRIES:,} entries (wanted: at most 500)")
        _say(f"{verified:8.1f} s   until the chain was verified in the background; {max(gaps) * 1e3:.0f} ms blocked")
        _say(f"{(_resident() - before) / 1e6:8.1f} MB  more memory afterwards (wanted: under 60)")
        await hass.async_stop(force=True)


async def fill(folder: Path, subjects: list[str]) -> None:
    """Write a ledger of 100,000 trials of these entities, and let a start without a checkpoint count them."""
    async with async_test_home_assistant(config_dir=str(folder)) as hass:
        store = LedgerStore(folder / DOMAIN, make_stamp=lambda: present_stamp("bench"), on_change=lambda: None)
        await store.async_open()
        evidence = Evidence(store)
        day = datetime(2026, 1, 1, tzinfo=UTC)
        traces = [ignored(subject, 0) for subject in subjects]
        pending: list[asyncio.Task[object]] = []
        for number in range(ENTRIES):
            at = (day + timedelta(minutes=number)).isoformat()
            trace = replace(traces[number % AUDITED], trial=TrialId(f"t/{number}"), wall_dispatched=at)
            pending.append(asyncio.create_task(evidence.async_trial(trace, key=None, coordinates=Digest("a" * 64))))
            if len(pending) == 500:
                await asyncio.gather(*pending)
                pending.clear()
        await asyncio.gather(*pending)
        await store.async_close()
        await _prepare(hass)
        _register(hass)
        entry = _entry(hass, subjects)
        gaps: list[float] = []
        beating = asyncio.create_task(_beat(gaps))
        began = time.perf_counter()
        assert await hass.config_entries.async_setup(entry.entry_id)
        _say(
            f"{time.perf_counter() - began:8.1f} s   start-up without a checkpoint: everything is counted anew; "
            f"{max(gaps) * 1e3:.0f} ms blocked"
        )
        await _sound(entry.runtime_data)
        beating.cancel()
        assert await hass.config_entries.async_unload(entry.entry_id)
        await hass.async_stop(force=True)


async def _prepare(hass: HomeAssistant) -> None:
    frame.async_setup(hass)
    hass.data.pop(loader.DATA_CUSTOM_COMPONENTS, None)
    await async_setup_component(hass, "homeassistant", {})


async def _sound(runtime: Runtime) -> None:
    while runtime.coordinator.snapshot.ledger.state is LedgerState.VERIFYING:  # noqa: ASYNC110 - it has no event
        await asyncio.sleep(0.002)


async def _beat(gaps: list[float]) -> None:
    last = time.perf_counter()
    while True:
        await asyncio.sleep(0.001)
        now = time.perf_counter()
        gaps.append(now - last - 0.001)
        last = now


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE


def main() -> None:
    """Measure, or fill a ledger for it."""
    if sys.argv[1:2] == ["fill"]:
        asyncio.run(fill(Path(sys.argv[2]), sys.argv[3:]))
        return
    for measure in (bus, start):
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(measure(Path(folder)))


if __name__ == "__main__":
    main()
