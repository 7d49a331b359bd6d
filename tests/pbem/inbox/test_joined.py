"""Several things in one line, as far as its parts say them."""

import pytest

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.joined import beside, both, with_friendly_words
from pbem.inbox.commands.playing.grammar import Draw, Resign


def said(text: str) -> Command | None:
    return {"resign": Resign(), "draw": Draw()}.get(text.casefold().rstrip("?"))


def test_all_parts_have_to_say_something() -> None:
    assert list(both("resign and draw", said)) == [Resign(), Draw()]
    assert list(both("resign e draw", said)) == [Resign(), Draw()]
    assert not both("resign and sleep", said)
    assert not both("resign", said)
    assert not both("draw and draw", said)


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("Rex, draw? I'm tired", "Rex, I'm tired"),
        ("draw, and sleep well", "sleep well"),
        ("I am tired and draw", "I am tired"),
        ("draw", ""),
        ("good game, Ben", ""),
    ],
)
def test_what_stands_beside_is_kept_as_it_is(line: str, rest: str) -> None:
    assert beside(line, Draw(), said) == rest


def test_behind_a_command_friendly_words_alone_are_nothing_else() -> None:
    assert with_friendly_words("draw and good luck Ben", said) == (Draw(), "good luck Ben")
    assert with_friendly_words("resign good game", said) == (Resign(), "good game")
    assert with_friendly_words("draw a picture", said) is None
