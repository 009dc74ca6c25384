"""What hassfest asks of the quality scale and HACS of the repository, as far as files can show it."""

import re
from typing import Any

import pytest
import yaml

from .repository import INTEGRATION, ROOT, read_object, repository_files

# The rules of Home Assistant's integration quality scale (developer documentation, August 2026).
BRONZE = (
    "action-setup appropriate-polling brands common-modules config-flow config-flow-test-coverage "
    "dependency-transparency docs-actions docs-conditions docs-high-level-description docs-installation-instructions "
    "docs-removal-instructions docs-triggers entity-event-setup entity-unique-id has-entity-name runtime-data "
    "test-before-configure test-before-setup unique-config-entry"
)
SILVER = (
    "action-exceptions config-entry-unloading docs-configuration-parameters docs-installation-parameters "
    "entity-unavailable integration-owner log-when-unavailable parallel-updates reauthentication-flow test-coverage"
)
GOLD = (
    "devices diagnostics discovery discovery-update-info docs-data-update docs-examples docs-known-limitations "
    "docs-supported-devices docs-supported-functions docs-troubleshooting docs-use-cases dynamic-devices "
    "entity-category entity-device-class entity-disabled-by-default entity-translations exception-translations "
    "icon-translations reconfiguration-flow repair-issues stale-devices"
)
PLATINUM = "async-dependency inject-websession strict-typing"
RULES = {*BRONZE.split(), *SILVER.split(), *GOLD.split(), *PLATINUM.split()}
STATED: dict[str, Any] = yaml.safe_load((INTEGRATION / "quality_scale.yaml").read_text(encoding="utf-8"))["rules"]
# Keys that HACS and the Marketplace know; an unknown one makes the repository invalid.
HACS_KEYS = {
    "name",
    "content_in_root",
    "country",
    "filename",
    "hacs",
    "hide_default_branch",
    "homeassistant",
    "persistent_directory",
    "render_readme",
    "zip_release",
}
USER_DOCS = {
    "docs-data-update": "When figures change",
    "docs-known-limitations": "Known limitations",
    "docs-supported-devices": "What can testify",
    "docs-supported-functions": "What it adds to Home Assistant",
    "docs-troubleshooting": "Troubleshooting",
    "docs-use-cases": "What it is for",
}


def test_every_rule_is_answered_and_no_other() -> None:
    assert set(STATED) == RULES


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_rule_is_done_or_exempt_for_a_reason(rule: str) -> None:
    match STATED[rule]:
        case "done":
            return
        case {"status": "exempt", "comment": str(reason), **more}:
            assert len(reason) > 20
            assert not more
        case other:
            pytest.fail(f"{rule} is {other}")


@pytest.mark.parametrize(("rule", "heading"), USER_DOCS.items())
def test_what_a_documentation_rule_promises_has_a_chapter(rule: str, heading: str) -> None:
    chapters = re.split(r"^## ", (ROOT / "docs" / "using.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    [chapter] = [one for one in chapters if one.startswith(heading)]
    assert len(chapter) > 300


def test_hacs_knows_every_key() -> None:
    given = read_object(ROOT / "hacs.json")
    assert "name" in given
    assert set(given) <= HACS_KEYS


def test_hacs_finds_one_integration_with_its_pictures_readme_and_licence() -> None:
    assert len({path.relative_to(ROOT).parts[1] for path in repository_files() if _is_an_integrations(path)}) == 1
    assert (INTEGRATION / "brand" / "icon.png").exists()
    assert len((ROOT / "README.md").read_text(encoding="utf-8")) > 1_000
    assert "Apache License" in (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_the_marketplace_can_unpack_it() -> None:
    assert len(repository_files()) < 50_000
    assert sum(path.stat().st_size for path in repository_files()) < 100 * 2**20


def _is_an_integrations(path: Any) -> bool:
    parts = path.relative_to(ROOT).parts
    return parts[0] == "custom_components" and len(parts) > 2
