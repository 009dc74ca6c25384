"""The software rung fails where the software fails: a twin's verdict comes from its trace, never from an assumption."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any

import pytest
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er

from custom_components.simverity.adapters.virtual_edges import Edge
from custom_components.simverity.audit.twins import Twins
from custom_components.simverity.audit.watching import Settling
from custom_components.simverity.engine.session.manifest import ManifestRow
from custom_components.simverity.engine.session.pairing import JudgedTrial
from custom_components.simverity.engine.session.plan import PlannedTrial
from custom_components.simverity.engine.terms import (
    Direction,
    Path,
    PropertyId,
    Reason,
    RowId,
    SessionId,
    SubjectId,
    Verdict,
)
from custom_components.simverity.engine.trace.trace import Trace
from custom_components.simverity.runtime import Runtime
from tests.integration.audit_fixtures import audit_entry, registry_id, set_up
from tests.integration.lamps import PhysicalLamp, add_devices
from tests.integration.waiting import until

pytest_plugins = ["tests.integration.audit_fixtures"]

EFFECT = PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE


@pytest.fixture
async def runtime(hass: HomeAssistant, physical_lamp: PhysicalLamp) -> Runtime:
    other = PhysicalLamp("shelf")
    await add_devices(hass, other)
    return await set_up(hass, audit_entry(hass, [physical_lamp, other]))


async def _edges(hass: HomeAssistant, runtime: Runtime) -> Mapping[SubjectId, Edge]:
    states = {SubjectId(registry_id(hass, name)): hass.states.get(name) for name in ("light.desk", "light.shelf")}
    return await runtime.edges.async_create({subject: state for subject, state in states.items() if state is not None})


def _planned(*targets: SubjectId) -> PlannedTrial:
    single = len(targets) == 1
    row = ManifestRow(
        row=RowId("row"),
        path=Path.SINGLE_LIGHT if single else Path.MULTI_TARGET,
        subject=targets[0] if single else SubjectId("group"),
        targets=targets,
        direction=Direction.ON,
        service="light.turn_on",
        repetitions=1,
    )
    return PlannedTrial(session=SessionId("session"), row=row, repetition=0, index=0)


async def _run(runtime: Runtime, edges: Mapping[SubjectId, Edge], *targets: SubjectId) -> JudgedTrial:
    async def keep(_planned: PlannedTrial, _trace: Trace) -> None:
        return

    settling = Settling(start=0.3, until=0.4)
    twins = Twins(runtime._apparatus, edges, [_planned(*targets)], settling=settling, keep=keep)
    twins.start()
    await twins.async_drain()
    await twins.async_stop()
    [trial] = twins.finished
    return trial


def _verdicts(trial: JudgedTrial, property_id: PropertyId) -> dict[str, set[Verdict]]:
    found: dict[str, set[Verdict]] = {}
    for outcome in trial.outcomes:
        if outcome.property_id is property_id:
            found.setdefault(outcome.boundary.label, set()).add(outcome.finding.verdict)
    return found


async def test_a_healthy_twin_passes_everywhere(hass: HomeAssistant, runtime: Runtime) -> None:
    edges = await _edges(hass, runtime)
    trial = await _run(runtime, edges, next(iter(edges)))
    assert {
        outcome.finding.verdict
        for outcome in trial.outcomes
        if outcome.property_id is not PropertyId.CROSS_DEVICE_QUIET
    } == {Verdict.PASS}


async def test_a_missing_group_member_fails_the_fan_out(hass: HomeAssistant, runtime: Runtime) -> None:
    edges = await _edges(hass, runtime)
    here, gone = edges
    er.async_get(hass).async_remove(edges[gone].entity_id)
    await edges[gone].removed.wait()
    trial = await _run(runtime, edges, here, gone)
    assert _verdicts(trial, PropertyId.FANOUT_COMPLETION)["settled"] == {Verdict.FAIL}
    assert _verdicts(trial, EFFECT)["settled"] == {Verdict.PASS, Verdict.FAIL}


async def test_a_target_that_resolves_to_nothing_fails(hass: HomeAssistant, runtime: Runtime) -> None:
    edges = await _edges(hass, runtime)
    gone = next(iter(edges))
    er.async_get(hass).async_remove(edges[gone].entity_id)
    await edges[gone].removed.wait()
    trial = await _run(runtime, edges, gone)
    assert _verdicts(trial, EFFECT)["settled"] == {Verdict.FAIL}


async def test_a_service_that_is_not_there_fails_the_completion(hass: HomeAssistant, runtime: Runtime) -> None:
    edges = await _edges(hass, runtime)
    hass.services.async_remove("light", "turn_on")
    trial = await _run(runtime, edges, next(iter(edges)))
    assert _verdicts(trial, PropertyId.REPORTED_COMPLETION)["return"] == {Verdict.FAIL}
    assert _verdicts(trial, EFFECT)["settled"] == {Verdict.FAIL}


async def test_a_refusal_inside_the_service_fails_the_completion(
    hass: HomeAssistant, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a device lacks the feature that the command needs."""
    edges = await _edges(hass, runtime)
    edge = edges[next(iter(edges))]

    async def refuse(**_kwargs: Any) -> None:
        raise NotImplementedError

    assert edge.entity is not None
    monkeypatch.setattr(edge.entity, "async_turn_on", refuse)
    trial = await _run(runtime, edges, edge.subject)
    assert trial.trace.returned is not None
    assert trial.trace.returned.error == "NotImplementedError"
    assert _verdicts(trial, PropertyId.REPORTED_COMPLETION)["return"] == {Verdict.FAIL}


async def test_a_loop_that_stalls_beyond_a_boundary_fails_there_and_only_there(
    hass: HomeAssistant, runtime: Runtime
) -> None:
    edges = await _edges(hass, runtime)

    @callback
    def stall(event: Event) -> None:
        if event.data["domain"] == "light":
            time.sleep(0.12)

    hass.bus.async_listen("call_service", stall)
    trial = await _run(runtime, edges, next(iter(edges)))
    effect = _verdicts(trial, EFFECT)
    assert effect["0.1"] == {Verdict.FAIL}
    assert effect["settled"] == {Verdict.PASS}


async def test_a_foreign_command_voids_the_twin(hass: HomeAssistant, runtime: Runtime) -> None:
    edges = await _edges(hass, runtime)
    edge = edges[next(iter(edges))]
    running = asyncio.ensure_future(_run(runtime, edges, edge.subject))
    await until(lambda: bool(edge.effects))
    await hass.services.async_call("light", "turn_off", {"entity_id": edge.entity_id}, blocking=True)
    trial = await running
    assert trial.trace.void is Reason.FOREIGN_CONTEXT
    assert trial.outcomes == ()
