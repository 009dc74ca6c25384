"""Home Assistant is killed in the middle of a session and started again: the last thing that the shared rig is for."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from simverity_engine.ledger.verify import ChainEnd, verify_chain
from testbed.rig.auditing import start_session
from testbed.rig.json_value import at, integer, parse, text, texts
from testbed.rig.ledger import Entry, chain_rows, read_ledger
from tests.e2e.setting import DESK, GATED, AuditedHome, Evidence

pytestmark = [pytest.mark.realtime, pytest.mark.asyncio(loop_scope="session")]

TRIALS_BEFORE_CUT = 2
UNTIL_SESSION_S = 120.0
UNTIL_CLOSED_S = 30.0
POLL_S = 0.2


async def _eventually[Found](check: Callable[[], Awaitable[Found]], seconds: float) -> Found:
    """Return what the check answers once it is something."""
    async with asyncio.timeout(seconds):
        while not (found := await check()):  # noqa: ASYNC110 - another process sets no Event here
            await asyncio.sleep(POLL_S)
        return found


def _trials(entries: list[Entry], session: str) -> list[Entry]:
    keyed = [entry for entry in entries if entry.kind == "trial" and at(entry.payload, "key") is not None]
    return [entry for entry in keyed if text(entry.payload, "key", 0) == session]


def _closed(entries: list[Entry], session: str) -> list[Entry]:
    ended = [entry for entry in entries if entry.kind == "session_closed"]
    return [entry for entry in ended if text(entry.payload, "session") == session]


async def test_nothing_is_lost_and_the_lamps_are_put_back(home: AuditedHome, evidence: Evidence) -> None:
    assert evidence.trials, "the lamps have qualified by then"
    assistant, emulated = home.rig.home, home.rig.emulated
    await assistant.api.act("light", "turn_on", entity_id=DESK)
    await assistant.api.act("light", "turn_off", entity_id=GATED)

    async def reported() -> bool:
        return await assistant.api.state(DESK) == "on" and await assistant.api.state(GATED) == "off"

    assert await _eventually(reported, UNTIL_CLOSED_S), "a session restores what it was told, not what is on its way"

    async def under_way() -> list[Entry]:
        entries = read_ledger(assistant.folder)
        return entries if len(_trials(entries, session)) >= TRIALS_BEFORE_CUT else []

    async def recorded() -> list[Entry]:
        return _closed(read_ledger(assistant.folder), session)

    async def put_back() -> bool:
        return await emulated.light_is_on("desk_lamp") and not await emulated.light_is_on("gated_lamp")

    async with assistant.socket() as socket:
        session = await start_session(socket, home.plan(DESK, GATED, repetitions=5))
        before = await _eventually(under_way, UNTIL_SESSION_S)
        await assistant.part.kill()
    await assistant.launch()
    await assistant.until_running()
    (closed,) = await _eventually(recorded, UNTIL_CLOSED_S)

    assert read_ledger(assistant.folder)[: len(before)] == before
    published = parse((assistant.folder / "simverity" / "head.json").read_text(encoding="utf-8"))
    end = ChainEnd(sequence=integer(published, "sequence"), digest=text(published, "digest"))
    assert verify_chain(chain_rows(assistant.folder), published=end).intact
    assert at(closed.payload, "valid") is False
    assert texts(closed.payload, "reasons") == ["interrupted"]
    assert await _eventually(put_back, UNTIL_CLOSED_S)
