"""Which tokens open the API: the current one and, for a moment after a change, the one before it."""

from __future__ import annotations

import hmac
import secrets

MIN_TOKEN = 16
"""Characters that a token has at least."""
_NEW_TOKEN_BYTES = 32


def new_token() -> str:
    """Return a random token."""
    return secrets.token_urlsafe(_NEW_TOKEN_BYTES)


class Access:
    """The tokens that are accepted, the newest last."""

    def __init__(self, token: str) -> None:
        """Accept one token."""
        self._tokens = [token]

    @property
    def current(self) -> str:
        """The newest token."""
        return self._tokens[-1]

    def admitted(self, given: str) -> str | None:
        """Return the token that was given if it is accepted; takes equally long for every wrong one."""
        matches = [
            token for token in self._tokens if hmac.compare_digest(given.encode("utf-8", "replace"), token.encode())
        ]
        return matches[0] if matches else None

    def succeed(self, token: str) -> None:
        """Accept a newer token beside the present ones."""
        self._tokens.append(token)

    def retire(self) -> list[str]:
        """Accept only the newest token from now on; return the ones that are refused."""
        retired = self._tokens[:-1]
        self._tokens = self._tokens[-1:]
        return retired
