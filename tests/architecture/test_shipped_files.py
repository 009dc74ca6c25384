"""The integration's folder holds what Home Assistant and HACS expect, and nothing else."""

import ast
import re
from pathlib import Path

import pytest

from .repository import (
    INTEGRATION,
    ROOT,
    name_of,
    parsed,
    read_object,
    repository_files,
    running_nodes,
    shipped_files,
)

EXPECTED = (
    r"(?:(?:adapters|audit|engine)/(?:[a-z_]+/)*)?[a-z_]+\.py",
    r"(?:manifest|icons)\.json",
    r"(?:services|conditions|triggers|quality_scale)\.yaml",
    r"translations/[a-z]{2}(?:-[A-Z][A-Za-z]+)?\.json",
    r"brand/(?:dark_)?(?:icon|logo)(?:@2x)?\.png",
    r"www/simverity-card\.js",
    r"py\.typed",
)
# Modules that Home Assistant loads by name from an integration's folder, and a function that shows their purpose.
LOADED_BY_NAME = {
    "analytics": "async_modify_analytics",
    "application_credentials": "async_get_authorization_server",
    "backup": "async_pre_backup",
    "condition": "async_get_conditions",
    "device_action": "async_get_actions",
    "device_condition": "async_get_conditions",
    "device_trigger": "async_get_triggers",
    "diagnostics": "async_get_config_entry_diagnostics",
    "energy": "async_get_solar_forecast",
    "hardware": "async_info",
    "intent": "async_setup_intents",
    "llm": "async_get_tools",
    "logbook": "async_describe_events",
    "media_source": "async_get_media_source",
    "recorder": "async_get_excluded_attributes",
    "repairs": "async_create_fix_flow",
    "significant_change": "async_check_significant_change",
    "system_health": "async_register",
    "trigger": "async_get_triggers",
}
PLATFORMS = {"binary_sensor", "button", "event", "light", "number", "select", "sensor", "switch", "text", "update"}
# These may be imported without being named as dependencies: Home Assistant's own checker allows them.
ALWAYS_THERE = PLATFORMS | {"automation", "conversation", "frontend", "panel_custom", "script", "system_health"}
ALWAYS_THERE |= {"homeassistant", "persistent_notification", "websocket_api", "camera", "scene", "logger"}
SHIPPED_PYTHON = [INTEGRATION / path for path in shipped_files() if path.suffix == ".py"]


def test_every_file_is_expected() -> None:
    names = [path.as_posix() for path in shipped_files()]
    assert [name for name in names if not any(re.fullmatch(pattern, name) for pattern in EXPECTED)] == []


@pytest.mark.parametrize("name", ["__init__.py", "manifest.json", "translations/en.json", "brand/icon.png"])
def test_what_cannot_be_missing_is_there(name: str) -> None:
    assert Path(name) in shipped_files()


def test_no_shipped_file_is_a_link() -> None:
    assert [path for path in shipped_files() if (INTEGRATION / path).is_symlink()] == []


def test_json_is_valid() -> None:
    files = [path for path in repository_files() if path.suffix == ".json"]
    assert files
    assert [name_of(path) for path in files if not read_object(path)] == []


def test_manifest_keys_are_in_order() -> None:
    keys = list(read_object(INTEGRATION / "manifest.json"))
    assert keys == ["domain", "name", *sorted(set(keys) - {"domain", "name"})]


def test_manifest_asks_for_no_package() -> None:
    assert read_object(INTEGRATION / "manifest.json").get("requirements", []) == []


def test_manifest_names_what_hacs_needs() -> None:
    manifest = read_object(INTEGRATION / "manifest.json")
    needed = {"domain", "documentation", "issue_tracker", "codeowners", "name", "version", "iot_class"}
    assert needed - manifest.keys() == set()
    assert manifest["domain"] == INTEGRATION.name
    assert re.fullmatch(r"\d+\.\d+\.\d+(?:b\d+)?", str(manifest["version"]))


def test_versions_agree() -> None:
    version = read_object(INTEGRATION / "manifest.json")["version"]
    declared = re.search(r'^version = "([^"]+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert declared is not None
    assert declared.group(1) == version


def test_the_oldest_home_assistant_is_the_one_that_is_tested() -> None:
    tested = re.search(r"^homeassistant==(\S+)", (ROOT / "requirements" / "home-oldest.txt").read_text(), re.MULTILINE)
    assert tested is not None
    assert read_object(ROOT / "hacs.json")["homeassistant"] == tested.group(1)


def imported_integrations(path: Path) -> set[str]:
    """Return the integrations of Home Assistant that a file imports, whenever it runs."""
    modules: set[str] = set()
    for node in running_nodes(parsed(path)):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module == "homeassistant.components":
            modules |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules.add(node.module or "")
    found = (re.match(r"homeassistant\.components\.(\w+)", module) for module in modules)
    return {match.group(1) for match in found if match}


def test_imported_integrations_are_declared() -> None:
    manifest = read_object(INTEGRATION / "manifest.json")
    allowed = ALWAYS_THERE | {path.stem for path in SHIPPED_PYTHON if path.parent == INTEGRATION}
    for key in ("dependencies", "after_dependencies"):
        listed = manifest.get(key, [])
        assert isinstance(listed, list)
        allowed |= {str(domain) for domain in listed}
    found = {name_of(path): imported_integrations(path) - allowed for path in SHIPPED_PYTHON}
    assert {name: domains for name, domains in found.items() if domains} == {}


def serves_its_name(path: Path) -> bool:
    """Return whether a file of the integration's root is what Home Assistant takes a file of its name for."""
    wanted = "async_setup_entry" if path.stem in PLATFORMS else LOADED_BY_NAME.get(path.stem)
    defined = {n.name for n in parsed(path).body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)}
    return wanted is None or wanted in defined


def test_names_that_home_assistant_loads_are_used_for_that() -> None:
    in_root = [path for path in SHIPPED_PYTHON if path.parent == INTEGRATION]
    assert [name_of(path) for path in in_root if not serves_its_name(path)] == []


def test_supervisor_finds_at_most_one_app() -> None:
    found = [path for path in repository_files() if path.stem == "config" and path.suffix in {".yaml", ".yml", ".json"}]
    seen = [
        path for path in found if not any(part.startswith((".", "rootfs")) for part in path.relative_to(ROOT).parts)
    ]
    assert [name_of(path) for path in seen] in ([], ["addon/config.yaml"])


def test_commands_are_executable() -> None:
    folders = {ROOT / "scripts", ROOT / ".ci"}
    commands = [path for path in repository_files() if path.parent in folders and not path.suffix]
    assert commands
    assert [name_of(path) for path in commands if not path.stat().st_mode & 0o100] == []
