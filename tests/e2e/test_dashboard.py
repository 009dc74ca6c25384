"""What a person sees: the dashboard of the demo in a real browser."""

from pathlib import Path

import pytest

from testbed.rig.dashboard import AUDIT_KEYS, SUBJECT_KEYS, Shown, dashboard, find_sensors, save_dashboard
from testbed.rig.registry import registered_entities
from tests.e2e.browser import chromium, logged_in_page
from tests.e2e.setting import DESK, LYING, AuditedHome

pytestmark = [
    pytest.mark.realtime,
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.skipif(chromium() is None, reason="there is no Chromium on PATH"),
]


async def test_the_dashboard_says_what_to_think_of_each_lamp(
    home: AuditedHome, build_folder: Path, tmp_path: Path
) -> None:
    async with home.rig.home.socket() as socket:
        registry = await registered_entities(socket)
        shown = [
            Shown(name=name, entity_id=entity, sensors=find_sensors(registry, home.subject(entity), SUBJECT_KEYS))
            for name, entity in (("Desk lamp", DESK), ("Lying lamp", LYING))
        ]
        audit = find_sensors(registry, home.audited.entry, AUDIT_KEYS)
        path = await save_dashboard(socket, dashboard(audit, shown))
    errors: list[str] = []
    async with logged_in_page(home.rig.home.base, home.rig.home.api.token, tmp_path / "profile") as page:
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
        await page.goto(f"{home.rig.home.base}{path}")
        verdicts = page.get_by_text("Not enough evidence yet.")
        await verdicts.first.wait_for(timeout=60_000)
        await page.get_by_text("No session has run yet.").wait_for(timeout=10_000)
        assert await verdicts.count() == len(shown)
        await page.wait_for_timeout(1_000)
        await page.screenshot(path=build_folder / "dashboard.png")
    assert [error for error in errors if "simverity" in error.lower()] == []
