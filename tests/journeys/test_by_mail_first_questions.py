"""What people ask before they are in, and first emails with slips of the pen: each gets an answer that fits it."""

from __future__ import annotations

import pytest

from pbem.matches.models import Seek
from pbem.players.models import Player
from tests.mail_fixtures import Correspondent, Post

QUESTIONS = {
    "Does it cost anything? And do I need to install something on my computer? I am 74 and have never played such "
    "games, which one would you recommend for a beginner?": "It is free",
    "Salve, ho sentito parlare di questo servizio. Quanto costa? Bisogna installare qualcosa?": "È gratis",
    "È gratis? Si può giocare anche a dama?": "È gratis",
}
MISTYPED = [
    "buonasera mi chiamo carla e vorei gicare a zerts con mio marito piero la sua mail e piero@example.net grazie",
    "buonasera vorei gicare a zerts con mio marito piero@example.net",
    "helo i woud like to do some playng with my frend",
]
SOLD = [
    "Would you like to receive our offers? We match your budget: www.example.com",
    "Dear Sir, we would be pleased to help your company grow.",
    "How much does your company pay for its website?",
]


@pytest.fixture
def edith(post: Post) -> Correspondent:
    return Correspondent(post, "Edith", "edith@example.net")


@pytest.mark.parametrize("dmarc", ["pass", "none"])
@pytest.mark.parametrize("body", QUESTIONS)
def test_questions_are_answered_and_name_no_game(edith: Correspondent, body: str, dmarc: str) -> None:
    edith.writes(body, subject="A question", dmarc=dmarc)
    [told] = edith.reads()
    assert told.kind == "invitation"
    assert QUESTIONS[body] in told.text


@pytest.mark.parametrize("first", ["HELP", "REGISTER Edith"])
def test_a_question_in_answer_to_our_letter_is_answered(edith: Correspondent, first: str) -> None:
    edith.writes(first)
    edith.answers(edith.letter, "Un momento, volevo solo sapere quanto costa. È gratis?")
    assert "It is free" in edith.letter.text
    assert not Player.objects.people().exists()


@pytest.mark.parametrize("dmarc", ["pass", "none"])
@pytest.mark.parametrize("body", MISTYPED)
def test_a_mistyped_wish_is_answered(edith: Correspondent, body: str, dmarc: str) -> None:
    edith.writes(body, dmarc=dmarc)
    assert len(edith.kinds()) == 1


@pytest.mark.parametrize("body", SOLD)
def test_what_people_sell_is_not(edith: Correspondent, body: str) -> None:
    edith.writes(body)
    assert edith.kinds() == []


def test_a_title_is_no_name(post: Post) -> None:
    edith = Correspondent(post, "Mrs Edith Crane", "crane@example.net")
    edith.writes("Hello, I'd like to play emergo with the robot")
    edith.answers(edith.letter, "Yes")
    assert Player.objects.people().get().name == "Edith"


def test_nobody_challenges_themselves(edith: Correspondent) -> None:
    edith.writes("C'è qualcuno che vuole giocare a Zertz con me? Mi chiamo Tina.")
    edith.answers(edith.letter, "Sì")
    seek = Seek.objects.get()
    assert (seek.player.name, seek.game_name) == ("Tina", "zertz")


def test_the_game_of_a_first_email_is_kept(edith: Correspondent) -> None:
    edith.writes("hi my name is dot and i wanna play insert")
    assert "insert" in edith.letter.text
    assert "org loa" not in edith.letter.text


SHORT = {
    "Hi there, I'd like to try one of your games. Is there anyone around to play against?": "en",
    "I used to play on Richard's server years ago. Is this similar?": "en",
    "Good evening, I'm Tom and I'm interested.": "en",
    "Hi, sounds fun!": "en",
    "Hello?": "en",
    "Please send me the instructions.": "en",
    "Salve, mi ha parlato di voi un amico. Che devo fare?": "it",
    "Come si partecipa?": "it",
    "Ciao": "it",
    "Mandatemi le istruzioni per favore": "it",
    "Sono un principiante, da dove parto?": "it",
    "Mettetemi in lista per il torneo": "it",
}


@pytest.mark.parametrize("dmarc", ["pass", "none"])
@pytest.mark.parametrize("body", SHORT)
def test_whoever_writes_a_few_words_is_told_how_to_begin(edith: Correspondent, body: str, dmarc: str) -> None:
    edith.writes(body, subject="Hello", dmarc=dmarc)
    [told] = edith.reads()
    assert told.kind in ("invitation", "signup")
    assert ("rispondi sopra" if SHORT[body] == "it" else "answer above") in told.text


@pytest.mark.parametrize(
    "body",
    [
        "Would you like to receive our offers?",
        "I am Mrs. Susan, I have a proposal for you, please reply.",
        "I want to buy your domain name",
        "I came across your site and noticed some errors. May I send you a report?",
        "Le proponiamo un preventivo gratuito, mi risponda",
    ],
)
def test_a_few_words_that_sell_are_not_answered(edith: Correspondent, body: str) -> None:
    edith.writes(body)
    assert edith.kinds() == []


def test_whoever_goes_on_in_another_language_is_answered_in_it(edith: Correspondent) -> None:
    edith.writes("Hello?")
    edith.answers(edith.letter, "vorrei giocare a scacchi trabocchetto contro il computer")
    assert "rispondi sopra" in edith.letter.text
