"""Conditional moves by letters: said, hidden, played in a cascade, listed, taken away, mailed back."""

from collections.abc import Callable
from itertools import islice
from urllib.parse import quote

import pytest

from pbem.matches.models import ConditionalLine, Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post
from tests.players_fixtures import moves

Begin = Callable[..., Match]


def test_said_below_the_move_and_played_when_the_reply_comes(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    said = "b1-b3\nIF a2-c2 THEN b3-b1 IF c2-a2 THEN g1-g3\nif a5-c5 then b3-b1\nGood luck, Bruno!"
    assert alice.answers(alice.letter, said).verdict == "ok"
    [receipt] = alice.reads()
    assert receipt.kind == "played"
    for line in ("IF a2-c2 THEN b3-b1", "1.    IF c2-a2 THEN g1-g3", "2. IF a5-c5 THEN b3-b1"):
        assert f"{line}\r\n" in receipt.text
    [turn] = bruno.reads()
    assert "Good luck, Bruno!" in turn.text
    assert "THEN" not in turn.text
    assert "ALLORA" not in turn.text
    assert bruno.answers(turn, "a2-c2").verdict == "ok"
    assert moves(loa) == ["b1-b3", "a2-c2", "b3-b1"]
    [told] = bruno.reads()
    assert told.kind == "cascade"
    assert "1... Bruno: a2-c2" in told.text
    assert "2. Alice: b3-b1 (prevista)" in told.text
    assert "Tocca a te" in told.text
    [answered] = alice.reads()
    assert "2. Alice: b3-b1 (as you had planned)" in answered.text
    assert bruno.answers(told, "c2-a2").verdict == "ok"
    assert moves(loa)[3:] == ["c2-a2", "g1-g3"]


def test_in_italian_and_in_answer_to_the_receipt(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "b1-b3")
    bruno.answers(bruno.letter, "a2-c2")
    receipt = bruno.letter
    assert "\n    SE " not in receipt.text, "who has made few moves has enough to learn"
    assert bruno.answers(receipt, "SE b3-b1 ALLORA c2-a2\nse QUALSIASI allora a5-c5").verdict == "ok"
    assert bruno.letter.kind == "conditionals"
    assert "1. SE b3-b1 ALLORA c2-a2" in bruno.letter.text
    assert "2. SE QUALSIASI ALLORA a5-c5" in bruno.letter.text
    alice.answers(alice.letter, "g1-g3")
    assert moves(loa)[2:] == ["g1-g3", "a5-c5"]
    assert "2... Bruno: a5-c5 (planned)" in alice.letter.text


@pytest.mark.parametrize("line", ["NEXT {}", "Next {}", "POI {}", "IF ANY THEN {}", "SE QUALSIASI ALLORA {}"])
def test_the_next_move_whatever_comes(
    loa: Match, alice: Correspondent, bruno: Correspondent, line: str
) -> None:
    assert alice.answers(alice.letter, "b1-b3\n" + line.format("b3-b1")).verdict == "ok"
    bruno.answers(bruno.letter, "a2-c2")
    assert moves(loa) == ["b1-b3", "a2-c2", "b3-b1"]


def test_one_that_cannot_be_played_is_reported_in_the_turn_letter(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "b1-b3\nNEXT b3-e6")
    bruno.answers(bruno.letter, "a4-c4")
    assert moves(loa) == ["b1-b3", "a4-c4"]
    assert alice.letter.kind == "turn"
    assert "You had planned to answer b3-e6, but that cannot be played here." in " ".join(
        alice.letter.text.split()
    )
    assert "b3-e6" not in bruno.letter.text


def test_listed_and_taken_away(loa: Match, alice: Correspondent, bruno: Correspondent) -> None:
    alice.answers(alice.letter, "b1-b3\nIF a2-c2 THEN b3-b1\nIF a5-c5 THEN b3-b1")
    alice.writes(f"IFS {loa.pk}")
    assert "2. IF a5-c5 THEN b3-b1" in alice.letter.text
    removing = [f"IFS {loa.pk} CLEAR {number}" for number in (1, 2)]
    assert [quote(line) in alice.letter.html for line in removing] == [True, True]
    assert alice.answers(alice.letter, removing[0]).verdict == "ok"
    assert "a2-c2" not in alice.letter.text
    assert alice.answers(alice.letter, "IFS CLEAR 1").verdict == Code.NO_SUCH_LINE
    assert alice.writes("SEQUENZE CANCELLA").verdict == "ok"
    assert f"You have no conditional lines in match {loa.pk}." in alice.letter.text
    bruno.answers(bruno.letter, "a2-c2")
    assert len(moves(loa)) == 2
    assert bruno.answers(bruno.letter, "SEQUENZE").verdict == "ok"
    assert f"Non hai sequenze condizionali nella partita {loa.pk}." in bruno.letter.text


def test_a_slip_is_explained_and_never_told_to_the_opponent(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    lines = ["b1-b3", "IF a2-c2 THEN b3-b9", "IF a2-b9 THEN b3-b1", "IF a2-c2 THEN b3-b1 IF c2-a9 THEN g1-g3"]
    assert alice.answers(alice.letter, "\n".join(lines)).verdict == Code.IMPOSSIBLE_LINE
    assert moves(loa) == ["b1-b3"]
    [told] = alice.reads()
    for slip in ("b3-b9", "a2-b9", "c2-a9"):
        assert f"We read: {slip}" in told.text
    assert not ConditionalLine.objects.exists()
    [turn] = bruno.reads()
    assert "b9" not in turn.text
    assert "a9" not in turn.text


def test_on_ones_own_turn_the_move_comes_first(loa: Match, alice: Correspondent) -> None:
    assert alice.answers(alice.letter, "IF a2-c2 THEN b3-b1").verdict == Code.OWN_MOVE_FIRST
    assert alice.answers(alice.letter, "IF a2-c2 THEN b3-b1\nb1-b3").verdict == "ok"  # below it does as well
    assert ConditionalLine.objects.count() == 1


def test_a_long_line_may_be_broken_by_the_mail_program(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    broken = "IF a2-c2 THEN b3-b1 IF c2-a2 THEN g1-g3 IF\na2-c2 THEN g3-g1"
    assert alice.answers(alice.letter, f"b1-b3\n{broken}").verdict == "ok"
    assert ConditionalLine.objects.get().moves[-2:] == ["a2-c2", "g3-g1"]
    assert not any("g3-g1" in letter.text and "THEN" in letter.text for letter in bruno.reads())


def test_letters_that_cross_each_other(loa: Match, alice: Correspondent, bruno: Correspondent) -> None:
    alice.answers(alice.letter, "b1-b3")
    receipt = alice.letter
    bruno.answers(bruno.letter, "a2-c2")
    assert alice.answers(receipt, "IF a5-c5 THEN b3-b1").verdict == Code.OVERTAKEN
    assert alice.answers(receipt, "IF a2-c2 THEN b3-b1").verdict == "ok"
    assert moves(loa) == ["b1-b3", "a2-c2", "b3-b1"]
    assert bruno.letter.kind == "cascade"


def test_what_was_never_played_comes_back_with_the_result(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "b1-b3\nIF a2-c2 THEN b3-b1 IF c2-a2 THEN g1-g3\nIF a5-c5 THEN b3-b1")
    bruno.answers(bruno.letter, "a2-c2")
    bruno.answers(bruno.letter, "ABBANDONO")
    bruno.answers(bruno.letter, "SÌ ABBANDONO")
    result = alice.letter
    assert result.kind == "result"
    assert "1... IF a2-c2 THEN b3-b1 IF c2-a2 THEN g1-g3" in result.text
    assert "1... IF a5-c5 THEN b3-b1" in result.text
    assert "a5-c5" not in bruno.letter.text


def test_nobody_else_sees_or_touches_them(
    loa: Match, alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    alice.answers(alice.letter, "b1-b3\nIF a2-c2 THEN b3-b1")
    for line in (f"IFS {loa.pk}", f"IFS {loa.pk} CLEAR", f"{loa.pk} IF a2-c2 THEN b3-b1"):
        assert charlie.writes(line).verdict in (Code.NO_SUCH_MATCH, Code.NO_MOVE_FOUND)
    assert bruno.writes(f"IFS {loa.pk} CLEAR").verdict == Code.NO_SUCH_LINE
    assert not any("b3-b1" in letter.text for who in (bruno, charlie) for letter in who.letters)
    assert ConditionalLine.objects.get().fate == ""


@pytest.mark.prove
def test_more_than_a_hundred_lines_in_one_letter(zertz: Match, alice: Correspondent) -> None:
    position = zertz.current()
    first = next(position.moves())
    after = position.play(first)
    lines = [
        f"IF {reply} THEN {next(after.play(reply).moves())}" for reply in islice(after.moves(), 0, 1000, 9)
    ]
    assert len(lines) > 100
    assert alice.answers(alice.letter, "\n".join([str(first), *lines])).verdict == "ok"
    assert ConditionalLine.objects.filter(fate="").count() == len(lines)


def test_a_match_may_agree_that_only_moves_are_played(alice: Correspondent, bruno: Correspondent) -> None:
    bruno.writes("SFIDA Alice zertz secondo forzate")
    assert "Where only one move is legal, it is played for you." in " ".join(alice.letter.text.split())
    alice.answers(alice.letter, "YES")
    alice.answers(alice.letter, "Wa1,g7")
    bruno.answers(bruno.letter, "Nb2,g6")
    assert moves(Match.objects.get()) == ["Wa1,g7", "Bb2,g6", "a1xc3"]
    assert "2. Alice: a1xc3 (the only legal move)" in alice.letter.text
    assert "2. Alice: a1xc3 (l'unica mossa possibile)" in bruno.letter.text
    assert "Tocca a te" in bruno.letter.text


def test_a_letter_that_is_not_believed_at_once_is_asked_about(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "b1-b3")
    assert alice.writes("IF a2-c2 THEN b3-b1", dmarc="").verdict == Code.CONFIRM_NEEDED
    assert not ConditionalLine.objects.exists()
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    bruno.answers(bruno.letter, "a2-c2")
    assert moves(loa) == ["b1-b3", "a2-c2", "b3-b1"]


def test_a_line_that_comes_late_is_played_if_it_fits_and_comes_back_with_the_board_if_not(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "b1-b3")
    receipt = alice.letter
    bruno.answers(bruno.letter, "a2-c2")
    with post.undone():
        assert alice.answers(receipt, "IF a2-c2 THEN g1-g3").verdict == "ok"
        assert [turn.move for turn in loa.live_turns()] == ["b1-b3", "a2-c2", "g1-g3"]
    assert alice.answers(receipt, "IF h2-f2 THEN g1-g3").verdict == Code.OVERTAKEN
    assert "    h2-f2 → g1-g3" in alice.letter.text
    assert alice.answers(alice.letter, "g1-g3").verdict == "ok", "on the board that came with it"
