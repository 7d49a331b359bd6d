"""People who want anybody meet: the open offer of somebody is proposed before another one is made."""

import re

import pytest

from pbem.inbox.models import Confirmation
from pbem.matches.models import Match, Seek
from tests.mail_fixtures import Correspondent, Delivery


def unwrapped(letter: Delivery) -> str:
    return re.sub(r"\s+", " ", letter.text)


SEEKING = {
    "alice": [
        "I'd like to play zertz with someone",
        "Is anybody looking for a game of zertz?",
        "is there anybody else who wants to play zertz",
    ],
}


@pytest.mark.parametrize(("who", "said"), [(who, said) for who, lines in SEEKING.items() for said in lines])
def test_an_open_offer_is_proposed_to_whoever_seeks_that_game(
    request: pytest.FixtureRequest, charlie: Correspondent, who: str, said: str
) -> None:
    seeker: Correspondent = request.getfixturevalue(who)
    charlie.writes("OFFER zertz 3d/move")
    number = Seek.objects.get().pk
    seeker.writes(said)
    letter = seeker.letter
    assert f"{'JOIN' if who == 'alice' else 'ENTRO'} {number}" in letter.text
    assert "Charlie" in letter.text
    assert "ZÈRTZ" in letter.text or "Zèrtz" in letter.text or "zertz" in letter.text.lower()
    assert seeker.answers(letter, "YES" if who == "alice" else "SÌ").verdict == "ok"
    assert set(Match.objects.get().players) == {"Charlie", seeker.name}
    assert seeker.player.seeks.count() == 0


def test_an_offer_of_their_own_is_one_answer_away_and_hears_of_the_other(
    alice: Correspondent, charlie: Correspondent
) -> None:
    charlie.writes("OFFER zertz")
    number = Seek.objects.get().pk
    alice.writes("I'd like to play zertz with someone")
    assert "OFFER zertz" in alice.letter.text
    assert alice.answers(alice.letter, "OFFER zertz").verdict == "ok"
    assert alice.player.seeks.count() == 1
    assert "Charlie offers this game already" in unwrapped(alice.letter)
    assert f"    JOIN {number}" in alice.letter.text
    assert "To withdraw it, answer:" in unwrapped(alice.letter)
    assert "    CHALLENGE Robot-1 zertz" in alice.letter.text


@pytest.mark.parametrize(
    ("who", "said"),
    [
        ("alice", "join charlie"),
        ("alice", "i'll take Charlie's one"),
        ("alice", "I'd like to join Charlie's game"),
        ("bruno", "vorrei giocare contro Charlie"),
        ("bruno", "prendo quella di charlie"),
    ],
)
def test_the_offerer_names_the_offer(
    request: pytest.FixtureRequest, charlie: Correspondent, who: str, said: str
) -> None:
    taker: Correspondent = request.getfixturevalue(who)
    charlie.writes("OFFER zertz")
    taker.writes(said)
    assert Match.objects.count() == 0, "it is asked about"
    assert taker.answers(taker.letter, "YES").verdict == "ok"
    assert set(Match.objects.get().players) == {"Charlie", taker.name}


@pytest.mark.parametrize(
    "said", ["join us for dinner, charlie", "I take it that you are well", "Charlie is nice"]
)
def test_no_other_words_take_an_offer(alice: Correspondent, charlie: Correspondent, said: str) -> None:
    charlie.writes("OFFER zertz")
    alice.writes(said)
    assert Match.objects.count() == 0


@pytest.mark.parametrize(("who", "said"), [("bruno", "ha risposto qualcuno?")])
def test_the_state_of_an_offer_is_told(request: pytest.FixtureRequest, who: str, said: str) -> None:
    waiter: Correspondent = request.getfixturevalue(who)
    waiter.writes("OFFER insert")
    waiter.reads()
    waiter.writes(said)
    assert waiter.kinds() == ["open"]
    word = "CLOSE" if who == "alice" else "CHIUDO"
    assert f"    {word} {Seek.objects.get().pk}" in waiter.letter.text


def test_who_seeks_the_game_of_their_own_offer_hears_that_it_waits(bruno: Correspondent) -> None:
    bruno.writes("OFFRO zertz")
    bruno.reads()
    bruno.writes("c'è qualcuno che vuole giocare a Zertz?")
    assert bruno.kinds() == ["open"]
    assert not Confirmation.objects.exists()
    assert Seek.objects.count() == 1


@pytest.mark.parametrize(
    ("who", "said", "word"),
    [
        (
            "alice",
            "Is there anybody who would play this with me? I'd rather not play a robot.",
            "OFFER gemma",
        ),
        (
            "alice",
            "This sounds nice. I'd like to play it with a beginner like me, not a machine.",
            "OFFER gemma",
        ),
        ("bruno", "Il robot no, grazie, preferirei una persona in carne e ossa.", "OFFRO gemma"),
    ],
)
def test_who_wants_no_robot_is_offered_people(
    request: pytest.FixtureRequest, who: str, said: str, word: str
) -> None:
    seeker: Correspondent = request.getfixturevalue(who)
    seeker.writes("gemma")
    seeker.answers(seeker.letter, said)
    assert f"    {word}" in seeker.letter.text.splitlines()
    assert "Robot-1" not in seeker.letter.text


def test_a_challenge_to_who_offers_that_game_takes_the_offer_and_its_words_go_along(
    alice: Correspondent, charlie: Correspondent
) -> None:
    charlie.writes("OFFER zertz")
    number = Seek.objects.get().pk
    alice.writes("Hello Charlie, I'd like to play zertz with you.\nI've never played it either.")
    assert f"JOIN {number}" in alice.letter.text
    alice.answers(alice.letter, "YES")
    assert set(Match.objects.get().players) == {"Alice", "Charlie"}
    assert any("I've never played it either." in letter.text for letter in charlie.reads())


def test_the_list_of_players_shows_the_offers_that_wait(alice: Correspondent, charlie: Correspondent) -> None:
    charlie.writes("OFFER gemma")
    alice.writes("Who plays gemma?")
    assert f"    JOIN {Seek.objects.get().pk}" in alice.letter.text.splitlines()


def test_an_offer_of_their_own_is_closed_when_they_play_that_game_with_another(
    alice: Correspondent, charlie: Correspondent
) -> None:
    charlie.writes("OFFER loa")
    alice.writes("OFFER loa")
    alice.writes("OFFER zertz")
    alice.writes(f"JOIN {charlie.player.seeks.get().pk}")
    open_ones = alice.player.seeks.filter(closed_at=None)
    assert [seek.game_name for seek in open_ones] == ["zertz"]
    assert "so your own offer" in unwrapped(alice.letter)
