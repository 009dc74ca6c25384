"""The default home, and short ways to build parts of it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import testbed
from testbed.declaration import Home, ReportBehaviour, Switchable
from testbed.device import SwitchModel
from testbed.home_file import load_home

DEFAULT_HOME = Path(testbed.__file__).parent / "homes" / "default.toml"

type ModelOf = Callable[..., SwitchModel]


def seeded(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - reproducible draws, nothing secret


@pytest.fixture
def chance() -> Random:
    """Return a source of chance that is the same in every run."""
    return seeded(1)


@pytest.fixture
def home() -> Home:
    return load_home(DEFAULT_HOME)


@pytest.fixture
def lamp(home: Home) -> Switchable:
    return home.switchables["desk_lamp"]


@pytest.fixture
def model_of(lamp: Switchable) -> ModelOf:
    """Return a seeded model of the desk lamp with a report behaviour and radio faults of the test's choice."""

    def build(report: ReportBehaviour = ReportBehaviour.AFTER_ACK, seed: int = 1, **faults: float) -> SwitchModel:
        declared = replace(lamp, report=report, faults=replace(lamp.faults, **faults))
        return SwitchModel(declared, seeded(seed))

    return build
