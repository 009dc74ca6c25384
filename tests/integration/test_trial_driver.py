"""What only the caller of a service sees: announcement, return, error, and the state at that instant."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from homeassistant.core import Event, HomeAssistant, callback

from custom_components.simverity.adapters.clocks import Clocks
from custom_components.simverity.adapters.trial_driver import Dispatch, TrialDriver
from custom_components.simverity.engine.terms import Direction, SubjectId
from custom_components.simverity.engine.trace.trace import Return
from tests.integration.lamps import PhysicalLamp, add_devices

SUBJECT = SubjectId("lamp")
TARGETS = {SUBJECT: "light.lamp"}


@pytest.fixture
async def lamp(hass: HomeAssistant) -> PhysicalLamp:
    made = PhysicalLamp("lamp")
    await add_devices(hass, made)
    return made


@pytest.fixture
def driver(hass: HomeAssistant) -> TrialDriver:
    clocks = Clocks()

    def spawn(work: Coroutine[Any, Any, Return], name: str) -> asyncio.Task[Return]:
        return hass.async_create_background_task(work, name, eager_start=True)

    return TrialDriver(hass, monotonic=clocks.monotonic, from_wall=clocks.from_wall, spawn=spawn)


async def test_the_state_is_read_at_the_return_before_the_device_reports(
    lamp: PhysicalLamp, driver: TrialDriver
) -> None:
    call = await driver.async_drive(Direction.ON, addressed=("light.lamp",), targets=TARGETS)
    returned = await call.returning
    assert call.dispatch is not None
    assert call.requested_at <= call.dispatch.at <= returned.at
    assert returned.states == ((SUBJECT, "off"),)
    assert returned.error is None
    assert [(pre.subject, pre.value) for pre in call.pre_states] == [(SUBJECT, "off")]


async def test_the_announcement_comes_before_the_handler_runs(lamp: PhysicalLamp, driver: TrialDriver) -> None:
    seen: list[tuple[Dispatch, int]] = []
    call = await driver.async_drive(
        Direction.ON,
        addressed=("light.lamp",),
        targets=TARGETS,
        on_dispatch=lambda dispatch: seen.append((dispatch, len(lamp.commands))),
    )
    await call.returning
    assert seen == [(call.dispatch, 0)]
    assert lamp.commands == [True]


async def test_the_context_is_known_before_the_call(
    hass: HomeAssistant, lamp: PhysicalLamp, driver: TrialDriver
) -> None:
    order: list[str] = []

    @callback
    def heard(event: Event) -> None:
        order.append(event.context.id)

    hass.bus.async_listen("call_service", heard)
    call = await driver.async_drive(Direction.OFF, addressed=("light.lamp",), targets=TARGETS, on_context=order.append)
    await call.returning
    assert order == [call.context_id, call.context_id]


async def test_an_error_is_part_of_the_return(lamp: PhysicalLamp, driver: TrialDriver) -> None:
    lamp.refuses = True
    call = await driver.async_drive(Direction.ON, addressed=("light.lamp",), targets=TARGETS)
    assert (await call.returning).error == "HomeAssistantError"
    assert call.dispatch is not None


async def test_a_call_that_the_bus_never_announced_has_no_dispatch(hass: HomeAssistant, driver: TrialDriver) -> None:
    call = await driver.async_drive(Direction.ON, addressed=("kettle.kitchen",), targets={})
    assert call.dispatch is None
    assert (await call.returning).error == "ServiceNotFound"


async def test_a_call_that_does_not_return_does_not_hold_the_driver(lamp: PhysicalLamp, driver: TrialDriver) -> None:
    gate = asyncio.Event()

    async def wait(**_kwargs: Any) -> None:
        await gate.wait()

    lamp.async_turn_on = wait  # type: ignore[method-assign]
    call = await driver.async_drive(Direction.ON, addressed=("light.lamp",), targets=TARGETS)
    assert call.dispatch is not None
    assert call.returned() is None
    gate.set()
    assert (await call.returning).error is None


async def test_a_call_made_while_an_event_is_dispatched_is_timed_when_it_was_fired(
    hass: HomeAssistant, lamp: PhysicalLamp, driver: TrialDriver
) -> None:
    calls: list[asyncio.Task[Any]] = []

    @callback
    def react(_event: Event) -> None:
        calls.append(
            hass.async_create_task(
                driver.async_drive(Direction.ON, addressed=("light.lamp",), targets=TARGETS), eager_start=True
            )
        )

    hass.bus.async_listen("somebody_came", react)
    hass.bus.async_fire("somebody_came")
    call = await calls[0]
    returned = await call.returning
    assert call.dispatch is not None
    assert call.requested_at <= call.dispatch.at <= returned.at
