"""What a session needs to count (METHOD 5), each threshold at its edge."""

from __future__ import annotations

import pytest

from simverity_engine.session.validity import Phase, ReferenceStrobe, SessionValidity, Unsound, assess
from simverity_engine.terms import Direction, Reason
from simverity_engine.trace.samples import NoChannel
from simverity_engine.trace.trace import Trace
from tests.engine.examples import LAMP, OFF, ON, OTHER, film, group_trace, sampled, steps, trace
from tests.engine.sessions import manifest, row, strobes

GOOD = trace(sampled(film(steps((-1.0, 20.0), (0.25, 120.0)))))
STAYED_DARK = trace(sampled(film(steps((-1.0, 20.0)))))
HALF_WAY = trace(sampled(film(steps((-1.0, 20.0), (0.25, 70.0)))))
FAULTY = trace(sampled((), faults=(Reason.ARRIVAL_GAP,)))
SHORT = trace(sampled(film(steps((-1.0, 20.0), (0.25, 120.0), until=9.0))))
UNWITNESSED = trace(NoChannel(subject=LAMP, reason=Reason.WITNESS_OFFLINE))
VOID = trace(sampled(film(steps((-1.0, 70.0)))), void=Reason.SUPERSEDED)
TWENTY = manifest(row("lamp-on", ON, repetitions=20))


def session(*traces: Trace, done: tuple[ReferenceStrobe, ...] | None = None) -> SessionValidity:
    return assess(TWENTY, traces=traces, strobes=strobes() if done is None else done)


def test_a_complete_session_with_sound_controls_is_valid() -> None:
    assert session(*[GOOD] * 20) == SessionValidity(
        valid=True, planned=20, watched=20, completeness=1.0, controlled=20, control=1.0, reasons=()
    )


def test_a_device_that_fails_does_not_make_its_session_invalid() -> None:
    """A control "report = witness" would void exactly the session that catches a lying lamp."""
    assert session(*[STAYED_DARK] * 20).valid


@pytest.mark.parametrize(
    ("traces", "reasons"),
    [
        ([GOOD] * 19, ()),
        ([GOOD] * 18, (Unsound.INCOMPLETE,)),
        ([*[GOOD] * 19, UNWITNESSED], ()),
        ([*[GOOD] * 18, UNWITNESSED, UNWITNESSED], (Unsound.INCOMPLETE,)),
        ([*[GOOD] * 18, VOID, VOID], (Unsound.INCOMPLETE,)),
        ([*[GOOD] * 10, *[FAULTY] * 10], ()),
        ([*[GOOD] * 19, HALF_WAY], ()),
        ([*[GOOD] * 18, HALF_WAY, HALF_WAY], (Unsound.SETTLED_CONTROL,)),
        ([*[GOOD] * 18, SHORT, SHORT], (Unsound.SETTLED_CONTROL,)),
        ([*[GOOD] * 10, HALF_WAY, *[FAULTY] * 9], (Unsound.SETTLED_CONTROL,)),
        ([FAULTY] * 20, (Unsound.NO_WITNESSED_TRIAL,)),
        ([UNWITNESSED] * 20, (Unsound.INCOMPLETE, Unsound.NO_WITNESSED_TRIAL)),
        ([], (Unsound.NO_TRIALS, Unsound.INCOMPLETE, Unsound.NO_WITNESSED_TRIAL)),
    ],
    ids=[
        "19 of 20",
        "18 of 20",
        "one unwitnessed",
        "two unwitnessed",
        "two void",
        "faults that came back",
        "one outside both levels",
        "two outside",
        "two without a settled reading",
        "one of eleven that can tell",
        "no window can tell",
        "no witness at all",
        "no trials",
    ],
)
def test_completeness_and_control_at_ninety_five_percent(traces: list[Trace], reasons: tuple[Unsound, ...]) -> None:
    found = session(*traces)
    assert (found.valid, found.reasons) == (not reasons, reasons)


def test_the_manifest_sets_the_completeness() -> None:
    strict = manifest(row("lamp-on", ON, repetitions=20), completeness=1.0)
    assert assess(strict, traces=[GOOD] * 19, strobes=strobes()).reasons == (Unsound.INCOMPLETE,)


def test_nothing_planned_is_invalid() -> None:
    found = assess(manifest(row("lamp-on", ON, repetitions=0)), traces=[], strobes=strobes())
    assert found.completeness is None
    assert found.control is None
    assert Unsound.NO_TRIALS in found.reasons


def test_one_lamp_outside_its_levels_spoils_a_groups_trial() -> None:
    lit = film(steps((-1.0, 20.0), (0.25, 120.0)))
    dim = film(steps((-1.0, 20.0), (0.25, 70.0)))
    both = manifest(row("both", ON, repetitions=1, targets=(LAMP, OTHER)))
    trial = group_trace(sampled(lit), sampled(dim, subject=OTHER))
    found = assess(both, traces=[trial], strobes=strobes(LAMP, OTHER))
    assert (found.control, found.controlled, found.reasons) == (0.0, 1, (Unsound.SETTLED_CONTROL,))


def test_a_channel_of_something_else_controls_nothing() -> None:
    elsewhere = trace(sampled(film(steps((-1.0, 70.0))), subject=OTHER))
    assert session(*[elsewhere] * 20, done=strobes(LAMP, OTHER)).controlled == 0


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("state", Direction)
def test_strobes_that_classify_wrong_make_it_invalid(phase: Phase, state: Direction) -> None:
    done = strobes(wrong=((phase, state),))
    assert session(*[GOOD] * 20, done=done).reasons == (Unsound.STROBES_WRONG,)


def test_strobes_that_were_not_done_make_it_invalid() -> None:
    assert session(*[GOOD] * 20, done=()).reasons == (Unsound.STROBES_MISSING,)
    only_start = tuple(one for one in strobes() if one.phase is Phase.START)
    assert session(*[GOOD] * 20, done=only_start).reasons == (Unsound.STROBES_MISSING,)
    assert session(*[GOOD] * 20, done=strobes()[1:]).reasons == (Unsound.STROBES_MISSING,)
    assert session(*[GOOD] * 20, done=strobes(OTHER)).reasons == (Unsound.STROBES_MISSING,)


def failed(observed: Direction | None = None) -> ReferenceStrobe:
    return ReferenceStrobe(subject=LAMP, phase=Phase.START, state=ON, observed=observed)


@pytest.mark.parametrize(
    ("extra", "reasons"),
    [
        ((failed(),), ()),
        ((failed(OFF),), ()),
        ((failed(), failed(OFF)), (Unsound.STROBES_WRONG,)),
    ],
)
def test_one_strobe_may_be_repeated(extra: tuple[ReferenceStrobe, ...], reasons: tuple[Unsound, ...]) -> None:
    assert session(*[GOOD] * 20, done=(*extra, *strobes())).reasons == reasons


def test_every_witnessed_lamp_needs_its_strobes() -> None:
    seen_too = trace(sampled(film(steps((-1.0, 20.0)))), sampled((), subject=OTHER))
    assert Unsound.STROBES_MISSING in session(*[GOOD] * 19, seen_too).reasons
