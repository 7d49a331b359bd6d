"""Lists of pairings: what people paste, and what is said of every line that cannot be."""

import pytest

from pbem.competitions.pairings import pairings
from pbem.matches.offers import Mistaken
from pbem.players.models import Player
from pbem.players.services import register
from pbem.refusals import Code
from tests.mail_fixtures import MORNING


def read(text: str) -> list[tuple[str, str, str]]:
    return [(pair.first.name, pair.second.name, pair.game) for pair in pairings(text, game="loa")]


def mistakes(text: str) -> list[tuple[int, str]]:
    with pytest.raises(Mistaken) as mistaken:
        pairings(text, game="loa")
    return [(mistake.line, mistake.refused.code) for mistake in mistaken.value.mistakes]


@pytest.mark.parametrize(
    "text",
    [
        "Alice,Bruno\nDora,Emil,zertz:+11",
        "first, second, game\r\nAlice , BRUNO\r\n\r\n# the other board\r\ndora, emil, zertz+11\r\n",
        "\ufeffPrimo;Secondo;Gioco\nalice;bruno;\ndora;emil;zertz+11",
        '"Alice"\t"Bruno"\nDora\tEmil\tzertz:+11',
        "alice@example.org,Bruno,,\nDORA@example.org,emil@EXAMPLE.org,zertz:+11",
    ],
)
def test_a_list_is_read_as_it_is_pasted(players: list[Player], text: str) -> None:
    assert read(text) == [("Alice", "Bruno", "loa"), ("Dora", "Emil", "zertz:+11")]


def test_a_game_may_have_commas(players: list[Player]) -> None:
    assert read("Alice, Bruno, zertz:+11,blitz")[0][2] == read('Alice; Bruno; "zertz:blitz,+11"')[0][2]


def test_two_may_meet_again_with_sides_changed_or_at_another_game(players: list[Player]) -> None:
    assert len(read("Alice,Bruno\nBruno,Alice\nAlice,Bruno,gemma")) == 3


def test_every_line_is_checked_and_every_mistake_named(players: list[Player], charlie: Player) -> None:
    text = """Alice,Bruno
    Alice
    Alice,Alise
    Alice,Charlie
    Dora,dora@example.org
    Dora,Emil,ludo
    ,
    alice,BRUNO,loa
    ,Emil
    """
    assert mistakes(text) == [
        (2, Code.BAD_LINE),
        (3, Code.NO_SUCH_PLAYER),
        (4, Code.GETS_NO_LETTERS),
        (5, Code.AGAINST_YOURSELF),
        (6, Code.NO_SUCH_GAME),
        (8, Code.REPEATED_LINE),
        (9, Code.BAD_LINE),
    ]


def test_a_mistake_says_what_was_written_and_what_may_be_meant(players: list[Player]) -> None:
    with pytest.raises(Mistaken) as mistaken:
        pairings("Alice,Bruno\nAlise,Dora\nAlice, Bruno", game="loa")
    wrong, repeated = mistaken.value.mistakes
    assert (wrong.text, wrong.refused.facts) == ("Alise,Dora", {"text": "Alise", "nearest": ("Alice",)})
    assert repeated.refused.facts == {"number": 1}


def test_an_address_of_a_family_names_nobody(players: list[Player]) -> None:
    register(name="Anna", email="alice@example.org", language="en", now=MORNING)
    assert mistakes("alice@example.org,Bruno") == [(1, Code.SHARED_ADDRESS)]
    assert read("Anna,Bruno") == [("Anna", "Bruno", "loa")]


def test_whoever_gets_no_letters_cannot_be_paired(players: list[Player]) -> None:
    players[0].addresses.update(paused_at=MORNING)
    Player.objects.filter(pk=players[1].pk).update(silent_since=MORNING)
    assert mistakes("Alice,Dora\nbruno@example.org,Dora") == [
        (1, Code.GETS_NO_LETTERS),
        (2, Code.GETS_NO_LETTERS),
    ]


def test_a_long_list_asks_few_questions(players: list[Player], django_assert_num_queries: object) -> None:
    text = "\n".join(
        f"Alice,Bruno,zertz:{number}\nEmil,dora@example.org,zertz:{number}"
        for number in (40, 43, 44, "blitz")
    )
    with django_assert_num_queries(3):  # type: ignore[operator]
        assert len(pairings(text, game="loa")) == 8
