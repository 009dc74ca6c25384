"""A long run: sessions one after another until enough trials are recorded, each kept as soon as it has ended.

An interrupted campaign goes on with the next session when it is started again with the same settings.
"""

import argparse
import asyncio
import dataclasses
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from testbed.rig.archive import Heading, read_lines, session_lines, write_lines
from testbed.rig.auditing import Audited, Progress, SessionOutcome, SessionPlan, run_session, set_up_audit
from testbed.rig.errors import RigError
from testbed.rig.interruption import run_until_signal
from testbed.rig.json_value import Json, at, integer, parse
from testbed.rig.lamps import DEFAULT_LAMPS, LAMPS, View, audited_entities, choose, views
from testbed.rig.ledger import read_ledger, recorded_trials
from testbed.rig.progress import Narrator
from testbed.rig.rig import Rig, RigOptions, running_rig
from testbed.rig.variants import VARIANTS, Variant, disturbed

SETTLE_FROM_S = 3.5
"""The soonest that a session may call settled: the lamps have long come to rest, and a long run saves its minutes."""
_ARCHIVE, _PLAN, _SESSIONS = "archive.jsonl.gz", "campaign.json", "sessions"


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignPlan:
    """What decides a campaign's trials; it stays the same over interruptions."""

    lamps: tuple[str, ...]
    repetitions: int
    """Trials per lamp and direction in one session."""
    seed: int
    variant: str = "default"
    """How the home differs from the default one: a name of ``variants.VARIANTS``."""

    @property
    def per_session(self) -> int:
        """Physical trials of one session."""
        return len(self.lamps) * 2 * self.repetitions


class Campaign:
    """What a campaign's folder holds."""

    def __init__(self, folder: Path, plan: CampaignPlan) -> None:
        """Open a folder, which a campaign of the same plan may have begun.

        Raises:
            RigError: if another plan began it, or it cannot be written.
        """
        self.plan = plan
        self._folder = folder
        written = json.dumps(dataclasses.asdict(plan), indent=1) + "\n"
        file = folder / _PLAN
        try:
            (folder / _SESSIONS).mkdir(parents=True, exist_ok=True)
            if not file.exists():
                file.write_text(written, encoding="utf-8")
            elif parse(file.read_text(encoding="utf-8")) != parse(written):
                raise RigError(f"{folder} holds a campaign with other settings: give it another --out")
        except OSError as error:
            raise RigError(f"{folder} cannot be used: {error}") from error

    @property
    def sessions(self) -> int:
        """Sessions that have ended."""
        return len(self._files())

    @property
    def trials(self) -> int:
        """Physical trials recorded so far in sessions that count; the others are kept and count nowhere."""
        every = VARIANTS[self.plan.variant].loses_qualification
        headings = [read_lines(file)[0] for file in self._files()]
        return sum(integer(heading, "trials") for heading in headings if every or at(heading, "valid") is True)

    def keep(self, lines: list[Json]) -> None:
        """Keep a session that has ended."""
        write_lines(self._folder / _SESSIONS / f"{self.sessions + 1:03d}.jsonl.gz", lines)

    def finish(self) -> Path:
        """Write the archive of all sessions and return where it is."""
        archive = self._folder / _ARCHIVE
        write_lines(archive, [line for file in self._files() for line in read_lines(file)])
        return archive

    def _files(self) -> list[Path]:
        return sorted((self._folder / _SESSIONS).glob("*.jsonl.gz"))


async def run_campaign(campaign: Campaign, wanted: int, workdir: Path | None) -> Path:
    """Run sessions until the wanted number of trials is recorded; return the archive.

    Raises:
        RigError: if a part fails; what has ended is kept.
    """
    plan = campaign.plan
    narrator = Narrator(2)
    if campaign.trials < wanted:
        options = RigOptions(name="campaign", settings=VARIANTS[plan.variant].settings, seed=plan.seed, workdir=workdir)
        narrator.step("starting the emulated home, the witness and Home Assistant")
        async with running_rig(options, narrator.say) as rig:
            lamps = choose(plan.lamps)
            audited = await set_up_audit(rig, audited_entities(lamps), views(lamps))
            narrator.step(f"running sessions of {plan.per_session} trials until there are {wanted}")
            while (before := campaign.trials) < wanted:
                narrator.say(f"session {campaign.sessions + 1}; {before} trials recorded")
                campaign.keep(await _session(rig, audited, campaign, narrator))
                if campaign.trials == before:
                    raise RigError("a session was not valid: it is kept, but a campaign goes on with a fresh rig only")
    return campaign.finish()


async def _session(rig: Rig, audited: Audited, campaign: Campaign, narrator: Narrator) -> list[Json]:
    plan, number = campaign.plan, campaign.sessions + 1
    since = time.monotonic()
    session_plan = SessionPlan(
        entity_ids=tuple(lamp.entity_id for lamp in choose(plan.lamps)),
        repetitions=plan.repetitions,
        seed=plan.seed + number,
        settle_from=SETTLE_FROM_S,
        settle_window=VARIANTS[plan.variant].settle_window,
    )
    outcome = await _run_disturbed(rig, session_plan, VARIANTS[plan.variant], narrator)
    if not outcome.valid:
        narrator.say(f"session {outcome.session} is not valid: {', '.join(outcome.reasons)}")
    return await _lines(rig, audited, campaign, outcome, since)


async def _run_disturbed(rig: Rig, plan: SessionPlan, variant: Variant, narrator: Narrator) -> SessionOutcome:
    """Run a session; its trials are disturbed as the variant says, its qualification and its controls are not."""
    trials_run, trials_ended = asyncio.Event(), asyncio.Event()

    def follow(progress: Progress) -> None:
        narrator.progress(progress)
        if progress.phase == "running" and progress.done < progress.total:
            trials_run.set()
        elif trials_run.is_set():
            trials_ended.set()

    async def disturb() -> None:
        await trials_run.wait()
        async with disturbed(rig.emulated, variant):
            await trials_ended.wait()

    disturbing = asyncio.create_task(disturb())
    try:
        return await run_session(rig.home, plan, follow)
    finally:
        disturbing.cancel()
        await asyncio.gather(disturbing, return_exceptions=True)


async def _lines(rig: Rig, audited: Audited, campaign: Campaign, outcome: SessionOutcome, since: float) -> list[Json]:
    recorded = recorded_trials(read_ledger(rig.home.folder), outcome.session)
    trials = [trial for trial in recorded if trial.rung == "physical"]
    heading = Heading(
        session=campaign.sessions + 1,
        valid=outcome.valid,
        reasons=outcome.reasons,
        variant=campaign.plan.variant,
        trials=len(trials),
    )
    seen: dict[str, View] = {
        audited.subjects[entity_id]: view for entity_id, view in views(choose(campaign.plan.lamps)).items()
    }
    return session_lines(heading, trials, seen, await rig.emulated.crossings(since))


def main(argv: list[str] | None = None) -> int:
    """Run a campaign; return 0 when it is complete, 2 if a part failed, 130 if it was interrupted."""
    parser = argparse.ArgumentParser(prog="scripts/campaign", description=__doc__)
    parser.add_argument("--trials", type=int, required=True, help="physical trials to record in all")
    parser.add_argument("--out", type=Path, required=True, help="folder of the campaign")
    parser.add_argument("--lamps", nargs="+", default=list(DEFAULT_LAMPS), choices=LAMPS)
    parser.add_argument("--repetitions", type=int, default=10, help="trials per lamp and direction in one session")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variant", default="default", choices=VARIANTS, help="how the home is made hard to see")
    parser.add_argument("--workdir", type=Path, help="where logs and Home Assistant's configuration go")
    given = parser.parse_args(argv)
    plan = CampaignPlan(lamps=tuple(given.lamps), repetitions=given.repetitions, seed=given.seed, variant=given.variant)
    try:
        archive = run_until_signal(run_campaign(Campaign(given.out, plan), given.trials, given.workdir))
    except RigError as error:
        sys.stderr.write(f"\nThe campaign cannot go on: {error}\nStart it again to go on after its last session.\n")
        return 2
    except asyncio.CancelledError:
        sys.stderr.write("\nInterrupted; start it again to go on after its last session.\n")
        return 130
    sys.stdout.write(f"{archive}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
