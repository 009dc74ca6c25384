"""What a home declares: frozen types, no behaviour beyond their own validation.

Durations are seconds, light is a fraction of full output (0 dark, 1 full), probabilities lie in [0, 1].
"""

from dataclasses import dataclass
from enum import StrEnum


class DeviceKind(StrEnum):
    """What a device is, and with it the Home Assistant platform that represents it."""

    LAMP = "lamp"
    PLUG = "plug"
    TV = "tv"
    CONTACT = "contact"


class MeterKind(StrEnum):
    """What a sensor measures of the devices beside it."""

    POWER = "power"
    """Watts, of the devices themselves: a part of the first one's own hardware."""
    ILLUMINANCE = "illuminance"
    """Lux, from the devices' light and the daylight: hardware of its own."""


class ReportBehaviour(StrEnum):
    """How a device tells its state after it was commanded or switched by hand."""

    OPTIMISTIC = "optimistic"
    """No state topic at all: Home Assistant assumes what it commanded."""
    AFTER_ACK = "after_ack"
    """Reports its own state once the radio has acknowledged."""
    POLLED = "polled"
    """Reports only when its poll comes round."""
    SILENT = "silent"
    """Reports once at start and never again."""
    LYING = "lying"
    """Reports what it was commanded, whether or not it obeyed."""
    STALE_AFTER_EXTERNAL = "stale_after_external"
    """Reports commands as ``after_ack`` does, but nothing that was done by hand."""


class CameraKind(StrEnum):
    """How a camera serves its pictures."""

    MPEGTS = "mpegts"
    """H.264 in an MPEG transport stream over HTTP, with a stream clock."""
    MJPEG = "mjpeg"
    """JPEG frames as HTTP multipart, without any clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A uniformly distributed duration in seconds."""

    low: float
    """Shortest."""
    high: float
    """Longest."""

    def __post_init__(self) -> None:
        """Refuse a span that runs backwards.

        Raises:
            ValueError: if it is negative or its ends are swapped.
        """
        if not 0 <= self.low <= self.high:
            raise ValueError(f"a span needs 0 <= low <= high, not [{self.low}, {self.high}]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ramp:
    """How light moves in one direction, linear in light."""

    delay: Span
    """From the command's arrival at the device to the first change of light: radio and relay."""
    duration_s: float
    """From the first change to the settled light."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RadioFaults:
    """What the radio loses and repeats; drawn from the device's own seeded source."""

    command_loss: float = 0.0
    """Probability that a command never takes effect and is never reported."""
    report_loss: float = 0.0
    """Probability that a report is never published."""
    report_duplicate: float = 0.0
    """Probability that a report is published twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A rectangle in fractions of the frame, origin at the top left."""

    x: float
    y: float
    width: float
    height: float

    def __post_init__(self) -> None:
        """Refuse a rectangle that leaves the frame.

        Raises:
            ValueError: if any part lies outside, or the area is zero.
        """
        inside = min(self.x, self.y) >= 0 and max(self.x + self.width, self.y + self.height) <= 1
        if not inside or self.width <= 0 or self.height <= 0:
            raise ValueError(f"region {self.as_list()} leaves the frame or is empty")

    def as_list(self) -> list[float]:
        """Return ``[x, y, width, height]``."""
        return [self.x, self.y, self.width, self.height]


@dataclass(frozen=True, slots=True, kw_only=True)
class Switchable:
    """A device that can be commanded: lamp, plug or television."""

    id: str
    """Stable name in topics, in the scene and in every answer."""
    kind: DeviceKind
    """Lamp, plug or television."""
    name: str
    """What the household calls it."""
    object_id: str
    """Second half of the entity id that it suggests to Home Assistant."""
    on: Ramp
    """Light after an *on*."""
    off: Ramp
    """Light after an *off*."""
    report: ReportBehaviour
    """How it reports."""
    report_delay: Span
    """From the command's arrival to the report's publication."""
    poll_interval_s: float
    """Distance of polls, for ``polled``."""
    faults: RadioFaults
    """Loss and duplicates."""
    starts_on: bool
    """State when the home starts."""
    glow: float
    """Linear light that full output adds to the middle of its own region (0 to 1 is the camera's range)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """A door or window sensor."""

    id: str
    name: str
    object_id: str
    report_delay: Span
    """From the door's movement to the report's publication."""
    starts_open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Meter:
    """A sensor that measures at a fixed interval and reports a little later, whatever happens."""

    id: str
    kind: MeterKind
    name: str
    object_id: str
    devices: tuple[str, ...]
    """What it measures: their light, each from 0 to 1, summed."""
    gain: float
    """Watts or lux of one device at full output."""
    base: float
    """Watts or lux without any device; of a light sensor at full daylight."""
    noise: float
    """Standard deviation of one measurement, in watts or lux."""
    decimals: int
    """Decimals of the reported number."""
    interval_s: float
    """Distance of measurements."""
    report_delay: Span
    """From the measurement to the report's publication."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Lamps that Home Assistant is meant to switch together; the testbed itself only names them."""

    id: str
    name: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """How a finished picture travels to its viewers."""

    lateness_s: float = 0.0
    """Added between capture and sending, the same for every frame."""
    delivery_jitter_s: float = 0.0
    """Added on top, uniform in [0, this], seeded; order is kept."""
    reconnect_every_s: float = 0.0
    """Every viewer is disconnected this often; 0 for never."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Optics:
    """How light becomes camera levels."""

    gamma: float = 2.2
    """Level = 255 x light^(1/gamma)."""
    noise_levels: float = 1.0
    """Standard deviation of the pixel noise, in levels."""
    auto_exposure: bool = False
    """Whether the gain follows the picture's mean light."""
    exposure_target: float = 0.12
    """Mean linear light that auto exposure aims at."""
    exposure_time_s: float = 0.4
    """Time constant of auto exposure."""
    night: bool = False
    """Whether it starts in infrared mode."""
    night_blend_s: float = 1.0
    """How long a day/night switch blends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """One camera: its stream, its optics and what it looks at."""

    id: str
    kind: CameraKind
    width: int
    """Frame width in pixels, even."""
    height: int
    """Frame height in pixels, even."""
    fps: float
    """Nominal frames a second."""
    capture_jitter_s: float
    """Each capture is delayed by uniform [0, this], seeded; below one frame interval."""
    delivery: Delivery
    optics: Optics
    regions: dict[str, Region]
    """Device id to the region that its light fills."""
    reference: Region
    """A patch that the lamps barely light."""
    cross_light: float
    """Fraction of each device's glow that reaches the rest of the room."""

    def __post_init__(self) -> None:
        """Refuse what could not be encoded or paced.

        Raises:
            ValueError: if the size is odd, the rate is not positive, or the jitter would reorder captures.
        """
        if self.width % 2 or self.height % 2 or self.width <= 0 or self.height <= 0:
            raise ValueError(f"frame size must be positive and even, not {self.width}x{self.height}")
        if not 0 < self.fps <= MAX_FPS:
            raise ValueError(f"fps must lie in (0, {MAX_FPS}], not {self.fps}")
        if not 0 <= self.capture_jitter_s < 1 / self.fps:
            raise ValueError(f"capture_jitter_s must lie in [0, {1 / self.fps}), not {self.capture_jitter_s}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """Everything that one home declares."""

    seed: int
    """Root of every random draw; each device and camera derives its own source from it."""
    settled_s: float
    """When every device's light has come to rest after a command."""
    ambient: float
    """Linear light of the room without lamps."""
    host: str
    """Address that every port binds to."""
    ports: dict[str, int]
    """``mqtt``, ``stimulus``, ``truth``, ``camera``; 0 means any free port."""
    switchables: dict[str, Switchable]
    contacts: dict[str, Contact]
    meters: dict[str, Meter]
    groups: dict[str, Group]
    cameras: dict[str, Camera]


MAX_FPS = 120
