"""From a TOML file and ``key=value`` overrides to a frozen :class:`~testbed.declaration.Home`."""

import tomllib
from typing import TYPE_CHECKING

from testbed.declaration import (
    Camera,
    CameraKind,
    Contact,
    Delivery,
    DeviceKind,
    Group,
    Home,
    Meter,
    MeterKind,
    Optics,
    RadioFaults,
    Ramp,
    Region,
    ReportBehaviour,
    Switchable,
)
from testbed.table import DeclarationError, Table, Value

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

PORTS = ("mqtt", "stimulus", "truth", "camera")
_BROADCAST_TABLES = ("camera",)


def load_home(path: Path, overrides: Iterable[str] = (), seed: int | None = None) -> Home:
    """Read a home's declaration.

    Args:
        path: the TOML file.
        overrides: ``dotted.key=value`` texts, applied in order; the value is TOML, or a bare text.
        seed: replaces the declared seed.

    Raises:
        DeclarationError: if the file cannot be read, is not TOML, or declares something wrong.
    """
    try:
        values: dict[str, Value] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise DeclarationError(f"{path}: {error}") from error
    for override in overrides:
        _apply(values, override)
    if seed is not None:
        values["seed"] = seed
    return parse_home(values)


def parse_home(values: dict[str, Value]) -> Home:
    """Turn declared values into a home.

    Raises:
        DeclarationError: naming the first key that is wrong.
    """
    root = Table("", values)
    network = root.table("network")
    defaults = root.table("device_defaults")
    devices = _devices(root, defaults)
    switchables = {key: value for key, value in devices.items() if isinstance(value, Switchable)}
    contacts = {key: value for key, value in devices.items() if isinstance(value, Contact)}
    home = Home(
        seed=root.integer("seed"),
        settled_s=root.positive("settled_s"),
        ambient=root.fraction("ambient"),
        host=network.text("host", "127.0.0.1"),
        ports={port: network.integer(port, 0) for port in PORTS},
        switchables=switchables,
        contacts=contacts,
        meters={key: _meter(key, table, switchables) for key, table in root.tables("meter").items()},
        groups={key: _group(key, table, switchables) for key, table in root.tables("group").items()},
        cameras={key: _camera(key, table, switchables) for key, table in root.tables("camera").items()},
    )
    network.finish()
    root.finish()
    return home


def _devices(root: Table, defaults: Table) -> dict[str, Switchable | Contact]:
    base = defaults.remaining()
    return {key: _device(key, table, base) for key, table in root.tables("device").items()}


def _device(key: str, table: Table, base: dict[str, Value]) -> Switchable | Contact:
    kind = table.choice("kind", DeviceKind)
    if kind is DeviceKind.CONTACT:
        declared = table
        device: Switchable | Contact = _contact(key, declared)
    else:
        declared = table.over(base)
        device = _switchable(key, kind, declared)
    declared.finish()
    return device


def _contact(key: str, table: Table) -> Contact:
    return Contact(
        id=key,
        name=table.text("name"),
        object_id=table.text("object_id", key),
        report_delay=table.span("report_delay"),
        starts_open=table.flag("starts_open"),
    )


def _switchable(key: str, kind: DeviceKind, table: Table) -> Switchable:
    return Switchable(
        id=key,
        kind=kind,
        name=table.text("name"),
        object_id=table.text("object_id", key),
        on=_ramp(table.table("on")),
        off=_ramp(table.table("off")),
        report=table.choice("report", ReportBehaviour),
        report_delay=table.span("report_delay"),
        poll_interval_s=table.positive("poll_interval_s"),
        faults=RadioFaults(
            command_loss=table.fraction("command_loss"),
            report_loss=table.fraction("report_loss"),
            report_duplicate=table.fraction("report_duplicate"),
        ),
        starts_on=table.flag("starts_on"),
        glow=table.fraction("glow"),
    )


def _ramp(table: Table) -> Ramp:
    ramp = Ramp(delay=table.span("delay"), duration_s=table.at_least_zero("duration_s"))
    table.finish()
    return ramp


def _meter(key: str, table: Table, switchables: dict[str, Switchable]) -> Meter:
    meter = Meter(
        id=key,
        kind=table.choice("kind", MeterKind),
        name=table.text("name"),
        object_id=table.text("object_id", key),
        devices=table.texts("devices"),
        gain=table.positive("gain"),
        base=table.at_least_zero("base", 0.0),
        noise=table.at_least_zero("noise", 0.0),
        decimals=table.integer("decimals", 1),
        interval_s=table.positive("interval_s"),
        report_delay=table.span("report_delay"),
    )
    table.finish()
    for device in meter.devices:
        if device not in switchables:
            raise DeclarationError(f"meter.{key}.devices: there is no switchable device {device!r}")
    if not meter.devices:
        raise DeclarationError(f"meter.{key}.devices: there must be at least one")
    return meter


def _group(key: str, table: Table, switchables: dict[str, Switchable]) -> Group:
    group = Group(id=key, name=table.text("name"), members=table.texts("members"))
    table.finish()
    for member in group.members:
        if member not in switchables:
            raise DeclarationError(f"group.{key}.members: there is no switchable device {member!r}")
    return group


def _camera(key: str, table: Table, switchables: dict[str, Switchable]) -> Camera:
    regions = table.table("regions")
    declared = {device: _region(regions, device) for device in regions.keys()}  # noqa: SIM118 - a Table is no mapping
    for device in declared:
        if device not in switchables:
            raise DeclarationError(f"camera.{key}.regions.{device}: there is no such switchable device")
    try:
        camera = Camera(
            id=key,
            kind=table.choice("kind", CameraKind),
            width=table.integer("width"),
            height=table.integer("height"),
            fps=table.positive("fps"),
            capture_jitter_s=table.at_least_zero("capture_jitter_s", 0.0),
            delivery=_delivery(table),
            optics=_optics(table),
            regions=declared,
            reference=_region(table, "reference"),
            cross_light=table.fraction("cross_light", 0.0),
        )
    except ValueError as error:
        raise DeclarationError(f"camera.{key}: {error}") from None
    table.finish()
    return camera


def _delivery(table: Table) -> Delivery:
    return Delivery(
        lateness_s=table.at_least_zero("lateness_s", 0.0),
        delivery_jitter_s=table.at_least_zero("delivery_jitter_s", 0.0),
        reconnect_every_s=table.at_least_zero("reconnect_every_s", 0.0),
    )


def _optics(table: Table) -> Optics:
    return Optics(
        gamma=table.positive("gamma", 2.2),
        noise_levels=table.at_least_zero("noise_levels", 1.0),
        auto_exposure=table.flag("auto_exposure", default=False),
        exposure_target=table.positive("exposure_target", 0.12),
        exposure_time_s=table.positive("exposure_time_s", 0.4),
        night=table.flag("night", default=False),
        night_blend_s=table.at_least_zero("night_blend_s", 1.0),
    )


def _region(table: Table, key: str) -> Region:
    x, y, width, height = table.numbers(key, 4)
    try:
        return Region(x=x, y=y, width=width, height=height)
    except ValueError as error:
        raise DeclarationError(f"{key}: {error}") from None


def _apply(values: dict[str, Value], override: str) -> None:
    """Apply one ``dotted.key=value``; ``camera.key=value`` without a name reaches every camera."""
    dotted, equals, text = override.partition("=")
    keys = dotted.strip().split(".")
    if not equals or not all(keys):
        raise DeclarationError(f"an override is dotted.key=value, not {override!r}")
    first = keys[0]
    named = values.get(first)
    if first in _BROADCAST_TABLES and isinstance(named, dict) and len(keys) > 1 and keys[1] not in named:
        for identity in named:
            _set(values, [first, identity, *keys[1:]], _parsed(text))
    else:
        _set(values, keys, _parsed(text))


def _set(values: dict[str, Value], keys: list[str], value: Value) -> None:
    table = values
    for key in keys[:-1]:
        nested = table.setdefault(key, {})
        if not isinstance(nested, dict):
            raise DeclarationError(f"{'.'.join(keys)}: {key} is not a table")
        table = nested
    table[keys[-1]] = value


def _parsed(text: str) -> Value:
    try:
        parsed: Value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text.strip()
    return parsed
