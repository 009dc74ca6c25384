from pathlib import Path

import pytest

import testbed
from testbed.declaration import CameraKind, Home, ReportBehaviour
from testbed.home_file import load_home
from testbed.table import DeclarationError

DEFAULT_HOME = Path(testbed.__file__).parent / "homes" / "default.toml"


def test_the_default_home_has_what_the_issue_lists(home: Home) -> None:
    assert set(home.switchables) == {
        "desk_lamp",
        "shelf_lamp",
        "gated_lamp",
        "lying_lamp",
        "ceiling_a",
        "ceiling_b",
        "plug",
        "tv",
    }
    assert set(home.contacts) == {"front_door"}
    assert home.groups["ceiling"].members == ("ceiling_a", "ceiling_b")
    assert home.settled_s == 4.0


def test_the_default_camera_is_the_fast_transport_stream(home: Home) -> None:
    camera = home.cameras["living"]

    assert (camera.kind, camera.fps, camera.delivery.lateness_s) == (CameraKind.MPEGTS, 60.0, 0.0)
    assert set(camera.regions) == set(home.switchables)


def test_overrides_replace_one_key() -> None:
    overrides = ("device.desk_lamp.report=silent", "network.truth = 4711", "camera.living.night=true")

    home = load_home(DEFAULT_HOME, overrides)

    assert home.switchables["desk_lamp"].report is ReportBehaviour.SILENT
    assert home.switchables["shelf_lamp"].report is ReportBehaviour.AFTER_ACK
    assert home.ports["truth"] == 4711
    assert home.cameras["living"].optics.night


def test_a_camera_override_without_a_name_reaches_every_camera() -> None:
    home = load_home(DEFAULT_HOME, ("camera.kind=mjpeg", "camera.fps=2"))

    assert [(camera.kind, camera.fps) for camera in home.cameras.values()] == [(CameraKind.MJPEG, 2.0)]


def test_device_defaults_reach_every_device_that_does_not_say_otherwise() -> None:
    home = load_home(DEFAULT_HOME, ("device_defaults.report=polled",))

    reports = {key: device.report for key, device in home.switchables.items()}
    assert reports.pop("lying_lamp") is ReportBehaviour.LYING
    assert set(reports.values()) == {ReportBehaviour.POLLED}


def test_the_seed_argument_wins() -> None:
    assert load_home(DEFAULT_HOME, seed=5).seed == 5


@pytest.mark.parametrize(
    ("override", "complaint"),
    [
        ("camera.kind=vhs", "camera.living.kind must be one of mpegts, mjpeg"),
        ("camera.fps=0", "camera.living.fps must be above 0"),
        ("camera.fps=1000", r"camera.living: fps must lie in \(0, 120\]"),
        ("camera.width=321", "camera.living: frame size must be positive and even"),
        ("camera.capture_jitter_s=0.1", "camera.living: capture_jitter_s must lie in"),
        ("camera.fsp=60", "unknown key camera.living.fsp"),
        ("camera.living.regions.desk_lamp=[0.9,0.1,0.2,0.1]", "desk_lamp: region .* leaves the frame"),
        ("camera.living.regions.ghost=[0.1,0.1,0.1,0.1]", "regions.ghost: there is no such switchable device"),
        ("device.desk_lamp.report=honest", "device.desk_lamp.report must be one of optimistic, after_ack"),
        ("device.desk_lamp.command_loss=1.5", r"command_loss must lie in \[0, 1\]"),
        ("device.desk_lamp.report_delay=[0.2,0.1]", "device.desk_lamp.report_delay: a span needs 0 <= low <= high"),
        ("device.desk_lamp.report_delay=[0.2]", "report_delay must be a list of 2 numbers"),
        ("device.desk_lamp.on={duration_s=1}", "device.desk_lamp.on.delay is missing"),
        ("device.desk_lamp.starts_on=1", "starts_on must be true or false"),
        ("device.desk_lamp.colour=red", "unknown key device.desk_lamp.colour"),
        ("device.front_door.glow=1", "unknown key device.front_door.glow"),
        ("group.ceiling.members=['ceiling_z']", "there is no switchable device 'ceiling_z'"),
        ("seed=noon", "seed must be a whole number"),
        ("settled_s=-1", "settled_s must be above 0"),
        ("ambient=2", r"ambient must lie in \[0, 1\]"),
        ("network.mqt=1883", "unknown key network.mqt"),
        ("camera", "an override is dotted.key=value"),
        ("seed.x=1", "seed is not a table"),
    ],
)
def test_a_wrong_declaration_names_the_key(override: str, complaint: str) -> None:
    with pytest.raises(DeclarationError, match=complaint):
        load_home(DEFAULT_HOME, (override,))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DeclarationError, match=r"absent\.toml"):
        load_home(tmp_path / "absent.toml")


def test_broken_toml_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text("seed = ")

    with pytest.raises(DeclarationError, match=r"broken\.toml"):
        load_home(broken)
