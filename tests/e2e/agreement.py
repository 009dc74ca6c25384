"""Comparing the witness's verdicts with the truth: the stored trace is judged again, the truth port decides."""

from dataclasses import dataclass

from simverity_engine.properties.table import judge
from simverity_engine.terms import PropertyId, Verdict
from simverity_engine.trace.codec import decode
from testbed.rig.truth import TrueEffect


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One verdict of the witness about one target at one boundary, and whether the effect had truly happened."""

    subject: str
    boundary: str
    verdict: Verdict
    truly: bool | None

    @property
    def decided(self) -> bool:
        """Whether the witness gave an answer."""
        return self.verdict is not Verdict.ABSTAIN

    @property
    def disagrees(self) -> bool:
        """Whether the witness gave the wrong answer."""
        return self.decided and self.truly is not None and (self.verdict is Verdict.PASS) != self.truly


def compare(trace: bytes, truths: dict[str, TrueEffect | None]) -> list[Compared]:
    """Judge a stored trace again and put the truth beside every verdict on the observable effect.

    A target that no command reached truly did nothing: there the effect had not happened at any boundary.
    """
    compared = []
    for outcome in judge(decode(trace)):
        if outcome.property_id is PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE:
            truth = truths[outcome.subject]
            compared.append(
                Compared(
                    subject=outcome.subject,
                    boundary=outcome.boundary.label,
                    verdict=outcome.finding.verdict,
                    truly=False if truth is None else truth.holds_at(outcome.boundary.seconds),
                )
            )
    return compared


def reads_after_return(trace: bytes) -> list[Verdict]:
    """Return the verdicts on the reported state at the boundaries by which the call had returned.

    Nobody who waits for the call can read any earlier.
    """
    decoded = decode(trace)
    assert decoded.returned is not None
    waited = decoded.returned.at - decoded.dispatched_at
    return [
        outcome.finding.verdict
        for outcome in judge(decoded)
        if outcome.property_id is PropertyId.REPORTED_READ_AFTER_WRITE and outcome.boundary.seconds >= waited
    ]
