"""Whom an open offer admits."""

from __future__ import annotations

import pytest

from pbem.matches.matchmaking.match_request import Conditions, read_conditions


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


@pytest.mark.parametrize(
    ("word", "least", "most"),
    [
        ("rating=1400-1800", 1400, 1800),
        ("Punteggio=1800-1400", 1400, 1800),
        ("rating=1400+", 1400, None),
        ("rating=1400-", 1400, None),
        ("rating=1400", 1400, None),
        ("rating=-1800", None, 1800),
    ],
)
def test_a_band_of_ratings(word: str, least: int | None, most: int | None) -> None:
    assert read_conditions([word, "first"]) == (Conditions(least=least, most=most), ["first"])
    held = [
        rating
        for rating in (1399.4, 1399.5, 1800.4, 1800.6)
        if Conditions(least=least, most=most).holds(rating)
    ]
    assert (1399.5 in held, 1800.4 in held) == (True, True)
    assert (1399.4 in held) == (least is None)
    assert (1800.6 in held) == (most is None)


def test_what_is_no_band_is_left_to_the_game() -> None:
    assert read_conditions(["rating=", "rating=-", "rating=strong"])[1] == [
        "rating=",
        "rating=-",
        "rating=strong",
    ]
