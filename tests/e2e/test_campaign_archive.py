"""The committed archives of long runs, judged again: no verdict of the witness contradicts the truth."""

import base64
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from testbed.rig.archive import read_lines
from testbed.rig.json_value import Json, at, integer, number, table, text
from testbed.rig.layout import ROOT
from testbed.rig.truth import TrueEffect
from testbed.rig.variants import VARIANTS
from tests.e2e.agreement import Compared, compare

ARCHIVES = sorted((ROOT / "campaigns").glob("*/archive.jsonl.gz"))
LONG_RUN = 500
"""Trials of the default home that the issue asks for."""
MOST_BYTES = 6_000_000
by_archive = pytest.mark.parametrize("archive", ARCHIVES, ids=lambda archive: archive.parent.name)


def trials(archive: Path) -> Iterator[Json]:
    return (line for line in read_lines(archive) if "trace" in table(line))


def truth(value: Json) -> TrueEffect | None:
    if value is None:
        return None
    crossed = at(value, "crossed_after")
    return TrueEffect(
        obeyed=at(value, "obeyed") is True,
        already_there=at(value, "already_there") is True,
        crossed_after=None if crossed is None else number(crossed),
    )


def comparisons(archive: Path) -> list[Compared]:
    found: list[Compared] = []
    for line in trials(archive):
        truths = {device: truth(value) for device, value in table(line, "truth").items()}
        found += compare(base64.b64decode(text(line, "trace")), truths)
    return found


@by_archive
def test_no_verdict_contradicts_the_truth(archive: Path) -> None:
    assert [one for one in comparisons(archive) if one.disagrees] == []


@by_archive
def test_the_witness_saw_effects_happen(archive: Path) -> None:
    assert any(one.decided and one.truly for one in comparisons(archive))


def test_the_default_camera_saw_effects_that_had_not_happened_yet() -> None:
    archive = next(archive for archive in ARCHIVES if archive.parent.name == "default")
    assert any(one.decided and one.truly is False for one in comparisons(archive))


@by_archive
def test_an_archive_is_sanitised_and_small(archive: Path) -> None:
    assert archive.stat().st_size < MOST_BYTES
    for line in trials(archive):
        content = zlib.decompress(base64.b64decode(text(line, "trace"))).decode().lower()
        assert "http" not in content
        assert "token" not in content
        assert "light." not in content


def test_it_was_tried_in_every_way_that_makes_it_hard_to_see() -> None:
    assert {archive.parent.name for archive in ARCHIVES} == set(VARIANTS)


@pytest.mark.parametrize("name", ["h264-2", "mjpeg-2"])
def test_two_frames_a_second_leave_the_short_boundaries_open(name: str) -> None:
    archive = next(archive for archive in ARCHIVES if archive.parent.name == name)
    found = comparisons(archive)
    short = [one for one in found if one.boundary in {"0.05", "0.1"}]
    assert short
    assert sum(one.decided for one in short) <= len(short) / 10
    assert all(one.decided for one in found if one.boundary == "3")


def test_the_default_home_was_watched_for_long_enough() -> None:
    archive = next(archive for archive in ARCHIVES if archive.parent.name == "default")
    headings = [line for line in read_lines(archive) if "session" in table(line)]
    assert sum(integer(heading, "trials") for heading in headings if at(heading, "valid") is True) >= LONG_RUN
