"""One real rig for all end-to-end tests: emulated home, witness and Home Assistant, each its own process.

Run with ``-p no:homeassistant``: the test harness of Home Assistant forbids the sockets that these tests are about.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from testbed.rig.auditing import Progress, run_session, set_up_audit
from testbed.rig.card import parse_card
from testbed.rig.layout import ROOT
from testbed.rig.ledger import read_ledger, recorded_trials
from testbed.rig.rig import RigOptions, running_rig
from tests.e2e.setting import LIES, REPETITIONS, SLOW_CAMERA, VIEWS, AuditedHome, Evidence


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def home(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AuditedHome]:
    """Run the rig; the audited entities are set up through SimVerity's own forms."""
    if request.config.pluginmanager.hasplugin("homeassistant"):
        pytest.fail("end-to-end tests need sockets: run them with -p no:homeassistant")
    folder = tmp_path_factory.mktemp("e2e")
    declared = folder / "two_cameras.toml"
    default = (ROOT / "testbed" / "homes" / "default.toml").read_text(encoding="utf-8")
    declared.write_text(default + SLOW_CAMERA, encoding="utf-8")
    options = RigOptions(name="e2e", home_file=declared)  # its logs outlive the test
    async with running_rig(options, lambda _: None) as rig:
        yield AuditedHome(rig=rig, audited=await set_up_audit(rig, list(VIEWS), VIEWS))


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def evidence(home: AuditedHome) -> Evidence:
    """Run one session on all four lamps; one of them obeys while it qualifies and lies afterwards."""
    since = time.monotonic()
    pending: set[asyncio.Task[object]] = set()
    lying = False

    def follow(progress: Progress) -> None:
        nonlocal lying
        wanted = progress.phase == "running" and progress.done < progress.total
        if wanted != lying:
            lying = wanted
            body = LIES if wanted else {"probability": 0.0}
            pending.add(asyncio.ensure_future(home.rig.emulated.stimulate("/devices/lying_lamp/lie", **body)))

    outcome = await run_session(home.rig.home, home.plan(*VIEWS, repetitions=REPETITIONS), follow)
    await asyncio.gather(*pending)
    trials = recorded_trials(read_ledger(home.rig.home.folder), outcome.session)
    return Evidence(
        outcome=outcome,
        card=parse_card(outcome.card),
        trials=tuple(trial for trial in trials if trial.rung == "physical"),
        crossings=tuple(await home.rig.emulated.crossings(since)),
    )


@pytest.fixture(scope="session")
def build_folder() -> Path:
    """Return the folder for pictures that a person may want to look at; it is not committed."""
    folder = ROOT / "build"
    folder.mkdir(exist_ok=True)
    return folder
