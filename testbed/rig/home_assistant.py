"""Starting Home Assistant and moving in: onboarding, tokens, MQTT, all as its own pages do it."""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

import aiohttp

from testbed.rig.errors import AnswerError, RigError
from testbed.rig.home_client import HomeApi, HomeSocket, home_socket
from testbed.rig.json_value import Json, parse, text
from testbed.rig.layout import free_port, interpreter
from testbed.rig.part import Part, Program, start

START_S = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """What a person types on the login page."""

    username: str
    password: str


class HomeAssistant:
    """One Home Assistant over its restarts: its folder, its port, and what a person does in it."""

    def __init__(self, session: aiohttp.ClientSession, folder: Path, logs: Path) -> None:
        """Prepare a Home Assistant whose configuration lies in ``folder``; nothing runs yet."""
        self.folder = folder
        self.login = Login(username="demo", password=secrets.token_urlsafe(9))  # others may reach the page
        self.base = f"http://127.0.0.1:{free_port()}"
        self._session = session
        self._logs = logs
        self._part: Part | None = None
        self._token = ""

    @property
    def api(self) -> HomeApi:
        """The REST API as the owner."""
        return HomeApi(self._session, self.base, self._token)

    @property
    def part(self) -> Part:
        """The running process.

        Raises:
            RigError: if it was never started.
        """
        if self._part is None:
            raise RigError("Home Assistant was not started")
        return self._part

    @asynccontextmanager
    async def socket(self) -> AsyncIterator[HomeSocket]:
        """Open the WebSocket API as the owner."""
        async with home_socket(self._session, self.base, self._token) as opened:
            yield opened

    async def launch(self) -> None:
        """Start the process without waiting for it.

        Raises:
            PartError: if it cannot be executed.
        """
        hass = interpreter("home").with_name("hass")
        program = Program(
            name="home-assistant",
            argv=(str(hass), "-c", str(self.folder), "--skip-pip", "--log-no-color"),
            cwd=self.folder,
            env={"SETUP_PORT": self.base.rpartition(":")[2], "PYTHONUNBUFFERED": "1"},
        )
        self._part = await start(program, self._logs)

    async def until_running(self) -> None:
        """Wait until it answers; move in if nobody has; wait until every integration has been set up.

        Raises:
            PartError: if it does not come up.
        """
        await self.part.until(self._answers, START_S, "answering over HTTP")
        if not self._token:
            self._token = await move_in(self._session, self.base, self.login)
        await self.part.until(self._runs, START_S, "finishing its start")

    async def stop(self) -> None:
        """Ask it to end and wait for that."""
        if self._part is not None:
            await self._part.stop()

    async def _answers(self) -> bool | None:
        try:
            async with self._session.get(f"{self.base}/manifest.json") as answer:
                return answer.status == HTTPStatus.OK or None
        except aiohttp.ClientError, TimeoutError:
            return None

    async def _runs(self) -> bool | None:
        try:
            return text(await self.api.request("get", "/api/config"), "state") == "RUNNING" or None
        except AnswerError:
            return None


async def move_in(session: aiohttp.ClientSession, base: str, login: Login) -> str:
    """Create the owner, which ends onboarding; return a long-lived access token.

    Raises:
        AnswerError: if a step is refused.
    """
    client = f"{base}/"
    anonymous = HomeApi(session, base, "")
    owner: Json = {
        "client_id": client,
        "name": "Demo",
        "username": login.username,
        "password": login.password,
        "language": "en",
    }
    created = await anonymous.request("post", "/api/onboarding/users", owner)
    form = {"grant_type": "authorization_code", "code": text(created, "auth_code"), "client_id": client}
    async with session.post(f"{base}/auth/token", data=form) as answer:
        token = text(parse(await answer.text()), "access_token")
    async with home_socket(session, base, token) as socket:
        lasting = await socket.call("auth/long_lived_access_token", client_name="rig", lifespan=30)
    return text(lasting)


async def add_mqtt(api: HomeApi, host: str, port: int) -> None:
    """Add the MQTT integration through its own form.

    Raises:
        RigError: if it does not accept the broker.
    """
    answer = await run_flow(
        api,
        "mqtt",
        {
            "broker": host,
            "port": port,
            "protocol": "3.1.1",  # the emulated broker speaks no version 5
            "other_settings": {"set_client_cert": False, "set_ca_cert": "off", "transport": "tcp"},
        },
    )
    if answer.get("type") != "create_entry":
        raise RigError(f"Home Assistant's MQTT integration does not accept the broker: {answer}")


async def run_flow(
    api: HomeApi, handler: Json, *inputs: Json, path: str = "/api/config/config_entries/flow"
) -> dict[str, Json]:
    """Start a configuration flow, answer its steps in order, and return its last answer.

    Raises:
        AnswerError: if a step refuses its input.
    """
    answer = await api.request("post", path, {"handler": handler, "show_advanced_options": False})
    for given in inputs:
        answer = await api.request("post", f"{path}/{text(answer, 'flow_id')}", given)
    if not isinstance(answer, dict):
        raise AnswerError(f"the flow of {handler} answered {answer}")
    return answer
