"""What a replay proves: a fix needs a failure that was reproduced before, and three clean repeats after."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from simverity_engine.cells import CellKey, CellVerdicts
from simverity_engine.replay import ReplayCount, TicketStatus, replay_counts, ticket_status
from simverity_engine.statistics.fidelity import VerdictPair
from simverity_engine.terms import Direction, Path, PropertyId, Reason, Rung, Source, SubjectId, Verdict

SEEN = datetime(2026, 12, 1, tzinfo=UTC)


def replays(*counts: tuple[int, int]) -> list[ReplayCount]:
    return [
        ReplayCount(at=SEEN + timedelta(hours=number + 1), failures=failures, decided=decided)
        for number, (failures, decided) in enumerate(counts)
    ]


@pytest.mark.parametrize(
    ("counts", "status"),
    [
        ((), TicketStatus.OPEN),
        (((1, 3),), TicketStatus.REPRODUCED),
        (((1, 1),), TicketStatus.REPRODUCED),
        (((0, 3),), TicketStatus.NOT_REPRODUCED),
        (((0, 100),), TicketStatus.NOT_REPRODUCED),
        (((0, 2),), TicketStatus.INCONCLUSIVE),
        (((0, 0),), TicketStatus.INCONCLUSIVE),
        (((3, 3), (0, 3)), TicketStatus.FIXED),
        (((1, 3), (0, 1), (0, 3)), TicketStatus.FIXED),
        (((1, 2), (0, 3)), TicketStatus.NOT_REPRODUCED),
        (((3, 3), (0, 2)), TicketStatus.INCONCLUSIVE),
        (((3, 3), (0, 3), (1, 3)), TicketStatus.REPRODUCED),
        (((0, 3), (0, 3)), TicketStatus.NOT_REPRODUCED),
    ],
)
def test_a_fix_is_credited_only_to_what_was_reproduced(
    counts: tuple[tuple[int, int], ...], status: TicketStatus
) -> None:
    assert ticket_status(replays(*counts), failed_last=SEEN) is status


def test_a_failure_after_the_last_replay_opens_the_ticket_again() -> None:
    done = replays((3, 3), (0, 3))
    assert ticket_status(done, failed_last=done[-1].at) is TicketStatus.FIXED
    assert ticket_status(done, failed_last=done[-1].at + timedelta(seconds=1)) is TicketStatus.OPEN


def cell(source: Source) -> CellKey:
    return CellKey(
        property_id=PropertyId.REPORTED_READ_AFTER_WRITE,
        boundary="settled",
        direction=Direction.ON,
        path=Path.SINGLE_LIGHT,
        rung=Rung.PHYSICAL,
        source=source,
        subject=SubjectId("lamp"),
    )


def repeat(source: Source, target: Verdict, reason: Reason | None = None) -> CellVerdicts:
    pair = VerdictPair(source=Verdict.PASS, target=target, reason=reason)
    return CellVerdicts(key=cell(source), verdicts=pair, two_sided=True)


@pytest.mark.parametrize(("valid", "witnessed"), [(True, (1, 2)), (False, (0, 0))])
def test_the_witnesses_cells_count_only_in_a_valid_session(valid: bool, witnessed: tuple[int, int]) -> None:
    repeats = [
        repeat(source, verdict)
        for source in (Source.REPORTED_CLAIM, Source.ACCEPTED_CALL)
        for verdict in (Verdict.FAIL, Verdict.PASS)
    ]
    repeats.append(repeat(Source.REPORTED_CLAIM, Verdict.ABSTAIN, Reason.BELOW_RESOLUTION))
    counted = replay_counts(repeats, at=SEEN, witnessed_valid=valid)
    assert {key.source: (one.failures, one.decided) for key, one in counted.items()} == {
        Source.REPORTED_CLAIM: witnessed,
        Source.ACCEPTED_CALL: (1, 2),
    }
    assert {one.at for one in counted.values()} == {SEEN}
