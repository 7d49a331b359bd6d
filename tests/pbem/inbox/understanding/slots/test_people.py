"""Whom a sentence names."""

import pytest

from pbem.inbox.understanding.slots.people import person_in


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("let's play loa with gianni", "gianni"),
        ("Gianni, fancy a game of loa?", "Gianni"),
        ("Bruno's rating", "Bruno"),
        ("A friend would like to play, tom@example.net, at zertz", "tom@example.net"),
        ("chiedete a Pinuccio se vuole giocare", "Pinuccio"),
        ("Bruno and Carla are here", ""),
        ("I'd like to play Zertz in London on Monday", ""),
        ("I want to play", ""),
        ("ok dad", ""),
    ],
)
def test_the_only_person(text: str, who: str) -> None:
    assert person_in(text) == who
