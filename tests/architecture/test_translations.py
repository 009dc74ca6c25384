"""Every text that a person sees exists in every language, in the form that Home Assistant accepts."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from .repository import INTEGRATION, JsonValue, branch, leaves, name_of, parsed, read_object, shipped_files

LANGUAGES = sorted((INTEGRATION / "translations").glob("*.json"))
ENGLISH = read_object(INTEGRATION / "translations" / "en.json")
PLACEHOLDER = re.compile(r"\{(\w+)\}")
SHIPPED_PYTHON = [INTEGRATION / path for path in shipped_files() if path.suffix == ".py"]


@cache
def texts(path: Path) -> dict[tuple[str, ...], str]:
    """Return the texts of one language by the keys that lead to them."""
    return dict(leaves(read_object(path)))


def yaml_object(name: str) -> dict[str, JsonValue]:
    """Return what one of the integration's YAML files describes, empty where it does not exist."""
    path = INTEGRATION / name
    value = yaml.safe_load(path.read_text(encoding="utf-8")) if path.exists() else {}
    assert isinstance(value, dict)
    return {key: inner for key, inner in value.items() if not key.startswith(".")}  # those only hold anchors


@pytest.mark.parametrize("path", LANGUAGES, ids=name_of)
def test_every_language_has_the_same_texts(path: Path) -> None:
    assert set(texts(path)) ^ set(texts(INTEGRATION / "translations" / "en.json")) == set()


@pytest.mark.parametrize("path", LANGUAGES, ids=name_of)
def test_every_language_has_the_same_placeholders(path: Path) -> None:
    english = texts(INTEGRATION / "translations" / "en.json")
    differing = {
        ".".join(keys)
        for keys, text in texts(path).items()
        if set(PLACEHOLDER.findall(text)) != set(PLACEHOLDER.findall(english.get(keys, "")))
    }
    assert differing == set()


@pytest.mark.parametrize("path", LANGUAGES, ids=name_of)
def test_texts_have_the_accepted_form(path: Path) -> None:
    refused = re.compile(r"<[a-z/]|https?://|'\{\w+\}'|^\s|\s$|^$|\[%key:")
    assert {".".join(keys): text for keys, text in texts(path).items() if refused.search(text)} == {}


@pytest.mark.parametrize("path", LANGUAGES, ids=name_of)
def test_keys_have_the_accepted_form(path: Path) -> None:
    assert {key for keys in texts(path) for key in keys if not re.fullmatch(r"[a-z0-9_-]+", key)} == set()


def test_descriptions_belong_to_fields() -> None:
    fields = set(texts(INTEGRATION / "translations" / "en.json"))
    described = [keys for keys in fields if "data_description" in keys]
    assert {
        keys for keys in described if tuple("data" if k == "data_description" else k for k in keys) not in fields
    } == set()


@pytest.mark.parametrize("key", sorted(branch(ENGLISH, "issues")))
def test_an_issue_has_a_description_or_a_flow(key: str) -> None:
    issue = branch(ENGLISH, "issues", key)
    assert "title" in issue
    assert ("description" in issue) != ("fix_flow" in issue)


@pytest.mark.parametrize(
    ("file", "section"), [(f"{name}.yaml", name) for name in ("services", "conditions", "triggers")]
)
def test_what_is_described_is_translated(file: str, section: str) -> None:
    described = yaml_object(file)
    assert set(described) == set(branch(ENGLISH, section))
    for key in described:
        translated = branch(ENGLISH, section, key)
        assert {"name", "description"} <= translated.keys()
        fields = branch(described, key, "fields") if isinstance(described[key], dict) else {}
        assert set(fields) == set(branch(translated, "fields"))
        assert [f for f in fields if not {"name", "description"} <= branch(translated, "fields", f).keys()] == []


def test_selectors_use_translations_that_exist() -> None:
    text = "".join(
        (INTEGRATION / path).read_text(encoding="utf-8") for path in shipped_files() if path.suffix == ".yaml"
    )
    assert set(re.findall(r"translation_key: *(\w+)", text)) - set(branch(ENGLISH, "selector")) == set()


def used_keys(path: Path) -> set[str]:
    """Return the translation keys that a file names in its calls."""
    keywords = [word for node in ast.walk(parsed(path)) if isinstance(node, ast.Call) for word in node.keywords]
    values = [word.value for word in keywords if word.arg == "translation_key"]
    return {node.value for node in values if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_translation_keys_in_code_exist() -> None:
    known = {key for section in ("exceptions", "issues", "selector", "device") for key in branch(ENGLISH, section)}
    known |= {key for platform in branch(ENGLISH, "entity") for key in branch(ENGLISH, "entity", platform)}
    used = {name_of(path): used_keys(path) for path in SHIPPED_PYTHON}
    assert any(used.values())
    assert {name: keys - known for name, keys in used.items() if keys - known} == {}


def test_icons_are_material_design_icons() -> None:
    icons = dict(leaves(read_object(INTEGRATION / "icons.json")))
    assert {".".join(keys): icon for keys, icon in icons.items() if not re.fullmatch(r"mdi:[a-z0-9-]+", icon)} == {}


def test_icons_belong_to_what_is_translated() -> None:
    icons = read_object(INTEGRATION / "icons.json")
    named = {(platform, key) for platform in branch(icons, "entity") for key in branch(icons, "entity", platform)}
    translated = {(p, key) for p in branch(ENGLISH, "entity") for key in branch(ENGLISH, "entity", p)}
    assert named - translated == set()
    for section in ("services", "conditions", "triggers"):
        assert set(branch(icons, section)) - set(branch(ENGLISH, section)) == set()


def test_a_state_icon_differs_from_the_default() -> None:
    icons = branch(read_object(INTEGRATION / "icons.json"), "entity")
    same = [
        (platform, key)
        for platform in icons
        for key in branch(icons, platform)
        if branch(icons, platform, key).get("default") in branch(icons, platform, key, "state").values()
    ]
    assert same == []
