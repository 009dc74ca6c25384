"""What the image holds, made by the Dockerfile's own steps in a clean environment, without Docker."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import pytest
from addon.tests.rig import ROOT

APP = ROOT / "addon"
VENV, SOURCES = "/opt/witness", "/usr/src/witness"
TRIXIE_PYTHON = "3.13"


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """The part of the image's file system that can be made here."""

    root: Path

    @property
    def program(self) -> Path:
        """The witness as the service starts it."""
        return self.root / VENV.lstrip("/") / "bin" / "simverity-witness"

    @property
    def python(self) -> Path:
        """The interpreter of the image's environment."""
        return self.root / VENV.lstrip("/") / "bin" / "python"

    @property
    def packages(self) -> Path:
        """Where the environment's packages lie."""
        return next((self.root / VENV.lstrip("/") / "lib").glob("python3.*/site-packages"))


def _uv() -> str:
    environments = os.environ.get("SIMVERITY_ENVIRONMENTS")
    beside = None if environments is None else Path(environments).parent / "uv" / "bin" / "uv"
    found = shutil.which("uv") or (str(beside) if beside is not None and beside.exists() else None)
    if found is None:
        pytest.skip("no uv here: run through scripts/test, or install it")
    return found


def _python(uv: str) -> str:
    """Return the image's Python if this machine has it, otherwise this one: both can run the witness."""
    find = [uv, "python", "find", "--no-project", "--no-python-downloads", TRIXIE_PYTHON]
    found = subprocess.run(find, capture_output=True, text=True, check=False, env=_clean())
    return found.stdout.strip() or sys.executable


def _instructions() -> list[tuple[str, str]]:
    text = re.sub(r"^#.*\n", "", (APP / "Dockerfile").read_text(), flags=re.MULTILINE)
    lines = re.sub(r"\s*\\\n\s*", " ", text).splitlines()
    return [(name, words.strip()) for name, _, words in (line.partition(" ") for line in lines if line.strip())]


def _clean() -> dict[str, str]:
    """Return an environment in which nothing of this checkout can be found."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return kept | {"UV_LINK_MODE": "copy"}


def _copy(words: str, root: Path) -> None:
    *sources, target = words.split()
    for source in sources:
        place = root / target.lstrip("/")
        if (APP / source).is_file():
            place.mkdir(parents=True, exist_ok=True)
            shutil.copy(APP / source, place)
        else:
            unwanted = shutil.ignore_patterns("__pycache__")
            shutil.copytree(APP / source, place, dirs_exist_ok=True, ignore=unwanted)


def _run(words: str, root: Path, uv: str) -> None:
    """Run the steps of one RUN that make Python's environment; uv stands in for venv and pip, with their options."""
    for step in words.split(" && "):
        parts = [part.replace(SOURCES, str(root) + SOURCES).replace(VENV, str(root) + VENV) for part in step.split()]
        if step.startswith("python3 -m venv"):
            command = [uv, "venv", "--quiet", "--python", _python(uv), parts[-1]]
        elif "/bin/pip install" in step:
            options = [part for part in parts[2:] if part != "--no-cache-dir"]
            python = parts[0].removesuffix("pip") + "python"
            command = [uv, "pip", "install", "--quiet", "--python", python, *options]
        else:
            continue
        subprocess.run(command, check=True, cwd=root, env=_clean())


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    root = tmp_path_factory.mktemp("image")
    uv = _uv()
    for name, words in _instructions():
        if name == "COPY":
            _copy(words, root)
        elif name == "RUN":
            _run(words, root, uv)
    shutil.rmtree(root / SOURCES.lstrip("/"))  # as the Dockerfile's last step does; what still works needs no sources
    return Image(root=root)


@pytest.mark.realtime
def test_the_program_is_there_and_explains_itself(image: Image) -> None:
    shown = subprocess.run([image.program, "--help"], env=_clean(), capture_output=True, text=True, check=True, cwd="/")
    assert {"--host", "--port", "--token-file", "--data", "--log-level"} <= set(re.findall(r"--[\w-]+", shown.stdout))


@pytest.mark.realtime
def test_the_environment_holds_what_is_pinned_and_the_witness(image: Image) -> None:
    text = (APP / "requirements.txt").read_text()
    pinned = {name.replace("-", "_").lower() for name in re.findall(r"^([\w-]+)==", text, re.MULTILINE)}
    found = {path.name.split("-")[0].lower() for path in image.packages.glob("*.dist-info")}
    assert found == pinned | {"simverity_witness"}


@pytest.mark.realtime
def test_the_package_is_whole_and_brings_no_tests(image: Image) -> None:
    source = APP / "simverity_witness"
    written = {path.relative_to(source) for path in source.rglob("*") if path.suffix not in {"", ".pyc"}}
    installed = image.packages / "simverity_witness"
    assert {path.relative_to(installed) for path in installed.rglob("*") if path.suffix not in {"", ".pyc"}} == written
    assert not (image.packages / "tests").exists()


@pytest.mark.realtime
def test_the_service_starts_answers_and_is_found_healthy(image: Image, tmp_path: Path) -> None:
    """Start it as the service does, with a port of its own, and run Docker's health check on it."""
    ports_file = tmp_path / "ports.json"
    command = [image.program, "--port", "0", "--data", tmp_path, "--ports-file", ports_file]
    running = subprocess.Popen(command, env=_clean(), cwd="/", stderr=subprocess.PIPE)
    try:
        patience = time.monotonic() + 60
        while not ports_file.exists():
            assert running.poll() is None
            assert time.monotonic() < patience
            time.sleep(0.05)
        port = json.loads(ports_file.read_text())["port"]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/health", timeout=10) as answer:
            assert json.load(answer) == {"status": "ok"}
        assert _health(image, tmp_path, port).returncode == 0
    finally:
        running.terminate()
        running.communicate(timeout=20)
    assert running.returncode == 0
    ended = _health(image, tmp_path, port)
    assert ended.returncode == 1
    assert "does not answer" in ended.stderr


def _health(image: Image, folder: Path, port: int) -> subprocess.CompletedProcess[str]:
    """Run the health check with the port that this test has."""
    script = image.root / "usr" / "libexec" / "simverity-witness" / "healthy.py"
    here = folder / "healthy.py"
    here.write_text(script.read_text().replace(":8127/", f":{port}/"))
    return subprocess.run([image.python, "-I", here], env=_clean(), capture_output=True, text=True, check=False)
