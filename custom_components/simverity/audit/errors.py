"""What a person's request can run into: one class per kind, translated once at the surface.

``translation_key`` names the sentence in the translations (section ``exceptions``), ``placeholders`` fill it.
"""

from __future__ import annotations

from typing import ClassVar


class AuditError(Exception):
    """A request that cannot be carried out, and why."""

    translation_key: ClassVar[str] = "audit_failed"

    def __init__(self, **placeholders: str) -> None:
        """Keep what the translated sentence needs."""
        super().__init__(f"{self.translation_key}: {placeholders}" if placeholders else self.translation_key)
        self.placeholders = placeholders


class SessionRunningError(AuditError):
    """Another session or qualification is running (placeholder: session)."""

    translation_key = "session_running"


class NoSessionError(AuditError):
    """There is no session with that id, or none is running (placeholder: session)."""

    translation_key = "no_session"


class UnknownEntityError(AuditError):
    """No such entity in the registry (placeholder: entity)."""

    translation_key = "unknown_entity"


class EntityNotAuditedError(AuditError):
    """The entity, or a member of the group, was never listed (placeholder: entity)."""

    translation_key = "entity_not_audited"


class MayNotBeSwitchedError(AuditError):
    """The entity is listed, but nobody consented to its being switched (placeholder: entity)."""

    translation_key = "may_not_be_switched"


class EntityUnavailableError(AuditError):
    """The entity is unavailable or has no on/off state now (placeholders: entity, state)."""

    translation_key = "entity_unavailable"


class UnsupportedEntityError(AuditError):
    """Only lights and switches can be switched by a session (placeholder: entity)."""

    translation_key = "unsupported_entity"


class NothingToDoError(AuditError):
    """The request names no entity that a session could try."""

    translation_key = "nothing_to_do"


class BadSettlingError(AuditError):
    """The settled window leaves no room for three frames or exceeds its limits (placeholders: settle_from, window)."""

    translation_key = "bad_settling"


class LedgerRefusesError(AuditError):
    """The ledger cannot take new evidence (placeholder: status)."""

    translation_key = "ledger_refuses"


class NoWitnessError(AuditError):
    """A qualification was asked for entities that no witness films (placeholder: entity)."""

    translation_key = "no_witness"


class WitnessFailedError(AuditError):
    """The witness could not do what was asked (placeholders: code, message)."""

    translation_key = "witness_failed"


class NothingToAcknowledgeError(AuditError):
    """The entity does not escalate, so there is nothing to set aside (placeholder: entity)."""

    translation_key = "nothing_to_acknowledge"


class NothingToReplayError(AuditError):
    """No false clearance of the entity in that direction can be repeated (placeholder: entity)."""

    translation_key = "nothing_to_replay"


class NotReadyError(AuditError):
    """The integration is stopping or has not started yet."""

    translation_key = "not_ready"
