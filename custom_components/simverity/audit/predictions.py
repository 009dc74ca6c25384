"""Predicted risks for devices of which nothing was ever measured, from a frozen profile in the ledger's folder.

They are shown as predicted, with the level that they come from, never beside a measured value, and decide nothing.
"""

from __future__ import annotations

import logging
from pathlib import Path

from homeassistant.core import HomeAssistant

from ..coordinator import Predicted
from ..engine.cells import CellKey
from ..engine.errors import EngineError
from ..engine.profile.freezing import parse_frozen
from ..engine.profile.predicted import PredictedRisk, predicted_risk
from ..engine.profile.profile import RiskProfile
from ..engine.terms import Direction, PropertyId, Rung, Source, SubjectId
from ..engine.terms import Path as TrialPath
from .views import DECISION_SECONDS

_LOGGER = logging.getLogger(__name__)
FOLDER = "profile"
"""Below the ledger's folder: what ``scripts/fit`` froze, ``profile.json`` and ``lock.json``."""


class Predictions:
    """What a frozen profile says of cells that were never measured; nothing while there is none."""

    def __init__(self) -> None:
        """Know of no profile."""
        self._profile: RiskProfile | None = None

    async def async_load(self, hass: HomeAssistant, folder: Path) -> None:
        """Read the profile; one of which a byte has changed predicts nothing."""
        self._profile = await hass.async_add_executor_job(_read, folder / FOLDER)

    def of(self, subject: SubjectId, entity_id: str) -> Predicted | None:
        """Return the worse direction's predicted risk of a device, None where the profile says nothing of either."""
        if self._profile is None:
            return None
        found = [self._direction(self._profile, subject, entity_id, direction) for direction in Direction]
        known = [one for one in found if one is not None]
        return max(known, key=lambda one: one.risk) if len(known) == len(found) else None

    def _direction(
        self, profile: RiskProfile, subject: SubjectId, entity_id: str, direction: Direction
    ) -> Predicted | None:
        key = CellKey(
            property_id=PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE,
            boundary=f"{DECISION_SECONDS:g}",
            direction=direction,
            path=TrialPath.SINGLE_LIGHT,
            rung=Rung.PHYSICAL,
            source=Source.TWIN,
            subject=subject,
        )
        action = f"{entity_id.partition('.')[0]}.turn_{direction.value}"
        found = predicted_risk(profile, key, site=_only_site(profile), action=action, devices=(subject,), measured=None)
        if not isinstance(found, PredictedRisk):
            return None
        return Predicted(risk=found.prediction.risk, level=found.prediction.level, direction=direction)


def _only_site(profile: RiskProfile) -> str:
    """Return the home that a profile was calibrated in; sites are not pooled, so that of several none is this one."""
    sites = {site for site, _ in profile.resets}
    return sites.pop() if len(sites) == 1 else ""


def _read(folder: Path) -> RiskProfile | None:
    try:
        return parse_frozen((folder / "profile.json").read_bytes(), (folder / "lock.json").read_bytes()).profile
    except FileNotFoundError:
        return None
    except (EngineError, OSError) as error:
        _LOGGER.warning("The risk profile in %s is not used: %s", folder, error)
        return None
