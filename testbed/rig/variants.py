"""Homes in which it is harder to see: slower and later cameras, reconnects, jitter, exposure and night switching."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from testbed.rig.emulation import EmulatedHome
from testbed.rig.json_value import Json

FAST_WINDOW_S = 0.5
"""Enough for the default camera's 60 frames a second."""
SLOW_WINDOW_S = 2.2
"""Enough for two frames a second, each of which may be half a second older than it looks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disturbance:
    """Something from outside that goes back and forth while a session's trials run."""

    path: str
    """Where the stimulus port takes it."""
    bodies: tuple[dict[str, Json], ...]
    """What is sent, in turn; what was sent last is what the home is left in."""
    every_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """How a home differs from the default one."""

    settings: tuple[str, ...] = ()
    """Overrides of its declaration."""
    disturbances: tuple[Disturbance, ...] = ()
    settle_window: float = SLOW_WINDOW_S
    """Seconds for which a settled effect must hold; three frames must certainly lie inside."""
    loses_qualification: bool = False
    """Its sessions are rightly invalid once the witness has lost its bounds or drifted out of its frozen levels: their
    trials count as recorded all the same."""


_NIGHT = Disturbance(path="/camera/living", bodies=({"night": True}, {"night": False}), every_s=17.0)
_DAYLIGHT = Disturbance(
    path="/ambient", bodies=({"level": 0.08, "ramp_s": 5.0}, {"level": 0.04, "ramp_s": 5.0}), every_s=11.0
)

VARIANTS = {
    "default": Variant(settle_window=FAST_WINDOW_S),
    "mjpeg-30": Variant(settings=("camera.kind=mjpeg", "camera.fps=30")),
    "mjpeg-12": Variant(settings=("camera.kind=mjpeg", "camera.fps=12")),
    "mjpeg-2": Variant(settings=("camera.kind=mjpeg", "camera.fps=2")),
    "h264-12": Variant(settings=("camera.fps=12",)),
    "h264-2": Variant(settings=("camera.fps=2",)),
    "late": Variant(settings=("camera.lateness_s=0.2", "camera.delivery_jitter_s=0.3")),
    "jitter": Variant(settings=("camera.capture_jitter_s=0.012", "camera.delivery_jitter_s=0.05")),
    "reconnects": Variant(settings=("camera.reconnect_every_s=170",), loses_qualification=True),
    # A camera that adjusts itself to a dark room would clip the default lamps, and rightly refuse: these are dimmer.
    "auto-exposure": Variant(
        settings=("camera.auto_exposure=true", "device_defaults.glow=0.3"),
        disturbances=(_DAYLIGHT,),
        loses_qualification=True,
    ),
    "night": Variant(disturbances=(_NIGHT,), loses_qualification=True),
}


@asynccontextmanager
async def disturbed(emulated: EmulatedHome, variant: Variant) -> AsyncIterator[None]:
    """Disturb the home for the duration of the block, and leave it as it was declared.

    Raises:
        AnswerError: if the stimulus port refuses.
    """
    tasks = [asyncio.create_task(_repeat(emulated, disturbance)) for disturbance in variant.disturbances]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for disturbance in variant.disturbances:
            await emulated.stimulate(disturbance.path, **disturbance.bodies[-1])


async def _repeat(emulated: EmulatedHome, disturbance: Disturbance) -> None:
    for body in itertools.cycle(disturbance.bodies):
        await asyncio.sleep(disturbance.every_s)
        await emulated.stimulate(disturbance.path, **body)
