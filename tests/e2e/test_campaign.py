"""A campaign's folder: it goes on where it was interrupted, and never under other settings."""

from dataclasses import replace
from pathlib import Path

import pytest

from testbed.rig.archive import read_lines
from testbed.rig.campaign import Campaign, CampaignPlan
from testbed.rig.errors import RigError
from testbed.rig.json_value import Json

PLAN = CampaignPlan(lamps=("desk_lamp",), repetitions=2, seed=1)


def session(number: int, trials: int, *, valid: bool = True) -> list[Json]:
    lines: list[Json] = [{"session": number, "trials": trials, "valid": valid}]
    lines += [{"trial": trial} for trial in range(1, trials + 1)]
    return lines


def test_an_interrupted_campaign_counts_the_sessions_that_ended(tmp_path: Path) -> None:
    Campaign(tmp_path, PLAN).keep(session(1, 4))
    again = Campaign(tmp_path, PLAN)
    assert (again.sessions, again.trials) == (1, 4)


def test_an_invalid_session_is_kept_and_counts_nowhere(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path, PLAN)
    campaign.keep(session(1, 4, valid=False))
    assert (campaign.sessions, campaign.trials) == (1, 0)


def test_half_a_session_does_not_count(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path, PLAN)
    campaign.keep(session(1, 4))
    (tmp_path / "sessions" / "002.jsonl.gz.partial").write_bytes(b"half")
    assert Campaign(tmp_path, PLAN).sessions == 1


def test_other_settings_need_another_folder(tmp_path: Path) -> None:
    Campaign(tmp_path, PLAN)
    with pytest.raises(RigError, match="other settings"):
        Campaign(tmp_path, replace(PLAN, variant="mjpeg-2"))


def test_the_archive_holds_all_sessions_in_order(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path, PLAN)
    campaign.keep(session(1, 2))
    campaign.keep(session(2, 1))
    assert read_lines(campaign.finish()) == [*session(1, 2), *session(2, 1)]


def test_the_same_campaign_gives_the_same_bytes(tmp_path: Path) -> None:
    archives = []
    for name in ("one", "two"):
        campaign = Campaign(tmp_path / name, PLAN)
        campaign.keep(session(1, 2))
        archives.append(campaign.finish().read_bytes())
    assert archives[0] == archives[1]
