"""Being found: what is announced, how often it is tried, and how a token is changed."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from addon.tests.scripted_supervisor import KEY, ScriptedSupervisor, scripted_supervisor

from simverity_witness.access import Access
from simverity_witness.presence import Presence, Rhythm
from simverity_witness.supervisor import Supervisor
from simverity_witness.token_file import read_token, write_token

FIRST = "first token of this witness"
QUICK = Rhythm(first_retry=0.01, last_retry=0.02, change_over=0.05, change_overs=3, token_life=1000.0, look=0.02)


@dataclass(kw_only=True)
class ScriptedClients:
    """``using`` are the tokens with which connections are open; ``ended`` those that were hung up on."""

    using: set[str] = field(default_factory=set)
    ended: list[str] = field(default_factory=list)
    looks: int = 0
    hung_up: asyncio.Event = field(default_factory=asyncio.Event)

    def use(self, token: str) -> bool:
        self.looks += 1
        return token in self.using

    async def hang_up_on(self, retired: list[str]) -> None:
        self.ended += retired
        self.hung_up.set()


@dataclass(kw_only=True)
class Scene:
    """A witness that announces itself, and all that it touches."""

    access: Access
    presence: Presence
    supervisor: ScriptedSupervisor
    clients: ScriptedClients
    token_file: Path


@asynccontextmanager
async def _scene(folder: Path, rhythm: Rhythm = QUICK, key: str = KEY) -> AsyncIterator[Scene]:
    async with scripted_supervisor() as supervisor:
        access, clients, token_file = Access(FIRST), ScriptedClients(), folder / "token"
        write_token(token_file, FIRST)
        presence = Presence(
            access=access,
            token_file=token_file,
            supervisor=Supervisor(url=supervisor.url, key=key),
            host="abc-simverity-witness",
            port=8127,
            clients=clients,
            rhythm=rhythm,
        )
        yield Scene(access=access, presence=presence, supervisor=supervisor, clients=clients, token_file=token_file)


@asynccontextmanager
async def _running(scene: Scene) -> AsyncIterator[None]:
    task = asyncio.create_task(scene.presence.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_it_says_where_it_is_and_which_token_it_accepts(tmp_path: Path) -> None:
    async with _scene(tmp_path) as scene, _running(scene):
        await scene.supervisor.wait_for(taken=1)
    assert scene.supervisor.taken == [
        {"service": "simverity", "config": {"host": "abc-simverity-witness", "port": 8127, "token": FIRST}}
    ]


async def test_it_tries_again_until_supervisor_is_ready(tmp_path: Path) -> None:
    async with _scene(tmp_path) as scene:
        scene.supervisor.statuses = [502, 503, 500]
        async with _running(scene):
            await scene.supervisor.wait_for(taken=1)
    assert scene.supervisor.asked == 4


async def test_a_supervisor_that_is_not_there_is_no_error(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    async with _scene(tmp_path) as scene:
        gone = Presence(
            access=scene.access,
            token_file=scene.token_file,
            supervisor=Supervisor(url="http://127.0.0.1:1", key=KEY),
            host="h",
            port=1,
            clients=scene.clients,
            rhythm=QUICK,
        )
        task = asyncio.create_task(gone.run())
        async with asyncio.timeout(10):
            while caplog.text.count("does not answer") < 3:
                await asyncio.sleep(0.01)
        assert not task.done()
        task.cancel()
    assert FIRST not in caplog.text


@pytest.mark.parametrize("reason", ["not listed", "wrong key"])
async def test_a_refusal_is_said_once_and_points_to_the_manual_path(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, reason: str
) -> None:
    """Field case I9."""
    async with _scene(tmp_path, key="wrong" if reason == "wrong key" else KEY) as scene:
        scene.supervisor.listed = [] if reason == "not listed" else ["simverity"]
        async with _running(scene):
            async with asyncio.timeout(10):
                while "by hand" not in caplog.text:
                    await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)
        assert scene.supervisor.asked == 1
        assert not scene.presence.listed
        assert scene.access.admitted(FIRST) == FIRST


async def test_a_person_who_asks_gets_a_new_token_and_the_old_one_ends(tmp_path: Path) -> None:
    async with _scene(tmp_path) as scene:
        scene.clients.using = {FIRST}
        async with _running(scene), asyncio.timeout(10):
            await scene.supervisor.wait_for(taken=1)
            scene.presence.ask_for_new_token()
            await scene.clients.hung_up.wait()
        announced = scene.supervisor.taken[-1]["config"]["token"]
    assert announced not in {FIRST, None}
    assert read_token(scene.token_file) == announced == scene.access.current
    assert scene.clients.ended == [FIRST]
    assert scene.access.admitted(FIRST) is None


async def test_the_old_token_works_until_supervisor_has_the_new_one(tmp_path: Path) -> None:
    async with _scene(tmp_path) as scene, _running(scene), asyncio.timeout(10):
        await scene.supervisor.wait_for(taken=1)
        scene.supervisor.statuses = [503] * 5
        scene.presence.ask_for_new_token()
        await scene.supervisor.wait_for(asked=5)
        assert scene.access.admitted(FIRST) == FIRST
        assert scene.clients.ended == []
        await scene.clients.hung_up.wait()
        assert len(scene.supervisor.taken) == 2


async def test_an_old_token_is_replaced_by_itself(tmp_path: Path) -> None:
    async with _scene(tmp_path) as scene:
        os.utime(scene.token_file, (0, 0))
        async with _running(scene), asyncio.timeout(10):
            await scene.clients.hung_up.wait()
        assert [one["config"]["token"] for one in scene.supervisor.taken] == [FIRST, scene.access.current]
        assert scene.access.current != FIRST


@pytest.mark.parametrize(("still_used", "looks"), [(True, 3), (False, 1)])
async def test_a_token_that_only_grew_old_waits_for_who_still_uses_it_but_not_for_ever(
    tmp_path: Path, still_used: bool, looks: int
) -> None:
    async with _scene(tmp_path) as scene:
        os.utime(scene.token_file, (0, 0))
        scene.clients.using = {FIRST} if still_used else set()
        async with _running(scene), asyncio.timeout(10):
            await scene.clients.hung_up.wait()
        assert scene.clients.looks == looks


async def test_a_token_that_was_typed_by_hand_does_not_grow_old(tmp_path: Path) -> None:
    async with _scene(tmp_path) as scene:
        scene.supervisor.listed = []
        os.utime(scene.token_file, (0, 0))
        async with _running(scene):
            await scene.supervisor.wait_for(asked=1)
            await asyncio.sleep(10 * QUICK.look)
        assert read_token(scene.token_file) == FIRST


async def test_a_full_disk_leaves_the_old_token_in_place(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with _scene(tmp_path) as scene:
        (tmp_path / "token.partial").mkdir()
        async with _running(scene), asyncio.timeout(10):
            await scene.supervisor.wait_for(taken=1)
            scene.presence.ask_for_new_token()
            while "cannot be stored" not in caplog.text:
                await asyncio.sleep(0.01)
        assert scene.access.current == FIRST
        assert len(scene.supervisor.taken) == 1
