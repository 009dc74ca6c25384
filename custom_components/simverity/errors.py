"""The one place in which errors of the audit become sentences for a person."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from homeassistant.exceptions import HomeAssistantError, ServiceValidationError

from .audit.errors import AuditError, LedgerRefusesError, NotReadyError, WitnessFailedError
from .const import DOMAIN

_NOT_THE_CALLERS_FAULT = (LedgerRefusesError, NotReadyError, WitnessFailedError)


@contextmanager
def translated_errors() -> Iterator[None]:
    """Raise errors of the audit as errors of an action, with the sentence that says what to do."""
    try:
        yield
    except AuditError as error:
        kind = HomeAssistantError if isinstance(error, _NOT_THE_CALLERS_FAULT) else ServiceValidationError
        raise kind(
            translation_domain=DOMAIN,
            translation_key=error.translation_key,
            translation_placeholders=error.placeholders,
        ) from error
