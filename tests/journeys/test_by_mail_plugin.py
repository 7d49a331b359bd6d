"""A game that somebody else wrote and installed: nothing of this service knows it, and it is played by letters."""

from collections.abc import Callable

import pytest

from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Delivery

pytestmark = pytest.mark.usefixtures("nim")
VERBS = {"Alice": ("CHALLENGE", "HELP", "GAMES", "YES"), "Bruno": ("SFIDA", "AIUTO", "PARTITE", "SÌ")}

Pair = tuple[Correspondent, Correspondent]


@pytest.fixture(params=["Alice", "Bruno"])
def pair(request: pytest.FixtureRequest, alice: Correspondent, bruno: Correspondent) -> Pair:
    """Who challenges, and who is challenged: once in English, once in Italian."""
    return (alice, bruno) if request.param == "Alice" else (bruno, alice)


@pytest.fixture
def begin(pair: Pair) -> Callable[[str], Match]:
    def begin(options: str) -> Match:
        one, other = pair
        assert one.writes(f"{VERBS[one.name][0]} {other.name} nim {options}").verdict == "ok"
        assert other.answers(other.letter, VERBS[other.name][3]).verdict == "ok"
        return Match.objects.get()

    return begin


def pictures(letter: Delivery) -> int:
    return sum(part.get_content_type() == "image/png" for part in letter.message.walk())


def test_a_whole_game(pair: Pair, begin: Callable[[str], Match]) -> None:
    one, other = pair
    begin("first setup=7")
    for who, stones in ((one, "3"), (other, "2"), (one, "2")):
        assert pictures(who.letter) == 1
        assert who.answers(who.letter, f"{stones}\nCiao!").verdict == "ok"
    match = Match.objects.get()
    assert (match.status, match.players[match.winner or 0]) == (Match.Status.OVER, one.name)
    assert [turn.move for turn in match.live_turns()] == ["3", "2", "2"]
    assert [turn.message for turn in match.live_turns()] == ["Ciao!"] * 3
    for who in pair:
        assert who.letter.kind == "result"
        assert f"nim-{match.pk}.json" in who.letter.attachments


def test_too_many_stones(pair: Pair, begin: Callable[[str], Match]) -> None:
    one, _ = pair
    match = begin("first setup=7")
    assert one.answers(one.letter, "4").verdict == Code.ILLEGAL_MOVE
    said = {"Alice": "You may take from 1 to 3 stones.", "Bruno": "Si possono togliere da 1 a 3 pietre."}
    assert said[one.name] in one.letter.text
    assert one.writes(f"MOVE {match.pk} 3").verdict == "ok"


def test_the_match_may_be_named(pair: Pair, begin: Callable[[str], Match]) -> None:
    match = begin("first setup=7")
    assert pair[0].writes(f"{match.pk} 3").verdict == "ok"


def test_its_variants_and_switches_are_options(pair: Pair, begin: Callable[[str], Match]) -> None:
    _, other = pair
    match = begin("misere most=4 second setup=12")
    assert (match.game_name, match.position) == ("nim:misere,most=4", "12 0")
    said = {
        "Alice": "Nim: the last stone loses; one to four stones.",
        "Bruno": "Nim: chi prende l'ultima perde; da una a quattro pietre.",
    }
    [challenge] = [letter for letter in other.letters if letter.kind == "challenge"]
    assert said[other.name] in " ".join(challenge.text.split())


def test_without_a_set_up_it_draws_its_own(begin: Callable[[str], Match]) -> None:
    assert 10 <= int(begin("first").setup) <= 20


def test_a_bad_set_up_is_refused_in_its_own_words(pair: Pair) -> None:
    one, other = pair
    assert one.writes(f"{VERBS[one.name][0]} {other.name} nim setup=99").verdict == Code.BAD_SETUP
    assert "'99' is not a heap of 1 to 29 stones" in one.letter.text
    assert not Match.objects.exists()
    assert other.letters == []


def test_its_rules_come_with_their_boards(pair: Pair) -> None:
    one, _ = pair
    assert one.writes(f"{VERBS[one.name][1]} nim").verdict == "ok"
    said = {"Alice": "4 stones: a1, a2, a3 and a4.", "Bruno": "4 pietre: a1, a2, a3 e a4."}
    assert said[one.name] in one.letter.text
    assert "```" not in one.letter.text
    assert pictures(one.letter) == 1
    assert 'src="cid:nim-1.' in one.letter.html


def test_it_is_listed_with_the_others(pair: Pair) -> None:
    one, _ = pair
    one.writes(VERBS[one.name][2])
    assert "nim: Nim" in one.letter.text
