"""The token: random, kept once, readable by its owner alone, replaced at once."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import pytest

from simverity_witness.access import MIN_TOKEN, Access, new_token
from simverity_witness.token_file import age, kept_token, read_token, write_token


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_token_is_made_once_and_kept(tmp_path: Path) -> None:
    first = kept_token(tmp_path / "token", new_token())
    assert kept_token(tmp_path / "token", new_token()) == first
    assert len(first) >= MIN_TOKEN
    assert list(tmp_path.iterdir()) == [tmp_path / "token"]


def test_tokens_are_long_and_differ() -> None:
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert min(map(len, tokens)) >= 43


def test_nobody_else_can_read_it_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        kept_token(tmp_path / "token", new_token())
    finally:
        os.umask(before)
    assert _mode(tmp_path / "token") == 0o600


def test_a_file_that_others_could_read_is_made_private(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text("t" * 20)
    path.chmod(0o644)
    assert kept_token(path, new_token()) == "t" * 20
    assert _mode(path) == 0o600


@pytest.mark.parametrize("content", [b"", b"short\n", b"\xff\xfe" * 20])
def test_what_is_no_token_is_replaced(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "token"
    path.write_bytes(content)
    fresh = new_token()
    assert kept_token(path, fresh) == fresh
    assert read_token(path) == fresh


def test_a_half_written_token_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "token.partial").write_text("half")
    write_token(tmp_path / "token", "n" * 20)
    assert read_token(tmp_path / "token") == "n" * 20


def test_the_old_token_stays_where_the_new_one_cannot_be_stored(tmp_path: Path) -> None:
    path = tmp_path / "token"
    write_token(path, "o" * 20)
    (tmp_path / "token.partial").mkdir()
    with pytest.raises(OSError, match=r"token\.partial"):
        write_token(path, "n" * 20)
    assert read_token(path) == "o" * 20


def test_age_counts_from_the_writing_and_is_never_negative(tmp_path: Path) -> None:
    path = tmp_path / "token"
    write_token(path, "t" * 20)
    os.utime(path, (0, time.time() - 1000))
    assert 1000 <= age(path) < 1100
    os.utime(path, (0, time.time() + 1000))
    assert age(path) == 0


def test_the_one_before_is_accepted_until_it_is_retired() -> None:
    access = Access("old token")
    access.succeed("new token")
    assert access.current == "new token"
    assert access.admitted("old token") == "old token"
    assert access.retire() == ["old token"]
    assert access.admitted("old token") is None
    assert access.admitted("new token") == "new token"


@pytest.mark.parametrize("given", ["", "new toke", "new token ", "NEW TOKEN", "é", "\udc80"])
def test_no_other_token_is_accepted(given: str) -> None:
    assert Access("new token").admitted(given) is None
