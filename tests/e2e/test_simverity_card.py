"""The card in a real Home Assistant: it loads by itself, can be edited, runs a session and shows what comes of it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from playwright.async_api import Page
from playwright.async_api import TimeoutError as NotInTimeError

from testbed.rig.json_value import Json
from tests.e2e.browser import chromium, logged_in_page
from tests.e2e.card_pages import card_package
from tests.e2e.setting import LYING, AuditedHome

pytestmark = [
    pytest.mark.realtime,
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.skipif(chromium() is None, reason="there is no Chromium on PATH"),
]

URL_PATH = "card-test"
ROW = "simverity-device-row"
LOADING_MS, SESSION_MS, TRIAL_MS = 60_000, 400_000, 60_000


async def _lay_out(home: AuditedHome, *cards: Json) -> str:
    """Save a dashboard of these cards, made once, and return its path."""
    config: Json = {"views": [{"path": "v", "type": "sections", "sections": [{"type": "grid", "cards": list(cards)}]}]}
    async with home.rig.home.socket() as socket:
        known = await socket.call("lovelace/dashboards/list")
        if URL_PATH not in str(known):
            await socket.call("lovelace/dashboards/create", url_path=URL_PATH, title="Card", mode="storage")
        await socket.call("lovelace/config/save", url_path=URL_PATH, config=config)
    return f"{home.rig.home.base}/{URL_PATH}/v"


@asynccontextmanager
async def _page(home: AuditedHome, folder: Path, address: str) -> AsyncIterator[Page]:
    """Open a page of the home and wait for the card; errors of the card fail the test."""
    errors: list[str] = []
    async with logged_in_page(home.rig.home.base, home.rig.home.api.token, folder / "profile") as page:
        page.on("pageerror", lambda error: errors.append(f"{error} {error.stack}"))
        await page.goto(address)
        yield page
    assert [error for error in errors if "simverity" in error.lower()] == []


async def objections(page: Page, element: str) -> object:
    """Return what axe objects to in an element, as the real frontend shows it once colours have stopped changing."""
    await page.wait_for_timeout(1_500)
    await page.add_script_tag(path=card_package("axe-core") / "axe.min.js")
    return await page.locator(element).first.evaluate(
        "(shown) => axe.run(shown).then(({ violations }) =>"
        " violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]))"
    )


async def open_editor(page: Page) -> None:
    """Click the first card until its editor opens: the page draws the card before it listens to clicks on it."""
    dialog = page.locator("hui-dialog-edit-card hui-card-element-editor")
    for _ in range(6):
        await page.locator("hui-card-edit-mode").first.click(force=True, timeout=LOADING_MS)
        with suppress(NotInTimeError):
            await dialog.wait_for(timeout=8_000)
            return
    await dialog.wait_for()


async def test_it_loads_by_itself_and_shows_every_audited_device(
    home: AuditedHome, build_folder: Path, tmp_path: Path
) -> None:
    address = await _lay_out(home, {"type": "custom:simverity-card"})
    async with _page(home, tmp_path, address) as page:
        await page.locator(ROW).first.wait_for(timeout=LOADING_MS)
        assert await page.locator(ROW).count() == len(home.audited.subjects)
        assert "Abstain: not enough evidence" in await page.locator(ROW).first.locator("button").inner_text()
        await page.screenshot(path=build_folder / "card_home.png")
        assert await objections(page, "simverity-card") == []
        await page.set_viewport_size({"width": 400, "height": 860})
        await page.emulate_media(color_scheme="dark")
        await page.locator(ROW).first.wait_for()
        await page.screenshot(path=build_folder / "card_home_phone_dark.png")
        assert await objections(page, "simverity-card") == []


async def test_the_device_card_and_the_tile_feature_show_one_device(
    home: AuditedHome, build_folder: Path, tmp_path: Path
) -> None:
    feature: Json = {"type": "custom:simverity-disposition-feature"}
    tile: Json = {"type": "tile", "entity": LYING, "features": [feature]}
    address = await _lay_out(home, {"type": "custom:simverity-device-card", "entity": LYING}, tile)
    async with _page(home, tmp_path, address) as page:
        await page.locator(ROW).wait_for(timeout=LOADING_MS)
        said = page.locator("simverity-disposition-feature .pill")
        await said.wait_for()
        assert await said.inner_text() == "Abstain: not enough evidence"
        await page.screenshot(path=build_folder / "card_device_and_tile.png")
        assert await objections(page, "simverity-device-card") == []
        assert await objections(page, "simverity-disposition-feature") == []


async def test_its_options_can_be_edited_without_writing(home: AuditedHome, build_folder: Path, tmp_path: Path) -> None:
    address = await _lay_out(home, {"type": "custom:simverity-card"})
    async with _page(home, tmp_path, f"{address}?edit=1") as page:
        await page.locator(ROW).first.wait_for(timeout=LOADING_MS)
        await open_editor(page)
        form = page.locator("hui-card-element-editor ha-form").first
        await form.get_by_text("Devices (all when empty)").wait_for()
        await page.screenshot(path=build_folder / "card_editor.png")
        await form.get_by_role("textbox", name="Title").first.fill("Lamps we can trust")
        await page.locator("hui-dialog-edit-card").get_by_text("Lamps we can trust").first.wait_for()


async def test_a_wrong_configuration_says_what_is_wrong_and_can_be_edited(
    home: AuditedHome, build_folder: Path, tmp_path: Path
) -> None:
    address = await _lay_out(home, {"type": "custom:simverity-card", "trend_days": 0})
    async with _page(home, tmp_path, f"{address}?edit=1") as page:
        await open_editor(page)
        editor = page.locator("hui-dialog-edit-card")
        await editor.locator("hui-card-element-editor").wait_for()
        await page.wait_for_timeout(2_000)
        await page.screenshot(path=build_folder / "card_wrong_configuration.png")
        await editor.get_by_text("must be a whole number from 1 to 90").first.wait_for()


async def test_a_session_runs_from_the_card_and_a_false_clearance_appears_live(
    home: AuditedHome, build_folder: Path, tmp_path: Path
) -> None:
    address = await _lay_out(home, {"type": "custom:simverity-card", "entities": [LYING]})
    async with _page(home, tmp_path, address) as page:
        await page.locator(ROW).click(timeout=LOADING_MS)
        await page.get_by_role("button", name="Run session").click()
        await page.get_by_label("Times each way").fill("1")
        await page.get_by_role("button", name="Start").click()
        details = page.locator("simverity-details")
        await details.get_by_role("progressbar").wait_for()
        await page.screenshot(path=build_folder / "card_session.png")
        await details.get_by_text("Last session valid").wait_for(timeout=SESSION_MS)
        await page.keyboard.press("Escape")
        assert "Escalate" not in await page.locator(ROW).locator("button").inner_text()

        await home.rig.home.api.act("light", "turn_on", entity_id=LYING)
        await page.wait_for_timeout(home.rig.emulated.ports.settled_s * 1_000 + 2_000)
        await home.rig.emulated.stimulate("/devices/lying_lamp/lie", probability=1.0, seed=1)
        try:
            await home.rig.home.api.act("light", "turn_off", entity_id=LYING)
            await page.locator(ROW).get_by_text("Last wrong").wait_for(timeout=TRIAL_MS)
        finally:
            await home.rig.emulated.stimulate("/devices/lying_lamp/lie", probability=0.0)
        await page.locator(ROW).click()
        await page.locator("simverity-details svg.plot").first.wait_for()
        await page.screenshot(path=build_folder / "card_false_clearance.png")
        assert await objections(page, "simverity-details") == []

        ticket = page.locator("simverity-ticket").first
        await ticket.get_by_text("not replayed since").first.wait_for()
        await ticket.get_by_role("button", name="Replay").click()
        await ticket.get_by_role("button", name="Start").click()
        await details.get_by_role("progressbar").wait_for()
        await page.screenshot(path=build_folder / "card_replay.png")
        replayed = page.locator("simverity-ticket").get_by_text("not reproduced by a replay; that is no proof").first
        await replayed.wait_for(timeout=SESSION_MS)
        await page.screenshot(path=build_folder / "card_replayed.png")
