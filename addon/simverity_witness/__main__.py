"""Start the witness: ``simverity-witness --token-file FILE``, or as an app of Home Assistant."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
from pathlib import Path

from . import ingress, supervisor
from .access import MIN_TOKEN, Access, new_token
from .serving import Home, Place, serve
from .supervisor import Supervisor
from .token_file import kept_token, read_token

TOKEN_VARIABLE = "SIMVERITY_WITNESS_TOKEN"
DEFAULT_PORT = 8127
LEVELS = ("debug", "info", "warning", "error")
_WRONG_USE = 2


def main() -> int:
    """Run until SIGTERM or SIGINT; return 2 without a usable token, 1 if the port is taken."""
    arguments = _arguments()
    logging.basicConfig(
        level=arguments.log_level.upper(), format="%(asctime)s %(name)s %(levelname)s %(message)s", stream=sys.stderr
    )
    logging.getLogger("aiohttp.access").setLevel(logging.WARNING)
    token = _token(arguments)
    if token is None:
        sys.stderr.write(
            f"a token of at least {MIN_TOKEN} characters is needed: --token-file, {TOKEN_VARIABLE}, "
            "or --data with a folder that can be written\n"
        )
        return _WRONG_USE
    place = Place(host=arguments.host, port=arguments.port, ports_file=arguments.ports_file, home=_home(arguments))
    try:
        asyncio.run(serve(place, Access(token)))
    except OSError as error:
        sys.stderr.write(f"cannot listen on {arguments.host}:{arguments.port}: {error.strerror}\n")
        return 1
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="simverity-witness", description="Run the camera witness.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    parser.add_argument("--port", type=int, default=DEFAULT_PORT, help="port of the API; 0 takes a free one")
    kept = parser.add_mutually_exclusive_group()
    kept.add_argument("--token-file", type=Path, help=f"file that holds the token; otherwise ${TOKEN_VARIABLE}")
    kept.add_argument("--data", type=Path, help="folder in which a random token is made once and kept, as 'token'")
    parser.add_argument("--log-level", choices=LEVELS, default="info", help="how much to say")
    parser.add_argument("--ports-file", type=Path, help="where the address is written once the witness listens")
    app = parser.add_argument_group(
        "as an app of Home Assistant", f"used with --data when ${supervisor.TOKEN_VARIABLE} is set"
    )
    app.add_argument("--ingress-port", type=int, default=ingress.DEFAULT_PORT, help="port of the page")
    app.add_argument("--supervisor", default=supervisor.DEFAULT_URL, help="address of Supervisor")
    return parser.parse_args()


def _token(arguments: argparse.Namespace) -> str | None:
    if arguments.data is not None:
        try:
            return kept_token(arguments.data / "token", new_token())
        except OSError:
            return None
    if arguments.token_file is not None:
        return read_token(arguments.token_file)
    token = os.environ.get(TOKEN_VARIABLE, "").strip()
    return token if len(token) >= MIN_TOKEN else None


def _home(arguments: argparse.Namespace) -> Home | None:
    key = os.environ.get(supervisor.TOKEN_VARIABLE)
    if not key or arguments.data is None:
        return None
    return Home(
        supervisor=Supervisor(url=arguments.supervisor.rstrip("/"), key=key),
        token_file=arguments.data / "token",
        ingress_port=arguments.ingress_port,
    )


if __name__ == "__main__":
    sys.exit(main())
