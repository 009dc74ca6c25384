"""A record's form is strict, and its time is limited."""

from __future__ import annotations

import pytest

from simverity_engine.errors import MessageError
from simverity_engine.witness.qualification import expired, parse_record
from tests.engine.qualification_example import Change, put, small


@pytest.mark.parametrize(
    ("now", "boot", "epoch", "gone"),
    [
        (410.0, "boot", 3, False),
        (4009.9, "boot", 3, False),
        (4010.0, "boot", 3, True),
        (409.9, "boot", 3, True),
        (500.0, "another", 3, True),
        (500.0, "boot", 4, True),
    ],
)
def test_a_record_expires(now: float, boot: str, epoch: int, *, gone: bool) -> None:
    assert expired(parse_record(small()), now=now, boot_id=boot, epoch=epoch) is gone


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (put(2, "version"), "record.version is not 1"),
        (put("x", "epoch"), "record.epoch must be a whole number"),
        (put([0.5, 0.5, 0.6, 0.1], "region"), "record.region must lie inside the frame"),
        (put([-0.1, 0.5, 0.1, 0.1], "region"), "record.region must lie inside the frame"),
        (put([0.1, 0.5, 0.1, 0], "reference_region"), "record.reference_region must lie inside the frame"),
        (put("dim", "references", 0, "state"), r"record.references\[0\].state must be one of on, off"),
        (put("x", "references", 0, "frames", 1, "level"), r"record.references\[0\].frames\[1\].level must be a number"),
        (put(["x"], "strobes", 0, "decided"), r"record.strobes\[0\].decided\[0\] must be a number"),
        (put("T4", "timing", "tier"), "record.timing.tier must be one of T1, T2, T3"),
        (put({"on": []}, "two_sided"), "record.two_sided.off is missing"),
        (put(["tired"], "refusals"), r"record.refusals\[0\] must be one of"),
        (put("refused", "verdict"), "record.verdict contradicts record.refusals"),
        (put(["clipping"], "refusals"), "record.verdict contradicts record.refusals"),
        (put(1, "colour"), "record has unknown fields: colour"),
        (put(1, "levels", "colour"), "record.levels has unknown fields: colour"),
        (put([{"lamp": "x"}], "cross_response"), r"record.cross_response\[0\].response is missing"),
    ],
)
def test_a_malformed_record_names_the_field(change: Change, complaint: str) -> None:
    message = small()
    change(message)
    with pytest.raises(MessageError, match=complaint):
        parse_record(message)
