"""What Home Assistant's entity registry says, found by identity and not by guessed names."""

from dataclasses import dataclass

from testbed.rig.errors import AnswerError
from testbed.rig.home_client import HomeSocket
from testbed.rig.json_value import Json, at, items, text


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """One entity of the registry."""

    entity_id: str
    id: str
    """Registry id: stable over renames."""
    unique_id: str
    platform: str
    """The integration that provides it."""
    hidden: bool
    disabled: bool


async def registered_entities(socket: HomeSocket) -> list[Registered]:
    """Return the whole entity registry.

    Raises:
        AnswerError: if it is refused.
    """
    return [_registered(entry) for entry in items(await socket.call("config/entity_registry/list"))]


def _registered(entry: Json) -> Registered:
    return Registered(
        entity_id=text(entry, "entity_id"),
        id=text(entry, "id"),
        unique_id=str(at(entry, "unique_id")),
        platform=text(entry, "platform"),
        hidden=at(entry, "hidden_by") is not None,
        disabled=at(entry, "disabled_by") is not None,
    )


def registry_id(registry: list[Registered], entity_id: str) -> str:
    """Return the registry id of an entity.

    Raises:
        AnswerError: if it is not registered.
    """
    return _only(registry, entity_id).id


def _only(registry: list[Registered], entity_id: str) -> Registered:
    for entry in registry:
        if entry.entity_id == entity_id:
            return entry
    raise AnswerError(f"{entity_id} is not in the entity registry")
