"""The radio bridge: one real MQTT client that announces devices, takes commands and publishes reports."""

import asyncio
import logging
import time
from typing import TYPE_CHECKING

from amqtt.client import MQTTClient  # type: ignore[import-untyped]
from amqtt.contexts import ClientConfig, WillConfig  # type: ignore[import-untyped]

from testbed import discovery
from testbed.declaration import ReportBehaviour

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable

    from testbed.declaration import Contact, Switchable
    from testbed.device import Report, SwitchModel
    from testbed.house import House
    from testbed.meter import MeterModel

_LOG = logging.getLogger(__name__)
_KEEP_ALIVE_S = 3600
"""The broker lives in the same process: a stalled machine must not make it forget the bridge."""

type Lost = Callable[[BaseException], None]
"""Told when something that should run for ever has failed: the home is then no longer what it declares."""


class Bridge:
    """Connects the house's models to the broker, as a Zigbee bridge does."""

    def __init__(self, house: House, lost: Lost) -> None:
        """Prepare a client whose last will marks the bridge, and with it every device, as offline."""
        self._house = house
        self._lost = lost
        will = WillConfig(topic=discovery.BRIDGE_AVAILABILITY, message=discovery.OFFLINE, retain=True)
        config = ClientConfig(will=will, auto_reconnect=False, keep_alive=_KEEP_ALIVE_S)
        self._client = MQTTClient(client_id="testbed-bridge", config=config)
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, host: str, port: int) -> None:
        """Connect, announce every device, tell every state, and begin to listen.

        Raises:
            amqtt.errors.ConnectError: if the broker does not answer.
        """
        await self._client.connect(f"mqtt://{host}:{port}")
        await self._client.subscribe([(discovery.COMMANDS, 0), (discovery.BIRTH_TOPIC, 0)])
        declared: list[Switchable | Contact] = [
            *self._house.home.switchables.values(),
            *self._house.home.contacts.values(),
        ]
        for device in declared:
            announcement = discovery.announcement(device)
            await self._publish(announcement.topic, announcement.payload)
            await self._publish(discovery.availability_topic(device.id), discovery.ONLINE)
        for meter in self._house.home.meters.values():
            announcement = discovery.meter_announcement(meter)
            await self._publish(announcement.topic, announcement.payload)
        await self._publish(discovery.BRIDGE_AVAILABILITY, discovery.ONLINE)
        await self._tell_everything()
        self._spawn(self._listen())
        for sensor in self._house.meters.values():
            self._spawn(self._measure(sensor))
        for model in self._house.devices.values():
            if model.declared.report is ReportBehaviour.POLLED:
                self._spawn(self._poll(model))

    async def stop(self) -> None:
        """Say goodbye and disconnect."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._publish(discovery.BRIDGE_AVAILABILITY, discovery.OFFLINE)
        await self._client.disconnect()

    def publish_later(self, device: str, reports: Iterable[Report]) -> None:
        """Publish each report at its own time, as often as it says."""
        for report in reports:
            self._spawn(self._publish_report(device, report))

    async def set_available(self, device: str, *, available: bool) -> None:
        """Tell that the bridge hears the device, or has lost it."""
        payload = discovery.ONLINE if available else discovery.OFFLINE
        await self._publish(discovery.availability_topic(device), payload)
        if available:
            await self._tell(device, on=self._house.devices[device].claimed)

    async def _listen(self) -> None:
        while True:
            message = await self._client.deliver_message()
            received_at = time.monotonic()
            topic, payload = str(message.topic), bytes(message.data).decode(errors="replace")
            if topic == discovery.BIRTH_TOPIC:
                if payload == discovery.ONLINE:
                    self._spawn(self._tell_everything())
            else:
                self._command(discovery.device_of(topic), payload, received_at)

    def _command(self, device: str, payload: str, received_at: float) -> None:
        model = self._house.devices.get(device)
        if model is None or payload not in (discovery.ON, discovery.OFF):
            _LOG.warning("ignored command %r for %s", payload, device)
            return
        self.publish_later(device, model.command(received_at, on=payload == discovery.ON))

    async def _poll(self, model: SwitchModel) -> None:
        interval = model.declared.poll_interval_s
        await asyncio.sleep(self._house.chance(f"{model.declared.id}/poll").uniform(0, interval))
        while True:
            answer = model.poll(time.monotonic())
            if answer is not None:
                await self._publish_report(model.declared.id, answer)
            await asyncio.sleep(interval)

    async def _measure(self, meter: MeterModel) -> None:
        """Measure for ever at the declared interval, from a phase of its own; a report is on its way for a while."""
        interval = meter.declared.interval_s
        await asyncio.sleep(self._house.chance(f"{meter.declared.id}/phase").uniform(0, interval))
        due = time.monotonic()
        while True:
            value = meter.measure(time.monotonic())
            await asyncio.sleep(meter.delay())
            await self._publish(discovery.state_topic(meter.declared.id), f"{value:.{meter.declared.decimals}f}")
            due += interval
            await asyncio.sleep(max(0.0, due - time.monotonic()))

    async def _tell_everything(self) -> None:
        """Publish the state of all that report on their own: at start, and when Home Assistant comes online."""
        for key, model in self._house.devices.items():
            if model.declared.report is not ReportBehaviour.OPTIMISTIC:
                await self._tell(key, on=model.claimed)
        for key, door in self._house.doors.items():
            await self._tell(key, on=door.open)

    async def _tell(self, device: str, *, on: bool) -> None:
        await self._publish(discovery.state_topic(device), discovery.ON if on else discovery.OFF)

    async def _publish_report(self, device: str, report: Report) -> None:
        await asyncio.sleep(max(0.0, report.at - time.monotonic()))
        for _ in range(report.copies):
            await self._tell(device, on=report.on)

    async def _publish(self, topic: str, payload: str) -> None:
        # Retained, so that a Home Assistant that starts later finds every device with its last state.
        await self._client.publish(topic, payload.encode(), qos=0, retain=True)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._lost(error)
