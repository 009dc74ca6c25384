"""Build, once, the packages that PyPI has only as source and that need a compiler.

Without them Home Assistant's page stays at "Loading…". Runs under any Python 3.9 or newer, as an ordinary user.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
from pathlib import Path

from commands import run, say

NAMES = ("pymicro-vad", "pyspeex-noise")


def is_compiled(pin: str) -> bool:
    """Return whether a requirement such as ``pymicro-vad==1.0.1`` is one that needs a compiler."""
    return pin.partition("==")[0] in NAMES


class Workshop:
    """Builds wheels for one interpreter and keeps them in the cache, for every environment and every later run."""

    def __init__(self, uv: Path, python: Path, cache: Path) -> None:
        """Remember the tools; nothing is built yet.

        Args:
            uv: the uv executable.
            python: the interpreter to build for.
            cache: the project's cache folder.
        """
        self._uv = uv
        self._python = python
        self._cache = cache
        self._wheels = cache / "wheels"
        self._one_at_a_time = threading.Lock()

    def build(self, pins: list[str]) -> Path:
        """Build the wheels that are not there yet, and return the folder that holds them all."""
        with self._one_at_a_time:
            missing = [pin for pin in pins if not self._has(pin)]
            if missing:
                say(f"compiling {', '.join(missing)}")
                self._build(missing)
        return self._wheels

    def _has(self, pin: str) -> bool:
        name, _, version = pin.partition("==")
        return any(self._wheels.glob(f"{name.replace('-', '_')}-{version}-*.whl"))

    def _build(self, pins: list[str]) -> None:
        builder = self._cache / "builder"
        run(self._uv, "venv", "--quiet", "--clear", "--python", self._python, builder)
        interpreter = builder / "bin" / "python"
        run(self._uv, "pip", "install", "--quiet", "--python", interpreter, "pip")
        pip_wheel = (interpreter, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", self._wheels)
        run(*pip_wheel, *pins, env=self._compiler_environment())
        shutil.rmtree(builder)

    def _compiler_environment(self) -> dict[str, str]:
        """Return variables with which a package builds here, even without a C compiler."""
        environment = {**os.environ, "CFLAGS": "-g0"}  # debugging symbols would take a third of the time
        headers = self._python.parent.parent / "include"
        if self._cache in self._python.parents:
            environment["CPATH"] = f"{headers}:{headers / f'{os.uname().machine}-linux-gnu'}"
        if shutil.which("cc") is None or shutil.which("c++") is None:
            environment.update(self._zig())
        return environment

    def _zig(self) -> dict[str, str]:
        """Return the variables that make PyPI's zig the C and C++ compiler."""
        say("no C compiler here: using the one that PyPI ships (once, about three minutes)")
        target = self._cache / "ziglang"
        zig = target / "ziglang" / "zig"
        if not zig.exists():
            run(self._uv, "pip", "install", "--quiet", "--python", sys.executable, "--target", target, "ziglang")
        wrappers = self._cache / "compiler"
        wrappers.mkdir(exist_ok=True)
        for name in ("cc", "c++"):
            script = wrappers / name
            script.write_text(f'#!/bin/sh\nexec "{zig}" {name} "$@"\n', encoding="utf-8")
            script.chmod(0o755)
        cc, cxx = str(wrappers / "cc"), str(wrappers / "c++")
        return {"CC": cc, "CXX": cxx, "LDSHARED": f"{cc} -shared", "LDCXXSHARED": f"{cxx} -shared"}
