"""Which property judges which path, and that judging answers whatever it is given."""

from __future__ import annotations

import pytest

from simverity_engine.properties.finding import Finding, conjunction
from simverity_engine.properties.table import TABLE, judge
from simverity_engine.terms import Path, PropertyId, Reason
from tests.engine.examples import (
    GROUP,
    LAMP,
    OFF,
    ON,
    OTHER,
    film,
    group_trace,
    logged,
    marks,
    report,
    returned,
    sampled,
    trace,
)

TIMED = ("0.05", "0.1", "0.25", "0.5", "1", "3")
GROUPS_ONLY = {PropertyId.FANOUT_COMPLETION, PropertyId.EFFECT_ORDER}


def test_the_table_has_every_property_once() -> None:
    assert sorted(row.property_id for row in TABLE) == sorted(PropertyId)


@pytest.mark.parametrize("path", [path for path in Path if path is not Path.MULTI_TARGET])
def test_a_path_with_one_target_has_no_fan_out(path: Path) -> None:
    judged = judge(trace(logged((0.03, ON)), path=path, quiet=(logged(subject=OTHER),)))
    assert {outcome.property_id for outcome in judged} == set(PropertyId) - GROUPS_ONLY


def test_every_outcome_of_a_single_light_is_listed() -> None:
    judged = judge(trace(logged((0.03, ON))))
    assert [(o.property_id.value, o.boundary.label, o.subject) for o in judged] == [
        ("reported_completion", "return", LAMP),
        *(("reported_read_after_write", label, LAMP) for label in (*TIMED, "settled")),
        *(("observable_effect_after_write", label, LAMP) for label in (*TIMED, "settled")),
        ("settled_postcondition", "settled", LAMP),
    ]


def test_every_outcome_of_a_group_is_listed() -> None:
    judged = judge(group_trace(logged((0.03, ON)), logged((0.03, ON), subject=OTHER)))
    assert [(o.property_id.value, o.boundary.label, o.subject) for o in judged] == [
        ("reported_completion", "return", GROUP),
        *(
            ("reported_read_after_write", label, subject)
            for label in (*TIMED, "settled")
            for subject in (LAMP, OTHER, GROUP)
        ),
        *(
            ("observable_effect_after_write", label, subject)
            for subject in (LAMP, OTHER)
            for label in (*TIMED, "settled")
        ),
        *(("settled_postcondition", "settled", subject) for subject in (LAMP, OTHER)),
        *(("fanout_completion", label, GROUP) for label in (*TIMED, "settled")),
        ("effect_order", "settled", GROUP),
    ]


def test_a_void_trace_has_no_outcomes() -> None:
    assert judge(trace(logged((0.03, ON)), void=Reason.SUPERSEDED)) == ()


def test_without_a_settled_boundary_nothing_is_judged_there() -> None:
    plain = group_trace(logged(), logged(subject=OTHER))
    judged = judge(group_trace(logged(), logged(subject=OTHER), boundaries=plain.boundaries[:2]))
    assert {outcome.boundary.label for outcome in judged} == {"return", "0.05", "0.1"}


def test_a_command_without_targets_still_gets_answers() -> None:
    judged = judge(group_trace(goals=()))
    assert marks(judged, PropertyId.FANOUT_COMPLETION, GROUP) == " ".join(["not_applicable"] * 7)
    assert marks(judged, PropertyId.EFFECT_ORDER, GROUP) == "not_applicable"


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        ([], Finding.passed()),
        ([Finding.passed(), Finding.passed()], Finding.passed()),
        ([Finding.passed(), Finding.abstain(Reason.NO_SAMPLE)], Finding.abstain(Reason.NO_SAMPLE)),
        ([Finding.abstain(Reason.NO_SAMPLE), Finding.failed()], Finding.failed()),
        (
            [Finding.abstain(Reason.NO_SAMPLE), Finding.abstain(Reason.NO_WITNESS)],
            Finding.abstain(Reason.NO_SAMPLE),
        ),
    ],
)
def test_all_of_several_findings(parts: list[Finding], whole: Finding) -> None:
    assert conjunction(parts) == whole


def test_the_papers_off_trial() -> None:
    """Off crosses at 0.37 s, is reported at 0.05 s, and the call has returned before: four different conclusions."""
    lit = [(-0.5 + index / 60, 120.0 if -0.5 + index / 60 < 0.37 else 20.0) for index in range(760)]
    judged = judge(
        trace(
            sampled(film(lit, width=0.017)),
            direction=OFF,
            feedback=(report(0.05, "off"),),
            returned=returned(0.01, "on"),
        )
    )
    assert marks(judged, PropertyId.REPORTED_COMPLETION) == "F"
    assert marks(judged, PropertyId.REPORTED_READ_AFTER_WRITE) == "P P P P P P P"
    assert marks(judged, PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE) == "F F F P P P P"
    assert marks(judged, PropertyId.SETTLED_POSTCONDITION) == "P"
    effect = next(o.finding for o in judged if o.property_id is PropertyId.OBSERVABLE_EFFECT_AFTER_WRITE)
    assert effect.earliest is not None
    assert effect.latest is not None
    # The last lit frame arrives at 22/60 s = 0.3667 and was captured after 0.3497; the first dark one at 0.3833.
    assert (round(effect.earliest, 4), round(effect.latest, 4)) == (0.3497, 0.3833)
