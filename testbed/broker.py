"""A real MQTT broker (protocol 3.1.1) on a port that the operating system may choose."""

import asyncio

from amqtt.adapters import StreamReaderAdapter, StreamWriterAdapter  # type: ignore[import-untyped]
from amqtt.broker import Broker  # type: ignore[import-untyped]
from amqtt.contexts import BrokerConfig, ListenerConfig, ListenerType  # type: ignore[import-untyped]

_LISTENER = "default"


class HomeBroker:
    """Runs until ``stop``. The listener is ours, so that port 0 can be resolved; the broker takes the connections."""

    def __init__(self) -> None:
        """Prepare a broker that lets everybody in: it listens on the loopback of a test machine."""
        self._broker = Broker(
            BrokerConfig(
                listeners={_LISTENER: ListenerConfig(type=ListenerType.EXTERNAL)},
                plugins={"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}},
            )
        )
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()

    async def start(self, host: str, port: int) -> int:
        """Listen; return the port in use.

        Raises:
            OSError: if the port cannot be bound.
        """
        await self._broker.start()
        self._server = await asyncio.start_server(self._connected, host, port)
        bound: int = self._server.sockets[0].getsockname()[1]
        return bound

    async def stop(self) -> None:
        """Close the listener and every session."""
        if self._server is not None:
            self._server.close()
        await self._broker.shutdown()
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._connections.add(task)
            task.add_done_callback(self._connections.discard)
        await self._broker.external_connected(StreamReaderAdapter(reader), StreamWriterAdapter(writer), _LISTENER)
