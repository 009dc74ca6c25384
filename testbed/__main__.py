"""Start an emulated home: ``python -m testbed --home testbed/homes/default.toml``."""

import argparse
import asyncio
import contextlib
import logging
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from testbed.emulation import emulated, write_ports
from testbed.home_file import load_home
from testbed.table import DeclarationError

if TYPE_CHECKING:
    from testbed.declaration import Home

DEFAULT_HOME = Path(__file__).parent / "homes" / "default.toml"


def main() -> int:
    """Run until SIGTERM or SIGINT; return 2 for a wrong declaration, 1 for a taken port or a part that failed."""
    arguments = _arguments()
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    # The broker warns about every client that leaves without a goodbye, which killed ones do all day in tests.
    logging.getLogger("amqtt").setLevel(logging.ERROR)
    try:
        home = load_home(arguments.home, arguments.set, arguments.seed)
    except DeclarationError as error:
        sys.stderr.write(f"testbed: {error}\n")
        return 2
    try:
        with contextlib.suppress(KeyboardInterrupt):
            return asyncio.run(_run(home, arguments.ports_file))
    except OSError as error:
        sys.stderr.write(f"testbed: {error}\n")
        return 1
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m testbed", description="Run an emulated home.")
    parser.add_argument("--home", type=Path, default=DEFAULT_HOME, help="the home's declaration (TOML)")
    parser.add_argument("--seed", type=int, help="replaces the declared seed")
    parser.add_argument("--ports-file", type=Path, help="where the addresses are written once everything listens")
    parser.add_argument("--set", nargs="+", action="extend", default=[], metavar="KEY=VALUE", help="overrides a key")
    return parser.parse_args()


async def _run(home: Home, ports_file: Path | None) -> int:
    stopped = asyncio.Event()
    failures: list[BaseException] = []

    def lost(error: BaseException) -> None:
        logging.getLogger(__name__).error("a part of the home failed", exc_info=error)
        failures.append(error)
        stopped.set()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    async with emulated(home, lost) as ports:
        if ports_file is not None:
            write_ports(ports_file, ports)
        await stopped.wait()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
