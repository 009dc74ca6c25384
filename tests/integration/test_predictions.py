"""A predicted risk: shown as such, only while nothing was measured, from a profile of which no byte has changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.simverity.engine.canonical import canonical_bytes
from custom_components.simverity.engine.profile.counts import Grouping
from custom_components.simverity.engine.profile.freezing import FrozenProfile
from custom_components.simverity.engine.profile.profile import parse_profile
from custom_components.simverity.engine.terms import Digest
from tests.integration.audit_fixtures import audit_entry, ledger_folder, registry_id, set_up
from tests.integration.failing_trials import ignored
from tests.integration.lamps import PhysicalLamp
from tests.integration.waiting import verified

pytest_plugins = ["tests.integration.audit_fixtures"]


def _document(*sites: str) -> dict[str, Any]:
    """Return a profile that knows nothing but that the effect failed in 4 of 60 trials at the physical rung."""
    groups: dict[str, list[str]] = {grouping.name.lower(): [] for grouping in Grouping}
    effect = "observable_effect_after_write"
    groups["property_and_rung"] = sorted(f"{site}\t{effect}\tphysical\t4\t60" for site in sites)
    return {
        "form": "simverity-profile/1",
        "pool_sites": False,
        "resets": [[site, "r-1"] for site in sites],
        "groups": groups,
    }


def _freeze(folder: Path, *sites: str) -> None:
    content = canonical_bytes(_document(*sites))
    frozen = FrozenProfile(
        content=content,
        profile=parse_profile(_document(*sites)),
        monitors=Digest("a" * 64),
        thresholds=Digest("b" * 64),
        manifest=Digest("c" * 64),
    )
    (folder / "profile").mkdir(parents=True)
    (folder / "profile" / "profile.json").write_bytes(content)
    (folder / "profile" / "lock.json").write_bytes(frozen.lock_document())


@pytest.fixture
def entry(hass: HomeAssistant, physical_lamp: PhysicalLamp) -> MockConfigEntry:
    return audit_entry(hass, [physical_lamp])


def _attributes(hass: HomeAssistant) -> dict[str, Any]:
    state = hass.states.get("sensor.desk_false_clearance_risk")
    assert state is not None
    assert state.state == "unknown"
    return dict(state.attributes)


async def test_a_device_of_which_nothing_was_measured_shows_what_is_predicted_and_its_level(
    hass: HomeAssistant, entry: MockConfigEntry
) -> None:
    _freeze(ledger_folder(hass), "home-1")
    runtime = await set_up(hass, entry)
    await verified(runtime)
    shown = _attributes(hass)
    assert shown["predicted_risk"] == pytest.approx(100 * 4.5 / 61, abs=1e-4)
    assert shown["backoff_level"] == 4
    assert runtime.coordinator.snapshot.subjects[registry_id(hass, "light.desk")].disposition.value == "abstain"  # type: ignore[index]
    await runtime._async_take_passive(ignored(registry_id(hass, "light.desk"), 0))
    await hass.async_block_till_done()
    assert "predicted_risk" not in _attributes(hass)


async def test_a_profile_of_several_homes_predicts_none(hass: HomeAssistant, entry: MockConfigEntry) -> None:
    _freeze(ledger_folder(hass), "home-1", "home-2")
    await set_up(hass, entry)
    assert "predicted_risk" not in _attributes(hass)


async def test_a_profile_of_which_a_byte_has_changed_predicts_nothing_and_is_said(
    hass: HomeAssistant, entry: MockConfigEntry, caplog: pytest.LogCaptureFixture
) -> None:
    _freeze(ledger_folder(hass), "home-1")
    file = ledger_folder(hass) / "profile" / "profile.json"
    file.write_bytes(file.read_bytes().replace(b"60", b"61"))
    await set_up(hass, entry)
    assert "predicted_risk" not in _attributes(hass)
    assert "is not used" in caplog.text
