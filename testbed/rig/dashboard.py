"""A dashboard for the person who looks at the demo: our own card, and built-in ones beside it."""

from dataclasses import dataclass
from string import Template

from testbed.rig.home_client import HomeSocket
from testbed.rig.json_value import Json
from testbed.rig.registry import Registered

URL_PATH = "simverity-demo"
SUBJECT_KEYS = ("disposition", "false_clearance_risk")
AUDIT_KEYS = ("session_validity", "session_progress", "session_running")

_IN_WORDS = Template("""\
{% set disposition = states('$disposition') %}
{% set risk = '$false_clearance_risk' %}
{% set k = state_attr(risk, 'k') %}{% set n = state_attr(risk, 'n') %}
{% if disposition == 'clear' %}
**Cleared.** Whenever the check was green, the lamp had really followed ({{ n }} checks compared).
{% elif disposition == 'escalate' %}
**Do not trust the green check.** {{ k }} of {{ n }} green checks did not match the room
(read {{ state_attr(risk, 'boundary') }} s after the command, going {{ state_attr(risk, 'direction') }}).
{% elif disposition == 'abstain' %}
**Not enough evidence yet.** Nothing is claimed about this device.
{% else %}
SimVerity is not ready.
{% endif %}
""")

_SESSION_IN_WORDS = Template("""\
{% set progress = '$session_progress' %}
{% if is_state('$session_running', 'on') %}
**A session is running** ({{ state_attr(progress, 'phase') }}): trial {{ state_attr(progress, 'done') }} of
{{ state_attr(progress, 'total') }}. Please leave the lamps alone.
{% elif is_state('$session_validity', 'valid') %}
**The last session is valid.** The lamps were switched, filmed, and compared with what Home Assistant said.
{% elif is_state('$session_validity', 'invalid') %}
**The last session is not valid** and counts nowhere:
{{ state_attr('$session_validity', 'reasons') | join(', ') }}.
{% else %}
No session has run yet.
{% endif %}
""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One audited entity on the dashboard."""

    name: str
    entity_id: str
    sensors: dict[str, str]
    """Entity ids of its sensors, by key."""


def find_sensors(registry: list[Registered], owner: str, keys: tuple[str, ...]) -> dict[str, str]:
    """Return the entity ids of our sensors about ``owner`` (a registry id or a config entry id), by key."""
    wanted = {f"{owner}_{key}": key for key in keys}
    ours = (entry for entry in registry if entry.platform == "simverity" and entry.unique_id in wanted)
    return {wanted[entry.unique_id]: entry.entity_id for entry in ours}


def dashboard(audit: dict[str, str], shown: list[Shown]) -> Json:
    """Return the configuration of the dashboard."""
    return {
        "title": "SimVerity",
        "views": [
            {
                "title": "Audit",
                "path": "audit",
                "type": "sections",
                "max_columns": 3,
                "sections": [_session_section(audit), *(_subject_section(subject) for subject in shown)],
            }
        ],
    }


def _session_section(audit: dict[str, str]) -> Json:
    cards: list[Json] = [_heading("Does a green check survive in the room?", "mdi:check-decagram-outline")]
    cards.append({"type": "custom:simverity-card", "grid_options": {"columns": 12}})
    if len(audit) == len(AUDIT_KEYS):
        cards.append(_markdown(_SESSION_IN_WORDS.substitute(audit)))
    cards += [_tile(entity_id) for entity_id in audit.values()]
    return {"type": "grid", "cards": cards}


def _subject_section(subject: Shown) -> Json:
    cards: list[Json] = [
        _heading(subject.name, "mdi:lightbulb-on-outline"),
        {"type": "tile", "entity": subject.entity_id, "grid_options": {"columns": 12}},
    ]
    if len(subject.sensors) == len(SUBJECT_KEYS):
        cards.append(_markdown(_IN_WORDS.substitute(subject.sensors)))
    cards += [_tile(entity_id) for entity_id in subject.sensors.values()]
    return {"type": "grid", "cards": cards}


def _heading(text: str, icon: str) -> Json:
    return {"type": "heading", "heading": text, "icon": icon}


def _markdown(content: str) -> Json:
    return {"type": "markdown", "content": content, "grid_options": {"columns": 12}}


def _tile(entity_id: str) -> Json:
    return {"type": "tile", "entity": entity_id, "grid_options": {"columns": 12}}


async def save_dashboard(socket: HomeSocket, config: Json) -> str:
    """Create the dashboard in Home Assistant and return its path.

    Raises:
        AnswerError: if it is refused.
    """
    await socket.call(
        "lovelace/dashboards/create",
        url_path=URL_PATH,
        title="SimVerity",
        icon="mdi:check-decagram-outline",
        show_in_sidebar=True,
        require_admin=False,
        mode="storage",
    )
    await socket.call("lovelace/config/save", url_path=URL_PATH, config=config)
    return f"/{URL_PATH}/audit"
