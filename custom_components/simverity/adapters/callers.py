"""Who is behind a context: contexts and their parents, remembered from the bus, and the people among the users.

Home Assistant hands a context to whoever acts but keeps no list of them. An automation acts under a context of its own
that names only its parent, so the chain back to a person is put together from the events that announced each link.
"""

from __future__ import annotations

from collections import OrderedDict

from homeassistant.auth import EVENT_USER_ADDED, EVENT_USER_REMOVED, EVENT_USER_UPDATED
from homeassistant.const import EVENT_CALL_SERVICE
from homeassistant.core import Context, Event, HomeAssistant, callback

_KEPT = 4_096
"""Contexts that are remembered: hours of an ordinary home. One that was forgotten cannot be attributed."""
_LINKS = (EVENT_CALL_SERVICE, "automation_triggered", "script_started")
"""The events that announce a link of a chain: a call, and what starts under a context of its own."""
_LONGEST = 32


class Callers:
    """Remembers contexts from the moment it listens; what came before is unknown to it."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Know nobody yet."""
        self._hass = hass
        self._contexts: OrderedDict[str, tuple[str | None, str | None]] = OrderedDict()
        self._tools: OrderedDict[str, None] = OrderedDict()
        self._people: frozenset[str] = frozenset()

    async def async_listen(self) -> None:
        """Listen from now on, for as long as Home Assistant runs."""
        for link in _LINKS:
            self._hass.bus.async_listen(link, self._linked)
        for change in (EVENT_USER_ADDED, EVENT_USER_REMOVED, EVENT_USER_UPDATED):
            self._hass.bus.async_listen(change, self._async_users_changed)
        await self._async_learn_people()

    @callback
    def mark_tool(self, context: Context) -> None:
        """Remember that a guarded tool acts under this context: whatever comes of it is an agent's doing."""
        self._tools[context.id] = None
        while len(self._tools) > _KEPT:
            self._tools.popitem(last=False)

    @callback
    def people_behind(self, context: Context) -> frozenset[str] | None:
        """Return the users along a chain of contexts if all of it is known and leads to people; None otherwise.

        None: a guarded tool acted, a parent is unknown, a user is no person, or nobody is named at all.
        """
        users: set[str] = set()
        link: tuple[str | None, str | None] | None = (context.user_id, context.parent_id)
        identity: str | None = context.id
        for _ in range(_LONGEST):
            if link is None or identity in self._tools:
                return None
            user, identity = link
            if user is not None:
                users.add(user)
            if identity is None:
                return frozenset(users) if users and users <= self._people else None
            link = self._contexts.get(identity)
        return None

    @callback
    def _linked(self, event: Event) -> None:
        context = event.context
        self._contexts[context.id] = (context.user_id, context.parent_id)
        self._contexts.move_to_end(context.id)
        while len(self._contexts) > _KEPT:
            self._contexts.popitem(last=False)

    async def _async_users_changed(self, _event: Event) -> None:
        await self._async_learn_people()

    async def _async_learn_people(self) -> None:
        users = await self._hass.auth.async_get_users()
        self._people = frozenset(user.id for user in users if user.is_active and not user.system_generated)
