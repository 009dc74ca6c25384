"""The jobs: fit a profile, evaluate it once, and do both again from the published evidence."""

from pathlib import Path

from analysis.errors import AnalysisError
from analysis.evaluating import Evaluation, evaluate
from analysis.evidence import Calibration, HeldOut
from analysis.execution import Execution
from analysis.folder import PARQUET, EvaluationFolder
from analysis.json_lines import write_whole
from analysis.monitors import engine_digest
from analysis.openings import read_openings, record_opening
from analysis.session_source import calibration_of, held_out_of
from analysis.table_source import calibration_of_table, held_out_of_table
from simverity_engine.errors import EngineError
from simverity_engine.profile.freezing import (
    FrozenProfile,
    HeldOutOpening,
    check_frozen,
    check_opened,
    freeze,
    open_held_out,
)
from simverity_engine.profile.profile import RiskProfile, fit
from simverity_engine.profile.registration import EvaluationManifest
from simverity_engine.terms import Digest


def calibrate(folder: EvaluationFolder, execution: Execution) -> Calibration:
    """Count all calibration evidence.

    Raises:
        AnalysisError: a file is not evidence.
    """
    return execution.total(_calibration_part, folder.calibration(), folder.manifest())


def fit_profile(folder: EvaluationFolder, execution: Execution) -> FrozenProfile:
    """Fit the profile, freeze it, and keep it. Fitting again is allowed as long as nothing has been opened.

    Raises:
        AnalysisError: something was opened, or the evidence is not that of calibration alone.
    """
    manifest = folder.manifest()
    if read_openings(folder.openings_file).openings:
        raise AnalysisError(f"{folder.root}: held-out sessions were opened, so that nothing may be fitted any more")
    found = calibrate(folder, execution)
    frozen = _freeze(manifest, found, engine_digest())
    write_whole(folder.profile_file, frozen.content)
    write_whole(folder.lock_file, frozen.lock_document())
    return frozen


def evaluate_once(folder: EvaluationFolder, execution: Execution) -> tuple[Evaluation, FrozenProfile]:
    """Open what is held out, on the record, and evaluate the frozen profile on it.

    Raises:
        AnalysisError: something changed after it was frozen, was opened before, or crosses the split.
    """
    manifest, frozen = folder.manifest(), folder.frozen()
    folder.held_out()  # nothing is opened for an empty folder
    record = read_openings(folder.openings_file)
    try:
        opening = open_held_out(frozen, manifest, monitors=engine_digest(), past=record.openings)
    except EngineError as error:
        raise AnalysisError(f"{folder.root}: {error}") from error
    calibration = calibrate(folder, execution)
    _check_refit(frozen, manifest, calibration)
    record_opening(folder.openings_file, opening, record.head)
    return _evaluated(folder, execution, frozen, opening, calibration), frozen


def evaluate_again(folder: EvaluationFolder, execution: Execution) -> tuple[Evaluation, FrozenProfile]:
    """Evaluate from evidence that was opened before: the same numbers, and no second look at anything unopened.

    Raises:
        AnalysisError: the evidence is not what was opened, or does not give the frozen profile.
    """
    manifest, frozen = folder.manifest(), folder.frozen()
    openings = read_openings(folder.openings_file).openings
    opening = next((one for one in openings if one.lock == frozen.lock), None)
    if opening is None:
        raise AnalysisError(f"{folder.root}: nothing was opened under this profile, so that there is nothing to replay")
    try:
        check_frozen(frozen, manifest, monitors=None)
    except EngineError as error:
        raise AnalysisError(f"{folder.root}: {error}") from error
    calibration = calibrate(folder, execution)
    _check_refit(frozen, manifest, calibration)
    return _evaluated(folder, execution, frozen, opening, calibration), frozen


def _evaluated(
    folder: EvaluationFolder,
    execution: Execution,
    frozen: FrozenProfile,
    opening: HeldOutOpening,
    calibration: Calibration,
) -> Evaluation:
    manifest = folder.manifest()
    found = execution.total(_held_out_part, folder.held_out(), (manifest, frozen.profile))
    try:
        check_opened(frozen, manifest, opening, found.evidence)
    except EngineError as error:
        raise AnalysisError(f"{folder.root}: {error}") from error
    return evaluate(manifest, calibration.accounts, found)


def _freeze(manifest: EvaluationManifest, found: Calibration, monitors: Digest) -> FrozenProfile:
    try:
        return freeze(fit(manifest, found.classes, found.evidence), manifest, monitors=monitors)
    except EngineError as error:
        raise AnalysisError(str(error)) from error


def _check_refit(frozen: FrozenProfile, manifest: EvaluationManifest, found: Calibration) -> None:
    """Make sure that the calibration evidence still gives the profile that was frozen."""
    if _freeze(manifest, found, frozen.monitors).lock != frozen.lock:
        raise AnalysisError("the calibration evidence no longer gives the frozen profile")


def _calibration_part(file: Path, manifest: EvaluationManifest) -> Calibration:
    return calibration_of_table(file, manifest) if file.suffix == PARQUET else calibration_of(file, manifest)


def _held_out_part(file: Path, asked: tuple[EvaluationManifest, RiskProfile]) -> HeldOut:
    return held_out_of_table(file, asked) if file.suffix == PARQUET else held_out_of(file, asked)
