"""The card on pages of its own with made-up evidence (card/fixtures), and how its pictures are compared.

Run as a module to take the reference pictures anew: ``python -m tests.e2e.card_pages``.
"""

import asyncio
import functools
import http.server
import os
import subprocess
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.async_api import Browser, Page, async_playwright

from testbed.rig.layout import ROOT
from tests.e2e.browser import FLAGS, chromium

CARD = ROOT / "card"
REFERENCES = Path(__file__).parent / "references"
COLOURS = 256
VISIBLE = 40
"""Levels by which a pixel differs visibly; references have few colours, so that they are small."""
ALLOWED_SHARE = 0.02
"""Of the pixels that may differ visibly: edges of letters."""
PHONE, TABLET = (400, 860), (760, 1000)


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPage:
    """One card in one state: what is asked of card/fixtures/page.js, and how large the window is."""

    query: str
    size: tuple[int, int] = PHONE
    forced_colours: bool = False


PAGES = {
    "list": CardPage(query="", size=(480, 1240)),
    "list_dark": CardPage(query="theme=dark", size=(480, 1240)),
    "list_contrast": CardPage(query="theme=contrast", size=(480, 1240)),
    "list_forced_colours": CardPage(query="", size=(480, 1240), forced_colours=True),
    "list_right_to_left": CardPage(query="dir=rtl", size=(480, 1240)),
    "list_german": CardPage(query="lang=de", size=(480, 1240)),
    "list_french_phone": CardPage(query="lang=fr", size=(340, 1560)),
    "running": CardPage(query="state=running", size=(480, 400)),
    "details": CardPage(query="open=1", size=TABLET),
    "details_phone_dark": CardPage(query="open=1&theme=dark"),
    "details_end": CardPage(query="open=1&at=end", size=TABLET),
    "details_end_right_to_left": CardPage(query="open=1&at=end&dir=rtl"),
    "details_replay": CardPage(query="open=1&at=replay", size=TABLET),
    "details_visitor": CardPage(query="open=1&admin=0"),
    "device": CardPage(query="card=device", size=(480, 260)),
    "device_unknown": CardPage(query="card=device&entity=light.other", size=(480, 160)),
    "feature": CardPage(query="card=feature", size=(480, 120)),
    "feature_narrow": CardPage(query="card=feature", size=(240, 120)),
    "loading": CardPage(query="state=loading", size=(480, 200)),
    "absent": CardPage(query="state=absent", size=(480, 220)),
    "forbidden": CardPage(query="state=forbidden", size=(480, 220)),
    "empty": CardPage(query="state=empty", size=(480, 220)),
    "hidden": CardPage(query="state=hidden", size=(480, 220)),
    "mismatch": CardPage(query="state=mismatch", size=(480, 300)),
    "damaged": CardPage(query="state=damaged", size=(480, 420)),
}


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


@contextmanager
def served() -> Iterator[str]:
    """Serve the repository on the loopback interface and return the address of the fixtures' page."""
    handler = functools.partial(_Quiet, directory=str(ROOT))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/card/fixtures/index.html"
        server.shutdown()


def card_package(name: str) -> Path:
    """Return the folder of a package that the card's tests use, installed if need be."""
    folder = CARD / "node_modules" / name
    if not folder.exists():
        node = Path(os.environ.get("SIMVERITY_ENVIRONMENTS", "")) / "node" / "bin"
        environment = {**os.environ, "PATH": f"{node}{os.pathsep}{os.environ['PATH']}"}
        subprocess.run(
            ("npm", "install", "--no-save", "--no-audit", "--no-fund"), cwd=CARD, env=environment, check=True
        )
    return folder


@asynccontextmanager
async def browser() -> AsyncIterator[Browser]:
    """Open a Chromium without a window."""
    async with async_playwright() as playwright:
        opened = await playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        try:
            yield opened
        finally:
            await opened.close()


@asynccontextmanager
async def shown(opened: Browser, address: str, one: CardPage, asked: list[str] | None = None) -> AsyncIterator[Page]:
    """Show a card in a state and wait until it stands still; every address that the page asks for joins ``asked``."""
    card_package("@fontsource")
    width, height = one.size
    context = await opened.new_context(
        viewport={"width": width, "height": height},
        reduced_motion="reduce",
        forced_colors="active" if one.forced_colours else "none",
        locale="en-US",
        timezone_id="UTC",
    )
    try:
        page = await context.new_page()
        page.on("request", lambda request: None if asked is None else asked.append(request.url))
        await page.goto(f"{address}?{one.query}")
        await page.wait_for_selector("body[data-ready]")
        yield page
    finally:
        await context.close()


def differing_share(picture: bytes, reference: Path) -> float:
    """Return the share of pixels that visibly differ; 1 where the sizes do."""
    taken, expected = (Image.open(source).convert("RGB") for source in (BytesIO(picture), reference))
    if taken.size != expected.size:
        return 1.0
    difference = np.abs(np.asarray(taken, dtype=np.int16) - np.asarray(expected, dtype=np.int16)).max(axis=2)
    return float((difference > VISIBLE).mean())


async def take_references() -> None:
    """Take every reference picture anew."""
    REFERENCES.mkdir(exist_ok=True)
    with served() as address:
        async with browser() as opened:
            for name, one in PAGES.items():
                async with shown(opened, address, one) as page:
                    picture = Image.open(BytesIO(await page.screenshot(animations="disabled", caret="hide")))
                reduced = picture.convert("RGB").quantize(COLOURS, method=Image.Quantize.FASTOCTREE)
                reduced.save(REFERENCES / f"{name}.png", optimize=True)


if __name__ == "__main__":
    asyncio.run(take_references())
