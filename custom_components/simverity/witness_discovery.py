"""What Supervisor passes on about a witness app, parsed once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from homeassistant.helpers.service_info.hassio import HassioServiceInfo
from yarl import URL

from .const import CONF_APP, CONF_TOKEN, CONF_URL, CONF_WITNESS

_MAX_PORT = 65535


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscoveredWitness:
    """A witness app that announced itself.

    Attributes:
        app: names this installation of the app; another installation has another one.
        name: of the app, for people.
        slug: of the app, for links.
        url: of its API.
        token: that its API accepts now.
    """

    app: str
    name: str
    slug: str
    url: str
    token: str

    def connection(self) -> dict[str, str]:
        """Return what the config entry keeps of it."""
        return {CONF_URL: self.url, CONF_TOKEN: self.token, CONF_APP: self.app}

    def agreed_to(self, data: Mapping[str, Any]) -> bool:
        """Whether a person has connected this very app, by its discovery or by entering its address."""
        witness = data.get(CONF_WITNESS, {})
        return bool(witness.get(CONF_APP) == self.app or witness.get(CONF_URL) == self.url)


def parse_discovery(found: HassioServiceInfo) -> DiscoveredWitness | None:
    """Return the app that was found; None if what it says of itself is not a place and a token."""
    host, port, token = (found.config.get(key) for key in ("host", "port", "token"))
    if not (isinstance(host, str) and isinstance(token, str) and host and token):
        return None
    if not isinstance(port, int) or isinstance(port, bool) or not 0 < port <= _MAX_PORT:
        return None
    try:
        url = URL.build(scheme="http", host=host, port=port)
    except ValueError:
        return None
    return DiscoveredWitness(app=found.uuid, name=found.name, slug=found.slug, url=str(url).rstrip("/"), token=token)
