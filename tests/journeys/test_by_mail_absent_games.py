"""Somebody asks for a game that is not played here, and is told so, with the nearest of ours."""

import pytest

from pbem.inbox.commands.absent_games import asked_for
from tests.mail_fixtures import Correspondent, Post, registered

ASKED = {
    "do you have draughts?": ("Draughts is not played here.", "Bashni"),
    "Hi! Have you got checkers": ("Checkers is not played here.", "Bashni"),
    "Can I play chess here?": ("Chess is not played here.", "Trapdoor Chess"),
    "I'd like to play go": ("Go is not played here.", ""),
    "avete la dama?": ("Dama: a questo gioco qui non si gioca.", "Bashni"),
    "Salve, vorrei giocare a scacchi": ("Scacchi: a questo gioco qui non si gioca.", "Scacchi Trabocchetto"),
    "Si gioca anche a go?": ("Go: a questo gioco qui non si gioca.", ""),
}
NEAREST = {"en": "The nearest is", "it": "Il più vicino è"}
TALK = [
    "I used to play chess with my father",
    "can I go to the rules?",
    "Do you have to go?",
    "Do you have any other game like zertz or chess?",
    "Ieri ho giocato a dama con mio nonno",
    "La dama era chiusa",
    "Buy chess sets at www.example.com, do you have chess?",
]


def language(body: str) -> str:
    return "it" if "gioco" in ASKED[body][0] else "en"


@pytest.mark.parametrize("dmarc", ["pass", "none"])
@pytest.mark.parametrize("body", ASKED)
def test_a_stranger_is_told_in_their_language(post: Post, body: str, dmarc: str) -> None:
    owen = Correspondent(post, "Owen", "owen@example.net")
    owen.writes(body, dmarc=dmarc)
    [letter] = owen.reads()
    is_told(letter.text, body)
    assert "zertz" in letter.text


@pytest.mark.parametrize("body", ASKED)
def test_so_is_a_player(post: Post, body: str) -> None:
    carla = registered(post, "Carla", language(body))
    assert carla.writes(body).verdict == "ok"
    [letter] = carla.reads()
    assert letter.kind == "about"
    is_told(letter.text, body)


@pytest.mark.parametrize("subject", ["do you have draughts?", "avete la dama?"])
def test_the_subject_asks_as_well(post: Post, subject: str) -> None:
    carla = registered(post, "Carla", "en")
    carla.writes("Hello", subject=subject)
    assert carla.letter.kind == "about"


def test_an_opponent_who_is_asked_gets_the_question(alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("CHALLENGE Bruno loa")
    bruno.answers(bruno.letter, "YES")
    assert alice.answers(alice.letter, "Do you play chess?").verdict == "ok"
    assert "  | Do you play chess?" in bruno.letter.text


@pytest.mark.parametrize("said", TALK)
def test_what_is_told_of_games_asks_for_none(said: str) -> None:
    assert asked_for([said]) is None


def is_told(text: str, body: str) -> None:
    said, nearest = ASKED[body]
    flat = " ".join(text.split())
    assert said in flat
    assert (f"{NEAREST[language(body)]} {nearest}:" in flat) == bool(nearest)
