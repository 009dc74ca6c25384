"""Failures that people reported, as traces: what an audit of them must conclude.

Each test names its field case. Times are the case's; what really happened is filmed by a camera at ten frames a second
unless the case has frames of its own. A conclusion is a pair: what the software claimed, and what the witness saw.
"""

from __future__ import annotations

from dataclasses import replace

from simverity_engine.cells import claims
from simverity_engine.properties.table import judge
from simverity_engine.terms import Boundary, PropertyId, Reason, Source, SubjectId, Verdict, settled_boundary
from simverity_engine.trace.samples import EffectChannel, FrozenLevels, Sample
from simverity_engine.trace.trace import PreState, Trace
from tests.engine.examples import (
    GROUP,
    LAMP,
    OFF,
    OTHER,
    T0,
    film,
    findings,
    frame,
    group_trace,
    marks,
    report,
    sampled,
    steps,
    trace,
)

EFFECT = PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE
FANOUT = PropertyId.FANOUT_COMPLETION
CONCLUSIONS = {
    (Verdict.PASS, Verdict.PASS): "true_clear",
    (Verdict.PASS, Verdict.FAIL): "false_clear",
    (Verdict.FAIL, Verdict.PASS): "false_alarm",
    (Verdict.FAIL, Verdict.FAIL): "true_alarm",
}


def boundaries(*seconds: float, settled: float = 10.0) -> tuple[Boundary, ...]:
    return (*(Boundary(seconds=one) for one in seconds), settled_boundary(settled))


def lit(*changes: tuple[float, float], subject: SubjectId = LAMP) -> EffectChannel:
    """A lamp that was off and then stood at these levels."""
    return sampled(film(steps((-1.0, 20.0), *changes)), subject=subject)


def concluded(
    trial: Trace, label: str, *, subject: SubjectId = LAMP, property_id: PropertyId = EFFECT
) -> str | Reason | None:
    """Return the audit's conclusion about what was claimed at a boundary, or why it abstains."""
    (pair,) = (
        one.verdicts
        for one in claims(trial, judge(trial))
        if (one.key.source, one.key.boundary) == (Source.REPORTED_CLAIM, label)
        and (one.key.subject, one.key.property_id) == (subject, property_id)
    )
    return pair.reason or CONCLUSIONS[(pair.source, pair.target)]


def test_a1_a_report_that_comes_five_seconds_late_is_right_in_the_end() -> None:
    trial = trace(lit((0.4, 120.0)), feedback=(report(5.05, "on"),), boundaries=boundaries(2.0))
    assert concluded(trial, "2") == "false_alarm"
    assert concluded(trial, "settled") == "true_clear"


def test_a3_a_working_plug_whose_report_reverts_is_a_false_alarm() -> None:
    """The case owes true_clear after 300 s, when the report recovers; our settled boundary comes before that."""
    trial = trace(lit((0.3, 120.0)), feedback=(report(0.03, "on"), report(5.2, "off")), boundaries=boundaries(1.0, 6.0))
    assert concluded(trial, "1") == "true_clear"
    assert concluded(trial, "6") == "false_alarm"
    assert concluded(trial, "settled") == "false_alarm"


def test_a4_a_report_that_flaps_is_right_in_the_end() -> None:
    reports = (report(0.05, "on"), report(1.05, "off"), report(2.1, "on"))
    trial = trace(lit((0.3, 120.0)), feedback=reports)
    assert concluded(trial, "settled") == "true_clear"


def test_a7_an_optimistic_report_of_a_command_that_got_lost() -> None:
    trial = trace(lit(), feedback=(report(0.01, "on", assumed=True),))
    assert {concluded(trial, at) for at in ("0.05", "0.5", "3", "settled")} == {"false_clear"}


def test_a9_a_lamp_that_was_off_and_came_back_on_did_not_survive() -> None:
    """The case owes true_clear at 1 s, where METHOD 2 abstains: a window with a fall-back is not one-way.

    That counts as a failure towards clearance, and the settled boundary says what happened.
    """
    seen = sampled(film(steps((-1.0, 120.0), (0.6, 20.0), (2.4, 100.0))))
    reports = (report(0.3, "off"), report(2.6, "on"))
    trial = trace(seen, direction=OFF, feedback=reports, boundaries=boundaries(1.0))
    assert concluded(trial, "1") is Reason.NOT_ONE_WAY
    assert concluded(trial, "settled") == "true_alarm"


def test_b4_a_lamp_without_mains_that_reports_on() -> None:
    before = (
        PreState(subject=LAMP, value="on", age=7200.0),
        PreState(subject=LAMP, value="off", age=0.1, source="witness"),
    )
    trial = trace(lit(), feedback=(report(0.25, "on"),), pre_states=before)
    assert concluded(trial, "0.05") == "false_clear"
    assert concluded(trial, "settled") == "false_clear"


def test_b6_a_stale_off_before_the_command_is_a_claim_until_the_lamp_goes_off() -> None:
    before = (
        PreState(subject=LAMP, value="off", age=4200.0),
        PreState(subject=LAMP, value="on", age=0.1, source="witness"),
    )
    seen = sampled(film(steps((-1.0, 120.0), (0.6, 20.0))))
    trial = trace(seen, direction=OFF, feedback=(report(0.2, "off"),), pre_states=before)
    assert concluded(trial, "0.25") == "false_clear"
    assert concluded(trial, "settled") == "true_clear"


def test_c7_a_lamp_that_keeps_fading_out_after_it_was_switched_on() -> None:
    """Eight seconds into a fade of twenty, seen at one frame every two seconds."""
    faded = [140, 126, 112, 98, 84, 70, 56, 42, 28, 14, 9, 9, 9]
    levels = FrozenLevels(on=140.0, off=9.0, guard=2.0)
    seen = sampled(film((2.0 * index - 8.0, level) for index, level in enumerate(faded)), levels=levels)
    trial = replace(
        trace(seen, feedback=(report(0.1, "on"),), boundaries=boundaries(1.0)), settle_from=11.0, settle_until=17.0
    )
    assert concluded(trial, "1") is Reason.INITIAL_STATE
    assert concluded(trial, "settled") == "false_clear"


def test_c10_a_flash_before_the_fade_is_ignored() -> None:
    """Frames every 0.1 s; the midpoint of 11 and 75 is 43, so that 40 is old and 55 new: the step is at 0.5 s."""
    series = [11, 120, 18, 25, 40, 55, 68, 74, 75, 75, 75]
    levels = FrozenLevels(on=75.0, off=11.0, guard=2.0)
    frames = film([(-0.1, 11.0), *((index / 10, float(level)) for index, level in enumerate(series))])
    found = findings(trace(sampled(frames, levels=levels)), EFFECT)["1"]
    assert found.verdict is Verdict.PASS
    assert found.earliest is not None
    assert found.latest is not None
    assert (round(found.earliest, 3), round(found.latest, 3)) == (0.38, 0.5)


def test_d1_a_group_with_one_dark_member() -> None:
    third = SubjectId("third")
    reports = tuple(report(0.1, "on", subject=subject) for subject in (GROUP, LAMP, OTHER, third))
    plain = group_trace(lit((0.9, 120.0)), lit((0.9, 120.0), subject=OTHER), lit(subject=third), feedback=reports)
    trial = replace(plain, goals=(*plain.goals, replace(plain.goals[0], subject=third)))
    assert concluded(trial, "3") == "true_clear"
    assert concluded(trial, "3", subject=OTHER) == "true_clear"
    assert concluded(trial, "3", subject=third) == "false_clear"
    assert concluded(trial, "3", subject=GROUP, property_id=FANOUT) == "false_clear"


def test_d6_an_off_that_makes_a_dark_lamp_glow_faintly() -> None:
    """The lamp was off at 8 levels and glows at 13 of 130: nothing was on before, and nothing is proven."""
    levels = FrozenLevels(on=130.0, off=8.0, guard=2.0)
    seen = sampled(film([(-0.5, 8.0), (0.5, 8.1), (1.0, 12.9), (1.5, 13.1), (2.0, 13.0)]), levels=levels)
    assert marks(trace(seen, direction=OFF), EFFECT).split()[:6] == ["initial_state"] * 6


def test_g1_frames_of_unknown_age_never_fail_a_lamp() -> None:
    """A stream seven seconds late, honestly bounded: old levels that arrive after the command prove nothing."""
    late = [frame(at - 8.0, float(at), 10.0 if at < 8 else 130.0) for at in range(-1, 10)]
    levels = FrozenLevels(on=130.0, off=10.0, guard=2.0)
    assert marks(trace(sampled(late, levels=levels)), EFFECT).split()[5] == "below_resolution"


def test_g6_a_still_that_was_taken_some_time_in_four_seconds() -> None:
    before = film([(-0.1, 20.0)])
    still = Sample(earliest=T0 + 0.5, latest=T0 + 4.9, level=118.0)
    later = frame(5.0, 5.1, 118.0)
    trial = trace(sampled((*before, still, later)), feedback=(report(0.1, "on"),), boundaries=boundaries(2.0, 5.0))
    assert concluded(trial, "2") is Reason.BELOW_RESOLUTION
    assert concluded(trial, "5") == "true_clear"


def test_g9_an_infrared_switch_silences_the_window() -> None:
    seen = sampled(film(steps((-1.0, 130.0), (0.3, 20.0), (2.0, 115.0))), faults=(Reason.NIGHT_SWITCH,))
    assert set(marks(trace(seen, direction=OFF), EFFECT).split()) == {"night_switch"}


def test_g18_no_picture_is_no_answer() -> None:
    assert set(marks(trace(sampled(()), direction=OFF), EFFECT).split()) == {"no_sample"}


def test_h1_a_clock_that_was_set_leaves_only_what_is_settled() -> None:
    trial = trace(lit((0.4, 120.0)), feedback=(report(1.2, "on"),), clock_moved=3600.0)
    assert concluded(trial, "1") is Reason.CLOCK_STEP
    assert concluded(trial, "settled") == "true_clear"
