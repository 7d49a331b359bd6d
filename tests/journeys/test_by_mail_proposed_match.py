"""A stranger names a game and nobody to play it with: their YES begins a match, and their third email is a move."""

from __future__ import annotations

import pytest

from pbem.matches.models import Invitation, Match, Seek
from pbem.players.models import Player
from tests.mail_fixtures import Correspondent, Post
from tests.pbem.robots.conftest import any_move

FRIEND = "ben@example.net"
NAMED = {
    "Hi, I'm Joan, I'd like to play Zertz": ("Joan", "zertz", "Yes"),
    "My name is Sue.\nI want to try lines of action": ("Sue", "loa", "yes please"),
    "sono Teo, vorrei provare Emergo": ("Teo", "emergo", "Sì"),
    "Mi chiamo Ada e mi piacerebbe giocare a Gemma": ("Ada", "gemma", "sì, grazie"),
}
NAMELESS = {
    "Hello, I'd like to try Zertz": ("zertz", "Yes"),
    "i want to plai zertz": ("zertz", "YES"),
    "I wanna plya zertz": ("zertz", "YES"),
    "I want to play zerts": ("zertz", "ok"),
    "can i paly loa": ("loa", "Yes please"),
    "vorei giocare a emergo": ("emergo", "Sì"),
    "voglio giocre a zertz": ("zertz", "sì"),
}


@pytest.fixture
def owen(post: Post) -> Correspondent:
    return Correspondent(post, "Owen", "owen.price@example.org")


@pytest.fixture
def joan(owen: Correspondent) -> Correspondent:
    owen.writes("Hi, I'm Joan, I'd like to play Zertz")
    return owen


def plays(owen: Correspondent, dmarc: str) -> None:
    """The third email, and the first move."""
    match = Match.objects.get()
    move = any_move(match, Player.objects.people().get().language)
    assert owen.answers(owen.letter, move, dmarc=dmarc).verdict == "ok"
    assert match.live_turns().count() == 1
    assert owen.post.written == 3


@pytest.mark.parametrize("body", NAMED)
def test_the_question_says_what_a_yes_begins_and_the_third_email_is_a_move(
    owen: Correspondent, dmarc: str, body: str
) -> None:
    name, game, yes = NAMED[body]
    owen.writes(body, dmarc=dmarc)
    [question] = owen.reads()
    assert f"Robot-1 {game} " in question.text
    assert not Match.objects.exists()
    assert owen.answers(question, yes, dmarc=dmarc).verdict == "ok"
    [begun] = owen.reads()
    assert begun.text.startswith(("Your turn", "Tocca a te"))
    assert "writes" not in begun.text
    assert (Player.objects.people().get().name, Match.objects.get().game_name) == (name, game)
    plays(owen, dmarc)


@pytest.mark.parametrize("body", NAMELESS)
def test_a_yes_to_the_introduction_begins_a_match_of_the_game_that_was_named(
    owen: Correspondent, dmarc: str, body: str
) -> None:
    game, yes = NAMELESS[body]
    owen.writes(body, dmarc=dmarc)
    [introduction] = owen.reads()
    assert ("with YES alone" if yes.isascii() else "con un semplice SÌ") in " ".join(
        introduction.text.split()
    )
    assert owen.answers(introduction, yes, dmarc=dmarc).verdict == "ok"
    assert (Player.objects.people().get().name, Match.objects.get().game_name) == ("Owen", game)
    plays(owen, dmarc)


def test_a_friend_in_the_answer_takes_the_place_of_the_robot(joan: Correspondent) -> None:
    joan.answers(joan.letter, f"YES\nCHALLENGE {FRIEND} zertz")
    assert Invitation.objects.get().address == FRIEND
    assert not Match.objects.exists()


def test_so_does_an_open_offer(joan: Correspondent) -> None:
    joan.answers(joan.letter, "YES\nOFFER zertz")
    assert Seek.objects.get().game_name == "zertz"
    assert not Match.objects.exists()


@pytest.mark.parametrize(
    ("answer", "name", "game"),
    [
        ("Yes, but emergo", "Joan", "emergo"),
        ("Yes please, I'd love to play zertz", "Joan", "zertz"),
        ("Yes, call me Joanna", "Joanna", "zertz"),
    ],
)
def test_what_a_sentence_says_of_name_or_game_is_asked_about(
    joan: Correspondent, answer: str, name: str, game: str
) -> None:
    joan.answers(joan.letter, answer)
    assert not Player.objects.people().exists()
    joan.answers(joan.letter, "YES")
    assert (Player.objects.people().get().name, Match.objects.get().game_name) == (name, game)
    assert not Seek.objects.exists()


def test_a_yes_may_say_another_name(joan: Correspondent) -> None:
    joan.answers(joan.letter, "YES Joanna")
    assert (Player.objects.people().get().name, Match.objects.get().game_name) == ("Joanna", "zertz")


def test_a_name_alone_in_the_introduction_s_answer_begins_nothing_more(owen: Correspondent) -> None:
    owen.writes("Hello, I'd like to try Zertz")
    owen.answers(owen.letter, "REGISTER Owen")
    assert Player.objects.called("Owen")
    assert not Match.objects.exists()


def test_a_question_asked_again_still_says_it(joan: Correspondent) -> None:
    joan.answers(joan.letter, "Hm, let me think about that for a while")
    assert "    CHALLENGE Robot-1 zertz first" in joan.letter.text
    assert "    CHALLENGE friend@example.org zertz" in joan.letter.text
    joan.answers(joan.letter, "YES")
    assert Match.objects.get().game_name == "zertz"


def test_no_begins_nothing(joan: Correspondent) -> None:
    joan.answers(joan.letter, "No")
    assert not Player.objects.people().exists()
    assert not Match.objects.exists()


def test_without_robots_the_match_is_offered_to_anybody(owen: Correspondent) -> None:
    Player.objects.robots().delete()
    owen.writes("sono Teo, vorrei provare Emergo")
    assert "    OFFRO emergo" in owen.letter.text
    owen.answers(owen.letter, "Sì")
    assert Seek.objects.get().game_name == "emergo"


def test_without_robots_the_introduction_promises_nothing_and_a_yes_begins_nothing(
    owen: Correspondent,
) -> None:
    Player.objects.robots().delete()
    owen.writes("Hello, I'd like to try Zertz")
    owen.answers(owen.letter, "Yes")
    assert Player.objects.called("Owen")
    assert not Seek.objects.exists()


def test_an_introduction_that_comes_again_still_says_what_a_yes_does(owen: Correspondent) -> None:
    owen.writes("Hello, I'd like to try Zertz")
    owen.answers(owen.letter, "Hm, what is that?")
    assert owen.letter.kind == "invitation"
    assert "with YES alone" in " ".join(owen.letter.text.split())
    assert "CHALLENGE Robot-1 zertz" in owen.letter.text


@pytest.mark.parametrize(
    "body", ["I'm Joan. I don't want to play zertz any more", "I'm Joan, how do you do?"]
)
def test_who_asks_for_no_game_is_proposed_none(owen: Correspondent, body: str) -> None:
    owen.writes(body)
    assert not any("YES also" in letter.text for letter in owen.letters)


@pytest.mark.parametrize(
    "answer",
    [
        "Yes I am Joan. But no robot! Only people.",
        "Yes, but not against a computer",
        "yes please. Only humans.",
        "Yes, without the robot please",
        "Sì, ma niente robot",
        "Sì! Non contro un computer però.",
    ],
)
def test_a_yes_without_the_robot_is_asked_about_the_name_alone(joan: Correspondent, answer: str) -> None:
    """A yes that denies a part of what was asked begins none of it."""
    joan.answers(joan.letter, answer)
    assert not Player.objects.people().exists()
    assert "Robot-1" not in joan.letter.text
    joan.answers(joan.letter, "Yes")
    assert Player.objects.people().get().name == "Joan"
    assert not Match.objects.exists()


@pytest.mark.parametrize("body", ["i want to plai zertz, no robot", "Vorrei giocare a zertz, ma senza robot"])
def test_who_wants_no_robot_from_the_start_is_proposed_none(owen: Correspondent, body: str) -> None:
    owen.writes(body)
    owen.answers(owen.letter, "Yes")
    assert Player.objects.people().get().name == "Owen"
    assert not Match.objects.exists()
