"""Nothing in the repository depends on the machine on which it was written."""

import re

import pytest

from .repository import name_of, repository_files

# Put together from halves, so that this file does not contain what it looks for.
FOLDERS = "|".join(("wo" + "rk", "ro" + "ot", "Us" + r"ers/\w+", "ho" + r"me/\w+/\."))
HOSTS = ["deb." + "debian.org", "security." + "debian.org", "pypi" + ".org", "python" + "hosted.org"]
HOSTS += ["registry." + "npmjs.org", "proxy." + "golang.org"]
REFUSED = {
    "a path of one machine": rf"(?<![\w.)\]}}-])/(?:{FOLDERS})(?![\w-])",
    "a folder beside the repository": re.escape("../" + "shared"),
    "a package registry": "|".join(re.escape(host) for host in HOSTS),
    "a package folder of one machine": "/op" + r"t/(?:pypi|wheels)",
}
PICTURES = {".png", ".jpg", ".gif", ".ico", ".h264", ".gz", ".zip", ".db", ".npz"}


def findings(text: str) -> dict[str, str]:
    """Return what a text names that only one machine has."""
    found = ((what, re.search(pattern, text)) for what, pattern in REFUSED.items())
    return {what: match.group(0) for what, match in found if match}


def test_no_file_names_a_machine() -> None:
    texts = [path for path in repository_files() if path.suffix not in PICTURES]
    found = {name_of(path): findings(path.read_text(encoding="utf-8")) for path in texts}
    assert {name: names for name, names in found.items() if names} == {}


@pytest.mark.parametrize("text", ["cd /wo" + "rk/x", "'/ro" + "ot'", "../" + "shared/a", "https://pypi" + ".org/x"])
def test_a_machine_is_recognised(text: str) -> None:
    assert findings(text) != {}


@pytest.mark.parametrize("text", ["https://example.org/work", "the work/root folder", "/home/overview", "a /workshop"])
def test_what_only_looks_like_a_machine_is_allowed(text: str) -> None:
    assert findings(text) == {}
