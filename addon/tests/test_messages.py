"""Requests are parsed strictly, and the golden messages are what both sides say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from simverity_witness import answers
from simverity_witness.cameras.camera import CameraStatus
from simverity_witness.errors import ErrorCode, RequestError
from simverity_witness.messages import (
    Arm,
    BeginQualification,
    RegisterLamp,
    Request,
    StrobeRequest,
    parse_envelope,
    parse_request,
)
from simverity_witness.qualification.observation import StrobeSeen
from simverity_witness.regions import Region
from simverity_witness.terms import Fault, Observed, State, Tier
from simverity_witness.windows import ClosedWindow, Sample

CONTRACTS = Path(__file__).parents[2] / "contracts"
REQUESTS = (
    "hello",
    "clock",
    "register_camera",
    "forget_camera",
    "register_lamp",
    "forget_lamp",
    "status",
    "begin_qualification",
    "strobe",
    "finish_qualification",
    "cancel_qualification",
    "arm",
    "disarm",
)


def golden(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((CONTRACTS / f"{name}.json").read_text(encoding="utf-8"))
    return content


def parse(message: dict[str, Any]) -> Request:
    return parse_request(parse_envelope(json.dumps(message)))


def refusal(message: dict[str, Any]) -> RequestError:
    with pytest.raises(RequestError) as refused:
        parse(message)
    return refused.value


@pytest.mark.parametrize("name", REQUESTS)
def test_golden_requests_are_understood(name: str) -> None:
    parse(golden(name)["request"])


@pytest.mark.parametrize("name", REQUESTS)
def test_every_field_is_needed_and_no_other_is_taken(name: str) -> None:
    request = golden(name)["request"]
    for missing in request.keys() - {"id", "type"}:
        error = refusal({key: value for key, value in request.items() if key != missing})
        assert (error.code, str(error)) == (ErrorCode.BAD_REQUEST, f"{missing}: is missing")
    assert str(refusal(request | {"surprise": 1})).startswith("surprise: ")


@pytest.mark.parametrize("name", REQUESTS)
@pytest.mark.parametrize("wrong", [True, {}, [], [[]], "", "x" * 5000, -1, 1e300])
def test_a_wrong_value_is_refused_and_named(name: str, wrong: Any) -> None:
    request = golden(name)["request"]
    for field in request.keys() - {"id", "type"}:
        if wrong is True and isinstance(request[field], bool):
            continue
        error = refusal(request | {field: wrong})
        assert error.code is ErrorCode.BAD_REQUEST
        assert str(error).startswith(("observe_until: ", "close_at: ", f"{field}: "))


def test_requests_become_typed() -> None:
    assert parse(golden("register_lamp")["request"]) == RegisterLamp(
        lamp="6d2f0b7c:living",
        camera="living",
        region=Region(x=0.1, y=0.2, width=0.1, height=0.2),
        reference=Region(x=0.8, y=0.1, width=0.1, height=0.1),
    )
    assert parse(golden("arm")["request"]) == Arm(
        window="w-17",
        lamps=("6d2f0b7c:living", "91ac3e44:living"),
        dispatched_at=2000.0,
        close_at=2000.4,
        lookback=0.2,
    )
    assert parse(golden("strobe")["request"]) == StrobeRequest(
        qualification="q-1",
        lamp="6d2f0b7c:living",
        state=State.ON,
        commanded_at=1001.5,
        observe_until=1003.7,
        reference=False,
    )
    assert parse(golden("begin_qualification")["request"]) == BeginQualification(
        qualification="q-1",
        lamps=("6d2f0b7c:living", "91ac3e44:living"),
        boundaries=(0.05, 0.1, 0.25, 0.5, 1.0, 3.0),
        valid_for=86400.0,
    )


def test_a_lamp_may_lack_a_reference_patch() -> None:
    request = parse(golden("register_lamp")["request"] | {"reference": None})
    assert isinstance(request, RegisterLamp)
    assert request.reference is None


@pytest.mark.parametrize(
    ("name", "changed", "field"),
    [
        ("arm", {"lookback": 2.5}, "lookback"),
        ("arm", {"close_at": 1999.0}, "close_at"),
        ("arm", {"close_at": 99999.0}, "close_at"),
        ("arm", {"lamps": ["a", "a"]}, "lamps"),
        ("arm", {"lamps": [f"lamp {n}" for n in range(65)]}, "lamps"),
        ("strobe", {"observe_until": 1001.0}, "observe_until"),
        ("register_camera", {"kind": "telepathy"}, "kind"),
        ("register_lamp", {"region": [0, 0, 1]}, "region"),
        ("register_lamp", {"region": [0, 0, 1, "1"]}, "region"),
        ("begin_qualification", {"boundaries": [0.1] * 33}, "boundaries"),
        ("begin_qualification", {"valid_for": 0}, "valid_for"),
        ("hello", {"api": 0}, "api"),
        ("clock", {"type": "time"}, "type"),
    ],
)
def test_bounds_are_kept(name: str, changed: dict[str, Any], field: str) -> None:
    assert str(refusal(golden(name)["request"] | changed)).startswith(f"{field}: ")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "1",
        "{",
        '{"id": 1}',
        '{"type": "clock"}',
        '{"id": 0, "type": "clock"}',
        '{"id": NaN, "type": "clock"}',
        "[" * 100_000,
    ],
)
def test_what_is_no_request_is_refused(text: str) -> None:
    with pytest.raises(RequestError) as refused:
        parse_envelope(text)
    assert refused.value.code is ErrorCode.BAD_REQUEST


def test_answers_have_the_agreed_form() -> None:
    error = RequestError(ErrorCode.UNKNOWN_LAMP, "there is no lamp 'unknown'")
    assert answers.refused(14, error) == golden("refused_request")["answer"]
    assert answers.accepted(12, {"armed_at": 2000.002}) == golden("arm")["answer"]
    status = CameraStatus(camera="living", connected=True, epoch=3, fps=60.0, last_arrival=997.5, fault=None)
    assert answers.camera_status(status) == golden("status")["answer"]["result"]["cameras"][0]


def test_announcements_have_the_agreed_form() -> None:
    seen = StrobeSeen(lamp="6d2f0b7c:living", index=0, observed=Observed.ON)
    assert answers.strobed("q-1", seen) == golden("strobed")
    lost = CameraStatus(
        camera="living", connected=False, epoch=3, fps=None, last_arrival=None, fault="camera_unreachable"
    )
    assert answers.camera_change(lost) == golden("camera")


def test_a_window_has_the_agreed_form() -> None:
    agreed = golden("window")
    closed = ClosedWindow(
        window=agreed["window"],
        camera=agreed["camera"],
        epoch=agreed["epoch"],
        tier=Tier(agreed["tier"]),
        faults=tuple(Fault(fault) for fault in agreed["faults"]),
        lamps=tuple(
            (
                lamp,
                tuple(
                    Sample(earliest=earliest, latest=latest, level=level, reference=reference)
                    for earliest, latest, level, reference in samples
                ),
            )
            for lamp, samples in agreed["lamps"].items()
        ),
    )
    assert answers.window(closed) == agreed
