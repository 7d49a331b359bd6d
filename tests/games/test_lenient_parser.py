"""Moves as people say them, in every game; what is said about moves is none."""

import pytest

from games import lenient_parser
from games.protocol import IllegalMove, Notation, UnreadableMove
from games.registry import find


def read(name: str, text: str, language: str = "en") -> str:
    game, rules = find(name)
    return str(lenient_parser.parse(game, game.start(rules, ""), text, Notation(language)))


@pytest.mark.parametrize(
    ("name", "language", "canonical", "said"),
    [
        (
            "loa",
            "en",
            "b8-b6",
            ["b8 to b6", "from b8 to b6", "B8 TO B6", "b8→b6", "b8 ➡️ b6", "b8=>b6", "b8/b6"],
        ),
        ("loa", "it", "b8-b6", ["da b8 a b6", "Da B8 in B6", "b8 a b6", "b8 to b6", "b8 – b6"]),
        ("gemma", "it", "c1-c3", ["da c1 a c3", "c1 → c3"]),
        ("zertz", "en", "Wd4,a1", ["white d4, a1", "White on d4, a1", "White marble d4 a1", "bianca d4, a1"]),
        (
            "zertz",
            "it",
            "Wd4,a1",
            ["bianca d4, a1", "Bianco in d4, a1", "biglia bianca d4, a1", "white d4, a1"],
        ),
        ("zertz", "en", "Bd4,a1", ["black d4, a1", "nera d4, a1"]),
        ("zertz", "it", "Gd4,a1", ["grigia d4, a1", "gray d4, a1"]),
        ("trapdoor", "en", "e2-e4@d6", ["e2 to e4@d6", "from e2 to e4 @d6"]),
        (
            "trapdoor",
            "it",
            "g1-f3@d6",
            ["cavallo f3@d6", "Cavallo in f3@d6", "knight f3@d6", "da g1 a f3@d6"],
        ),
    ],
)
def test_as_people_say_it(name: str, language: str, canonical: str, said: list[str]) -> None:
    assert {text: read(name, text, language) for text in said} == dict.fromkeys(said, canonical)


@pytest.mark.parametrize("language", ["en", "it"])
def test_what_is_said_of_moves_is_none(language: str) -> None:
    said = [
        "b8 to b6 would have hurt",
        "b8 or b6",
        "b8 and b6",
        "from b8 you see it",
        "da b8 a b6 è un viaggio",
        "white looks good",
        "bianca come la neve",
        "white d4 would be pretty",
        "white wine or red",
        "b8 to b",
        "x" * 500,
    ]
    for name in ("loa", "zertz", "trapdoor", "emergo", "gemma"):
        for text in said:
            with pytest.raises(UnreadableMove) as raised:
                read(name, text, language)
            assert raised.value.text == text


def test_the_rules_are_asked_all_the_same() -> None:
    with pytest.raises(IllegalMove):
        read("loa", "b8 to b7")
