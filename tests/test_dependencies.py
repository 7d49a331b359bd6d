"""The audit of what we stand on finds nothing, and would find what is wrong."""

from __future__ import annotations

from importlib.metadata import PathDistribution
from pathlib import Path

import pytest

from tests import dependencies
from tests.dependencies import DEV, ROOT, RUN, problems


def test_nothing_is_wrong_with_ours() -> None:
    assert list(problems()) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (RUN, "django==5.2.19", "django>=5.2", "is no name with one version"),
        (RUN, "django==5.2.19", "django==5.1.0", "pyproject.toml wants django"),
        (RUN, "segno==1.6.6", "segno==1.6.5", "1.6.6 is installed"),
        (DEV, "segno==1.6.6", "segno==1.7.0", f"{DEV} ['1.7.0']"),
        (RUN, "aiosmtpd==1.4.6", "--find-links ./here\naiosmtpd==1.4.6", "'--find-links ./here' is no name"),
        (RUN, "six==1.17.0 \\", "six==1.17.0\nsqueeze==1 \\", "six==1.17.0 has no hashes"),
        (RUN, "--hash=sha256:4721f391", "--hash=md5:4721f391", "six==1.17.0 has no hashes"),
    ],
)
def test_what_would_be_wrong_is_named(tmp_path: Path, file: str, old: str, new: str, said: str) -> None:
    for name in (RUN, DEV, "pyproject.toml"):
        text = (ROOT / name).read_text("utf-8")
        if name == file:
            assert old in text
            text = text.replace(old, new, 1)
        (tmp_path / name).write_text(text, "utf-8")
    assert any(said in line for line in problems(tmp_path))


def test_a_licence_that_nobody_has_thought_about_is_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "METADATA").write_text("Name: six\nVersion: 1.17.0\nLicense-Expression: MIT AND SSPL-1.0\n")
    monkeypatch.setattr(dependencies, "distribution", lambda name: PathDistribution(tmp_path))
    assert "six: its licence is MIT AND SSPL-1.0: is it one that we may stand on?" in list(problems())
