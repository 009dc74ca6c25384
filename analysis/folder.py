"""The folder of one evaluation, and which file is what."""

from dataclasses import dataclass
from pathlib import Path

from analysis.errors import AnalysisError
from analysis.json_lines import SUFFIX, read_json
from simverity_engine.errors import EngineError
from simverity_engine.profile.freezing import FrozenProfile, parse_frozen
from simverity_engine.profile.registration import EvaluationManifest, parse_evaluation

PARQUET = ".parquet"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationFolder:
    """Where everything about one evaluation lies."""

    root: Path

    @property
    def manifest_file(self) -> Path:
        """The evaluation manifest, written by a person before anything else."""
        return self.root / "evaluation.json"

    @property
    def profile_file(self) -> Path:
        """The profile, whose SHA-256 the lock names."""
        return self.root / "profile.json"

    @property
    def lock_file(self) -> Path:
        """What the profile was frozen with."""
        return self.root / "lock.json"

    @property
    def openings_file(self) -> Path:
        """The chained record of openings."""
        return self.root / "openings.jsonl"

    @property
    def report(self) -> Path:
        """What is published."""
        return self.root / "report"

    def calibration(self) -> list[Path]:
        """Return the files of calibration evidence, in order."""
        return self._files("calibration")

    def held_out(self) -> list[Path]:
        """Return the names of the held-out files, in order; nothing is read."""
        return self._files("held_out")

    def manifest(self) -> EvaluationManifest:
        """Return the evaluation manifest.

        Raises:
            AnalysisError: it is missing or contradicts itself.
        """
        try:
            return parse_evaluation(read_json(self.manifest_file))
        except EngineError as error:
            raise AnalysisError(f"{self.manifest_file}: {error}") from error

    def frozen(self) -> FrozenProfile:
        """Return the frozen profile.

        Raises:
            AnalysisError: it is missing, or a byte has changed.
        """
        try:
            return parse_frozen(self.profile_file.read_bytes(), self.lock_file.read_bytes())
        except (OSError, EngineError) as error:
            raise AnalysisError(f"{self.profile_file}: {error}") from error

    def _files(self, side: str) -> list[Path]:
        found = sorted(
            path for path in (self.root / side).rglob("*") if path.name.endswith((SUFFIX, PARQUET)) and path.is_file()
        )
        if not found:
            raise AnalysisError(f"{self.root / side} holds no evidence ({SUFFIX} or {PARQUET})")
        return found
