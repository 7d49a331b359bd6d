"""Neither YES nor NO to a question of ours: it stays, comes again under its match, and can still be answered."""

from collections.abc import Callable

import pytest

from pbem.inbox.models import Confirmation
from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent

Begin = Callable[..., Match]


def text(who: Correspondent) -> str:
    return who.letter.text.replace("\r\n", "\n")


@pytest.mark.parametrize("said", ["hmm", "what?", "Yes but what happens then?"])
def test_a_move_that_is_asked_about_waits_for_a_plain_answer(
    begin: Begin, alice: Correspondent, said: str
) -> None:
    match = begin("loa")
    assert alice.answers(alice.letter, "then b1-b3").verdict == Code.CONFIRM_NEEDED
    for _ in range(3):
        assert alice.answers(alice.letter, said).verdict == Code.NO_MOVE_FOUND
        assert alice.letter.subject == str(match)
        assert "answer only YES" in text(alice)
        assert "\n    b1-b3\n" in text(alice)
    assert Confirmation.objects.get().used_at is None
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert [turn.move for turn in match.live_turns()] == ["b1-b3"]


def test_a_move_that_is_asked_about_waits_while_something_else_is_read(
    begin: Begin, alice: Correspondent
) -> None:
    match = begin("loa")
    assert alice.answers(alice.letter, "then b1-b3").verdict == Code.CONFIRM_NEEDED
    question = alice.letter
    assert alice.answers(question, "please stop these emails").verdict == Code.CONFIRM_NEEDED
    assert "YES STOP" in alice.letter.text
    assert alice.answers(question, "YES").verdict == "ok"
    assert [turn.move for turn in match.live_turns()] == ["b1-b3"]


def test_a_first_move_that_is_asked_about_is_not_forgotten(
    alice: Correspondent, bruno: Correspondent
) -> None:
    assert alice.writes("CHALLENGE carla@example.org loa second").verdict == "ok"
    carla = Correspondent(alice.post, "Carla", "carla@example.org")
    assert carla.answers(carla.letter, "then b1-b3").verdict == Code.CONFIRM_NEEDED
    carla.answers(carla.letter, "hmm")
    assert "We could not tell" in text(carla)
    assert "    b1-b3" in text(carla)
    assert carla.answers(carla.letter, "YES").verdict == "ok"
    assert [turn.move for turn in Match.objects.get().live_turns()] == ["b1-b3"]


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("Ti va la patta?", "Così accetti la patta che Alice propone: la partita finisce patta."),
        ("facciamo patta per favore?", "Così accetti la patta che Alice propone: la partita finisce patta."),
    ],
)
def test_a_draw_that_the_opponent_offers_is_accepted(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str, sentence: str
) -> None:
    match = begin("loa")
    alice.answers(alice.letter, "b1-b3\nDRAW")
    assert bruno.answers(bruno.letter, said).verdict == Code.CONFIRM_NEEDED
    read = " ".join(text(bruno).split())
    assert sentence in read
    assert "PATTA: Propone" not in read
    assert bruno.answers(bruno.letter, "SÌ PATTA").verdict == "ok"
    match.refresh_from_db()
    assert match.status == Match.Status.OVER


@pytest.mark.parametrize(
    ("who", "said", "sentence"),
    [
        ("alice", "Draw?", "A YES offers Bruno a draw in match [{}]."),
        ("bruno", "Patta?", "Un SÌ propone patta ad Alice nella partita [{}]."),
        ("alice", "remtch", "A YES asks Bruno for a return match after match [{}]."),
        ("alice", "b1-b3, draw?", "A YES plays the move in match [{}]."),
        (
            "bruno",
            "vorrei ritirare la mossa",
            "Un SÌ chiede ad Alice se puoi ritirare la tua ultima mossa nella partita [{}].",
        ),
    ],
)
def test_what_a_yes_does_is_said_in_a_sentence(
    request: pytest.FixtureRequest, begin: Begin, who: str, said: str, sentence: str
) -> None:
    match, writer = begin("loa"), request.getfixturevalue(who)
    assert writer.answers(writer.letter, said).verdict == Code.CONFIRM_NEEDED
    assert sentence.format(match.pk) in " ".join(text(writer).split())


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("I'd like to play zertz with Bruno", "A YES challenges Bruno to a match of Zèrtz."),
        ("I'd like to play zertz with someone", "A YES offers a match of Zèrtz to everybody."),
        ("please stop these emails", "A YES stops these letters to you."),
    ],
)
def test_the_same_of_what_is_about_no_match(
    alice: Correspondent, bruno: Correspondent, said: str, sentence: str
) -> None:
    assert alice.writes(said).verdict == Code.CONFIRM_NEEDED
    assert sentence in " ".join(text(alice).split())


@pytest.mark.parametrize(
    ("said", "clock"),
    [
        ("I'd like to play zertz with Bruno", "Clock: league, which is 10 days"),
        ("I'd like to play zertz with Bruno, five days per move", "5 days for each move."),
    ],
)
def test_the_clock_of_a_match_that_a_yes_begins_is_said_in_words(
    alice: Correspondent, bruno: Correspondent, said: str, clock: str
) -> None:
    assert alice.writes(said).verdict == Code.CONFIRM_NEEDED
    assert clock in " ".join(text(alice).split())
