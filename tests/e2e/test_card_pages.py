"""The card in every state that it can be in, with made-up evidence: pictures, accessibility, gestures, live changes."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from tests.e2e.browser import chromium
from tests.e2e.card_pages import (
    ALLOWED_SHARE,
    PAGES,
    REFERENCES,
    CardPage,
    browser,
    card_package,
    differing_share,
    served,
    shown,
)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.skipif(chromium() is None, reason="there is no Chromium on PATH"),
]

LIST = CardPage(query="", size=(480, 1120))
ROW = "simverity-device-row"
# The page around the card is not what is tried: it has no landmarks and no first heading.
AXE = """axe.run(document, { rules: {
  region: { enabled: false }, "page-has-heading-one": { enabled: false }, "landmark-one-main": { enabled: false },
} }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]))"""


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Serve the fixtures' page."""
    with served() as found:
        yield found


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def opened() -> AsyncIterator[Browser]:
    """Open a Chromium for all pages."""
    async with browser() as found:
        yield found


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """What was seen of one page: its picture, what axe objects to, and which hosts were asked."""

    picture: bytes
    objections: list[object]
    hosts: set[str]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def visits(address: str, opened: Browser, build_folder: Path) -> dict[str, Visit]:
    """Visit every page once; the pictures land in the build folder."""
    (build_folder / "card").mkdir(exist_ok=True)
    found = {}
    for name, one in PAGES.items():
        asked: list[str] = []
        async with shown(opened, address, one, asked) as page:
            picture = await page.screenshot(animations="disabled", caret="hide")
            await page.add_script_tag(path=card_package("axe-core") / "axe.min.js")
            objections = await page.evaluate(AXE)
        (build_folder / "card" / f"{name}.png").write_bytes(picture)
        hosts = {urlsplit(url).netloc for url in asked if not url.startswith("data:")}
        found[name] = Visit(picture=picture, objections=objections, hosts=hosts)
    return found


@pytest.mark.parametrize("name", PAGES)
async def test_it_looks_as_it_should(visits: dict[str, Visit], name: str) -> None:
    share = differing_share(visits[name].picture, REFERENCES / f"{name}.png")
    assert share <= ALLOWED_SHARE, (
        f"{share:.1%} of build/card/{name}.png differ: if that is meant, run python -m tests.e2e.card_pages"
    )


@pytest.mark.parametrize("name", PAGES)
async def test_axe_finds_nothing(visits: dict[str, Visit], name: str) -> None:
    assert visits[name].objections == []


@pytest.mark.parametrize("name", PAGES)
async def test_nothing_is_asked_of_any_other_machine(visits: dict[str, Visit], address: str, name: str) -> None:
    assert visits[name].hosts == {urlsplit(address).netloc}


async def text_of(page: Page) -> str:
    """Return all that the card says."""
    said = await page.evaluate(
        "(() => { const words = (root) => [...root.querySelectorAll('*')]"
        ".map((one) => (one.shadowRoot ? words(one.shadowRoot) : one.tagName === 'STYLE' || one.children.length ? '' :"
        " one.textContent)).join(' '); return words(document.querySelector('main')); })()"
    )
    return str(said)


@pytest.mark.parametrize("state", ["mismatch", "schema"])
async def test_another_version_gets_a_reload_notice_and_no_verdict(address: str, opened: Browser, state: str) -> None:
    # Reported by people: a card of another version than the integration's showed verdicts that it misread.
    async with shown(opened, address, CardPage(query=f"state={state}")) as page:
        said = await text_of(page)
        assert "Reload the page" in said
        assert await page.get_by_role("button", name="Reload").count() == 1
        assert await page.locator(ROW).count() == 0
        assert "Escalate" not in said
        assert "Clear" not in said


async def test_little_evidence_looks_very_different_from_much(address: str, opened: Browser) -> None:
    async with shown(opened, address, LIST) as page:
        widths = {
            name: await page.locator(ROW)
            .filter(has_text=name)
            .locator(".unknown")
            .evaluate("(one) => one.getBoundingClientRect().width")
            for name in ("0 of 5 checks", "0 of 500 checks", "no check decided")
        }
    assert widths["0 of 500 checks"] < widths["0 of 5 checks"] / 5
    assert widths["0 of 5 checks"] < widths["no check decided"]


async def test_the_keyboard_opens_and_closes_the_details_and_comes_back(address: str, opened: Browser) -> None:
    async with shown(opened, address, LIST) as page:
        await page.keyboard.press("Tab")
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        dialog = page.locator("simverity-details dialog")
        await dialog.wait_for()
        assert await dialog.locator("h2").inner_text() == "Hall light"
        await page.keyboard.press("Escape")
        await dialog.wait_for(state="detached")
        focused = await page.evaluate("document.activeElement.shadowRoot.activeElement.row.name")
        assert focused == "Hall light"


async def test_only_the_row_of_a_changed_device_is_drawn_again(address: str, opened: Browser) -> None:
    async with shown(opened, address, LIST) as page:
        await page.evaluate(
            """async () => {
              window.drawn = [];
              for (const row of card.shadowRoot.querySelectorAll("simverity-device-row")) {
                const update = row.updated;
                row.updated = function (...given) { window.drawn.push(this.row.name); update.apply(this, given); };
              }
              const { SUBJECTS } = await import("./evidence.js");
              const desk = { ...SUBJECTS.s2, headline: { ...SUBJECTS.s2.headline, n: 6 } };
              const event = { type: "change", subjects: { s2: desk } };
              home.connection.send("simverity/snapshot/subscribe", event);
              await card.updateComplete;
            }"""
        )
        await page.get_by_text("0 of 6 checks wrong").wait_for()
        assert await page.evaluate("window.drawn") == ["Desk lamp"]


async def test_a_false_clearance_appears_at_once(address: str, opened: Browser) -> None:
    async with shown(opened, address, LIST) as page:
        await page.evaluate(
            """async () => {
              const { SUBJECTS } = await import("./evidence.js");
              const shelf = { ...SUBJECTS.s3, disposition: "escalate", explanation: "change_detected",
                              last_false_clearance: "2026-12-01T03:00:00+00:00" };
              home.connection.send("simverity/snapshot/subscribe", { type: "change", subjects: { s3: shelf } });
            }"""
        )
        row = page.locator(ROW).filter(has_text="Shelf lamp")
        await row.get_by_text("Escalate: do not trust").wait_for()
        assert "Last wrong Dec 1, 2026" in await row.locator("button").inner_text()


async def test_a_lost_connection_is_said(address: str, opened: Browser) -> None:
    async with shown(opened, address, LIST) as page:
        await page.evaluate("home.connection.emit('disconnected')")
        await page.get_by_text("Connection lost").wait_for()


@pytest.mark.parametrize(("delay", "gesture"), [(0, "tap"), (700, "hold")])
async def test_configured_gestures_are_home_assistants_to_do(
    address: str, opened: Browser, delay: int, gesture: str
) -> None:
    async with shown(opened, address, LIST) as page:
        await page.evaluate(
            """() => {
              window.asked = [];
              const action = { action: "more-info" };
              document.addEventListener("hass-action", ({ detail }) => window.asked.push(detail));
              card.setConfig({ type: "custom:simverity-card", tap_action: action, hold_action: action });
            }"""
        )
        await page.locator(ROW).first.click(delay=delay)
        asked = await page.evaluate("window.asked.map(({ action, config }) => [action, config.entity])")
        assert asked == [[gesture, "light.garden_with_a_very_long_name"]]
        assert await page.locator("dialog").count() == 0


async def test_a_session_is_confirmed_before_it_runs(address: str, opened: Browser) -> None:
    async with shown(opened, address, PAGES["details"]) as page:
        await page.get_by_role("button", name="Run session").click()
        await page.get_by_text("is switched on and off 10 times each").wait_for()
        assert await page.evaluate("home.calls.filter(({type}) => type === 'call_service').length") == 0
        await page.get_by_label("Times each way").fill("3")
        await page.get_by_label("Times each way").press("Tab")
        await page.get_by_role("button", name="Start").click()
        called = await page.evaluate("home.calls.filter(({type}) => type === 'call_service')")
    entity = "light.garden_with_a_very_long_name"
    assert called == [
        {
            "type": "call_service",
            "domain": "simverity",
            "service": "run_session",
            "service_data": {"entity_id": entity, "repetitions": 3},
        }
    ]


async def test_a_refusal_is_said_in_its_own_words(address: str, opened: Browser) -> None:
    async with shown(opened, address, PAGES["details"]) as page:
        await page.evaluate(
            """() => {
              const answer = home.callWS;
              home.callWS = (message) => message.type === "call_service"
                ? Promise.reject({ translation_domain: "simverity", translation_key: "not_ready", message: "?" })
                : answer(message);
            }"""
        )
        await page.get_by_role("button", name="Re-qualify camera").click()
        await page.get_by_role("button", name="Start").click()
        await page.get_by_text("SimVerity is").wait_for()


async def test_whoever_is_no_administrator_has_no_buttons(address: str, opened: Browser) -> None:
    async with shown(opened, address, PAGES["details_visitor"]) as page:
        await page.get_by_role("heading", name="Last wrong green checks").wait_for()
        buttons = page.locator("simverity-details").get_by_role("button")
        assert await buttons.evaluate_all("(all) => all.map((one) => one.ariaLabel)") == ["Close"]


async def test_a_running_session_can_be_stopped_from_the_details(address: str, opened: Browser) -> None:
    async with shown(opened, address, CardPage(query="state=running&open=1", size=(760, 1000))) as page:
        assert await page.locator("simverity-details").get_by_role("progressbar").get_attribute("aria-valuenow") == "43"
        await page.get_by_role("button", name="Stop session").click()
        called = await page.evaluate("home.calls.filter(({type}) => type === 'call_service').map((one) => one.service)")
        assert called == ["cancel_session"]


async def test_cells_without_a_verdict_are_hatched_and_say_why(address: str, opened: Browser) -> None:
    async with shown(opened, address, PAGES["details"]) as page:
        cell = page.locator("td.square").filter(has_text="20 undecided: too close to call for this camera").first
        assert "hatched" in (await cell.get_attribute("class") or "")
        assert await page.locator("td.square.clear.hatched").count() == 0


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        ({"type": "custom:simverity-card", "entities": "light.desk"}, "“entities” must be a list of entity ids."),
        ({"type": "custom:simverity-card", "trend_days": 0}, "“trend_days” must be a whole number from 1 to 90."),
    ],
)
async def test_a_wrong_configuration_is_refused_readably(
    address: str, opened: Browser, config: dict[str, object], sentence: str
) -> None:
    async with shown(opened, address, LIST) as page:
        said = await page.evaluate(
            "(config) => { try { card.setConfig(config); return ''; } catch (error) { return error.message; } }", config
        )
    assert said == sentence


async def test_loading_the_file_twice_does_no_harm(address: str, opened: Browser) -> None:
    async with shown(opened, address, LIST) as page:
        kinds = await page.evaluate(
            """async () => {
              await import("../../custom_components/simverity/www/simverity-card.js?again");
              return [window.customCards.map(({ type }) => type), window.customCardFeatures.map(({ type }) => type)];
            }"""
        )
    assert kinds == [["simverity-card", "simverity-device-card"], ["simverity-disposition-feature"]]
