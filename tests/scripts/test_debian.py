"""The private interpreter comes from this machine's own Debian mirror, never from a third party's."""

from pathlib import Path

import pytest

from debian import KEYRING, mirrors

MAIN = "http://mirror.example/debian"
STANZA = f"""Types: deb
# a comment inside
URIs: {MAIN}
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: http://mirror.example/debian-security
Suites: bookworm-security
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
"""


def apt_with(folder: Path, **files: str) -> Path:
    """Return a configuration folder of apt with these source files; ``__`` in a name stands for its dot."""
    (folder / "sources.list.d").mkdir()
    for name, text in files.items():
        file_name = name.replace("__", ".")
        parent = folder if file_name == "sources.list" else folder / "sources.list.d"
        (parent / file_name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "files",
    [
        {"debian__sources": STANZA},
        {"sources__list": f"deb {MAIN} bookworm main contrib # ours\ndeb-src {MAIN} bookworm main\n"},
        {"sources__list": f"deb [arch=amd64 signed-by={KEYRING}] {MAIN} stable main"},
    ],
    ids=["stanzas", "one line", "one line with options"],
)
def test_own_mirror_is_found(tmp_path: Path, files: dict[str, str]) -> None:
    assert mirrors(apt_with(tmp_path, **files), "bookworm") == [MAIN]


def test_a_mirror_list_of_a_cloud_image_is_found(tmp_path: Path) -> None:
    text = STANZA.replace(MAIN, "mirror+file:///etc/apt/mirrors/debian.list")
    assert mirrors(apt_with(tmp_path, debian__sources=text), "bookworm") == [
        "mirror+file:///etc/apt/mirrors/debian.list"
    ]


@pytest.mark.parametrize(
    "line",
    [
        "deb https://third.example/linux/debian bookworm stable",
        "deb [signed-by=/usr/share/keyrings/third.gpg] https://third.example/debian bookworm main",
        "deb https://third.example/debian nodistro main",
        "deb cdrom:[Debian GNU/Linux 12]/ bookworm main",
        f"# deb {MAIN} bookworm main",
        "deb https://third.example/debian-security bookworm-security main",
    ],
)
def test_a_third_party_is_not_a_mirror(tmp_path: Path, line: str) -> None:
    assert mirrors(apt_with(tmp_path, sources__list=f"{line}\n"), "bookworm") == []


def test_a_disabled_stanza_is_not_a_mirror(tmp_path: Path) -> None:
    stanza = f"Enabled: no\nTypes: deb\nURIs: {MAIN}\nSuites: bookworm\nComponents: main\n"
    assert mirrors(apt_with(tmp_path, debian__sources=stanza), "bookworm") == []


def test_debians_own_path_comes_first(tmp_path: Path) -> None:
    lines = f"deb https://third.example/pool bookworm main\ndeb {MAIN} bookworm main\n"
    assert mirrors(apt_with(tmp_path, sources__list=lines), "bookworm") == [MAIN, "https://third.example/pool"]


def test_a_machine_without_sources_has_no_mirror(tmp_path: Path) -> None:
    assert mirrors(tmp_path, "bookworm") == []
