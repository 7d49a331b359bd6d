"""The answers to `Please confirm`: a yes, the name they want, sentences that are neither, and their questions."""

from __future__ import annotations

import pytest

from pbem.inbox.models import Confirmation
from pbem.matches.models import Match
from pbem.players.models import Player
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post

NAMED = {
    "YES Victor": "Victor",
    "YES Mary-Ann": "Mary-Ann",
    "YES Beatrice please": "Beatrice",
    "SÌ Giuseppe": "Giuseppe",
    "yes, joan": "Joan",
}
IN_A_SENTENCE = {
    "YES\nRexy": "Rexy",
    "Yes, Beatrice": "Beatrice",
    "Yes, my name is Kevin": "Kevin",
    "Yes please. But I'd like to be called NinaH if that's possible.": "NinaH",
    "Sì, confermo. Mi chiami pure Bassi.": "Bassi",
}
IN_SMALL_LETTERS = {
    "yes, victor": "Victor",
    "yes my name is victor": "Victor",
    "yes\nvictor": "Victor",
    "sì, mi chiamo teo": "Teo",
}
AS_PROPOSED = ["yes please\n\nLooking forward to it!", "Confermo", "Sì, grazie!", "ok"]
NO_YES = [
    "Yes? Who are you?",
    "Yes, but wait, I didn't write this",
    "Sì, ma non ora",
    "Who are you?",
    "Perhaps Victor",
    "Yes, I wrote it.",
    "Sì, sono io",
    "Of course it's me, the name is fine",
    "Sì ma non so se sono capace",
    "ok play",
    "siii",
]
FIRST = [
    "REGISTER Joan",
    "Hi, I'm Joan. I'd like to play emergo against the robot",
    "REGISTER Joan\nCHALLENGE Robot-1 loa",
]


@pytest.fixture
def joan(post: Post) -> Correspondent:
    return Correspondent(post, "Joan", "joan@example.net")


@pytest.mark.parametrize("dmarc", ["pass", "none"])
@pytest.mark.parametrize("first", FIRST)
@pytest.mark.parametrize("body", NAMED)
def test_a_name_behind_the_yes_is_theirs_whatever_we_proposed(
    joan: Correspondent, first: str, body: str, dmarc: str
) -> None:
    joan.writes(first, dmarc=dmarc)
    assert joan.answers(joan.letter, body, dmarc=dmarc).verdict == "ok"
    assert Player.objects.people().get().name == NAMED[body]
    assert Match.objects.exists() == (first != FIRST[0])


@pytest.mark.parametrize("first", FIRST)
@pytest.mark.parametrize("body", IN_A_SENTENCE)
def test_a_name_in_a_sentence_is_asked_about(joan: Correspondent, first: str, body: str) -> None:
    joan.writes(first)
    assert joan.answers(joan.letter, body).verdict == Code.CONFIRM_NEEDED
    assert not Player.objects.people().exists()
    joan.answers(joan.letter, "YES")
    assert Player.objects.people().get().name == IN_A_SENTENCE[body]
    assert Match.objects.exists() == (first != FIRST[0])


@pytest.mark.parametrize("first", ["REGISTER Joan", "HELP"])
@pytest.mark.parametrize("body", IN_SMALL_LETTERS)
def test_a_name_in_small_letters_is_asked_about_with_its_capital(
    joan: Correspondent, first: str, body: str
) -> None:
    joan.writes(first)
    assert joan.answers(joan.letter, body).verdict == Code.CONFIRM_NEEDED
    joan.answers(joan.letter, "YES")
    assert Player.objects.people().get().name == IN_SMALL_LETTERS[body]


def test_so_is_that_of_a_guest(alice: Correspondent, joan: Correspondent) -> None:
    alice.writes(f"CHALLENGE {joan.email} loa")
    joan.answers(joan.letter, "Yes, my name is Victor")
    assert not Match.objects.exists()
    assert joan.answers(joan.letter, "YES").verdict == "ok"
    assert Player.objects.people().exclude(name="Alice").get().name == "Victor"


@pytest.mark.parametrize("body", ["yes, later", "yes later", "sì, dopo", "Yes, but not now"])
@pytest.mark.parametrize("first", ["REGISTER Joan", "HELP"])
def test_a_word_that_holds_back_is_nobodys_name(joan: Correspondent, first: str, body: str) -> None:
    joan.writes(first)
    joan.answers(joan.letter, body)
    assert not Player.objects.people().exists()


@pytest.mark.parametrize("body", ["sì emergo", "Sì, gemma", "YES emergo", "sì\nemergo"])
def test_a_game_is_nobodys_name_and_yes_is_none(joan: Correspondent, body: str) -> None:
    joan.writes("vorrei giocare")
    joan.answers(joan.letter, body)
    assert {player.name for player in Player.objects.people()} <= {"Joan"}
    said = [line for asked in Confirmation.objects.all() for line in asked.lines]
    assert not [line for line in said if line.startswith(("SFIDA Sì", "CHALLENGE YES"))]


@pytest.mark.parametrize("first", FIRST)
@pytest.mark.parametrize("body", AS_PROPOSED)
def test_a_plain_yes_takes_the_name_that_we_proposed(joan: Correspondent, first: str, body: str) -> None:
    joan.writes(first)
    assert joan.answers(joan.letter, body).verdict == "ok"
    assert Player.objects.people().get().name == "Joan"
    assert Match.objects.exists() == (first != FIRST[0])


@pytest.mark.parametrize("body", NO_YES)
def test_what_is_held_back_or_said_in_a_sentence_signs_nobody_up(joan: Correspondent, body: str) -> None:
    joan.writes("REGISTER Joan")
    joan.answers(joan.letter, body)
    assert not Player.objects.people().exists()
    assert Confirmation.objects.get().used_at is None


@pytest.mark.parametrize("body", ["Certo! Ma quanto dura una partita?", "Yes. Is it free?"])
def test_a_question_about_us_beside_the_yes_is_answered(joan: Correspondent, body: str) -> None:
    joan.writes("REGISTER Joan")
    joan.answers(joan.letter, body)
    assert "It is free" in joan.letter.text
    assert not Player.objects.people().exists()


TERMS = {
    "Sì, sono io, ma senza orologio per favore.": "senza-orologio",
    "Sì, ma comincio io": "primo",
    "Va bene, ma cominciando io": "primo",
    "Yes, it's me, but without a clock please.": "senza-orologio",
    "Yes, but I'll start": "primo",
}


@pytest.mark.parametrize("body", TERMS)
def test_a_yes_with_other_terms_is_asked_about(joan: Correspondent, body: str) -> None:
    joan.writes("ISCRIVIMI Joan\nSFIDA beppe@example.net emergo")
    joan.answers(joan.letter, body)
    assert not Player.objects.people().exists()
    assert f"SFIDA beppe@example.net emergo {TERMS[body]}" in joan.letter.text
    assert joan.answers(joan.letter, "SÌ").verdict == "ok"
    assert Confirmation.objects.get().lines[-1].endswith(TERMS[body])
