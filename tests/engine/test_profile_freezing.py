from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simverity_engine.canonical import canonical_bytes
from simverity_engine.errors import EngineError, FrozenError
from simverity_engine.profile import thresholds as limits
from simverity_engine.profile.counts import NOTHING_COUNTED
from simverity_engine.profile.errors import AlreadyOpenedError, ProfileError, SplitError
from simverity_engine.profile.freezing import (
    FrozenProfile,
    HeldOutOpening,
    check_frozen,
    check_opened,
    freeze,
    open_held_out,
    parse_frozen,
)
from simverity_engine.profile.profile import fit, parse_profile
from simverity_engine.profile.registration import evaluation_digest
from simverity_engine.profile.thresholds import thresholds, thresholds_digest
from simverity_engine.terms import Digest, Path, Rung, SessionId
from tests.engine.profiles import HELD_OUT, classes, criterion, evaluation, evidence, profile, query, rows

MONITORS = Digest("m" * 64)
MANIFEST = evaluation()
PROFILE = profile(rows(query(), 2, 5), rows(query(boundary="3"), 0, 4))
FROZEN = freeze(PROFILE, MANIFEST, monitors=MONITORS)
HELD_OUT_EVIDENCE = evidence(session=HELD_OUT, reset="reset-2", path=Path.SENSOR_TO_EFFECT)


def opened(frozen: FrozenProfile = FROZEN, past: tuple[HeldOutOpening, ...] = ()) -> HeldOutOpening:
    """The opening of the example."""
    return open_held_out(frozen, MANIFEST, monitors=MONITORS, past=past)


def test_a_frozen_profile_is_read_back_as_it_was() -> None:
    again = parse_frozen(FROZEN.content, FROZEN.lock_document())
    assert again == FROZEN
    assert again.lock == FROZEN.lock


def test_the_lock_covers_profile_monitors_thresholds_and_manifest() -> None:
    others = [
        freeze(profile(rows(query(), 1, 5)), MANIFEST, monitors=MONITORS),
        replace(FROZEN, monitors=Digest("n" * 64)),
        replace(FROZEN, thresholds=Digest("t" * 64)),
        replace(FROZEN, manifest=Digest("e" * 64)),
    ]
    assert len({FROZEN.lock, *(other.lock for other in others)}) == 5


def test_the_order_in_which_evidence_came_does_not_matter() -> None:
    other = profile(rows(query(boundary="3"), 0, 4), rows(query(), 2, 5))
    assert freeze(other, MANIFEST, monitors=MONITORS).content == FROZEN.content


@given(st.integers(min_value=0, max_value=10**6), st.integers(min_value=1, max_value=255), st.booleans())
def test_one_changed_byte_is_refused(place: int, change: int, in_profile: bool) -> None:
    parts = [bytearray(FROZEN.content), bytearray(FROZEN.lock_document())]
    changed = parts[0 if in_profile else 1]
    changed[place % len(changed)] ^= change
    with pytest.raises(EngineError):
        parse_frozen(bytes(parts[0]), bytes(parts[1]))


@pytest.mark.parametrize("content", [b"", b"nothing", b"[" * 100_000])
def test_what_is_no_frozen_profile_is_refused(content: bytes) -> None:
    with pytest.raises(FrozenError, match="not JSON"):
        parse_frozen(content, FROZEN.lock_document())
    with pytest.raises(FrozenError, match="not JSON"):
        parse_frozen(FROZEN.content, content)


def test_spaces_are_a_change_too() -> None:
    with pytest.raises(FrozenError, match="no longer is what was locked"):
        parse_frozen(FROZEN.content + b"\n", FROZEN.lock_document())


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"manifest": evaluation(n_min=2), "monitors": MONITORS}, "evaluation manifest"),
        ({"manifest": MANIFEST, "monitors": Digest("n" * 64)}, "monitors"),
    ],
)
def test_nothing_is_opened_after_something_frozen_changed(changes: dict[str, object], part: str) -> None:
    with pytest.raises(FrozenError, match=part):
        open_held_out(FROZEN, past=(), **changes)  # type: ignore[arg-type]


def test_nothing_is_opened_after_a_threshold_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SETTLED_FRAMES", 1)
    with pytest.raises(FrozenError, match="thresholds"):
        opened()


def test_later_monitors_may_replay_what_earlier_ones_opened() -> None:
    check_frozen(FROZEN, MANIFEST, monitors=None)


def test_the_opening_names_the_lock_and_the_sessions() -> None:
    assert opened() == HeldOutOpening(lock=FROZEN.lock, manifest=evaluation_digest(MANIFEST), sessions=(HELD_OUT,))


def test_a_session_is_opened_once() -> None:
    with pytest.raises(AlreadyOpenedError, match=HELD_OUT):
        opened(past=(opened(),))


def test_another_profile_does_not_open_a_session_again() -> None:
    other = freeze(profile(rows(query(), 0, 1)), MANIFEST, monitors=MONITORS)
    with pytest.raises(AlreadyOpenedError):
        opened(other, past=(opened(),))


def test_an_opening_of_other_sessions_is_no_hindrance() -> None:
    opened(past=(replace(opened(), sessions=(SessionId("elsewhere"),)),))


def test_opened_evidence_is_accepted() -> None:
    check_opened(FROZEN, MANIFEST, opened(), [HELD_OUT_EVIDENCE])


@pytest.mark.parametrize(
    ("one", "complaint"),
    [
        (replace(HELD_OUT_EVIDENCE, session=SessionId("h-9")), "not registered as held out"),
        (replace(HELD_OUT_EVIDENCE, reset="reset-1"), "shares the stretch reset-1"),
    ],
)
def test_held_out_evidence_that_calibration_touched_is_refused(one: object, complaint: str) -> None:
    with pytest.raises(SplitError, match=complaint):
        check_opened(FROZEN, MANIFEST, opened(), [HELD_OUT_EVIDENCE, one])  # type: ignore[list-item]


def test_the_same_stretch_in_another_home_is_another_stretch() -> None:
    check_opened(FROZEN, MANIFEST, opened(), [replace(HELD_OUT_EVIDENCE, site="cabin", reset="reset-1")])


def test_an_opening_belongs_to_one_lock() -> None:
    with pytest.raises(FrozenError, match="another frozen profile"):
        check_opened(replace(FROZEN, monitors=Digest("n" * 64)), MANIFEST, opened(), [])


@pytest.mark.parametrize(
    ("one", "complaint"),
    [
        (evidence(session=HELD_OUT), "not registered for calibration"),
        (evidence(path=Path.SENSOR_TO_EFFECT), "which is held out"),
    ],
)
def test_calibration_never_touches_what_is_held_out(one: object, complaint: str) -> None:
    with pytest.raises(SplitError, match=complaint):
        fit(MANIFEST, classes(rows(query(), 1, 2)), [one])  # type: ignore[list-item]


def test_the_held_out_path_may_be_calibrated_on_another_rung() -> None:
    fit(MANIFEST, classes(rows(query(), 1, 2)), [evidence(path=Path.SENSOR_TO_EFFECT, rung=Rung.SOFTWARE)])


def test_there_is_no_profile_without_rows() -> None:
    with pytest.raises(ProfileError, match="no row"):
        fit(MANIFEST, NOTHING_COUNTED, [])


def test_a_manifest_that_contradicts_itself_is_not_frozen() -> None:
    with pytest.raises(SplitError):
        freeze(PROFILE, evaluation(calibration=(HELD_OUT,)), monitors=MONITORS)


def document() -> dict[str, object]:
    """The profile as it is read from a file."""
    read: dict[str, object] = json.loads(canonical_bytes(PROFILE.document()))
    return read


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"form": "other/1"}, "is not simverity-profile/1"),
        ({"resets": [["home"]]}, "not a home and a stretch"),
        ({"pool_sites": True}, "is no class of 5 values"),
    ],
)
def test_a_profile_of_another_form_is_refused(change: dict[str, object], complaint: str) -> None:
    with pytest.raises(ProfileError, match=complaint):
        parse_profile({**document(), **change})


def test_a_class_is_there_once_and_in_order() -> None:
    content = document()
    groups = content["groups"]
    assert isinstance(groups, dict)
    groups["full"] = [*groups["full"], groups["full"][0]]
    with pytest.raises(ProfileError, match="in order"):
        parse_profile(content)


@pytest.mark.parametrize("line", ["", "home\tproperty\tone\t2", "home\tproperty\t-1\t2", "home\t1\t2"])
def test_a_class_is_its_values_and_two_counts(line: str) -> None:
    content = document()
    groups = content["groups"]
    assert isinstance(groups, dict)
    groups["property"] = [line]
    with pytest.raises(ProfileError, match="is no class of 2 values"):
        parse_profile(content)


def test_more_failures_than_trials_are_refused() -> None:
    content = document()
    groups = content["groups"]
    assert isinstance(groups, dict)
    groups["property"] = ["home\tproperty\t3\t2"]
    with pytest.raises(ProfileError, match="3 of 2"):
        parse_profile(content)


def test_a_name_with_a_tabulator_is_refused() -> None:
    with pytest.raises(ProfileError, match="tabulator"):
        fit(MANIFEST, classes(rows(query(site="ho\tme"), 1, 2)), [evidence()])


def test_pooled_profiles_are_read_back_too() -> None:
    pooled = profile(rows(query(), 2, 5), pool_sites=True, primary=(criterion(),))
    assert parse_profile(json.loads(canonical_bytes(pooled.document()))) == pooled


def test_the_thresholds_are_numbers_with_names() -> None:
    assert thresholds()["control_share"] == 0.95
    assert len(thresholds_digest()) == 64
