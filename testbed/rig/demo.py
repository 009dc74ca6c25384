"""The demo: emulated home, witness and Home Assistant, one qualified session, the card, and then the dashboard."""

import argparse
import asyncio
import json
import sys
from dataclasses import dataclass
from pathlib import Path

from testbed.rig.auditing import Audited, SessionOutcome, SessionPlan, run_session, set_up_audit
from testbed.rig.card import Card, parse_card
from testbed.rig.card_table import render
from testbed.rig.conclusions import Conclusion, conclusions, foreign_abstentions, missing_failures
from testbed.rig.dashboard import AUDIT_KEYS, SUBJECT_KEYS, Shown, dashboard, find_sensors, save_dashboard
from testbed.rig.errors import RigError, VerdictError
from testbed.rig.interruption import run_until_signal
from testbed.rig.lamps import DEFAULT_LAMPS, LAMPS, Lamp, audited_entities, choose, views
from testbed.rig.progress import Narrator
from testbed.rig.registry import registered_entities
from testbed.rig.rig import Rig, RigOptions, running_rig
from testbed.rig.variants import FAST_WINDOW_S, SLOW_WINDOW_S

STEPS = 5
MOST_TRIALS = 100
"""What ``simverity.run_session`` takes; scripts/campaign repeats sessions for more."""
_BUSY = "(A busy machine delays the emulated radio itself. If it was busy, run the demo again with nothing beside it.)"
WRONG, BROKEN, INTERRUPTED = 1, 2, 130


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoOptions:
    """What a person asked for."""

    rig: RigOptions
    lamps: tuple[Lamp, ...]
    repetitions: int
    seed: int
    once: bool
    json_file: Path | None


def main(argv: list[str] | None = None) -> int:
    """Run the demo; return 0, 1 if the findings are not what they must be, 2 if a part failed, 130 if interrupted."""
    try:
        run_until_signal(run_demo(_options(argv)))
    except VerdictError as error:
        sys.stderr.write(f"\n{error}\n")
        return WRONG
    except RigError as error:
        sys.stderr.write(f"\nThe demo cannot go on: {error}\n")
        return BROKEN
    except asyncio.CancelledError:
        sys.stderr.write("\nStopped; every process has ended.\n")
        return INTERRUPTED
    return 0


async def run_demo(options: DemoOptions) -> None:
    """Do it all.

    Raises:
        VerdictError: if the session is invalid, or does not show what the default home must show.
        RigError: if a part does not come up.
    """
    narrator = Narrator(STEPS)
    narrator.step("starting the emulated home, the witness and Home Assistant")
    async with running_rig(options.rig, narrator.say) as rig:
        narrator.step("setting SimVerity up: which lamps, and where the camera sees them")
        audited = await set_up_audit(rig, audited_entities(options.lamps), views(options.lamps))
        narrator.step("laying out the dashboard")
        path = await _lay_out(rig, audited, options.lamps)
        narrator.say(f"watch it at {rig.home.base}{path} (login: {rig.home.login.username} {rig.home.login.password})")
        narrator.step(f"running a session: {_planned(options)} trials, each command filmed and compared")
        outcome = await run_session(rig.home, _plan(rig, options), narrator.progress)
        narrator.step("reading the card")
        if options.json_file is not None:
            options.json_file.write_text(json.dumps(outcome.card, indent=1) + "\n", encoding="utf-8")
            narrator.say(f"card written to {options.json_file}")
        problem = _report(outcome, audited, options)
        if options.once:
            if problem:
                raise VerdictError(problem)
            return
        _say_goodbye(rig, path, problem)
        await rig.home.part.ended()
        raise rig.home.part.failure("ended by itself")


def _plan(rig: Rig, options: DemoOptions) -> SessionPlan:
    return SessionPlan(
        entity_ids=tuple(lamp.entity_id for lamp in options.lamps),
        repetitions=options.repetitions,
        seed=options.seed,
        settle_from=rig.emulated.ports.settled_s,
        settle_window=SLOW_WINDOW_S if options.rig.settings else FAST_WINDOW_S,
    )


def _planned(options: DemoOptions) -> int:
    return len(options.lamps) * 2 * options.repetitions


async def _lay_out(rig: Rig, audited: Audited, lamps: tuple[Lamp, ...]) -> str:
    async with rig.home.socket() as socket:
        registry = await registered_entities(socket)
        shown = [
            Shown(name=_name(entity_id), entity_id=entity_id, sensors=find_sensors(registry, subject, SUBJECT_KEYS))
            for entity_id, subject in audited.subjects.items()
            if any(entity_id == lamp.entity_id for lamp in lamps)
        ]
        audit = find_sensors(registry, audited.entry, AUDIT_KEYS)
        return await save_dashboard(socket, dashboard(audit, shown))


def _name(entity_id: str) -> str:
    return entity_id.partition(".")[2].replace("_", " ").capitalize()


def _report(outcome: SessionOutcome, audited: Audited, options: DemoOptions) -> str:
    """Print what was found and return what is wrong with it, or nothing."""
    card = parse_card(outcome.card)
    names = {subject: _name(entity_id) for entity_id, subject in audited.subjects.items()}
    sys.stdout.write(f"\n{render(card, names)}\n")
    ordinary = [audited.subjects[entity_id] for lamp in options.lamps if lamp.ordinary for entity_id in lamp.audited]
    found = conclusions(card, ordinary) if ordinary else []
    sys.stdout.write("\nFour conclusions from the same executions (plain lamps, all together):\n" if found else "")
    for conclusion in found:
        sys.stdout.write(f"  {'ok ' if conclusion.holds else '!! '} {conclusion.sentence}\n")
    sys.stdout.flush()
    return _problem(card, found, ordinary, options)


def _problem(card: Card, found: list[Conclusion], ordinary: list[str], options: DemoOptions) -> str:
    if not card.valid:
        return f"The session is not valid and counts nowhere: {', '.join(card.reasons)}."
    wrong = [objection for conclusion in found for objection in conclusion.objections]
    if not options.rig.settings:  # only the default home promises that its camera sees the slow fade
        wrong += [*missing_failures(card, ordinary), *foreign_abstentions(card)]
    return "\n  ".join(("The session does not show what it must:", *wrong, _BUSY)) if wrong else ""


def _say_goodbye(rig: Rig, path: str, problem: str) -> None:
    if problem:
        sys.stdout.write(f"\n{problem}\n")
    login = rig.home.login
    sys.stdout.write(
        f"\nHome Assistant keeps running: {rig.home.base}{path}\n"
        f"  user {login.username}, password {login.password}\n"
        f"  logs in {rig.folder}\nPress Ctrl-C to stop everything.\n"
    )
    sys.stdout.flush()


def _options(argv: list[str] | None) -> DemoOptions:
    parser = argparse.ArgumentParser(prog="scripts/demo", description=__doc__)
    parser.add_argument("--once", action="store_true", help="end after the session instead of leaving it all running")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the audit card there")
    parser.add_argument("--trials", type=int, default=10, metavar="N", help="trials per lamp and direction (10)")
    parser.add_argument(
        "--seed", type=int, default=1, help="orders the trials and draws the emulated home's chance (1)"
    )
    parser.add_argument("--lamps", nargs="+", default=list(DEFAULT_LAMPS), choices=LAMPS, help="what is audited")
    parser.add_argument("--set", nargs="+", action="extend", default=[], metavar="KEY=VALUE", dest="settings")
    parser.add_argument("--workdir", type=Path, help="where logs and Home Assistant's configuration go")
    given = parser.parse_args(argv)
    if not 1 <= given.trials <= MOST_TRIALS:
        parser.error(f"--trials must lie between 1 and {MOST_TRIALS}")
    rig = RigOptions(name="demo", settings=tuple(given.settings), seed=given.seed, workdir=given.workdir)
    return DemoOptions(
        rig=rig,
        lamps=choose(given.lamps),
        repetitions=given.trials,
        seed=given.seed,
        once=given.once,
        json_file=given.json,
    )


if __name__ == "__main__":
    sys.exit(main())
