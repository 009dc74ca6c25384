"""The witness app as Supervisor and its published linter see it: rules of both, and what the files say."""

import re
from dataclasses import dataclass
from pathlib import Path

import yaml

from .repository import ROOT, JsonValue

APP = ROOT / "addon"
BOOL, TEXT, LIST, MAPPING = "bool", "str", "list", "dict"


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """What the linter knows of one key.

    Attributes:
        kind: the type of its value.
        default: what Supervisor assumes where the key is missing; writing it down is an error. None: it has no default.
    """

    kind: str
    default: JsonValue = None


REQUIRED = {"arch", "description", "name", "slug", "version"}
ARCHITECTURES = {"aarch64", "amd64"}
# The linter's schema (action-addon-linter 2.21) without the keys that it or Supervisor refuses or calls obsolete.
KEYS = {
    **{name: Key(kind=TEXT) for name in ("description", "name", "slug", "url", "version", "homeassistant", "image")},
    **{name: Key(kind=TEXT) for name in ("backup_post", "backup_pre", "ingress_entry", "panel_title", "webui")},
    **{name: Key(kind=LIST) for name in ("arch", "backup_exclude", "breaking_versions", "devices", "discovery")},
    **{name: Key(kind=LIST) for name in ("machine", "map", "privileged", "services")},
    **{name: Key(kind=MAPPING) for name in ("environment", "ports", "ports_description")},
    **{name: Key(kind=MAPPING, default={}) for name in ("options", "schema", "ulimits")},
    **{
        name: Key(kind=BOOL, default=False)
        for name in (
            *("audio", "auth_api", "devicetree", "docker_api", "full_access", "gpio", "hassio_api"),
            *("homeassistant_api", "host_dbus", "host_ipc", "host_network", "host_pid", "host_uts", "ingress"),
            *("ingress_stream", "journald", "kernel_modules", "realtime", "stdin", "tmpfs", "uart", "udev", "usb"),
            "video",
        )
    },
    "apparmor": Key(kind=BOOL, default=True),
    "backup": Key(kind=TEXT, default="hot"),
    "boot": Key(kind=TEXT, default="auto"),
    "hassio_role": Key(kind=TEXT, default="default"),
    "ingress_port": Key(kind="int", default=8099),
    "init": Key(kind=BOOL, default=True),
    "panel_admin": Key(kind=BOOL, default=True),
    "panel_icon": Key(kind=TEXT, default="mdi:puzzle"),
    "stage": Key(kind=TEXT, default="stable"),
    "startup": Key(kind=TEXT, default="application"),
    "timeout": Key(kind="int", default=10),
}
# The forms of an option that Supervisor accepts; a question mark makes it optional.
OPTION = re.compile(
    r"(?:str|bool|email|url|password|port|(?:int|float|str)\([\d.]*,[\d.]*\)|int|float"
    r"|match\(.+\)|list\((?P<choices>[^()|]+(?:\|[^()|]+)*)\)|device(?:\(subsystem=\w+\))?)\??"
)


def read_yaml(path: Path) -> dict[str, JsonValue]:
    """Read a YAML file that holds an object."""
    value: JsonValue = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert isinstance(value, dict), f"{path} does not hold an object"
    return value


def mapping(config: dict[str, JsonValue], key: str) -> dict[str, JsonValue]:
    """Return the object under a key, empty where there is none or another value."""
    value = config.get(key)
    return value if isinstance(value, dict) else {}


def findings(config: dict[str, JsonValue]) -> list[str]:
    """Return what the linter or Supervisor would have against an app's configuration."""
    found = [f"{key} is missing" for key in sorted(REQUIRED - config.keys())]
    found += [f"{key} is not known" for key in sorted(config.keys() - KEYS.keys())]
    for name in sorted(config.keys() & KEYS.keys()):
        if type(config[name]).__name__ != KEYS[name].kind:
            found.append(f"{name} is no {KEYS[name].kind}")
        elif KEYS[name].default is not None and config[name] == KEYS[name].default:
            found.append(f"{name} is written down although it is the default")
    architectures = config.get("arch")
    if (
        not isinstance(architectures, list)
        or not architectures
        or not ARCHITECTURES.issuperset(map(str, architectures))
    ):
        found.append("arch names an architecture that is no longer supported")
    if config.get("ingress") and "webui" in config:
        found.append("webui is not used beside ingress")
    return found + option_findings(config)


def option_findings(config: dict[str, JsonValue]) -> list[str]:
    """Return what is wrong with the options and their schema."""
    options, schema = mapping(config, "options"), mapping(config, "schema")
    found = [f"option {name} has no schema" for name in sorted(options.keys() - schema.keys())]
    for name, form in schema.items():
        known = OPTION.fullmatch(str(form))
        if known is None:
            found.append(f"schema of {name} is not known")
        elif known["choices"] and name in options and options[name] not in known["choices"].split("|"):
            found.append(f"option {name} is not among its choices")
        elif name not in options and not str(form).endswith("?"):
            found.append(f"option {name} has neither a value nor a question mark")
    return found


def docker_instructions() -> list[tuple[str, str]]:
    """Return the Dockerfile's instructions in order, each as its name and its arguments on one line."""
    text = re.sub(r"^#.*\n", "", (APP / "Dockerfile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = re.sub(r"\s*\\\n\s*", " ", text).splitlines()
    parts = (line.partition(" ") for line in lines if line.strip())
    return [(name, arguments.strip()) for name, _, arguments in parts]
