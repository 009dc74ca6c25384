"""The emulated home's devices as Home Assistant shows them, and which region of the picture shows which."""

from collections.abc import Iterable
from dataclasses import dataclass

from testbed.rig.errors import RigError


@dataclass(frozen=True, slots=True)
class View:
    """Which region of which camera shows a device."""

    device: str
    camera: str = "living"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lamp:
    """Something that a session can address."""

    entity_id: str
    """What the command addresses."""
    witnessed: tuple[tuple[str, View], ...]
    """Entity ids that a camera can see, each with where it is seen."""
    ordinary: bool = True
    """Whether the paper's pattern is what it must show: a plain lamp that reports after its acknowledgement."""

    @property
    def audited(self) -> tuple[str, ...]:
        """Every entity that has to be listed for it."""
        return tuple(dict.fromkeys((self.entity_id, *(entity_id for entity_id, _ in self.witnessed))))


def _seen(entity_id: str, device: str, *, ordinary: bool = True) -> Lamp:
    return Lamp(entity_id=entity_id, witnessed=((entity_id, View(device)),), ordinary=ordinary)


LAMPS = {
    "desk_lamp": _seen("light.desk_lamp", "desk_lamp"),
    "shelf_lamp": _seen("light.shelf_lamp", "shelf_lamp"),
    "ceiling": Lamp(
        entity_id="light.ceiling",
        witnessed=(("light.ceiling_a", View("ceiling_a")), ("light.ceiling_b", View("ceiling_b"))),
    ),
    "gated_lamp": _seen("light.gated_lamp", "gated_lamp", ordinary=False),
    "lying_lamp": _seen("light.lying_lamp", "lying_lamp", ordinary=False),
    "plug": _seen("switch.plug", "plug", ordinary=False),
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


def views(lamps: Iterable[Lamp]) -> dict[str, View]:
    """Return every entity that a camera can see, with where it is seen."""
    return dict(pair for lamp in lamps for pair in lamp.witnessed)


def audited_entities(lamps: Iterable[Lamp]) -> tuple[str, ...]:
    """Return every entity to be listed, once."""
    return tuple(dict.fromkeys(entity_id for lamp in lamps for entity_id in lamp.audited))
