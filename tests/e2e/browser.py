"""A page of Home Assistant in a real Chromium, logged in with a token."""

import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Page, async_playwright

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_NEVER = 9_999_999_999_999


def chromium() -> str | None:
    """Return Chromium on PATH, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@asynccontextmanager
async def logged_in_page(base: str, token: str, profile: Path) -> AsyncIterator[Page]:
    """Open a page that is logged in to the Home Assistant at ``base``."""
    executable = chromium()
    assert executable is not None, "there is no Chromium on PATH"
    tokens = {
        "access_token": token,
        "token_type": "Bearer",
        "refresh_token": "",
        "expires_in": _NEVER,
        "expires": _NEVER,
        "hassUrl": base,
        "clientId": f"{base}/",
    }
    async with async_playwright() as playwright:
        context = await playwright.chromium.launch_persistent_context(
            str(profile),
            executable_path=executable,
            args=list(FLAGS),
            viewport={"width": 1400, "height": 1000},
        )
        try:
            await context.add_init_script(f"localStorage.setItem('hassTokens', {json.dumps(json.dumps(tokens))});")
            yield context.pages[0]
        finally:
            await context.close()
