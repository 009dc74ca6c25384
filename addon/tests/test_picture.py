"""Levels of regions, whatever the picture's form."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from simverity_witness.errors import ErrorCode, RequestError
from simverity_witness.picture import BgrPicture, PlanarPicture
from simverity_witness.regions import PixelBox, Region
from simverity_witness.terms import CHANNELS, Channel

BOX = PixelBox(left=16, top=8, right=32, bottom=24)


def scene() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A BGR picture: grey, with a coloured patch in the box."""
    pixels = np.full((48, 64, 3), 60, np.uint8)
    pixels[8:24, 16:32] = (200, 90, 40)
    return pixels


def planar(pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], *, full_range: bool) -> PlanarPicture:
    rows, columns, _ = pixels.shape
    if full_range:
        yuv = cv2.cvtColor(pixels, cv2.COLOR_BGR2YCrCb).astype(np.uint8)
        luma, red, blue = (yuv[:, :, plane] for plane in range(3))
        planes = (luma, blue[::2, ::2], red[::2, ::2])
    else:
        flat = cv2.cvtColor(pixels, cv2.COLOR_BGR2YUV_I420).astype(np.uint8).reshape(-1)
        luma, chroma = flat[: rows * columns].reshape(rows, columns), flat[rows * columns :]
        blue, red = chroma.reshape(2, rows // 2, columns // 2)
        planes = (luma, blue, red)
    return PlanarPicture(planes, full_range=full_range, modern_matrix=False)


@pytest.mark.parametrize("full_range", [True, False])
def test_video_levels_equal_those_of_the_picture_before_encoding(full_range: bool) -> None:
    video, picture = planar(scene(), full_range=full_range), BgrPicture(scene(), shrink=1)
    for channel in CHANNELS:
        assert video.level(BOX, channel) == pytest.approx(picture.level(BOX, channel), abs=2.0)
    assert picture.level(BOX, Channel.BLUE) == 200.0
    assert picture.level(BOX, Channel.GREEN) == 90.0
    assert picture.level(BOX, Channel.RED) == 40.0
    assert picture.level(BOX, Channel.LUMA) == pytest.approx(0.114 * 200 + 0.587 * 90 + 0.299 * 40, abs=0.5)


def test_limited_range_is_stretched_to_all_levels() -> None:
    luma = np.full((48, 64), 235, np.uint8)
    grey = np.full((24, 32), 128, np.uint8)
    assert PlanarPicture((luma, grey, grey), full_range=False, modern_matrix=True).level(BOX, Channel.LUMA) == 255.0
    assert PlanarPicture((luma, grey, grey), full_range=True, modern_matrix=True).level(BOX, Channel.LUMA) == 235.0


@pytest.mark.parametrize(("full_range", "dark", "bright"), [(True, 0, 255), (False, 16, 235)])
def test_clipping_counts_both_ends_of_the_range(full_range: bool, dark: int, bright: int) -> None:
    luma = np.full((48, 64), 100, np.uint8)
    luma[8:12, 16:32] = dark
    luma[12:14, 16:32] = bright
    grey = np.full((24, 32), 128, np.uint8)
    picture = PlanarPicture((luma, grey, grey), full_range=full_range, modern_matrix=False)
    assert picture.clipped(BOX) == pytest.approx(6 / 16)
    assert BgrPicture(np.full((48, 64, 3), 255, np.uint8), shrink=1).clipped(BOX) == 1.0


def test_a_smaller_decoded_picture_is_read_at_the_same_place() -> None:
    pixels = cv2.resize(scene(), (32, 24), interpolation=cv2.INTER_AREA).astype(np.uint8)
    small = BgrPicture(pixels, shrink=2)
    for channel in CHANNELS:
        assert small.level(BOX, channel) == pytest.approx(BgrPicture(scene(), shrink=1).level(BOX, channel), abs=1.0)


def test_saturation_tells_colour_from_grey() -> None:
    grey = np.full((48, 64, 3), 90, np.uint8)
    for colour, none in (
        (BgrPicture(scene(), shrink=1), BgrPicture(grey, shrink=1)),
        (planar(scene(), full_range=True), planar(grey, full_range=True)),
    ):
        assert none.saturation() < 1.0
        assert colour.saturation() > 4.0


def test_the_background_does_not_follow_a_lamp() -> None:
    assert BgrPicture(scene(), shrink=1).background() == pytest.approx(60.0, abs=1.0)


def test_fingerprints_differ_with_a_single_level() -> None:
    other = scene()
    other[0, 0] += 8
    assert BgrPicture(scene(), shrink=1).fingerprint() == BgrPicture(scene(), shrink=1).fingerprint()
    assert BgrPicture(scene(), shrink=1).fingerprint() != BgrPicture(other, shrink=1).fingerprint()


def test_a_region_becomes_its_pixels() -> None:
    box = Region(x=0.25, y=0.125, width=0.5, height=0.25).pixels(320, 192)
    assert box == PixelBox(left=80, top=24, right=240, bottom=72)


@pytest.mark.parametrize(
    "sides",
    [
        (-0.01, 0.0, 0.1, 0.1),
        (0.95, 0.0, 0.1, 0.1),
        (0.0, 0.99, 0.1, 0.1),
        (0.2, 0.2, 0.0, 0.1),
        (0.2, 0.2, 0.001, 0.1),
        (0.2, 0.2, -0.1, 0.1),
        (3.0, 3.0, 1.0, 1.0),
    ],
)
def test_a_region_outside_the_frame_is_refused(sides: tuple[float, float, float, float]) -> None:
    x, y, width, height = sides
    with pytest.raises(RequestError) as refused:
        Region(x=x, y=y, width=width, height=height).pixels(320, 192)
    assert refused.value.code is ErrorCode.REGION_OUTSIDE_FRAME
