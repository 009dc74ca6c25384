"""What the dashboard lays open: false clearances read back from the ledger, and a session's cells."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from custom_components.simverity.audit.exhibits import reliability, session_exhibit, trial_exhibit
from custom_components.simverity.audit.standing_cell import StandingCell
from custom_components.simverity.engine.cells import CellKey
from custom_components.simverity.engine.statistics.fidelity import PairCounts
from custom_components.simverity.engine.terms import (
    GRID,
    Direction,
    Path,
    Reason,
    Rung,
    SubjectId,
    Tier,
    TrialId,
    settled_boundary,
)
from custom_components.simverity.engine.trace.codec import trace_digest
from custom_components.simverity.engine.trace.samples import FrozenLevels, NoChannel, Sample, SampledChannel
from custom_components.simverity.engine.trace.trace import Feedback, Goal, PreState, Trace

LAMP, OTHER = SubjectId("lamp"), SubjectId("other")
T0 = 100.0
BOUNDARIES = tuple(boundary.seconds for boundary in GRID)
LEVELS = FrozenLevels(
    on=120.0, off=20.0, guard=2.0, two_sided=((Direction.ON, BOUNDARIES), (Direction.OFF, BOUNDARIES))
)


def _trace(number: int, *, dark_until: float, filmed: bool = True, rung: Rung = Rung.PHYSICAL) -> Trace:
    """A command to turn on at second 100, reported after 40 ms, after which the lamp stays dark for a while."""
    arrivals = [-0.1 + index * 0.1 for index in range(45)]
    samples = tuple(
        Sample(earliest=T0 + at - 0.02, latest=T0 + at, level=20.0 if at < dark_until else 120.0) for at in arrivals
    )
    channel = SampledChannel(
        subject=LAMP, levels=LEVELS, samples=samples, tier=Tier.STREAM_CLOCK, qualification="q", armed_at=T0
    )
    return Trace(
        trial=TrialId(f"t-{number}"),
        rung=rung,
        path=Path.SINGLE_LIGHT,
        direction=Direction.ON,
        subject=LAMP,
        goals=(Goal(subject=LAMP, state=Direction.ON),),
        dispatched_at=T0,
        wall_dispatched=f"2026-12-01T03:00:{number:02}+00:00",
        settle_from=4.0,
        settle_until=4.3,
        boundaries=(*GRID, settled_boundary(4.0)),
        pre_states=(PreState(subject=LAMP, value="off", age=60.0),),
        requested_at=T0 - 0.01,
        feedback=(Feedback(subject=LAMP, at=T0 + 0.04, state="on"),),
        channels=(channel if filmed else NoChannel(subject=LAMP, reason=Reason.NO_WITNESS),),
        closed_at=T0 + 4.3,
    )


def test_a_false_clearance_is_shown_with_its_trace() -> None:
    trace = _trace(1, dark_until=0.35)
    shown = trial_exhibit(trace, LAMP)
    assert {key: shown[key] for key in ("trial", "at", "direction", "path", "settled", "digest")} == {
        "trial": "t-1",
        "at": "2026-12-01T03:00:01+00:00",
        "direction": "on",
        "path": "single_light",
        "settled": [4.0, 4.3],
        "digest": trace_digest(trace),
    }


def test_the_six_stages_lie_on_one_axis_that_starts_at_the_command() -> None:
    shown = trial_exhibit(_trace(1, dark_until=0.35), LAMP)
    stages = shown["stages"]
    assert isinstance(stages, list)
    told = [
        (one["stage"], one["earliest"], one["latest"], one["unavailable"]) for one in stages if isinstance(one, dict)
    ]
    assert told == [
        ("request", -0.01, -0.01, None),
        ("source_report", None, None, "not_watched"),
        ("agent_read", None, None, "not_watched"),
        ("dispatch", 0.0, 0.0, None),
        ("software_feedback", 0.04, 0.04, None),
        ("observable_effect", pytest.approx(0.28), pytest.approx(0.4), None),
    ]


def test_the_brightness_is_shown_beside_the_frozen_levels() -> None:
    shown = trial_exhibit(_trace(1, dark_until=0.35), LAMP)
    channel = shown["channel"]
    assert isinstance(channel, dict)
    assert (channel["on"], channel["off"], channel["guard"]) == (120.0, 20.0, 2.0)
    samples = channel["samples"]
    assert isinstance(samples, list)
    assert samples[0] == [pytest.approx(-0.12), pytest.approx(-0.1), 20.0]
    assert samples[-1] == [pytest.approx(4.28), pytest.approx(4.3), 120.0]


def test_without_a_camera_there_is_no_brightness() -> None:
    quiet = replace(_trace(1, dark_until=0.0, filmed=False), feedback=())
    assert trial_exhibit(quiet, LAMP)["channel"] is None


def _card(**cell: Any) -> dict[str, Any]:
    key = {
        "property_id": "settled_postcondition",
        "boundary": "settled",
        "direction": "on",
        "path": "single_light",
        "rung": "physical",
        "source": "twin",
        "subject": "lamp",
    }
    plain = {
        "key": key,
        "disposition": "clear",
        "two_sided": True,
        "failures": 0,
        "decided": 20,
        "abstained": 1,
        "blocked": 2,
        "source_abstained": 3,
        "counts": {"linked": [{"reason": "no_sample", "count": 1}], "before_dispatch": []},
        "risk": {"point": {"interval": {"lower": 0.0, "upper": 0.17}}},
    }
    return {
        "session": "s-1",
        "declared_at": "2026-12-01T03:00:00+00:00",
        "validity": {"valid": True},
        "hashes": {"manifest": "m", "monitors": "o", "coordinates": "c", "trials": "t", "qualifications": []},
        "cells": [plain | cell],
    }


def test_a_sessions_cells_come_with_their_exact_interval_and_the_hashes() -> None:
    shown = session_exhibit(_card(), LAMP)
    assert shown == {
        "session": "s-1",
        "declared_at": "2026-12-01T03:00:00+00:00",
        "valid": True,
        "hashes": {"manifest": "m", "monitors": "o", "coordinates": "c", "trials": "t"},
        "cells": [
            {
                "cell": "settled_postcondition/settled/on/single_light/physical/twin/lamp",
                "property": "settled_postcondition",
                "boundary": "settled",
                "direction": "on",
                "path": "single_light",
                "rung": "physical",
                "source": "twin",
                "disposition": "clear",
                "two_sided": True,
                "failures": 0,
                "decided": 20,
                "abstained": 1,
                "blocked": 2,
                "source_abstained": 3,
                "reasons": {"no_sample": 1},
                "interval": [0.0, 0.17],
            }
        ],
    }


@pytest.mark.parametrize("risk", [{"shortage": "no_cleared_trials"}, {"point": {"shortage": "one_sided_witness"}}])
def test_a_cell_without_evidence_has_no_interval(risk: dict[str, Any]) -> None:
    shown = session_exhibit(_card(risk=risk), LAMP)
    assert shown is not None
    assert shown["cells"][0]["interval"] is None


def test_a_session_that_did_not_try_the_device_shows_nothing() -> None:
    assert session_exhibit(_card(), OTHER) is None
    assert session_exhibit(None, LAMP) is None


def _standing(failures: int, passes: int) -> StandingCell:
    key = CellKey.parse("settled_postcondition/settled/on/single_light/physical/twin/lamp")
    return StandingCell(key=key, counts=PairCounts(pass_fail=failures, pass_pass=passes))


def test_what_a_session_made_expect_stands_beside_what_all_other_trials_showed() -> None:
    assert reliability(_card(), [_standing(1, 23)]) == [
        {
            "cell": "settled_postcondition/settled/on/single_light/physical/twin/lamp",
            "property": "settled_postcondition",
            "boundary": "settled",
            "direction": "on",
            "expected": 0.0238,
            "failures": 1,
            "decided": 4,
            "interval": [0.0063, 0.8059],
        }
    ]


def test_a_session_alone_proves_nothing_of_itself() -> None:
    assert reliability(_card(), [_standing(0, 20)]) == []


def test_a_session_that_is_not_valid_makes_nobody_expect_anything() -> None:
    assert reliability(_card() | {"validity": {"valid": False}}, [_standing(1, 23)]) == []
    assert reliability(None, [_standing(1, 23)]) == []
    other = StandingCell(key=CellKey.parse("settled_postcondition/settled/off/single_light/physical/twin/lamp"))
    assert reliability(_card(), [other]) == []
