"""The witness as the process that Supervisor, Docker or a person starts."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from addon.tests.rig import ROOT


@dataclass(frozen=True, slots=True, kw_only=True)
class AppProcess:
    """A running app; ``log_file`` grows while it runs."""

    pid: int
    port: int
    ingress_port: int | None
    folder: Path
    log_file: Path

    @property
    def token(self) -> str:
        """What it keeps."""
        return (self.folder / "token").read_text().strip()


@asynccontextmanager
async def app_process(folder: Path, *arguments: str, **environment: str) -> AsyncIterator[AppProcess]:
    """Run the app, with its data in ``folder``, until the block ends, and see that it ends well."""
    ports_file, log_file = (folder.parent / f"{folder.name}.{kind}" for kind in ("ports.json", "log"))
    ports_file.unlink(missing_ok=True)
    with log_file.open("wb") as log:
        running = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "simverity_witness", "--host", "127.0.0.1", "--port", "0", "--data", str(folder)),
            *("--ports-file", str(ports_file), *arguments),
            env={"PYTHONPATH": str(ROOT / "addon"), "PATH": os.environ["PATH"], **environment},
            stdout=log,
            stderr=log,
        )
    try:
        async with asyncio.timeout(30):
            while not ports_file.exists():
                assert running.returncode is None, log_file.read_text()
                await asyncio.sleep(0.05)
        ports = json.loads(ports_file.read_text())
        yield AppProcess(
            pid=running.pid,
            port=ports["port"],
            ingress_port=ports.get("ingress_port"),
            folder=folder,
            log_file=log_file,
        )
        running.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(running.wait(), 20) == 0, log_file.read_text()
    finally:
        if running.returncode is None:
            running.kill()
            await running.wait()
