"""Stopping a long command cleanly, whoever asks."""

import asyncio
import signal
from collections.abc import Coroutine


def run_until_signal[Found](work: Coroutine[None, None, Found]) -> Found:
    """Run to the end; Ctrl-C and SIGTERM cancel the work, which then stops its processes.

    Raises:
        asyncio.CancelledError: if it was cancelled.
    """

    async def watched() -> Found:
        task = asyncio.ensure_future(work)
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
        return await task

    with asyncio.Runner() as runner:
        return runner.run(watched())
