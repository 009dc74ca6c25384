"""The emulated home's devices as Home Assistant shows them, and which region of the picture shows which."""

from collections.abc import Iterable
from dataclasses import dataclass

from testbed.rig.errors import RigError


@dataclass(frozen=True, slots=True, kw_only=True)
class Lamp:
    """Something that a session can address."""

    entity_id: str
    """What the command addresses."""
    witnessed: tuple[tuple[str, str], ...]
    """Entity ids that the camera can see, each with its device in the emulated home."""
    ordinary: bool = True
    """Whether the paper's pattern is what it must show: a plain lamp that reports after its acknowledgement."""

    @property
    def audited(self) -> tuple[str, ...]:
        """Every entity that has to be listed for it."""
        return tuple(dict.fromkeys((self.entity_id, *(entity_id for entity_id, _ in self.witnessed))))


LAMPS = {
    "desk_lamp": Lamp(entity_id="light.desk_lamp", witnessed=(("light.desk_lamp", "desk_lamp"),)),
    "shelf_lamp": Lamp(entity_id="light.shelf_lamp", witnessed=(("light.shelf_lamp", "shelf_lamp"),)),
    "ceiling": Lamp(
        entity_id="light.ceiling",
        witnessed=(("light.ceiling_a", "ceiling_a"), ("light.ceiling_b", "ceiling_b")),
    ),
    "gated_lamp": Lamp(entity_id="light.gated_lamp", witnessed=(("light.gated_lamp", "gated_lamp"),), ordinary=False),
    "lying_lamp": Lamp(entity_id="light.lying_lamp", witnessed=(("light.lying_lamp", "lying_lamp"),), ordinary=False),
    "plug": Lamp(entity_id="switch.plug", witnessed=(("switch.plug", "plug"),), ordinary=False),
}
DEFAULT_LAMPS = ("desk_lamp", "shelf_lamp", "ceiling")


def choose(names: Iterable[str]) -> tuple[Lamp, ...]:
    """Return the lamps of these names.

    Raises:
        RigError: if there is no such lamp.
    """
    chosen = []
    for name in names:
        if name not in LAMPS:
            raise RigError(f"there is no lamp {name!r}; there are {', '.join(LAMPS)}")
        chosen.append(LAMPS[name])
    return tuple(chosen)


def witnessed_by_camera(lamps: Iterable[Lamp]) -> dict[str, str]:
    """Return every entity that the camera can see, with its device."""
    return dict(pair for lamp in lamps for pair in lamp.witnessed)


def audited_entities(lamps: Iterable[Lamp]) -> tuple[str, ...]:
    """Return every entity to be listed, once."""
    return tuple(dict.fromkeys(entity_id for lamp in lamps for entity_id in lamp.audited))
