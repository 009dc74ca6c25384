"""Whether a person or an agent acts. Whoever cannot be attributed counts as an agent."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from homeassistant.core import Context, HomeAssistant, callback
from homeassistant.util.hass_dict import HassKey

from .adapters.callers import Callers
from .const import CONF_AGENTS
from .entry import loaded_entry

_CALLERS: HassKey[Callers] = HassKey("simverity_callers")


class Actor(StrEnum):
    """On whose behalf something runs."""

    AGENT = "agent"
    PERSON = "person"


async def async_watch_callers(hass: HomeAssistant) -> None:
    """Remember from now on who calls; it lasts over reloads of the entry."""
    hass.data[_CALLERS] = callers = Callers(hass)
    await callers.async_listen()


@callback
def mark_tool(hass: HomeAssistant, context: Context) -> None:
    """Remember that a guarded tool acts under this context."""
    hass.data[_CALLERS].mark_tool(context)


@callback
def actor_of(hass: HomeAssistant, variables: Mapping[str, Any] | None) -> Actor:
    """Return who acts in a run with these variables.

    A person is only who is a user of this home, is not listed as an agent, and is at the end of a chain of contexts
    that is known in full. Everything else is an agent: a time trigger, a webhook, a guarded tool, a forgotten parent.
    """
    context = None if variables is None else variables.get("context")
    if not isinstance(context, Context):
        return Actor.AGENT
    people = hass.data[_CALLERS].people_behind(context)
    entry = loaded_entry(hass)
    agents = set() if entry is None else set(entry.options.get(CONF_AGENTS, ()))
    return Actor.PERSON if people is not None and not people & agents else Actor.AGENT
