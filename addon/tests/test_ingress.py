"""The page inside Home Assistant: who may see it, what it shows, what it does not leak."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp
import pytest
from aiohttp.test_utils import TestServer

from simverity_witness.access import Access
from simverity_witness.ingress import SUPERVISOR_ADDRESS, page

TOKEN = 't<o&k>e"n' * 3
HERE = "127.0.0.1"


@dataclass(kw_only=True)
class ScriptedPresence:
    """Counts how often somebody asked for a new token."""

    listed: bool = True
    asked: int = 0

    def ask_for_new_token(self) -> None:
        self.asked += 1


@asynccontextmanager
async def _served(presence: ScriptedPresence, supervisor: str = HERE) -> AsyncIterator[str]:
    access = Access(TOKEN)
    server = TestServer(page(access, presence, address="http://abc-simverity-witness:8127", supervisor=supervisor))
    await server.start_server()
    yield str(server.make_url("/"))
    await server.close()


def _session(source: str = HERE) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(connector=aiohttp.TCPConnector(local_addr=(source, 0)))


def test_supervisors_address_is_the_documented_one() -> None:
    assert SUPERVISOR_ADDRESS == "172.30.32.2"


@pytest.mark.parametrize("listed", [True, False])
async def test_supervisor_gets_the_page_with_what_a_person_needs_to_connect_by_hand(listed: bool) -> None:
    async with _served(ScriptedPresence(listed=listed)) as url, _session() as session, session.get(url) as answer:
        text = await answer.text()
        assert answer.status == 200
        assert answer.headers["Cache-Control"] == "no-store"
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "http://abc-simverity-witness:8127" in text
    assert "t&lt;o&amp;k&gt;e&quot;n" in text
    assert ("knows this witness" in text) == listed


@pytest.mark.parametrize(("source", "supervisor"), [("127.0.0.2", HERE), (HERE, SUPERVISOR_ADDRESS)])
@pytest.mark.parametrize(("method", "path"), [("GET", ""), ("POST", "token"), ("GET", "nothing"), ("DELETE", "")])
async def test_nobody_else_gets_anything(source: str, supervisor: str, method: str, path: str) -> None:
    presence = ScriptedPresence()
    pretending = {"X-Forwarded-For": supervisor, "X-Real-IP": supervisor, "X-Remote-User-Id": "admin"}
    async with (
        _served(presence, supervisor) as url,
        _session(source) as session,
        session.request(method, url + path, headers=pretending) as answer,
    ):
        assert answer.status == 403
        assert "t&lt;o" not in await answer.text()
    assert presence.asked == 0


async def test_a_press_asks_for_a_new_token_and_leads_back() -> None:
    presence = ScriptedPresence()
    async with _served(presence) as url, _session() as session:
        async with session.get(url + "token") as answer:
            assert answer.status == 405
        assert presence.asked == 0
        async with session.post(url + "token", allow_redirects=False) as answer:
            assert answer.status == 303
            assert answer.headers["Location"] == "./"
    assert presence.asked == 1


async def test_every_address_in_the_page_is_relative() -> None:
    async with _served(ScriptedPresence()) as url, _session() as session, session.get(url) as answer:
        text = await answer.text()
    assert 'action="token"' in text
    assert "//" not in text.replace("http://abc-simverity-witness:8127", "")
    assert 'src="/' not in text
    assert 'href="/' not in text
