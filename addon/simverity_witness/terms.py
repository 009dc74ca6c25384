"""The closed sets that messages and records use."""

from __future__ import annotations

from enum import StrEnum


class CameraKind(StrEnum):
    """How a camera serves its pictures."""

    MPEGTS = "mpegts"
    """H.264 or H.265 in an MPEG transport stream over HTTP, with a stream clock."""
    RTSP = "rtsp"
    MJPEG = "mjpeg"
    """JPEG pictures as an HTTP multipart answer, without any clock."""


class State(StrEnum):
    """What a lamp was commanded to be, or is seen to be."""

    ON = "on"
    OFF = "off"

    @property
    def opposite(self) -> State:
        """The other state."""
        return State.OFF if self is State.ON else State.ON


class Observed(StrEnum):
    """How a lamp stands at the end of a strobe's observation."""

    ON = "on"
    OFF = "off"
    UNCLEAR = "unclear"


class Tier(StrEnum):
    """How a camera proves when a frame was captured, best first."""

    STREAM_CLOCK = "T2"
    ARRIVAL = "T3"


class Channel(StrEnum):
    """Which number of a region is its level."""

    LUMA = "luma"
    RED = "red"
    GREEN = "green"
    BLUE = "blue"


CHANNELS = tuple(Channel)


class Fault(StrEnum):
    """Why a whole window, or a camera, testifies to nothing. The integration knows these as reasons."""

    STREAM_RESTARTED = "stream_restarted"
    NIGHT_SWITCH = "night_switch"
    ARRIVAL_GAP = "arrival_gap"
    NO_SAMPLE = "no_sample"
    """No fresh picture: nothing arrived, nothing could be decoded, or the same picture came again and again."""


class Refusal(StrEnum):
    """Why a lamp did not qualify."""

    TOO_FEW_REFERENCES = "too_few_references"
    CONTRAST_TOO_LOW = "contrast_too_low"
    LEVELS_OVERLAP = "levels_overlap"
    SPREAD_TOO_LARGE = "spread_too_large"
    REFERENCE_FOLLOWS_LAMP = "reference_follows_lamp"
    CROSS_RESPONSE = "cross_response"
    CLIPPING = "clipping"
    REPEATED_FRAMES = "repeated_frames"
    FLICKER = "flicker"
    STALE_FRAMES = "stale_frames"
    TOO_FEW_STROBES = "too_few_strobes"
    LAMP_DID_NOT_FOLLOW = "lamp_did_not_follow"
    STREAM_RESTARTED = "stream_restarted"
    LYING_CLOCK = "lying_clock"
