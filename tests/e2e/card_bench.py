"""Print how long the card takes with 200 devices of 40 cells each; started by ``scripts/bench card``."""

import asyncio
import sys

from tests.e2e.card_pages import CardPage, browser, served, shown

WORDS = {
    "open": "opening the list of 200 devices (wanted: under 300 ms)",
    "update": "one device changes (wanted: under 16 ms)",
    "unrelated": "something else in the home changes (wanted: under 16 ms)",
    "details": "opening the details with 40 cells",
}


async def main() -> None:
    """Measure in a real Chromium; the figures are medians of seven rounds."""
    with served() as address:
        async with browser() as opened, shown(opened, address, CardPage(query="", size=(480, 1120))) as page:
            await page.evaluate("card.remove()")
            measured = await page.evaluate("import('./bench.js').then(({ bench }) => bench())")
    sys.stdout.writelines(f"{measured[name]:8.1f} ms  {words}\n" for name, words in WORDS.items())


if __name__ == "__main__":
    asyncio.run(main())
