"""What a person reads while the demo runs."""

import io

from testbed.rig.auditing import Progress
from testbed.rig.progress import Narrator


def told(*progress: Progress) -> str:
    out = io.StringIO()
    narrator = Narrator(1, out)
    for each in progress:
        narrator.progress(each)
    return out.getvalue()


def test_a_trial_is_told_with_its_number_and_the_time_left() -> None:
    line = told(Progress(phase="running", done=3, total=60, seconds_left=275.4))
    assert "session: trial 3 of 60, about 4:35 left" in line


def test_nothing_is_counted_before_there_is_something_to_count() -> None:
    assert "of 0" not in told(Progress(phase="qualifying", done=0, total=0, seconds_left=None))


def test_a_session_that_has_not_begun_says_nothing() -> None:
    assert told(Progress(phase="idle", done=0, total=0, seconds_left=None)) == ""


def test_where_no_terminal_rewrites_the_line_only_a_new_phase_is_told_at_once() -> None:
    lines = told(
        Progress(phase="running", done=1, total=60, seconds_left=None),
        Progress(phase="running", done=2, total=60, seconds_left=None),
        Progress(phase="finishing", done=0, total=0, seconds_left=None),
    ).splitlines()
    assert [line.split("  ")[-1].strip() for line in lines] == ["session: trial 1 of 60", "writing the card"]
