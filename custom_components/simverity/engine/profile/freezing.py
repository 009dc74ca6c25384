"""Freezing: profile, monitors, thresholds and manifest under one digest, before anything held out is opened."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

from ..canonical import Json, canonical_bytes, digest
from ..errors import FrozenError
from ..message import Fields, text
from ..terms import Digest, SessionId
from .errors import AlreadyOpenedError
from .profile import RiskProfile, parse_profile
from .registration import EvaluationManifest, check_evaluation, evaluation_digest
from .split import Evidence, check_held_out
from .thresholds import thresholds_digest

FROZEN_FORM = "simverity-lock/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenProfile:
    """A profile with what it was frozen with.

    ``content`` is the profile's canonical document, the bytes that were locked. ``monitors`` is the digest of the
    engine's source, ``thresholds`` of every limit that verdicts depend on, ``manifest`` of the evaluation manifest.
    """

    content: bytes
    profile: RiskProfile
    monitors: Digest
    thresholds: Digest
    manifest: Digest

    @property
    def lock(self) -> Digest:
        """The digest of everything that is frozen: it is what an opening names."""
        return digest(self._locked())

    def lock_document(self) -> bytes:
        """Return the document that is kept beside the profile."""
        return canonical_bytes({**self._locked(), "lock": self.lock})

    def _locked(self) -> dict[str, Json]:
        return {
            "form": FROZEN_FORM,
            "monitors": self.monitors,
            "thresholds": self.thresholds,
            "manifest": self.manifest,
            "profile": hashlib.sha256(self.content).hexdigest(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOutOpening:
    """The record that some sessions were opened, under which lock: the payload of a ``held_out_opened`` entry."""

    lock: Digest
    manifest: Digest
    sessions: tuple[SessionId, ...]


def freeze(profile: RiskProfile, manifest: EvaluationManifest, *, monitors: Digest) -> FrozenProfile:
    """Freeze a profile with the monitors and the thresholds that judged its calibration.

    Raises:
        SplitError, EvaluationError: the manifest contradicts itself.
    """
    check_evaluation(manifest)
    return FrozenProfile(
        content=canonical_bytes(profile.document()),
        profile=profile,
        monitors=monitors,
        thresholds=thresholds_digest(),
        manifest=evaluation_digest(manifest),
    )


def parse_frozen(content: bytes, lock_document: bytes) -> FrozenProfile:
    """Read a frozen profile back.

    Raises:
        FrozenError: a byte is not what it was.
        MessageError, ProfileError: it never was one.
    """
    try:
        locked = json.loads(lock_document)
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise FrozenError(f"the frozen profile is not JSON: {error}") from error
    fields = Fields(locked, "lock")
    frozen = FrozenProfile(
        content=content,
        profile=parse_profile(document),
        monitors=Digest(fields.get("monitors", text)),
        thresholds=Digest(fields.get("thresholds", text)),
        manifest=Digest(fields.get("manifest", text)),
    )
    if lock_document != frozen.lock_document():
        raise FrozenError("the frozen profile no longer is what was locked")
    return frozen


def check_frozen(frozen: FrozenProfile, manifest: EvaluationManifest, *, monitors: Digest | None) -> None:
    """Make sure that what is about to be used is what was frozen. ``monitors`` None leaves the engine unchecked.

    Raises:
        FrozenError: naming the first part that changed.
    """
    for part, locked, found in (
        ("evaluation manifest", frozen.manifest, evaluation_digest(manifest)),
        ("thresholds", frozen.thresholds, thresholds_digest()),
        ("monitors", frozen.monitors, frozen.monitors if monitors is None else monitors),
    ):
        if locked != found:
            raise FrozenError(f"the {part} changed after the profile was frozen")


def open_held_out(
    frozen: FrozenProfile, manifest: EvaluationManifest, *, monitors: Digest, past: Iterable[HeldOutOpening]
) -> HeldOutOpening:
    """Return the record of the one opening, to be appended before a held-out byte is read.

    Raises:
        FrozenError: something changed after it was frozen.
        AlreadyOpenedError: one of the sessions was opened before, under this lock or another.
    """
    check_frozen(frozen, manifest, monitors=monitors)
    sessions = manifest.held_out_sessions
    opened = sorted({session for opening in past for session in opening.sessions} & set(sessions))
    if opened:
        raise AlreadyOpenedError(f"already opened: {', '.join(opened)}")
    return HeldOutOpening(lock=frozen.lock, manifest=frozen.manifest, sessions=sessions)


def check_opened(
    frozen: FrozenProfile, manifest: EvaluationManifest, opening: HeldOutOpening, evidence: Iterable[Evidence]
) -> None:
    """Make sure that evidence is what an opening opened, and that calibration has not touched it.

    Raises:
        FrozenError: the opening names another lock.
        SplitError: a session was not opened or not held out, or shares a stretch between resets with calibration.
    """
    if (opening.lock, opening.manifest) != (frozen.lock, frozen.manifest):
        raise FrozenError("the opening belongs to another frozen profile")
    check_held_out(manifest, evidence, calibrated=frozen.profile.resets)
