"""The emulated home as a process, and its stimulus and truth ports."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import aiohttp

from testbed.rig.home_client import HomeApi
from testbed.rig.home_folder import GATED_LAMP_RADIO
from testbed.rig.json_value import Json, at, integer, items, number, parse, table, text
from testbed.rig.layout import ROOT, interpreter
from testbed.rig.part import Part, Program, start

START_S = 40.0
_PORTS_FILE = "testbed.json"

type Region = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraPlace:
    """Where a camera streams, and where it sees what."""

    id: str
    kind: str
    url: str
    regions: dict[str, Region]
    """Device id to the region that its light fills."""
    reference: Region


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """What the emulated home wrote about itself when it was ready."""

    mqtt_host: str
    mqtt_port: int
    stimulus: str
    truth: str
    settled_s: float
    cameras: dict[str, CameraPlace]


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """What truly happened after one command: when the noiseless region crossed its midpoint."""

    camera: str
    device: str
    direction: str
    command_received_at: float
    obeyed: bool
    crossed_at: float | None
    already_there: bool


class EmulatedHome:
    """A running emulated home."""

    def __init__(self, part: Part, ports: Ports, session: aiohttp.ClientSession) -> None:
        """Hold the process and what it said about itself."""
        self.part = part
        self.ports = ports
        self._stimulus = HomeApi(session, ports.stimulus, "")
        self._truth = HomeApi(session, ports.truth, "")

    async def stimulate(self, path: str, **fields: Json) -> Json:
        """Change the physical world through the stimulus port.

        Raises:
            AnswerError: if it refuses.
        """
        return await self._stimulus.request("post", path, fields)

    async def crossings(self, since: float) -> list[Crossing]:
        """Return what the lamps truly did since an instant, in the order of their commands.

        Raises:
            AnswerError: if the truth port does not answer.
        """
        return [_crossing(found) for found in items(await self._truth.request("get", f"/crossings?since={since}"))]

    async def light_is_on(self, device: str) -> bool:
        """Return what a device truly is or is becoming: lit or dark.

        Raises:
            AnswerError: if there is no such device.
        """
        answer = await self._truth.request("get", "/devices")
        return number(answer, "devices", device, "light_to") > 0


def _crossing(found: Json) -> Crossing:
    crossed = at(found, "crossed_at")
    return Crossing(
        camera=text(found, "camera"),
        device=text(found, "device"),
        direction=text(found, "direction"),
        command_received_at=number(found, "command_received_at"),
        obeyed=at(found, "obeyed") is True,
        crossed_at=None if crossed is None else number(crossed),
        already_there=at(found, "already_there") is True,
    )


def parse_ports(content: str) -> Ports:
    """Read the ports file.

    Raises:
        AnswerError: if something is missing.
    """
    value = parse(content)
    return Ports(
        mqtt_host=text(value, "mqtt", "host"),
        mqtt_port=integer(value, "mqtt", "port"),
        stimulus=text(value, "stimulus"),
        truth=text(value, "truth"),
        settled_s=number(value, "settled_s"),
        cameras={
            key: CameraPlace(
                id=key,
                kind=text(camera, "kind"),
                url=text(camera, "url"),
                regions={device: _region(region) for device, region in table(camera, "regions").items()},
                reference=_region(at(camera, "reference")),
            )
            for key, camera in table(value, "cameras").items()
        },
    )


def _region(value: Json) -> Region:
    x, y, width, height = (number(part) for part in items(value))
    return (x, y, width, height)


async def launch_testbed(
    folder: Path, *, home_file: Path | None = None, settings: Sequence[str] = (), seed: int | None = None
) -> Part:
    """Start the emulated home without waiting for it.

    Args:
        folder: takes the log and the ports file.
        home_file: the home's declaration; None for the default one.
        settings: ``dotted.key=value`` overrides of the home's declaration.
        seed: root of all its random draws.

    Raises:
        PartError: if it cannot be executed.
    """
    settings = (f"device.gated_lamp.object_id={GATED_LAMP_RADIO}", "device.gated_lamp.name=Gated lamp radio", *settings)
    options = [word for setting in settings for word in ("--set", setting)]
    options += [] if seed is None else ["--seed", str(seed)]
    options += [] if home_file is None else ["--home", str(home_file)]
    command = (str(interpreter("instruments")), "-m", "testbed", "--ports-file", str(folder / _PORTS_FILE), *options)
    return await start(Program(name="testbed", argv=command, cwd=ROOT), folder)


async def testbed_ready(part: Part, session: aiohttp.ClientSession, folder: Path) -> EmulatedHome:
    """Wait until the emulated home serves all its ports.

    Raises:
        PartError: if it does not come up.
    """
    return EmulatedHome(part, parse_ports(await part.file(folder / _PORTS_FILE, START_S)), session)
