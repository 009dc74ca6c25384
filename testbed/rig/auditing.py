"""Setting SimVerity up through its own forms, and running sessions as a person does."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from testbed.rig.emulation import CameraPlace
from testbed.rig.errors import RigError
from testbed.rig.home_assistant import HomeAssistant, run_flow
from testbed.rig.home_client import HomeApi, HomeSocket
from testbed.rig.json_value import Json, at, integer, number, table, text, texts
from testbed.rig.lamps import View
from testbed.rig.registry import registered_entities, registry_id
from testbed.rig.rig import Rig

SILENCE_S = 180.0
"""A session that tells nothing for so long has stopped."""
_SUBENTRIES = "/api/config/config_entries/subentries/flow"
_SIDES = ("x", "y", "width", "height")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPlan:
    """What one session is asked to do; None leaves the choice to the integration."""

    entity_ids: tuple[str, ...]
    repetitions: int
    seed: int | None = None
    settle_from: float | None = None
    """Seconds after dispatch from which an effect must have settled."""
    settle_window: float | None = None
    """Seconds for which it must hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """What a running session tells."""

    phase: str
    done: int
    total: int
    seconds_left: float | None


type OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionOutcome:
    """How a session ended. ``card`` is what ``simverity.get_card`` answers for it."""

    session: str
    valid: bool
    reasons: tuple[str, ...]
    card: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Audited:
    """SimVerity as it is set up: its config entry, and the registry id of each audited entity."""

    entry: str
    subjects: dict[str, str]


async def set_up_audit(rig: Rig, entity_ids: Sequence[str], witnessed: Mapping[str, View]) -> Audited:
    """Add SimVerity with the witness, list the entities, and point the camera at those that it can see.

    Args:
        rig: what runs.
        entity_ids: what is audited, with the consent to be switched.
        witnessed: where each entity that a camera can see is seen.

    Raises:
        RigError: if a form refuses.
    """
    api = rig.home.api
    connection: Json = {"url": rig.witness.url, "token": rig.witness.token}
    created = await run_flow(api, "simverity", {"next_step_id": "with_witness"}, connection)
    entry = text(_created("SimVerity", created), "result", "entry_id")
    listed: Json = {"entities": list(entity_ids), "may_be_switched": True}
    _created("the list of audited entities", await _subentry(api, entry, "audited_entity", listed))
    async with rig.home.socket() as socket:
        registry = await registered_entities(socket)
    subjects = {entity_id: registry_id(registry, entity_id) for entity_id in entity_ids}
    for entity_id, view in witnessed.items():
        form = _witness_form(subjects[entity_id], rig.emulated.ports.cameras[view.camera], view.device)
        _created(
            f"the witness of {entity_id}", await _subentry(api, entry, "witness", {"next_step_id": "camera"}, form)
        )
    return Audited(entry=entry, subjects=subjects)


async def set_up_sensor_audit(rig: Rig, sensors: Mapping[str, str]) -> Audited:
    """Add SimVerity without a camera, and let a suggested sensor watch each entity.

    Args:
        rig: what runs.
        sensors: the sensor that watches, by the audited entity.

    Raises:
        RigError: if a form refuses.
    """
    api = rig.home.api
    entry = text(
        _created("SimVerity", await run_flow(api, "simverity", {"next_step_id": "without_camera"})),
        "result",
        "entry_id",
    )
    listed: Json = {"entities": list(sensors), "may_be_switched": True}
    _created("the list of audited entities", await _subentry(api, entry, "audited_entity", listed))
    async with rig.home.socket() as socket:
        registry = await registered_entities(socket)
    for entity_id, sensor in sensors.items():
        steps: tuple[Json, ...] = ({"subject": registry_id(registry, entity_id)}, {"sensor": sensor}, {})
        _created(f"the sensor of {entity_id}", await _subentry(api, entry, "witness", *steps))
    return Audited(entry=entry, subjects={entity_id: registry_id(registry, entity_id) for entity_id in sensors})


async def _subentry(api: HomeApi, entry: str, kind: str, *given: Json) -> dict[str, Json]:
    return await run_flow(api, [entry, kind], *given, path=_SUBENTRIES)


def _witness_form(subject: str, camera: CameraPlace, device: str) -> Json:
    fields: dict[str, Json] = {
        "subject": subject,
        "camera": camera.id,
        "kind": camera.kind,
        "url": camera.url,
        "has_reference": True,
    }
    for name, region in (("region", camera.regions[device]), ("reference", camera.reference)):
        fields |= {f"{name}_{side}": value for side, value in zip(_SIDES, region, strict=True)}
    return fields


def _created(what: str, answer: dict[str, Json]) -> dict[str, Json]:
    if answer.get("type") != "create_entry":
        raise RigError(f"Home Assistant does not accept {what}: {answer.get('errors') or answer}")
    return answer


async def start_session(socket: HomeSocket, plan: SessionPlan) -> str:
    """Start a session and return its id at once.

    Raises:
        AnswerError: if SimVerity refuses, with its own words.
    """
    optional = {"seed": plan.seed, "settle_from": plan.settle_from, "settle_window": plan.settle_window}
    given: dict[str, Json] = {key: value for key, value in optional.items() if value is not None}
    given |= {"entity_id": list(plan.entity_ids), "repetitions": plan.repetitions}
    answer = await socket.call(
        "call_service", domain="simverity", service="run_session", service_data=given, return_response=True
    )
    return text(answer, "response", "session_id")


async def run_session(home: HomeAssistant, plan: SessionPlan, on_progress: OnProgress) -> SessionOutcome:
    """Run a session to its end, telling its progress.

    Raises:
        RigError: if it is refused, or falls silent.
    """
    async with home.socket() as socket:
        events = await socket.subscribe("simverity/session/subscribe")
        session = await start_session(socket, plan)
        ending = await _follow(events, session, on_progress)
        card = await home.api.ask("simverity", "get_card", session_id=session)
        return SessionOutcome(
            session=session,
            valid=at(ending, "valid") is True,
            reasons=tuple(texts(ending, "reasons")),
            card=at(card, "card"),
        )


async def _follow(events: asyncio.Queue[Json], session: str, on_progress: OnProgress) -> dict[str, Json]:
    """Return how the session ended, once it has."""
    while True:
        try:
            async with asyncio.timeout(SILENCE_S):
                event = await events.get()
        except TimeoutError:
            raise RigError(f"session {session} told nothing for {SILENCE_S:.0f} s") from None
        except asyncio.QueueShutDown:
            raise RigError(f"Home Assistant went away while session {session} ran") from None
        if text(event, "type") == "unloaded":
            raise RigError(f"SimVerity was unloaded while session {session} ran")
        last = at(event, "last")
        if text(event, "phase") == "idle" and last is not None and text(last, "session_id") == session:
            return table(last)
        on_progress(_progress(event))


def _progress(event: Json) -> Progress:
    left = at(event, "seconds_left")
    return Progress(
        phase=text(event, "phase"),
        done=integer(event, "done"),
        total=integer(event, "total"),
        seconds_left=None if left is None else number(left),
    )
