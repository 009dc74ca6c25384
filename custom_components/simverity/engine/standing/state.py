"""The standing disposition of one cell and what moves it: a trial, new coordinates, an admin, time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..errors import EngineError
from ..terms import Disposition, Linkage, Reason, Verdict
from .clearing import ClearingEvidence, always_valid_upper_limit, clean_audits_to_clear, log_evidence
from .policy import StandingPolicy
from .revocation import ChangeDetector

SECONDS_PER_DAY = 86_400.0


class StandingError(EngineError):
    """The cell cannot take this step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearedTrial:
    """A trial that the source cleared and that was watched, as the standing disposition sees it.

    ``verdict`` is the target's; where it abstains, ``reason`` says why and must be linked to the outcome, since
    trials that were known to be unwatched before dispatch are no evidence. ``wall_time`` is the trial's label in
    seconds since the Unix epoch: it selects the clock block and nothing else. ``trial`` names it, for the draw of one
    in k.
    """

    verdict: Verdict
    wall_time: float
    reason: Reason | None = None
    trial: str = ""

    def __post_init__(self) -> None:
        """Refuse what must not count.

        Raises:
            StandingError: an abstention whose reason is missing or not linked to the outcome.
        """
        if self.verdict is Verdict.ABSTAIN and (self.reason is None or self.reason.linkage is not Linkage.OUTCOME):
            raise StandingError(f"a trial that abstains for {self.reason} does not count")


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledgement:
    """An admin's decision to lift an escalation for a while.

    ``reason`` is the admin's, in words; ``expires_at`` in seconds since the Unix epoch.
    """

    reason: str
    expires_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingState:
    """All that is remembered of one cell between trials.

    ``last_block`` is the clock block of the last trial that counted towards clearing. ``carried_over``: the refusal
    was earned under earlier coordinates. ``acknowledgement``: the refusal that it lifts comes back when it expires.
    """

    disposition: Disposition = Disposition.ABSTAIN
    clearing: ClearingEvidence = field(default_factory=ClearingEvidence)
    detector: ChangeDetector = field(default_factory=ChangeDetector)
    last_block: int | None = None
    carried_over: bool = False
    acknowledgement: Acknowledgement | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What a card shows beside a standing disposition.

    ``log_evidence`` is ln E, ``log_demand`` where it clears. ``upper_limit`` holds at every look; 1.0 if nothing is
    refuted yet. ``clean_audits_to_clear`` is the number of further counted trials without failure.
    """

    log_evidence: float
    log_demand: float
    upper_limit: float
    clean_audits_to_clear: int


def observe(state: StandingState, trial: ClearedTrial, policy: StandingPolicy) -> StandingState:
    """Return the state after one more trial; trials come in the order in which they closed.

    Every decided trial feeds the change detector. The first trial of a clock block counts towards clearing, or one in k
    where the policy draws them, there with an outcome-linked abstention as a failure. A block that lies before the last
    counted one never counts, so that setting the clock back cannot count an hour twice.
    """
    state = expire(state, trial.wall_time)
    state = _count_towards_clearing(state, trial, policy)
    if trial.verdict is not Verdict.ABSTAIN:
        detector = state.detector.after(failed=trial.verdict is Verdict.FAIL, tolerance=policy.tolerance)
        state = replace(state, detector=detector)
    broken = policy.strict and state.disposition is Disposition.CLEAR and trial.verdict is Verdict.FAIL
    if broken or state.detector.level >= policy.alarm:
        return _revoked(state)
    if log_evidence(state.clearing, policy.tolerance) >= policy.log_demand:
        return replace(state, disposition=Disposition.CLEAR, carried_over=False, acknowledgement=None)
    return state


def change_coordinates(state: StandingState) -> StandingState:
    """Return the state under new coordinates: a clear must be earned again, a refusal stays and says where from."""
    refused = state.disposition is Disposition.ESCALATE or state.acknowledgement is not None
    return replace(
        state,
        disposition=Disposition.ESCALATE if state.disposition is Disposition.ESCALATE else Disposition.ABSTAIN,
        clearing=state.clearing.restarted(),
        carried_over=refused,
    )


def acknowledge(state: StandingState, acknowledgement: Acknowledgement, wall_time: float) -> StandingState:
    """Lift an escalation until the acknowledgement expires; clearing starts again without its good experience.

    Raises:
        StandingError: the cell does not escalate, no reason is given, or the acknowledgement has already expired.
    """
    if state.disposition is not Disposition.ESCALATE:
        raise StandingError("only an escalation can be acknowledged")
    if not acknowledgement.reason.strip():
        raise StandingError("an acknowledgement must say why")
    if acknowledgement.expires_at <= wall_time:
        raise StandingError("the acknowledgement has already expired")
    return replace(
        state,
        disposition=Disposition.ABSTAIN,
        clearing=state.clearing.restarted(),
        acknowledgement=acknowledgement,
    )


def expire(state: StandingState, wall_time: float) -> StandingState:
    """Bring a refusal back once its acknowledgement has run out; otherwise change nothing."""
    if state.acknowledgement is None or wall_time < state.acknowledgement.expires_at:
        return state
    return replace(state, disposition=Disposition.ESCALATE, acknowledgement=None)


def outlook(state: StandingState, policy: StandingPolicy) -> Outlook:
    """Return the figures that stand beside the disposition."""
    return Outlook(
        log_evidence=log_evidence(state.clearing, policy.tolerance),
        log_demand=policy.log_demand,
        upper_limit=always_valid_upper_limit(state.clearing, policy.log_demand),
        clean_audits_to_clear=clean_audits_to_clear(state.clearing, policy.tolerance, policy.log_demand),
    )


def expected_clear_time(clean_audits: int, audits_per_day: float, wall_time: float) -> float | None:
    """Return when clearing is expected at today's pace, in seconds since the Unix epoch; None at a standstill."""
    if audits_per_day <= 0.0:
        return None
    return wall_time + clean_audits / audits_per_day * SECONDS_PER_DAY


def worse(one: Disposition, other: Disposition) -> Disposition:
    """Return the more cautious of a standing disposition and a session's."""
    caution = tuple(Disposition)
    return max(one, other, key=caution.index)


def _count_towards_clearing(state: StandingState, trial: ClearedTrial, policy: StandingPolicy) -> StandingState:
    failed = trial.verdict is not Verdict.PASS
    if policy.one_in is not None:
        drawn = policy.draws(trial.trial)
        return replace(state, clearing=state.clearing.counted(failed=failed)) if drawn else state
    block = policy.block_at(trial.wall_time)
    if state.last_block is not None and block <= state.last_block:
        return state
    return replace(state, clearing=state.clearing.counted(failed=failed), last_block=block)


def _revoked(state: StandingState) -> StandingState:
    return StandingState(
        disposition=Disposition.ESCALATE,
        clearing=state.clearing.restarted(),
        last_block=state.last_block,
    )
