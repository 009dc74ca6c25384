"""Waiting for what runs in the background: by condition, with a generous limit that only a hang reaches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from custom_components.simverity.coordinator import LedgerState, WitnessLink
from custom_components.simverity.runtime import Runtime

LIMIT = 300.0


async def until(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(LIMIT):
        while not condition():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.005)


async def connected(runtime: Runtime) -> None:
    """Wait until the witness is connected and the ledger verified."""
    await until(lambda: runtime.coordinator.snapshot.witness is WitnessLink.CONNECTED)
    await verified(runtime)


async def verified(runtime: Runtime) -> None:
    """Wait until the ledger has been looked at."""
    await until(lambda: runtime.coordinator.snapshot.ledger.state is not LedgerState.VERIFYING)
