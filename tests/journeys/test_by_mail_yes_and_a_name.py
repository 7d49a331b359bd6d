"""The answers to `Please confirm`: a yes in people's own words, the name they want, and their questions."""

from __future__ import annotations

import pytest

from pbem.inbox.models import Confirmation
from pbem.matches.models import Match
from pbem.players.models import Player
from tests.post import Correspondent, Post

NAMED = {
    "YES Victor": "Victor",
    "YES Kevin": "Kevin",
    "YES Mary-Ann": "Mary-Ann",
    "YES\nRexy": "Rexy",
    "Yes, Beatrice please": "Beatrice",
    "yes but my name is Kevin": "Kevin",
    "Yes please. But I'd like to be called NinaH if that's possible.": "NinaH",
    "Yes. Please call me NinaH.": "NinaH",
    "Sì, ma chiamatemi Giuseppe per favore": "Giuseppe",
    "SÌ Giuseppe": "Giuseppe",
    "Sì, Beatrice per favore": "Beatrice",
    "Sì, confermo. Mi chiami pure Bassi.": "Bassi",
    "Sì! Chiamatemi semplicemente Bassi": "Bassi",
    "Yes. Call me just Bassi.": "Bassi",
}
IN_SMALL_LETTERS = {
    "yes, victor": "Victor",
    "yes, call me victor": "Victor",
    "yes my name is victor": "Victor",
    "yes\nvictor": "Victor",
    "sì, teo": "Teo",
    "sì, mi chiamo teo": "Teo",
    "sì mi chiamo teo, grazie": "Teo",
    "sì ma chiamatemi teo": "Teo",
}
AS_PROPOSED = [
    "Yes, I'm Joan. Looking forward to it!",
    "Yes, I wrote it.",
    "Yes, I wrote it. Please add for Gus: the hedge can wait!",
    "Sì, sono io.",
    "Sì, sono io",
    "Sì, sono io, confermo volentieri. Grazie!",
    "Certo! Ma quanto dura una partita?",
    "Sì ma non so se sono capace",
    "Certo che sono io, il nome va bene",
    "Of course it's me, the name is fine",
    "siii",
    "sii",
    "okkk 😀👍 ci sto!",
    "yeees",
    "yesss!",
    "ok gioca",
    "ok play",
    "Yes, please, but I do not know any of these. What is Lines of Action about?",
]
NO_YES = [
    "Yes? Who are you?",
    "Yes, but wait, I didn't write this",
    "Sì, ma non ora",
    "Who are you?",
    "Yes, but not yet please",
    "Perhaps Victor",
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


@pytest.mark.parametrize("first", [*FIRST, "HELP"])
@pytest.mark.parametrize("body", IN_SMALL_LETTERS)
def test_a_name_in_small_letters_gets_its_capital(joan: Correspondent, first: str, body: str) -> None:
    joan.writes(first)
    assert joan.answers(joan.letter, body).verdict == "ok"
    assert Player.objects.people().get().name == IN_SMALL_LETTERS[body]


@pytest.mark.parametrize("body", ["yes, victor", "sì, mi chiamo victor", "yes, my name is victor"])
def test_so_does_that_of_a_guest(alice: Correspondent, joan: Correspondent, body: str) -> None:
    alice.writes(f"CHALLENGE {joan.email} loa")
    assert joan.answers(joan.letter, body).verdict == "ok"
    assert Player.objects.people().exclude(name="Alice").get().name == "Victor"


@pytest.mark.parametrize("body", ["yes, later", "yes later", "sì, dopo", "Yes, but not now"])
@pytest.mark.parametrize("first", ["REGISTER Joan", "HELP"])
def test_a_word_that_holds_back_is_nobodys_name(joan: Correspondent, first: str, body: str) -> None:
    joan.writes(first)
    joan.answers(joan.letter, body)
    assert not Player.objects.people().exists()


@pytest.mark.parametrize("body", ["sì emergo", "Sì, gemma", "YES emergo", "sì\nemergo"])
def test_a_game_is_nobodys_name(joan: Correspondent, body: str) -> None:
    joan.writes("vorrei giocare")
    joan.answers(joan.letter, body)
    assert [player.name for player in Player.objects.people()] == ["Joan"]


@pytest.mark.parametrize("first", FIRST)
@pytest.mark.parametrize("body", AS_PROPOSED)
def test_a_yes_in_ones_own_words_is_one(joan: Correspondent, first: str, body: str) -> None:
    joan.writes(first)
    assert joan.answers(joan.letter, body).verdict == "ok"
    assert Player.objects.people().get().name == "Joan"
    assert Match.objects.exists() == (first != FIRST[0])


@pytest.mark.parametrize("body", NO_YES)
def test_what_is_held_back_signs_nobody_up(joan: Correspondent, body: str) -> None:
    joan.writes("REGISTER Joan")
    joan.answers(joan.letter, body)
    assert not Player.objects.people().exists()
    assert Confirmation.objects.get().used_at is None


def test_a_question_beside_the_yes_is_answered(joan: Correspondent) -> None:
    joan.writes("REGISTER Joan")
    joan.answers(joan.letter, "Yes, please, but I do not know any of these. What is Lines of Action about?")
    assert "Join all your men" in joan.letter.text


@pytest.mark.parametrize("body", ["Certo! Ma quanto dura una partita?", "Yes. Is it free?"])
def test_a_question_about_us_beside_the_yes_is_answered(joan: Correspondent, body: str) -> None:
    joan.writes("REGISTER Joan")
    joan.answers(joan.letter, body)
    assert "It is free" in joan.letter.text


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
