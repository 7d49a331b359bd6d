"""A challenge in a sentence: with the terms that stand beside it, and more than one of them."""

import pytest

from pbem.inbox.commands.parser import Understood, understand
from pbem.inbox.models import Confirmation
from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent


def read(text: str) -> Understood:
    return understand(
        text.splitlines(), subject=None, language="en", is_move=lambda text, number: False, match=None
    )


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        (
            "I'd like to play zertz with Bruno, 5 days per move. I go first.",
            ["CHALLENGE Bruno zertz 5d first"],
        ),
        ("I'd like to play zertz with Bruno, but only if it isn't rated", ["CHALLENGE Bruno zertz unrated"]),
        (
            "Sfida Bruno da parte mia a zertz, però senza che conti per la classifica.",
            ["SFIDA Bruno zertz amichevole"],
        ),
        ("Cerco qualcuno per emergo, tre giorni a mossa, col bianco.", ["OFFRO emergo 3d bianco"]),
        ("sfida Bruno a zertz, 5 giorni per mossa", ["SFIDA Bruno zertz 5d"]),
        ("vorrei giocare a zertz con Bruno, comincio io", ["SFIDA Bruno zertz primo"]),
        (
            "vorrei giocare a zertz con Bruno, senza orologio ma cominciando io",
            ["SFIDA Bruno zertz senza-orologio primo"],
        ),
        ("I'd like to play zertz with Bruno, without a clock", ["CHALLENGE Bruno zertz no-clock"]),
        ("CHALLENGE Bruno zertz, you begin", ["CHALLENGE Bruno zertz second"]),
        (
            "I'd like to play zertz with Bruno.\nI go first, 7 days a move",
            ["CHALLENGE Bruno zertz 7d first"],
        ),
        ("Start a game of trapdoor against Tom with 10 days", ["CHALLENGE Tom trapdoor 10d"]),
        ("anyone for a game of gemma, 2 days per move?", ["OFFER gemma 2d"]),
        ("I'd like to play zertz with Bruno in 2 days", ["CHALLENGE Bruno zertz"]),
        (
            "Challenge Bruno to loa and Carla to emergo",
            ["CHALLENGE Bruno loa", "CHALLENGE Carla emergo"],
        ),
        (
            "I challenge Bruno to loa. I challenge Carla to zertz.",
            ["CHALLENGE Bruno loa", "CHALLENGE Carla zertz"],
        ),
        ("challenge Bruno to loa and zertz", ["CHALLENGE Bruno loa", "CHALLENGE Bruno zertz"]),
        ("sfida Bruno a loa e poi a zertz", ["SFIDA Bruno loa", "SFIDA Bruno zertz"]),
    ],
)
def test_what_is_said_beside_a_challenge_is_asked_about_with_it(said: str, asked: list[str]) -> None:
    assert [command.line for command in read(said).asks] == asked


def test_a_second_challenge_in_a_sentence_is_asked_about(alice: Correspondent, bruno: Correspondent) -> None:
    """What is written as a command is done at once."""
    row = alice.writes(
        "CHALLENGE Bruno loa\nI'd like to play zertz with Bruno too, I go first\nHave fun, old friend!"
    )
    assert row.verdict == Code.CONFIRM_NEEDED
    assert [match.game_name for match in Match.objects.all()] == ["loa"]
    assert "old friend" in bruno.letter.text
    assert "zertz" not in bruno.letter.text.casefold()
    assert Confirmation.objects.get().lines == ["CHALLENGE Bruno zertz first"]
    assert alice.answers(alice.letter, "yes please").verdict == "ok"
    assert sorted(match.game_name for match in Match.objects.all()) == ["loa", "zertz"]
    assert Match.objects.get(game_name="zertz").players == ("Alice", "Bruno")


def test_talk_below_a_challenge_asks_for_no_other(alice: Correspondent, bruno: Correspondent) -> None:
    talk = "I have played zertz with Carla for years.\nLet's see who is better, my friend!"
    assert alice.writes(f"CHALLENGE Bruno loa\n{talk}").verdict == "ok"
    assert not Confirmation.objects.exists()
    assert "zertz with Carla" in bruno.letter.text
