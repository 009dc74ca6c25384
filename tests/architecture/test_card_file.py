"""The built card is small, needs nothing from anywhere else, and has the integration's version."""

import gzip
import re

from .repository import INTEGRATION, ROOT, read_object

CARD = INTEGRATION / "www" / "simverity-card.js"
LARGEST = 60_000
"""Bytes over the network."""
NAMES_OF_THINGS = {"www.w3.org", "github.com"}
"""Hosts of namespaces, and of the documentation that a person may open."""


def test_the_card_is_small() -> None:
    assert len(gzip.compress(CARD.read_bytes(), 9)) < LARGEST


def test_the_card_is_one_file() -> None:
    text = CARD.read_text(encoding="utf-8")
    assert re.findall(r"(?:\bfrom|\bimport)\s*\(?\s*[\"'`]", text) == []


def test_the_card_names_no_other_host() -> None:
    hosts = set(re.findall(r"(?:https?:)?//([a-z0-9.-]+\.[a-z]{2,})\b", CARD.read_text(encoding="utf-8")))
    assert hosts - NAMES_OF_THINGS == set()


def test_the_card_has_the_integrations_version() -> None:
    version = read_object(INTEGRATION / "manifest.json")["version"]
    assert read_object(ROOT / "card" / "package.json")["version"] == version
    assert f"`{version}`" in CARD.read_text(encoding="utf-8") or f'"{version}"' in CARD.read_text(encoding="utf-8")


def test_the_lock_names_no_registry() -> None:
    assert '"resolved"' not in (ROOT / "card" / "package-lock.json").read_text(encoding="utf-8")
