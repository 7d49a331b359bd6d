"""The settings file is read as systemd reads it, and what we write reads as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.operator.setting_up import Answers, Setting, Unread, read, where, write, written

LINES = r"""
# a comment
; another
PLAIN=smtp://relay.example.org:25
 SPACES = a value with spaces
EMPTY=
DOUBLE="a \"quoted\" \$value # with a \\ in it"
SINGLE='as it \ stands "here"'
BACKSLASH=p\@ss\\word
LONG=one,\
two
HASH=a#b
export LATER=1
1ST=no
LAST=1"""


def test_each_line_is_read_as_systemd_reads_it() -> None:
    found = list(read(LINES))
    assert {line.name: line.value for line in found if isinstance(line, Setting)} == {
        "PLAIN": "smtp://relay.example.org:25",
        "SPACES": "a value with spaces",
        "EMPTY": "",
        "DOUBLE": 'a "quoted" $value # with a \\ in it',
        "SINGLE": 'as it \\ stands "here"',
        "BACKSLASH": "p@ss\\word",
        "LONG": "one,two",
        "HASH": "a#b",
        "LAST": "1",
    }
    assert [line for line in found if isinstance(line, Unread)] == [
        Unread(13, "export LATER"),
        Unread(14, "1ST"),
    ]
    assert found[-1] == Setting(15, "LAST", "1")


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"])))
def test_what_is_written_reads_as_it_was(value: str) -> None:
    assert list(read(written("NAME", value) + "\n")) == [Setting(1, "NAME", value)]


def test_the_file_is_a_credential_or_named_or_the_usual_one(tmp_path: Path) -> None:
    assert where({}) == Path("/etc/pbem.env")
    assert where({"CREDENTIALS_DIRECTORY": str(tmp_path)}) == Path("/etc/pbem.env")
    (tmp_path / "pbem.env").touch()
    assert where({"CREDENTIALS_DIRECTORY": str(tmp_path)}) == tmp_path / "pbem.env"
    assert where({"CREDENTIALS_DIRECTORY": str(tmp_path), "PBEM_ENV": "/x"}) == Path("/x")


@pytest.mark.parametrize("line", ["'", '"', '"never ended', "a'b'", '"a" b'])
def test_odd_quotes_stop_nobody(line: str) -> None:
    assert len(list(read(f"NAME={line}"))) == 1


@pytest.mark.parametrize(("owner", "named"), [("pbem", []), ("mail", ["mail"])])
def test_another_user_than_the_usual_one_is_written(tmp_path: Path, owner: str, named: list[str]) -> None:
    answers = Answers("play.example.org", "smtp://localhost", "smtp", "sqlite", "olga@example.org", tmp_path)
    write(tmp_path / "pbem.env", answers, owner=owner)
    found = read((tmp_path / "pbem.env").read_text("utf-8"))
    assert [line.value for line in found if isinstance(line, Setting) and line.name == "PBEM_USER"] == named
