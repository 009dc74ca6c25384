"""A guarded choice of tools for assistants: what Assist offers, but nothing acts where a cell escalates.

An assistant that is given this API instead of Assist is asked to stop where a false clearance was seen. Whoever also
gives it Assist itself leaves a way around the guard: Home Assistant has no veto.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from homeassistant.components import script
from homeassistant.core import Context, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import intent, llm

from .actors import mark_tool
from .const import DOMAIN
from .coordinator import LedgerState, SubjectView
from .engine.terms import Disposition, SubjectId
from .entry import SimverityConfigEntry, loaded_entry
from .selection import async_select
from .speaking_for import views_of

API_ID = DOMAIN
API_NAME = "SimVerity (guarded Assist)"
REFUSED = "SimverityRefused"
_SCRIPT = "script__"
_PROMPT = (
    "Some devices are not trusted: their reported state was seen to be wrong. A tool that answers with "
    f"{REFUSED} did nothing. Tell the user so, name the device, and do not try another way."
)


@callback
def async_offer_api(hass: HomeAssistant, entry: SimverityConfigEntry) -> None:
    """Offer the guarded API for as long as the entry is loaded."""
    entry.async_on_unload(llm.async_register_api(hass, GuardedAPI(hass=hass, id=API_ID, name=API_NAME)))


class GuardedAPI(llm.API):
    """Assist's tools, each behind the guard unless it only reads."""

    async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
        """Return the tools that Assist offers in this context, guarded."""
        inner = await llm.async_get_api(self.hass, llm.LLM_API_ASSIST, llm_context)
        tools = [tool if tool.annotations.read_only else GuardedTool(tool) for tool in inner.tools]
        return llm.APIInstance(
            api=self,
            api_prompt=f"{inner.api_prompt}\n{_PROMPT}",
            llm_context=llm_context,
            tools=tools,
            custom_serializer=inner.custom_serializer,
        )


class GuardedTool(llm.Tool):
    """One tool behind the guard. It is judged at each call: an API's instance outlives a change of disposition."""

    def __init__(self, tool: llm.Tool) -> None:
        """Look like the tool behind."""
        self._tool = tool
        self.name = tool.name
        self.title = tool.title
        self.description = tool.description
        self.parameters = tool.parameters
        self.annotations = tool.annotations
        self.integration = tool.integration

    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Refuse, or let the tool act under a context of its own, which counts as an agent's."""
        refusal = _refusal(hass, self.name, tool_input.tool_args, llm_context)
        if refusal is not None:
            return llm.ToolResult({"error": REFUSED, "error_text": refusal}, error=True)
        asked = llm_context.context or Context()
        context = Context(user_id=asked.user_id, parent_id=asked.id)
        mark_tool(hass, context)
        error: str | None = None
        try:
            answer = await self._tool.async_call(hass, tool_input, replace(llm_context, context=context))
        except Exception as failure:
            error = type(failure).__name__
            raise
        finally:
            if (entry := loaded_entry(hass)) is not None:
                entry.runtime_data.note_return(context.id, error)
        return answer if isinstance(answer, llm.ToolResult) else llm.ToolResult(answer)


def _refusal(hass: HomeAssistant, tool: str, given: dict[str, Any], llm_context: llm.LLMContext) -> str | None:
    """Return in a sentence why a call is refused, None where nothing that is audited speaks against it."""
    views = _audited(hass, _targets(hass, tool, given, llm_context))
    if not views:
        return None
    if (entry := loaded_entry(hass)) is None:
        return "The guard is not running."
    if (state := entry.runtime_data.coordinator.snapshot.ledger.state) is not LedgerState.SOUND:
        return f"The evidence about these devices cannot be trusted now ({state.value})."
    refused = [view for view in views if view.disposition is Disposition.ESCALATE]
    if not refused:
        return None
    names = ", ".join(_name(hass, view) for view in refused)
    return f"{names}: was reported as done and was not. A person has to look at it first."


def _targets(
    hass: HomeAssistant, tool: str, given: dict[str, Any], llm_context: llm.LLMContext
) -> list[er.RegistryEntry]:
    """Return what a call would act on: what a script names, or every exposed entity that an intent's words match."""
    if tool.startswith(_SCRIPT):
        return _in_script(hass, f"script.{tool.removeprefix(_SCRIPT)}")
    constraints = intent.MatchTargetsConstraints(
        name=_text(given, "name"),
        area_name=_text(given, "area"),
        floor_name=_text(given, "floor"),
        domains=_texts(given, "domain"),
        device_classes=_texts(given, "device_class"),
        assistant=llm_context.assistant,
        allow_duplicate_names=True,
    )
    if not constraints.has_constraints:
        return []
    found = intent.async_match_targets(hass, constraints).states
    registry = er.async_get(hass)
    entries = (registry.async_get(state.entity_id) for state in found)
    return [entry for entry in entries if entry is not None]


def _in_script(hass: HomeAssistant, entity_id: str) -> list[er.RegistryEntry]:
    selection = async_select(
        hass,
        {
            "entity_id": script.entities_in_script(hass, entity_id),
            "device_id": script.devices_in_script(hass, entity_id),
            "area_id": script.areas_in_script(hass, entity_id),
            "floor_id": script.floors_in_script(hass, entity_id),
            "label_id": script.labels_in_script(hass, entity_id),
        },
    )
    return [*selection.named, *selection.implied]


def _audited(hass: HomeAssistant, entries: Iterable[er.RegistryEntry]) -> list[SubjectView]:
    """Return what is known about those of the entities that are audited."""
    if (entry := loaded_entry(hass)) is None:
        return []
    subjects = entry.runtime_data.coordinator.snapshot.subjects
    found: dict[SubjectId, SubjectView] = {}
    for one in entries:
        found |= {view.subject: view for view in views_of(hass, one, subjects)}
    return list(found.values())


def _name(hass: HomeAssistant, view: SubjectView) -> str:
    state = hass.states.get(view.entity_id)
    return view.entity_id if state is None else state.name


def _text(given: dict[str, Any], key: str) -> str | None:
    value = given.get(key)
    return value if isinstance(value, str) and value.strip() else None


def _texts(given: dict[str, Any], key: str) -> set[str] | None:
    value = given.get(key)
    values = [value] if isinstance(value, str) else value if isinstance(value, (list, set, tuple)) else []
    return {one for one in values if isinstance(one, str) and one} or None
