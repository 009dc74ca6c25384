"""Where every trial went: a row, or a reason why not. Accounts of parts add up."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from simverity_engine.profile.row import LeftOut, PredictionRow
from simverity_engine.terms import Path, PropertyId, Rung, SessionId

ROW = "row"
INVALID_SESSION = "invalid_session"
NOT_HELD_OUT = "not_held_out"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Account:
    """One line of the account: where and why, over all sessions.

    ``fate`` is ``row``, an engine ``Fate``, ``invalid_session`` or ``not_held_out``; ``reason`` is empty where the
    fate says it all.
    """

    path: Path
    rung: Rung
    property_id: PropertyId
    fate: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionAccount:
    """What became of one session. ``planned`` and ``recorded`` count its trials, None where the export does not say."""

    session: SessionId
    site: str
    valid: bool
    reasons: tuple[str, ...]
    planned: int | None
    recorded: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Accounts:
    """Every (trial, property) of some evidence, and its sessions."""

    lines: Mapping[Account, int] = field(default_factory=dict)
    sessions: Mapping[SessionId, SessionAccount] = field(default_factory=dict)

    def __add__(self, other: Accounts) -> Accounts:
        """Count both."""
        return Accounts(lines=Counter(self.lines) + Counter(other.lines), sessions={**self.sessions, **other.sessions})


def account_of(one: PredictionRow | LeftOut, *, instead: str | None = None) -> Account:
    """Return the line under which something is counted; ``instead`` overrides a row's fate."""
    if isinstance(one, LeftOut):
        reason = "" if one.reason is None else one.reason.value
        return Account(
            path=one.path,
            rung=one.rung,
            property_id=one.property_id,
            fate=instead or one.fate.value,
            reason="" if instead else reason,
        )
    query = one.query
    return Account(
        path=query.path,
        rung=query.rung,
        property_id=query.property_id,
        fate=instead or ROW,
        reason="",
    )


def count_accounts(found: Iterable[PredictionRow | LeftOut], *, instead: str | None = None) -> dict[Account, int]:
    """Count lines."""
    return dict(Counter(account_of(one, instead=instead) for one in found))
