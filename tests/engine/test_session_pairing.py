"""Physical trials and twins are matched one to one, or not at all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from simverity_engine.errors import PairingError
from simverity_engine.properties.table import judge
from simverity_engine.session.manifest import TrialKey
from simverity_engine.session.pairing import JudgedTrial, judged, pair
from simverity_engine.trace.trace import Trace
from tests.engine.examples import GROUP, LAMP, OFF, ON, OTHER, group_trace, logged, trace
from tests.engine.sessions import key, twin_of

REAL = trace(logged((0.1, ON)))
A, B, C = key("a"), key("b"), key("c")


def trials(*keys: TrialKey, of: Trace = REAL) -> list[JudgedTrial]:
    return [judged(one, of) for one in keys]


def twins(*keys: TrialKey) -> list[JudgedTrial]:
    return trials(*keys, of=twin_of(REAL))


def test_pairs_come_in_the_order_of_the_physical_trials() -> None:
    pairs = pair(trials(B, A), twins(A, B))
    assert [one.key for one in pairs] == [B, A]
    assert all(one.physical.key == one.twin.key == one.key for one in pairs)


def test_no_trials_are_no_pairs() -> None:
    assert pair([], []) == ()


def test_judging_a_trial_keeps_its_outcomes() -> None:
    assert judged(A, REAL).outcomes == judge(REAL)


@pytest.mark.parametrize(
    ("reals", "doubles", "complaint"),
    [
        ((A, B), (A,), r"^no twin of s-1/b/0$"),
        ((A,), (A, B), r"^no physical trial for twin s-1/b/0$"),
        ((A, A), (A,), r"^physical trial s-1/a/0 is there 2 times$"),
        ((A,), (A, A, A), r"^twin s-1/a/0 is there 3 times$"),
        ((A, C), (A, B), r"^no twin of s-1/c/0; no physical trial for twin s-1/b/0$"),
    ],
)
def test_missing_extra_and_repeated_trials_are_named(
    reals: tuple[TrialKey, ...], doubles: tuple[TrialKey, ...], complaint: str
) -> None:
    with pytest.raises(PairingError, match=complaint):
        pair(trials(*reals), twins(*doubles))


@pytest.mark.parametrize(
    "double",
    [
        twin_of(trace(logged((0.1, OFF), initial=ON), direction=OFF)),
        twin_of(group_trace()),
        replace(twin_of(REAL), boundaries=REAL.boundaries[:2]),
        replace(twin_of(REAL), settle_until=13.0),
        replace(twin_of(REAL), quiet=(logged(subject=OTHER),)),
    ],
    ids=["direction", "path", "boundaries", "window", "quiet devices"],
)
def test_a_twin_of_another_command_is_refused(double: Trace) -> None:
    with pytest.raises(PairingError, match="s-1/a/0: the twin ran another command"):
        pair(trials(A), trials(A, of=double))


def test_edges_stand_for_the_devices_at_their_place_in_the_command() -> None:
    real = group_trace(logged((0.1, ON)), logged((0.1, ON), subject=OTHER))
    (found,) = pair(trials(A, of=real), trials(A, of=twin_of(real)))
    assert found.counterparts == {f"edge {subject}": subject for subject in (GROUP, LAMP, OTHER)}


def test_a_key_reads_in_one_line() -> None:
    assert key("lamp-on", 3).text == "s-1/lamp-on/3"
