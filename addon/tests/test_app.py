"""The witness as an app: the process that Supervisor starts, what it announces, and what listens."""

from __future__ import annotations

import asyncio
import os
import socket
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
from addon.tests.app_process import AppProcess, app_process
from addon.tests.rig import ROOT
from addon.tests.scripted_supervisor import KEY, ScriptedSupervisor, scripted_supervisor

LISTENING = "0A"


@asynccontextmanager
async def _started(folder: Path, *arguments: str, key: str | None = KEY) -> AsyncIterator[AppProcess]:
    """Run the app, and see that its log names neither its token nor Supervisor's key."""
    async with app_process(folder, *arguments, **({} if key is None else {"SUPERVISOR_TOKEN": key})) as app:
        yield app
    said = app.log_file.read_text()
    assert KEY not in said
    assert app.token not in said


@asynccontextmanager
async def _supervised(folder: Path) -> AsyncIterator[tuple[AppProcess, ScriptedSupervisor]]:
    async with scripted_supervisor() as supervisor:
        arguments = ("--supervisor", supervisor.url, "--ingress-port", "0")
        async with _started(folder, *arguments) as app:
            yield app, supervisor


def _sockets(pid: int, *tables: str) -> list[list[str]]:
    """Return the rows of the kernel's tables that belong to one process."""
    links = [str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir()]
    mine = {link.removeprefix("socket:[").rstrip("]") for link in links if link.startswith("socket:[")}
    lines = [line for table in tables for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]]
    return [row for row in map(str.split, lines) if row[9] in mine]


def _listening_ports(pid: int) -> set[int]:
    return {int(row[1].rpartition(":")[2], 16) for row in _sockets(pid, "tcp", "tcp6") if row[3] == LISTENING}


async def _status(url: str, token: str | None = None) -> int:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    async with aiohttp.ClientSession() as session, session.get(url, headers=headers) as answer:
        return answer.status


async def test_it_announces_itself_with_a_token_that_opens_its_api(tmp_path: Path) -> None:
    async with _supervised(tmp_path) as (app, supervisor):
        await supervisor.wait_for(taken=1)
        config = supervisor.taken[0]["config"]
        assert config == {"host": socket.gethostname(), "port": app.port, "token": app.token}
        assert stat.S_IMODE((tmp_path / "token").stat().st_mode) == 0o600
        async with aiohttp.ClientSession() as session:
            headers = {"Authorization": f"Bearer {config['token']}"}
            async with session.ws_connect(f"http://127.0.0.1:{config['port']}/v1/ws", headers=headers) as client:
                await client.send_json({"id": 1, "type": "hello", "api": 1})
                assert (await client.receive_json())["ok"] is True


async def test_the_api_and_the_page_listen_and_nothing_else(tmp_path: Path) -> None:
    async with _supervised(tmp_path) as (app, _):
        assert _listening_ports(app.pid) == {app.port, app.ingress_port}
        assert _sockets(app.pid, "udp", "udp6") == []


async def test_without_supervisor_only_the_api_listens(tmp_path: Path) -> None:
    async with _started(tmp_path, key=None) as app:
        assert app.ingress_port is None
        assert _listening_ports(app.pid) == {app.port}


async def test_the_page_refuses_this_machine_and_the_api_whoever_has_no_token(tmp_path: Path) -> None:
    async with _supervised(tmp_path) as (app, _):
        assert await _status(f"http://127.0.0.1:{app.ingress_port}/") == 403
        assert await _status(f"http://127.0.0.1:{app.ingress_port}/", app.token) == 403
        for path in ("", "v1/ws", "v1/nothing", "token"):
            assert await _status(f"http://127.0.0.1:{app.port}/{path}") in {401, 404}
        assert await _status(f"http://127.0.0.1:{app.port}/v1/health") == 200


async def test_a_restart_keeps_the_token(tmp_path: Path) -> None:
    async with _supervised(tmp_path) as (app, supervisor):
        await supervisor.wait_for(taken=1)
        first = app.token
    async with _supervised(tmp_path) as (_, supervisor):
        await supervisor.wait_for(taken=1)
        assert supervisor.taken[0]["config"]["token"] == first


async def test_it_works_by_hand_where_supervisor_does_not_pass_it_on(tmp_path: Path) -> None:
    """Field case I9."""
    async with scripted_supervisor() as supervisor:
        supervisor.listed = []
        async with _started(tmp_path, "--supervisor", supervisor.url, "--ingress-port", "0") as app:
            await supervisor.wait_for(asked=1)
            assert await _status(f"http://127.0.0.1:{app.port}/v1/ws", app.token) == 400, "no WebSocket was asked for"
            assert await _status(f"http://127.0.0.1:{app.port}/v1/ws", "another token of some length") == 401


@pytest.mark.parametrize("folder", ["missing", "a file"])
async def test_it_does_not_start_where_it_cannot_keep_a_token(tmp_path: Path, folder: str) -> None:
    place = tmp_path / "place"
    if folder == "a file":
        place.write_text("")
    running = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "simverity_witness", "--port", "0", "--data", str(place)),
        env={"PYTHONPATH": str(ROOT / "addon"), "PATH": os.environ["PATH"]},
        stderr=asyncio.subprocess.PIPE,
    )
    _, said = await asyncio.wait_for(running.communicate(), 30)
    assert running.returncode == 2
    assert b"--data" in said
