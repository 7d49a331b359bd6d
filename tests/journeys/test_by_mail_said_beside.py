"""Words around what is meant, in answer to a letter of a match: the move is asked about, and no word is lost."""

from collections.abc import Callable

import pytest

from pbem.matches.models import Match
from pbem.refusals import Code
from tests.post import Correspondent

Begin = Callable[..., Match]


def text(who: Correspondent) -> str:
    return " ".join(who.letter.text.split())


def lines(who: Correspondent) -> list[str]:
    return [line.strip() for line in who.letter.text.replace("\r\n", "\n").split("\n")]


@pytest.mark.parametrize(
    ("said", "arrives"),
    [
        ("b1-b3 ha got you", "| ha got you"),
        ("b1-b3 gl mate", "| gl mate"),
        ("b1 - b3, and my name is Victor, not Vic", "| and my name is Victor, not Vic"),
        ("b1-b3 - Margaret it is!", "| Margaret it is!"),
        ("lovely that it worked! My move is b1-b3.", "| lovely that it worked!"),
        ("Then b1 jumps over b2 to b3.", ""),
        ("I'll take the man on b3 with b1.", ""),
    ],
)
def test_a_move_with_words_is_asked_about_and_the_words_arrive(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str, arrives: str
) -> None:
    match = begin("loa")
    assert alice.answers(alice.letter, said).verdict == Code.CONFIRM_NEEDED
    assert "b1-b3" in lines(alice)
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert [turn.move for turn in match.live_turns()] == ["b1-b3"]
    assert arrives in bruno.letter.text


@pytest.mark.parametrize(
    ("said", "arrives"),
    [("a2-c2 preso ahah", "| preso ahah"), ("a2-c2, speriamo bene", "| speriamo bene")],
)
def test_a_move_with_words_in_italian(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str, arrives: str
) -> None:
    match = begin("loa")
    alice.answers(alice.letter, "b1-b3")
    assert bruno.answers(bruno.letter, said).verdict == Code.CONFIRM_NEEDED
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    assert [turn.move for turn in match.live_turns()] == ["b1-b3", "a2-c2"]
    assert arrives in alice.letter.text


@pytest.mark.parametrize(
    "said", ["b1-b3 would have won", "b1-b3 is what I feared", "you should play b1-b3 mate"]
)
def test_talk_of_a_move_is_no_move(begin: Begin, alice: Correspondent, said: str) -> None:
    begin("loa")
    assert alice.answers(alice.letter, said).verdict in ("ok", Code.NO_MOVE_FOUND)


def test_a_sentence_about_a_move_is_what_was_read(begin: Begin, alice: Correspondent) -> None:
    begin("loa")
    alice.answers(alice.letter, "Dear Sally,\n\nI capture on d4 with the tower.")
    assert "We read: I capture on d4 with the tower." in text(alice)
    assert "Dear Sally" not in text(alice)
