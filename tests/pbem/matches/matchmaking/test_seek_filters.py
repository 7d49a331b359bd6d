"""Whom an open offer admits."""

from __future__ import annotations

import pytest

from pbem.matches.matchmaking.seek_filters import Conditions


@pytest.mark.parametrize(
    ("asked", "on_time", "admitted"),
    [(None, 0, True), (80, 80, True), (81, 80, False), (100, None, True)],
)
def test_newcomers_pass_and_others_are_as_reliable_as_asked(
    asked: int | None, on_time: int | None, admitted: bool
) -> None:
    assert Conditions(on_time=asked).admit(language="en", on_time=on_time) is admitted


@pytest.mark.parametrize(("asked", "admitted"), [("", True), ("it", True), ("en", False)])
def test_the_language_is_the_one_asked_for(asked: str, admitted: bool) -> None:
    assert Conditions(language=asked).admit(language="it", on_time=None) is admitted
