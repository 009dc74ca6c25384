"""What can go wrong between fitting a profile and opening what was held out."""

from __future__ import annotations

from ..errors import EngineError, ManifestError


class ProfileError(EngineError):
    """Counts, a class or a row that cannot belong to a profile."""


class EvaluationError(ManifestError):
    """An evaluation manifest contradicts itself."""


class SplitError(EngineError):
    """Something lies on both sides of the split between calibration and held out, or on neither."""


class AlreadyOpenedError(EngineError):
    """A held-out session was opened before; it can be opened only once, whatever the profile."""
