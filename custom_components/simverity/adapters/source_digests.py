"""Digests of installed source: our own monitors, and the integrations that audited devices hang on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from homeassistant.core import HomeAssistant
from homeassistant.loader import Integration, IntegrationNotFound, async_get_integration

from ..engine.terms import Digest

_ENGINE = Path(__file__).resolve().parent.parent / "engine"


async def async_engine_digest(hass: HomeAssistant) -> Digest:
    """Return the digest of the engine's source: the monitors that judge."""
    return Digest(await hass.async_add_executor_job(_digest_of_folder, _ENGINE, ()))


async def async_integration_version(hass: HomeAssistant, domain: str) -> str | None:
    """Return an integration's version, or for one that ships with Home Assistant the digest of its files and pins.

    None where there is no such integration (any more).
    """
    try:
        integration: Integration = await async_get_integration(hass, domain)
    except IntegrationNotFound:
        return None
    if integration.version is not None:
        return str(integration.version)
    pins = tuple(sorted(integration.requirements))
    return await hass.async_add_executor_job(_digest_of_folder, Path(integration.file_path), pins)


def _digest_of_folder(folder: Path, pins: Iterable[str]) -> str:
    """Hash the Python files of a folder by their relative names and contents, and the pins."""
    hasher = hashlib.sha256()
    for pin in pins:
        hasher.update(f"{pin}\0".encode())
    for file in sorted(folder.rglob("*.py")):
        content = file.read_bytes()
        hasher.update(f"{file.relative_to(folder).as_posix()}\0{len(content)}\0".encode())
        hasher.update(content)
    return hasher.hexdigest()
