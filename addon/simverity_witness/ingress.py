"""The page inside Home Assistant: only Supervisor, which has let a person in, may ask for it."""

from __future__ import annotations

import html
from collections.abc import Awaitable, Callable
from typing import Protocol

from aiohttp import web

from .access import Access

SUPERVISOR_ADDRESS = "172.30.32.2"
"""From where Supervisor passes a person's requests on, in every installation."""
DEFAULT_PORT = 8099
"""Where Supervisor expects a page, unless the app's configuration says otherwise."""

_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>SimVerity Witness</title>
<style>
:root {{ color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }}
body {{ max-width: 40rem; margin: 2rem auto; padding: 0 1rem; }}
code {{ overflow-wrap: anywhere; }}
button {{ font: inherit; padding: .5rem 1rem; }}
</style>
<h1>SimVerity Witness</h1>
<p>{listed}</p>
<details>
<summary>Connect by hand</summary>
<p>In <em>Settings → Devices &amp; services → SimVerity → Reconfigure</em>, enter:</p>
<dl><dt>Address</dt><dd><code>{address}</code></dd><dt>Token</dt><dd><code>{token}</code></dd></dl>
</details>
<form method="post" action="token">
<p>If somebody else may know the token, make a new one. Home Assistant gets it by itself; the old one ends a minute
later.</p>
<button>Make a new token</button>
</form>
</html>
"""
_LISTED = "Home Assistant knows this witness."
_NOT_LISTED = "Home Assistant has not been told about this witness yet. You can connect it by hand."

type Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Presence(Protocol):
    """What the page says and asks about being found."""

    listed: bool

    def ask_for_new_token(self) -> None:
        """Change the token soon."""


def page(access: Access, presence: Presence, *, address: str, supervisor: str = SUPERVISOR_ADDRESS) -> web.Application:
    """Return the application behind ingress.

    Args:
        access: whose token is shown.
        presence: what announces it.
        address: of the API, as a person would enter it.
        supervisor: the one address that is let in.
    """

    @web.middleware
    async def from_supervisor_only(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.remote != supervisor:
            raise web.HTTPForbidden
        return await handler(request)

    async def show(_request: web.Request) -> web.Response:
        text = _PAGE.format(
            listed=_LISTED if presence.listed else _NOT_LISTED,
            address=html.escape(address),
            token=html.escape(access.current),
        )
        return web.Response(text=text, content_type="text/html", headers=_HEADERS)

    async def renew(_request: web.Request) -> web.Response:
        presence.ask_for_new_token()
        return web.Response(status=303, headers={"Location": "./", **_HEADERS})

    application = web.Application(middlewares=[from_supervisor_only], client_max_size=1024)
    application.router.add_get("/", show)
    application.router.add_post("/token", renew)
    return application
