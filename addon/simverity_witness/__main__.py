"""Start the witness: ``python -m simverity_witness --token-file FILE``."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import signal
import sys
from pathlib import Path

from aiohttp import web

from .server import Server

TOKEN_VARIABLE = "SIMVERITY_WITNESS_TOKEN"
_MIN_TOKEN = 16
_WRONG_USE = 2


def main() -> int:
    """Run until SIGTERM or SIGINT; return 2 without a usable token, 1 if the port is taken."""
    arguments = _arguments()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    logging.getLogger("aiohttp.access").setLevel(logging.WARNING)
    token = _token(arguments.token_file)
    if token is None:
        sys.stderr.write(f"a token of at least {_MIN_TOKEN} characters is needed: --token-file or {TOKEN_VARIABLE}\n")
        return _WRONG_USE
    try:
        asyncio.run(_serve(arguments, token))
    except OSError as error:
        sys.stderr.write(f"cannot listen on {arguments.host}:{arguments.port}: {error.strerror}\n")
        return 1
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m simverity_witness", description="Run the camera witness.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=8127, help="port to listen on; 0 takes a free one")
    parser.add_argument("--token-file", type=Path, help=f"file that holds the token; otherwise ${TOKEN_VARIABLE}")
    parser.add_argument("--ports-file", type=Path, help="where the address is written once the witness listens")
    return parser.parse_args()


def _token(path: Path | None) -> str | None:
    try:
        text = os.environ.get(TOKEN_VARIABLE, "") if path is None else path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    token = text.strip()
    return token if len(token) >= _MIN_TOKEN else None


async def _serve(arguments: argparse.Namespace, token: str) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    runner = web.AppRunner(Server(token).application(), shutdown_timeout=2.0)
    await runner.setup()
    try:
        site = web.TCPSite(runner, arguments.host, arguments.port)
        await site.start()
        host, port = runner.addresses[0][:2]
        if arguments.ports_file is not None:
            _write_ports(arguments.ports_file, {"host": host, "port": port})
        await stopped.wait()
    finally:
        await runner.cleanup()


def _write_ports(path: Path, ports: dict[str, str | int]) -> None:
    """Write at once, so that a reader never sees half a file."""
    partial = path.with_name(path.name + ".partial")
    partial.write_text(json.dumps(ports), encoding="utf-8")
    partial.replace(path)


if __name__ == "__main__":
    sys.exit(main())
