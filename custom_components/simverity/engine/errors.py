"""What can go wrong in the engine: one class per kind, raised where it is known."""

from __future__ import annotations


class EngineError(ValueError):
    """The caller asked the engine for something that has no meaning."""


class PairingError(EngineError):
    """Physical trials and their twins are not in one-to-one correspondence."""


class FrozenError(EngineError):
    """Something that was locked under a digest no longer matches it."""


class ManifestError(EngineError):
    """A session manifest contradicts itself or asks for what is not allowed."""


class MessageError(EngineError):
    """A message from outside does not have the agreed form."""
