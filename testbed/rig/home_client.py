"""A person's view of a running Home Assistant: its REST API and its WebSocket API."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal

import aiohttp

from testbed.rig.errors import AnswerError
from testbed.rig.json_value import Json, at, integer, parse, table, text

_REFUSED = 400
_MESSAGE_BYTES = 64 * 1024 * 1024
ANSWER_S = 60.0


class HomeApi:
    """The REST API with one access token."""

    def __init__(self, session: aiohttp.ClientSession, base: str, token: str) -> None:
        """Hold a session that the caller closes."""
        self._session = session
        self.base = base
        self.token = token

    async def request(self, method: Literal["get", "post", "delete"], path: str, body: Json = None) -> Json:
        """Send a request and return its parsed answer.

        Raises:
            AnswerError: if it is refused or cannot be reached.
        """
        headers = {"Authorization": f"Bearer {self.token}"}
        try:
            async with self._session.request(method, f"{self.base}{path}", json=body, headers=headers) as answer:
                content = await answer.text()
                if answer.status >= _REFUSED:
                    raise AnswerError(f"{method} {path} was refused ({answer.status}): {content[:800]}")
                return parse(content) if content else None
        except (aiohttp.ClientError, TimeoutError) as error:
            raise AnswerError(f"{method} {path}: {error!r}") from error

    async def state(self, entity_id: str) -> str | None:
        """Return an entity's state, or None while there is none."""
        try:
            return text(await self.request("get", f"/api/states/{entity_id}"), "state")
        except AnswerError:
            return None

    async def act(self, domain: str, service: str, **fields: Json) -> Json:
        """Call an action and wait for it.

        Raises:
            AnswerError: if it is refused.
        """
        return await self.request("post", f"/api/services/{domain}/{service}", fields)

    async def ask(self, domain: str, service: str, **fields: Json) -> Json:
        """Call an action that answers and return its response.

        Raises:
            AnswerError: if it is refused.
        """
        answer = await self.request("post", f"/api/services/{domain}/{service}?return_response", fields)
        return at(answer, "service_response")


class HomeSocket:
    """The WebSocket API: numbered requests, and events of subscriptions."""

    def __init__(self, connection: aiohttp.ClientWebSocketResponse) -> None:
        """Hold an authenticated connection; use :func:`home_socket`."""
        self._connection = connection
        self._ids = itertools.count(1)
        self._answers: dict[int, asyncio.Future[dict[str, Json]]] = {}
        self._events: dict[int, asyncio.Queue[Json]] = {}

    async def call(self, kind: str, *, within_s: float = ANSWER_S, **fields: Json) -> Json:
        """Send a request and return its result.

        Raises:
            AnswerError: if it is refused, unanswered in time, or the connection ends.
        """
        return await self._send(next(self._ids), kind, within_s, fields)

    async def subscribe(self, kind: str, **fields: Json) -> asyncio.Queue[Json]:
        """Send a subscription and return the queue that its events arrive in.

        Raises:
            AnswerError: if it is refused.
        """
        number = next(self._ids)
        queue: asyncio.Queue[Json] = asyncio.Queue()
        self._events[number] = queue
        await self._send(number, kind, ANSWER_S, fields)
        return queue

    async def _send(self, number: int, kind: str, within_s: float, fields: dict[str, Json]) -> Json:
        future: asyncio.Future[dict[str, Json]] = asyncio.get_running_loop().create_future()
        self._answers[number] = future
        try:
            await self._connection.send_json({"id": number, "type": kind, **fields})
            async with asyncio.timeout(within_s):
                answer = await future
        except TimeoutError:
            raise AnswerError(f"{kind} was not answered within {within_s:.0f} s") from None
        except (aiohttp.ClientError, ConnectionError) as error:
            raise AnswerError(f"{kind}: {error!r}") from error
        finally:
            self._answers.pop(number, None)
        if answer.get("success") is not True:
            code, message = text(answer, "error", "code"), text(answer, "error", "message")
            raise AnswerError(f"{kind} was refused ({code}): {message}")
        return answer.get("result")

    async def receive(self) -> None:
        """Sort what arrives until the connection ends; then nobody is left waiting."""
        try:
            async for message in self._connection:
                if message.type is not aiohttp.WSMsgType.TEXT:
                    break
                parsed = parse(message.data)
                for each in parsed if isinstance(parsed, list) else [parsed]:
                    self._sort(table(each))
        finally:
            for future in self._answers.values():
                if not future.done():
                    future.set_exception(AnswerError("Home Assistant closed the connection"))
            for queue in self._events.values():
                queue.shutdown()

    def _sort(self, message: dict[str, Json]) -> None:
        number = integer(message, "id")
        if message.get("type") == "event":
            if number in self._events:
                self._events[number].put_nowait(message.get("event"))
        elif number in self._answers and not self._answers[number].done():
            self._answers[number].set_result(message)


@asynccontextmanager
async def home_socket(session: aiohttp.ClientSession, base: str, token: str) -> AsyncIterator[HomeSocket]:
    """Open an authenticated WebSocket for the duration of the block.

    Raises:
        AnswerError: if the token is refused or nobody answers.
    """
    try:
        connection = await session.ws_connect(f"{base}/api/websocket", max_msg_size=_MESSAGE_BYTES, heartbeat=30)
        await connection.receive_json()
        await connection.send_json({"type": "auth", "access_token": token})
        greeting: Json = await connection.receive_json()
    except (aiohttp.ClientError, TypeError, ValueError) as error:
        raise AnswerError(f"no WebSocket at {base}: {error!r}") from error
    if text(greeting, "type") != "auth_ok":
        raise AnswerError(f"the WebSocket refuses the token: {greeting}")
    socket = HomeSocket(connection)
    reader = asyncio.create_task(socket.receive())
    try:
        yield socket
    finally:
        await connection.close()
        reader.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await reader
