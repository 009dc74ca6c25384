"""The witness app as a plain process, with a token drawn for this run."""

import secrets
from dataclasses import dataclass
from pathlib import Path

from testbed.rig.json_value import integer, parse, text
from testbed.rig.layout import ROOT, interpreter
from testbed.rig.part import Part, Program, start

START_S = 40.0
_PORTS_FILE = "witness.json"
_TOKEN_FILE = "witness.token"


@dataclass(frozen=True, slots=True, kw_only=True)
class WitnessApp:
    """A running witness: where it answers, and with which token."""

    part: Part
    url: str
    token: str


async def launch_witness(folder: Path) -> Part:
    """Start the witness app with a new token, without waiting for it.

    Raises:
        PartError: if it cannot be executed.
    """
    token_file = folder / _TOKEN_FILE
    token_file.touch(mode=0o600)
    token_file.write_text(secrets.token_urlsafe(32), encoding="utf-8")
    files = ("--token-file", str(token_file), "--ports-file", str(folder / _PORTS_FILE))
    command = (str(interpreter("instruments")), "-m", "simverity_witness", "--host", "127.0.0.1", "--port", "0", *files)
    return await start(
        Program(name="witness", argv=command, cwd=folder, env={"PYTHONPATH": str(ROOT / "addon")}), folder
    )


async def witness_ready(part: Part, folder: Path) -> WitnessApp:
    """Wait until the witness app answers.

    Raises:
        PartError: if it does not come up.
    """
    written = parse(await part.file(folder / _PORTS_FILE, START_S))
    token = (folder / _TOKEN_FILE).read_text(encoding="utf-8")
    return WitnessApp(part=part, url=f"http://{text(written, 'host')}:{integer(written, 'port')}", token=token)
