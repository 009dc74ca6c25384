"""Unpack a private Python 3.14 from Debian's own packages, leaving the system's apt state untouched.

Runs under any Python 3.9 or newer, as an ordinary user.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

SUITE = "forky"
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")

# What one private interpreter needs; its own libc comes with it.
PACKAGES = [
    "python3.14",
    "python3.14-minimal",
    "libpython3.14-minimal",
    "libpython3.14-stdlib",
    "python3.14-dev",
    "libpython3.14-dev",
    "libpython3.14",
    "libc6",
    "libbz2-1.0",
    "libffi8",
    "liblzma5",
    "libncursesw6",
    "libtinfo6",
    "libreadline8t64",
    "libsqlite3-0",
    "libuuid1",
    "libzstd1",
    "libssl3t64",
    "libexpat1",
    "zlib1g",
    "libdb5.3t64",
]


class DebianError(Exception):
    """Debian's packages cannot be had or used here; the text says why."""


class Source(NamedTuple):
    """One package source of this machine.

    Attributes:
        address: its URI, of any scheme that apt knows.
        suites: the suites that it serves.
        components: the components that are enabled.
        signed_by: the keyring it names, or "".
    """

    address: str
    suites: tuple[str, ...]
    components: tuple[str, ...]
    signed_by: str


def one_line_sources(text: str) -> list[Source]:
    """Parse the one-line format of sources.list(5)."""
    sources = []
    for line in text.splitlines():
        found = re.match(r"deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s+([^#]*)", line.strip())
        if found:
            options, address, suite, components = found.groups()
            key = re.search(r"signed-by=(\S+)", options or "")
            sources.append(Source(address, (suite,), tuple(components.split()), key.group(1) if key else ""))
    return sources


def stanza_sources(text: str) -> list[Source]:
    """Parse the deb822 format of sources.list(5)."""
    sources = []
    for stanza in re.split(r"\n\s*\n", text):
        lines = "\n".join(line for line in stanza.splitlines() if not line.startswith("#"))
        pairs = re.findall(r"^([A-Za-z-]+):[ \t]*(.*(?:\n[ \t].*)*)", lines, flags=re.MULTILINE)
        field = {name.lower(): value.split() for name, value in pairs}
        if "deb" in field.get("types", []) and field.get("enabled", ["yes"])[0] != "no":
            suites, components = tuple(field.get("suites", [])), tuple(field.get("components", []))
            key = " ".join(field.get("signed-by", []))
            sources += [Source(address, suites, components, key) for address in field.get("uris", [])]
    return sources


def mirrors(apt: Path, codename: str) -> list[str]:
    """Return the addresses from which this machine takes Debian itself, its main mirror first.

    Args:
        apt: the folder of apt's configuration.
        codename: this machine's own release, for instance ``trixie``.
    """
    found = []
    parts = apt / "sources.list.d"
    for path in [apt / "sources.list", *sorted(parts.glob("*.list")), *sorted(parts.glob("*.sources"))]:
        if path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            found += stanza_sources(text) if path.suffix == ".sources" else one_line_sources(text)
    own = [
        source.address
        for source in found
        if {codename, "stable", "oldstable", "testing"} & set(source.suites)
        and "main" in source.components
        and (not source.signed_by or "debian-archive" in source.signed_by)
        and not source.address.startswith("cdrom:")
    ]
    return sorted(dict.fromkeys(own), key=lambda address: not address.rstrip("/").endswith("/debian"))


def codename_here() -> str:
    """Return the codename of this machine's Debian release."""
    release = Path("/etc/os-release").read_text(encoding="utf-8")
    found = re.search(r"^VERSION_CODENAME=(\S+)", release, flags=re.MULTILINE)
    return found.group(1) if found else "sid"


def command(words: list[str], folder: Path) -> None:
    """Run one command in a folder.

    Raises:
        DebianError: it failed; the text holds the end of what it printed.
    """
    finished = subprocess.run(
        words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if finished.returncode:
        raise DebianError(f"{words[0]} failed: {finished.stdout.strip()[-400:]}")


def apt_options(work: Path) -> list[str]:
    """Return the options that keep apt inside one folder, without any third-party source."""
    settings = {
        "Dir::Etc::SourceList": "/dev/null",
        "Dir::Etc::SourceParts": work / "sources",
        "Dir::State::Lists": work / "lists",
        "Dir::Cache": work,
        "Dir::Cache::archives": work / "archives",
        "APT::Sandbox::User": "",
        "APT::Update::Error-Mode": "any",
        "Acquire::Languages": "none",
    }
    return [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]


def download(mirror: str, work: Path) -> list[Path]:
    """Download the packages from one mirror, verified by Debian's own keyring, and return the files."""
    shutil.rmtree(work, ignore_errors=True)
    for folder in ("sources", "lists/partial", "archives/partial", "downloads"):
        (work / folder).mkdir(parents=True)
    source = f"Types: deb\nURIs: {mirror}\nSuites: {SUITE}\nComponents: main\nSigned-By: {KEYRING}\n"
    (work / "sources" / "private.sources").write_text(source, encoding="utf-8")
    command(["apt-get", "-q", *apt_options(work), "update"], work)
    command(["apt-get", "-q", *apt_options(work), "download", *PACKAGES], work / "downloads")
    return sorted((work / "downloads").glob("*.deb"))


def unpack_python(prefix: Path, work: Path, patchelf: list[str]) -> None:
    """Unpack the interpreter into a prefix and make it use its own loader and libraries.

    Args:
        prefix: the folder to make; the interpreter is its ``usr/bin/python3.14``.
        work: a folder for apt, removed afterwards.
        patchelf: the command that runs patchelf.

    Raises:
        DebianError: no Debian tools, no mirror, or none that serves the packages.
    """
    if not (shutil.which("apt-get") and shutil.which("dpkg") and KEYRING.exists()):
        raise DebianError("this machine is not a Debian")
    reasons = []
    for mirror in mirrors(Path("/etc/apt"), codename_here()):
        try:
            packages = download(mirror, work)
        except DebianError as reason:
            reasons.append(str(reason))
            continue
        break
    else:
        raise DebianError("; ".join(reasons) or "this machine names no Debian mirror")
    shutil.rmtree(prefix, ignore_errors=True)
    for package in packages:
        command(["dpkg", "-x", str(package), str(prefix)], work)
    libraries = prefix / "usr" / "lib" / f"{os.uname().machine}-linux-gnu"
    loader = next(libraries.glob("ld-linux*.so.*"))
    relink = ["--set-interpreter", str(loader), "--force-rpath", "--set-rpath", str(libraries)]
    command([*patchelf, *relink, str(prefix / "usr" / "bin" / "python3.14")], work)
    shutil.rmtree(work)
