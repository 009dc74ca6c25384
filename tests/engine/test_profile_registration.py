from __future__ import annotations

import json
from dataclasses import replace

import pytest

from simverity_engine.canonical import canonical_bytes, plain
from simverity_engine.errors import MessageError
from simverity_engine.profile.errors import EvaluationError, SplitError
from simverity_engine.profile.registration import (
    Cohort,
    EvaluationManifest,
    HeldOutSession,
    Resampling,
    check_evaluation,
    evaluation_digest,
    parse_evaluation,
)
from simverity_engine.terms import Boundary, SessionId
from tests.engine.profiles import CALIBRATION, HELD_OUT, criterion, evaluation

SECOND = Cohort(name="two", sessions=(HeldOutSession(session=SessionId("h-2"), regime="closed"),))


def document(manifest: EvaluationManifest) -> dict[str, object]:
    """The manifest as it is read from a file."""
    read: dict[str, object] = json.loads(canonical_bytes(plain(manifest)))
    return read


def test_a_manifest_is_read_back_as_it_was_written() -> None:
    manifest = evaluation(cohorts=(*evaluation().cohorts, SECOND), secondary=(criterion(name="again", cohort="two"),))
    assert parse_evaluation(document(manifest)) == manifest
    assert manifest.held_out_sessions == (HELD_OUT, SessionId("h-2"))
    assert manifest.cohort("two") == SECOND


def test_every_part_of_a_manifest_is_under_its_digest() -> None:
    assert evaluation_digest(evaluation()) != evaluation_digest(evaluation(pool_sites=True))


@pytest.mark.parametrize(
    "cohorts",
    [
        (Cohort(name="one", sessions=(HeldOutSession(session=CALIBRATION, regime="natural"),)),),
        (*evaluation().cohorts, replace(evaluation().cohorts[0], name="again")),
    ],
)
def test_a_session_on_both_sides_or_twice_is_refused(cohorts: tuple[Cohort, ...]) -> None:
    with pytest.raises(SplitError, match="named twice"):
        check_evaluation(evaluation(cohorts=cohorts))


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"schema": 2}, "schema 2 is not 1"),
        ({"calibration": ()}, "no calibration sessions"),
        ({"held_out": ()}, "nothing is held out"),
        ({"cohorts": ()}, "a cohort needs sessions"),
        ({"cohorts": (Cohort(name="one", sessions=()),)}, "a cohort needs sessions"),
        ({"cohorts": (*evaluation().cohorts, replace(SECOND, name="one"))}, "two cohorts"),
        ({"primary": ()}, "no primary criterion"),
        ({"secondary": (criterion(),)}, "two criteria"),
        ({"primary": (criterion(cohort="three"),)}, "a cohort that does not exist"),
        ({"primary": (criterion(limit=1.5),)}, "a limit must lie"),
        ({"n_min": 0}, "n_min"),
        ({"resampling": Resampling(resamples=0, seed=1, confidence=0.95)}, "a resample"),
        ({"resampling": Resampling(resamples=1, seed=1, confidence=1.0)}, "the confidence"),
        ({"grid": ()}, "must rise"),
        ({"grid": (Boundary(seconds=1.0), Boundary(seconds=0.5))}, "must rise"),
    ],
)
def test_a_manifest_that_contradicts_itself_is_refused(changes: dict[str, object], complaint: str) -> None:
    with pytest.raises(EvaluationError, match=complaint):
        check_evaluation(evaluation(**changes))


def test_what_nobody_registered_is_refused() -> None:
    with pytest.raises(MessageError, match="unknown fields: extra"):
        parse_evaluation({**document(evaluation()), "extra": 1})
