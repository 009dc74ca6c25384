from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from testbed.declaration import Ramp, ReportBehaviour, Span, Switchable
from testbed.device import Cause, Lie, SwitchModel

type ModelOf = Callable[..., SwitchModel]

TRIALS = 2000


def test_light_follows_the_declared_ramp_of_each_direction(lamp: Switchable, chance: Random) -> None:
    declared = replace(
        lamp,
        on=Ramp(delay=Span(low=0.1, high=0.1), duration_s=0.2),
        off=Ramp(delay=Span(low=0.3, high=0.3), duration_s=1.0),
    )
    model = SwitchModel(declared, chance)

    model.command(10.0, on=True)
    model.command(20.0, on=False)

    instants = (10.1, 10.2, 10.3, 20.3, 20.8, 21.3)
    assert [model.light.at(instant) for instant in instants] == pytest.approx([0.0, 0.5, 1.0, 1.0, 0.5, 0.0])


@pytest.mark.parametrize(
    ("report", "after_command", "by_hand"),
    [
        (ReportBehaviour.OPTIMISTIC, False, False),
        (ReportBehaviour.AFTER_ACK, True, True),
        (ReportBehaviour.POLLED, False, False),
        (ReportBehaviour.SILENT, False, False),
        (ReportBehaviour.LYING, True, True),
        (ReportBehaviour.STALE_AFTER_EXTERNAL, True, False),
    ],
)
def test_each_behaviour_reports_what_it_declares(
    model_of: ModelOf, report: ReportBehaviour, after_command: bool, by_hand: bool
) -> None:
    model = model_of(report)

    reported = (bool(model.command(1.0, on=True)), bool(model.by_hand(5.0, on=False)))

    assert reported == (after_command, by_hand)


def test_a_report_leaves_within_its_declared_delay(model_of: ModelOf, lamp: Switchable) -> None:
    model = model_of()

    delays = [report.at - 10.0 * i for i in range(TRIALS) for report in model.command(10.0 * i, on=i % 2 == 0)]

    assert lamp.report_delay.low <= min(delays) < lamp.report_delay.low + 0.001
    assert lamp.report_delay.high - 0.001 < max(delays) <= lamp.report_delay.high


def test_the_same_seed_gives_the_same_day(model_of: ModelOf) -> None:
    days = [[model_of(seed=seed).command(1.0, on=True)] for seed in (7, 7, 8)]

    assert days[0] == days[1] != days[2]


def test_a_lost_command_neither_acts_nor_reports(model_of: ModelOf) -> None:
    model = model_of(command_loss=1.0)

    reports = model.command(1.0, on=True)

    assert (reports, model.light.at(9.0), model.changes[0].obeyed) == ((), 0.0, False)


def test_commands_are_lost_at_the_declared_rate(model_of: ModelOf) -> None:
    model = model_of(command_loss=0.2)

    for i in range(TRIALS):
        model.command(10.0 * i, on=i % 2 == 0)

    lost = sum(not change.obeyed for change in model.changes)
    # Six standard deviations of a binomial count: the draw is seeded, so this holds for good or never.
    assert abs(lost - 0.2 * TRIALS) < 6 * (TRIALS * 0.2 * 0.8) ** 0.5


def test_a_lost_report_leaves_the_light_obedient(model_of: ModelOf) -> None:
    model = model_of(report_loss=1.0)

    reports = model.command(1.0, on=True)

    assert (reports, model.light.at(9.0)) == ((), 1.0)


def test_a_duplicate_report_is_published_twice(model_of: ModelOf) -> None:
    model = model_of(report_duplicate=1.0)

    assert [report.copies for report in model.command(1.0, on=True)] == [2]


def test_an_armed_liar_reports_the_command_and_stays_as_it_was(model_of: ModelOf, chance: Random) -> None:
    model = model_of(ReportBehaviour.LYING)
    model.arm_lie(Lie(probability=1.0, random=chance))

    reports = model.command(1.0, on=True)

    assert [report.on for report in reports] == [True]
    assert (model.light.at(9.0), model.claimed, model.on) == (0.0, True, False)


def test_a_liar_obeys_until_it_is_armed(model_of: ModelOf) -> None:
    model = model_of(ReportBehaviour.LYING)

    model.command(1.0, on=True)

    assert model.changes[0].obeyed


def test_a_liar_lies_at_the_armed_rate(model_of: ModelOf, chance: Random) -> None:
    model = model_of(ReportBehaviour.LYING)
    model.arm_lie(Lie(probability=0.3, random=chance))

    for i in range(TRIALS):
        model.command(10.0 * i, on=i % 2 == 0)

    lies = sum(not change.obeyed for change in model.changes)
    assert abs(lies - 0.3 * TRIALS) < 6 * (TRIALS * 0.3 * 0.7) ** 0.5


def test_arming_does_not_shift_the_other_draws(model_of: ModelOf, chance: Random) -> None:
    honest, liar = model_of(ReportBehaviour.LYING), model_of(ReportBehaviour.LYING)
    liar.arm_lie(Lie(probability=1e-12, random=chance))

    assert [honest.command(float(i), on=True) for i in range(5)] == [liar.command(float(i), on=True) for i in range(5)]


def test_an_honest_device_cannot_be_made_to_lie(model_of: ModelOf, chance: Random) -> None:
    with pytest.raises(ValueError, match="only a lying device can lie"):
        model_of().arm_lie(Lie(probability=0.3, random=chance))


def test_a_cut_device_is_dark_and_deaf_until_power_returns(model_of: ModelOf) -> None:
    model = model_of()
    model.command(1.0, on=True)

    model.cut(10.0, cut=True)
    reports = model.command(11.0, on=True)
    model.cut(12.0, cut=False)

    assert (reports, model.light.at(9.9), model.light.at(10.0), model.light.at(12.0)) == ((), 1.0, 0.0, 0.0)
    assert [(change.cause, change.obeyed) for change in model.changes] == [
        (Cause.COMMAND, True),
        (Cause.POWER_CUT, True),
        (Cause.COMMAND, False),
    ]


def test_a_repeated_command_does_not_restart_the_ramp(model_of: ModelOf) -> None:
    model = model_of()
    model.command(1.0, on=True)
    settled_at = model.light.settles_at

    model.command(1.05, on=True)

    assert model.light.settles_at == settled_at


def test_a_poll_answers_the_true_state(model_of: ModelOf) -> None:
    model = model_of(ReportBehaviour.POLLED)
    model.by_hand(1.0, on=True)

    answer = model.poll(2.0)

    assert answer is not None
    assert (answer.at, answer.on) == (2.0, True)
