"""Everything together: the emulated home, the witness and a Home Assistant in which the devices have appeared."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import aiohttp

from testbed.rig.emulation import EmulatedHome, launch_testbed, testbed_ready
from testbed.rig.home_assistant import HomeAssistant, add_mqtt
from testbed.rig.home_folder import write_home_folder
from testbed.rig.layout import new_run_folder
from testbed.rig.witness_app import WitnessApp, launch_witness, witness_ready

DISCOVERY_S = 30.0
_USABLE = frozenset({"on", "off"})

type Announce = Callable[[str], None]
"""Tells a person which step begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RigOptions:
    """What may differ between rigs."""

    name: str = "rig"
    """Names the run folder."""
    home_file: Path | None = None
    """The emulated home's declaration; None for the default home."""
    settings: tuple[str, ...] = ()
    """Overrides of the emulated home's declaration."""
    seed: int | None = None
    """Root of the emulated home's random draws; None for the declared one."""
    workdir: Path | None = None
    """Takes the run folder; None for the cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rig:
    """What runs."""

    folder: Path
    """Logs and configuration of this run."""
    emulated: EmulatedHome
    witness: WitnessApp
    home: HomeAssistant

    async def wait_for(self, *entity_ids: str) -> None:
        """Return once these entities exist and tell a usable state.

        Raises:
            PartError: if they do not appear.
        """
        for entity_id in entity_ids:

            async def usable(entity_id: str = entity_id) -> bool | None:
                return (await self.home.api.state(entity_id)) in _USABLE or None

            await self.home.part.until(usable, DISCOVERY_S, f"the appearance of {entity_id}")


@asynccontextmanager
async def running_rig(options: RigOptions, announce: Announce) -> AsyncIterator[Rig]:
    """Run the whole rig for the duration of the block; whatever happens, no process is left over.

    Raises:
        RigError: if a part does not come up.
    """
    folder = new_run_folder(options.workdir, options.name)
    announce(f"logs are in {folder}")
    write_home_folder(folder / "home")
    async with AsyncExitStack() as stack:
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=10)  # a waiting action may take minutes
        session = await stack.enter_async_context(aiohttp.ClientSession(timeout=timeout))
        announce("starting the emulated home, the witness and Home Assistant")
        testbed = await launch_testbed(
            folder, home_file=options.home_file, settings=options.settings, seed=options.seed
        )
        stack.push_async_callback(testbed.stop)
        witness = await launch_witness(folder)
        stack.push_async_callback(witness.stop)
        home = HomeAssistant(session, folder / "home", folder)
        stack.push_async_callback(home.stop)
        await home.launch()
        emulated = await testbed_ready(testbed, session, folder)
        witness_app = await witness_ready(witness, folder)
        await home.until_running()
        announce("adding the emulated home's devices through MQTT")
        await add_mqtt(home.api, emulated.ports.mqtt_host, emulated.ports.mqtt_port)
        rig = Rig(folder=folder, emulated=emulated, witness=witness_app, home=home)
        await rig.wait_for("light.desk_lamp", "light.gated_lamp", "light.ceiling")
        yield rig
