"""What somebody says to a robot, which reads no words: we answer a question, and the letters promise no more."""

import pytest

from pbem.matches.models import Match
from tests.journeys.test_by_mail_robots import thinks
from tests.mail_fixtures import Correspondent, Post


def text(who: Correspondent) -> str:
    return " ".join(who.letter.text.split())


@pytest.fixture
def match(alice: Correspondent, bruno: Correspondent, post: Post) -> Match:
    bruno.writes("SFIDA Robot-1 loa primo")
    thinks(post)
    assert "la legge Robot-1" not in text(bruno)
    return Match.objects.get()


@pytest.mark.parametrize(
    "said",
    [
        "ma si può saltare anche indietro?",
        "che cosa succede se la riga è piena?",
        "can I jump backwards too?",
        "is capturing backwards possible?",
    ],
)
def test_a_question_brings_the_rules(match: Match, bruno: Correspondent, said: str) -> None:
    assert bruno.answers(bruno.letter, said).verdict == "ok"
    assert "Riunisci tutte le tue pedine" in bruno.letter.text
    assert "in viaggio" not in text(bruno)


@pytest.mark.parametrize(
    "said", ["b1-b3\nMa le linee che cosa vogliono dire?", "b1-b3\nWhat do the lines mean?"]
)
def test_beside_a_move_it_brings_them_below_the_move(match: Match, bruno: Correspondent, said: str) -> None:
    assert bruno.answers(bruno.letter, said).verdict == "ok"
    assert bruno.letter.kind == "played"
    assert "Riunisci tutte le tue pedine" in bruno.letter.text


def test_the_words_of_a_question_go_to_no_robot(match: Match, bruno: Correspondent) -> None:
    bruno.answers(bruno.letter, "b1-b3. Ma le linee che cosa vogliono dire?")
    assert "Riunisci tutte le tue pedine" in bruno.letter.text
    assert "parole per Robot-1" not in text(bruno)


def test_who_tells_it_something_hears_that_nobody_reads_it(match: Match, bruno: Correspondent) -> None:
    bruno.answers(bruno.letter, "Bella mossa, ma stavolta ti faccio vedere io come si fa.")
    assert "è un programma e non legge parole" in text(bruno)


def test_a_question_under_a_move_is_told_in_the_first_line(match: Match, bruno: Correspondent) -> None:
    bruno.answers(bruno.letter, "b1-b3\nPatta?")
    assert "più sotto una domanda aspetta il tuo SÌ" in text(bruno).partition("Bruno muove")[0]


def test_a_draw_with_a_move_is_no_question_about_playing(match: Match, bruno: Correspondent) -> None:
    bruno.answers(bruno.letter, "b1-b3, patta?")
    assert "Rispondi SÌ per farlo" in text(bruno)
    assert "per giocarla" not in text(bruno)


@pytest.mark.parametrize("said", ["DICO: Bella mossa!", "SAY well played, my friend", "DICO 1: ciao"])
def test_a_message_to_it_is_not_on_its_way(match: Match, bruno: Correspondent, said: str) -> None:
    assert bruno.answers(bruno.letter, said.replace("1", str(match.pk))).verdict == "ok"
    assert "in viaggio" not in text(bruno)
    assert "è un programma e non legge parole" in text(bruno)


def test_words_below_a_move_that_names_its_match_go_to_no_robot(match: Match, bruno: Correspondent) -> None:
    bruno.writes(f"{match.pk} b1-b3\nStavolta ti faccio vedere io come si gioca, caro mio")
    if bruno.letter.kind == "confirm":
        bruno.answers(bruno.letter, "SÌ")
    assert "Hai aggiunto" not in text(bruno)
    assert "è un programma e non legge parole" in text(bruno)


def test_words_beside_a_move_that_names_no_match_wait_for_no_robot(
    match: Match, bruno: Correspondent
) -> None:
    bruno.writes("b1-b3. Ciao robot, oggi vinco io senza dubbio alcuno!")
    assert "è un programma e non legge parole" in text(bruno)
    assert "E le tue parole per" not in text(bruno)
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    assert [turn.move for turn in match.live_turns()][:1] == ["b1-b3"]


@pytest.mark.parametrize(
    "said", ["b1-b3\nhow much time have I got by the way?", "b1-b3\nquanto tempo mi resta?"]
)
def test_a_question_about_the_time_brings_the_clocks_and_no_rules(
    match: Match, bruno: Correspondent, said: str
) -> None:
    assert bruno.answers(bruno.letter, said).verdict == "ok"
    assert "orolog" in bruno.letter.text.casefold()
    assert "Riunisci tutte le tue pedine" not in bruno.letter.text
