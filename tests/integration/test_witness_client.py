"""The client of the witness: connection, registrations, clocks, windows, and everything that can go wrong with them."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from homeassistant.core import HomeAssistant

from custom_components.simverity.adapters.clocks import read_boot_id
from custom_components.simverity.adapters.witness import client as client_module
from custom_components.simverity.adapters.witness.client import WitnessClient
from custom_components.simverity.adapters.witness.connection import async_probe
from custom_components.simverity.adapters.witness.messages import (
    CameraSpec,
    ClockOffset,
    LampSpec,
    Link,
    WitnessAuthFailedError,
    WitnessRefusedError,
    WitnessUnreachableError,
    WitnessUnsupportedError,
    parse_window,
)
from custom_components.simverity.engine.errors import MessageError
from custom_components.simverity.engine.terms import Direction, Reason, Tier
from tests.integration.lamps import PhysicalLamp
from tests.integration.scripted_witness import OFF_LEVEL, ON_LEVEL, ScriptedWitness
from tests.integration.waiting import until

pytest_plugins = ["tests.integration.audit_fixtures"]

CONTRACTS = Path(__file__).resolve().parents[2] / "contracts"
CAMERA = CameraSpec(camera="living", kind="mpegts", url="tcp://camera")
LAMP = LampSpec(lamp="lamp:living", camera="living", region=(0.1, 0.1, 0.2, 0.2), reference=None)


class Connected:
    """A client and how often it told of a change."""

    def __init__(self, hass: HomeAssistant, witness: ScriptedWitness, token: str | None = None) -> None:
        def spawn(work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
            return hass.async_create_background_task(work, name, eager_start=True)

        self.changes = 0
        self.session = aiohttp.ClientSession()
        self.client = WitnessClient(
            self.session,
            url=witness.url,
            token=token or witness.token,
            monotonic=time.monotonic,
            boot_id=read_boot_id(),
            spawn=spawn,
            on_change=self._changed,
        )

    def _changed(self) -> None:
        self.changes += 1

    async def at(self, link: Link) -> None:
        await until(lambda: self.client.link is link)

    async def close(self) -> None:
        await self.client.async_stop()
        await self.session.close()


@pytest.fixture
def device(witness: ScriptedWitness) -> PhysicalLamp:
    lamp = PhysicalLamp("filmed")
    witness.filmed[LAMP.lamp] = lamp
    return lamp


@pytest.fixture
async def connected(
    hass: HomeAssistant, witness: ScriptedWitness, device: PhysicalLamp, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Connected]:
    monkeypatch.setattr(client_module, "_FIRST_RETRY", 0.02)
    monkeypatch.setattr(client_module, "_LATE", 0.2)
    made = Connected(hass, witness)
    await made.client.async_configure([CAMERA], [LAMP])
    made.client.start()
    await made.at(Link.CONNECTED)
    yield made
    await made.close()


def _asked(witness: ScriptedWitness, kind: str) -> list[dict[str, Any]]:
    return [question for question in witness.asked if question["type"] == kind]


async def test_what_is_wanted_is_registered_on_connecting(connected: Connected, witness: ScriptedWitness) -> None:
    [camera], [lamp] = _asked(witness, "register_camera"), _asked(witness, "register_lamp")
    assert (camera["camera"], camera["kind"], camera["url"]) == ("living", "mpegts", "tcp://camera")
    assert (lamp["lamp"], lamp["camera"], lamp["region"], lamp["reference"]) == (
        "lamp:living",
        "living",
        [0.1, 0.1, 0.2, 0.2],
        None,
    )


async def test_only_what_changed_is_registered_or_forgotten(connected: Connected, witness: ScriptedWitness) -> None:
    other = LampSpec(lamp="other:living", camera="living", region=(0.5, 0.5, 0.1, 0.1), reference=(0.0, 0.0, 0.1, 0.1))
    witness.asked.clear()
    await connected.client.async_configure([CAMERA], [other])
    assert [question["type"] for question in witness.asked] == ["forget_lamp", "register_lamp", "status"]


async def test_a_lost_connection_is_built_up_again_with_its_registrations(
    connected: Connected, witness: ScriptedWitness
) -> None:
    witness.asked.clear()
    await witness.hang_up()
    await until(lambda: bool(_asked(witness, "register_lamp")))
    await connected.at(Link.CONNECTED)


async def test_a_wrong_token_is_told_apart(hass: HomeAssistant, witness: ScriptedWitness) -> None:
    made = Connected(hass, witness, token="wrong")
    made.client.start()
    await made.at(Link.UNAUTHORIZED)
    with pytest.raises(WitnessAuthFailedError):
        await async_probe(made.session, witness.url, "wrong", monotonic=time.monotonic)
    await made.close()


async def test_what_is_no_witness_is_told_apart(hass: HomeAssistant, witness: ScriptedWitness) -> None:
    async with aiohttp.ClientSession() as session:
        with pytest.raises(WitnessUnsupportedError):
            await async_probe(session, f"{witness.url}/elsewhere", witness.token, monotonic=time.monotonic)
        with pytest.raises(WitnessUnreachableError):
            await async_probe(session, "http://127.0.0.1:1", witness.token, monotonic=time.monotonic)
        hello = await async_probe(session, witness.url, witness.token, monotonic=time.monotonic)
    assert hello.boot_id == witness.boot_id


async def test_a_window_holds_what_was_filmed_around_the_command(connected: Connected, device: PhysicalLamp) -> None:
    at = time.monotonic()
    device.light.append((at + 0.05, True))
    armed = connected.client.arm("w", [LAMP.lamp], dispatched_at=at, close_at=at + 0.2, lookback=0.1)
    await connected.client.async_collect(armed)
    window = armed.reports[LAMP.lamp]
    assert armed.fault_of(LAMP.lamp) is None
    assert window.tier is Tier.STREAM_CLOCK
    assert {sample.level for sample in window.samples if sample.latest < at} == {OFF_LEVEL}
    assert {sample.level for sample in window.samples if sample.earliest > at + 0.06} == {ON_LEVEL}


async def test_a_window_that_does_not_come_is_late(connected: Connected, witness: ScriptedWitness) -> None:
    witness.mute_windows = True
    at = time.monotonic()
    armed = connected.client.arm("w", [LAMP.lamp], dispatched_at=at, close_at=at + 0.05, lookback=0.0)
    await connected.client.async_collect(armed)
    assert armed.fault_of(LAMP.lamp) is Reason.LATE_REPLY


async def test_a_witness_that_lost_the_qualification_says_so(connected: Connected, witness: ScriptedWitness) -> None:
    witness.refusals["arm"] = "not_qualified"
    at = time.monotonic()
    armed = connected.client.arm("w", [LAMP.lamp], dispatched_at=at, close_at=at + 60.0, lookback=0.0)
    await connected.client.async_collect(armed)
    assert armed.fault_of(LAMP.lamp) is Reason.UNQUALIFIED


async def test_a_connection_lost_in_mid_window_ends_the_wait(connected: Connected, witness: ScriptedWitness) -> None:
    at = time.monotonic()
    armed = connected.client.arm("w", [LAMP.lamp], dispatched_at=at, close_at=at + 60.0, lookback=0.0)
    await until(lambda: bool(_asked(witness, "arm")))
    await witness.hang_up()
    await connected.client.async_collect(armed)
    assert armed.fault_of(LAMP.lamp) is Reason.LATE_REPLY


async def test_a_strobe_returns_what_was_seen(connected: Connected, device: PhysicalLamp) -> None:
    at = time.monotonic()
    device.light.append((at, True))
    seen = await connected.client.async_strobe(
        "q", LAMP.lamp, state=Direction.ON, commanded_at=at, observe_until=at + 0.02, reference=False
    )
    assert seen == "on"


async def test_a_refusal_carries_its_code(connected: Connected, witness: ScriptedWitness) -> None:
    witness.refusals["begin_qualification"] = "qualification_running"
    with pytest.raises(WitnessRefusedError) as caught:
        await connected.client.async_begin_qualification("q", lamps=[LAMP.lamp], boundaries=[0.1], valid_for=1.0)
    assert caught.value.code == "qualification_running"


async def test_a_region_that_is_refused_concerns_that_region_alone(
    connected: Connected, witness: ScriptedWitness
) -> None:
    witness.refusals["register_lamp"] = "region_outside_frame"
    outside = LampSpec(lamp="outside:living", camera="living", region=(0.9, 0.9, 0.5, 0.5), reference=None)
    await connected.client.async_configure([CAMERA], [LAMP, outside])
    assert connected.client.refusals == {"outside:living": "region_outside_frame"}
    assert connected.client.link is Link.CONNECTED


async def test_another_machines_clock_is_measured_and_widens_every_interval(
    hass: HomeAssistant, witness: ScriptedWitness, device: PhysicalLamp
) -> None:
    witness.boot_id, witness.clock_ahead = "another machine", 5000.0
    made = Connected(hass, witness)
    await made.client.async_configure([CAMERA], [LAMP])
    made.client.start()
    await made.at(Link.CONNECTED)
    at = time.monotonic()
    device.light.append((at, True))
    armed = made.client.arm("w", [LAMP.lamp], dispatched_at=at, close_at=at + 0.1, lookback=0.1)
    await made.client.async_collect(armed)
    samples = armed.reports[LAMP.lamp].samples
    assert all(at - 0.2 < sample.earliest <= sample.latest < at + 0.3 for sample in samples)
    assert all(sample.latest - sample.earliest > 0.008 for sample in samples)
    [asked] = _asked(witness, "arm")
    assert asked["dispatched_at"] - at == pytest.approx(5000.0, abs=0.05)
    await made.close()


def test_the_golden_window_is_read() -> None:
    message = json.loads((CONTRACTS / "window.json").read_text())
    report = parse_window(message, ClockOffset(), 0.0)
    assert {lamp: len(window.samples) for lamp, window in report.lamps.items()} == {
        lamp: len(rows) for lamp, rows in message["lamps"].items()
    }


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("tier", "T9"),
        ("faults", ["because"]),
        ("faults", "none"),
        ("lamps", []),
        ("lamps", {"a": [[1.0, 2.0, 3.0]]}),
        ("lamps", {"a": [[2.0, 1.0, 3.0, None]]}),
        ("lamps", {"a": [[1.0, 2.0, float("nan"), None]]}),
        ("lamps", {"a": [[1.0, 2.0, True, None]]}),
        ("window", 7),
    ],
)
def test_a_window_of_another_form_is_no_evidence(field: str, value: object) -> None:
    message = {"type": "window", "window": "w", "camera": "c", "epoch": 1, "tier": "T2", "faults": [], "lamps": {}}
    with pytest.raises(MessageError):
        parse_window(message | {field: value}, ClockOffset(), 0.0)


async def test_an_unreadable_announcement_does_not_break_the_connection(
    connected: Connected, witness: ScriptedWitness
) -> None:
    for announcement in ({"type": "window"}, {"type": "strobed"}, {"type": "news"}, {"type": "camera"}):
        await witness.sockets[0].send_json(announcement)
    at = time.monotonic()
    armed = connected.client.arm("w", [LAMP.lamp], dispatched_at=at, close_at=at + 0.02, lookback=0.0)
    await connected.client.async_collect(armed)
    assert LAMP.lamp in armed.reports


@pytest.mark.parametrize("nonsense", ["not json", "[1, 2]"])
async def test_nonsense_ends_the_connection_and_a_new_one_is_made(
    connected: Connected, witness: ScriptedWitness, nonsense: str
) -> None:
    witness.asked.clear()
    await witness.sockets[0].send_str(nonsense)
    await until(lambda: bool(_asked(witness, "register_lamp")))
    await connected.at(Link.CONNECTED)


async def test_a_camera_that_comes_and_goes_is_asked_about_again(
    connected: Connected, witness: ScriptedWitness
) -> None:
    witness.live[LAMP.lamp] = "q-1"
    before = connected.changes
    await witness.sockets[0].send_json(
        {"type": "camera", "camera": "living", "connected": True, "epoch": 2, "fault": None}
    )
    await until(lambda: connected.client.live == {LAMP.lamp: "q-1"})
    assert connected.changes > before
