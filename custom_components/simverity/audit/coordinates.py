"""What the values of a subject depend on, gathered from the registries, the integrations and the witness's places."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from homeassistant.core import HomeAssistant

from ..adapters.registry import Registry
from ..adapters.source_digests import async_engine_digest, async_integration_version
from ..engine.canonical import digest, plain
from ..engine.coordinates import Coordinates, coordinates_digest, session_coordinates_digest
from ..engine.session.manifest import ManifestRow
from ..engine.standing.policy import StandingPolicy
from ..engine.terms import Digest, Path, SubjectId
from .witnesses import LampBinding, Witnesses


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathering:
    """Gathers coordinates. Versions of integrations are read once: they change only with a restart."""

    hass: HomeAssistant
    registry: Registry
    witnesses: Witnesses
    policy: StandingPolicy
    _versions: dict[str, str | None] = field(default_factory=dict)

    async def async_engine(self) -> Digest:
        """Return the digest of the monitors."""
        return await async_engine_digest(self.hass)

    async def async_digest(self, subject: SubjectId, path: Path = Path.SINGLE_LIGHT) -> Digest:
        """Return the digest of everything that a subject's values depend on."""
        return coordinates_digest(await self._coordinates(subject, path))

    async def async_session_digest(self, rows: Iterable[ManifestRow]) -> Digest:
        """Return the digest over every row of a session."""
        return session_coordinates_digest(tuple([await self._coordinates(row.subject, row.path) for row in rows]))

    async def _coordinates(self, subject: SubjectId, path: Path) -> Coordinates:
        facts = self.registry.facts_of(subject)
        bindings = self.witnesses.bindings_of(subject)
        place = bindings[0] if bindings else None
        device = " ".join(part for part in (facts.manufacturer, facts.model) if part) if facts is not None else ""
        region = place.region if isinstance(place, LampBinding) else None
        return Coordinates(
            device=device or None,
            firmware=None if facts is None else facts.firmware,
            integration=None if facts is None else facts.platform,
            integration_version=None if facts is None else await self._version(facts.platform),
            path=path,
            camera=None if place is None else place.instrument,
            region=None if region is None else (region[0], region[1], region[2], region[3]),
            policy=digest(plain(self.policy)),
        )

    async def _version(self, domain: str) -> str | None:
        if domain not in self._versions:
            self._versions[domain] = await async_integration_version(self.hass, domain)
        return self._versions[domain]
