"""A match by letters: moves in two languages, slips, offers, resignation, talk."""

from collections.abc import Callable

import pytest

from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post
from tests.players_fixtures import moves

Begin = Callable[..., Match]


def test_each_writes_in_his_own_language(zertz: Match, alice: Correspondent, bruno: Correspondent) -> None:
    """B is black for Alice and bianca for Bruno."""
    alice.answers(alice.letter, "Bd4, a1")
    bruno.answers(bruno.letter, "Be5, a2")
    assert moves(zertz) == ["Bd4,a1", "We5,a2"]
    assert "Nd4" in bruno.letters[-2].text
    assert "We5" in alice.letter.text


@pytest.mark.parametrize("written", ["Wd4, a1", "wd4 a1", "MOVE Wd4,a1", "1 Wd4,a1", "Wd4–a1.", "Wd4,a1#1"])
def test_the_ways_to_write_a_move(zertz: Match, alice: Correspondent, written: str) -> None:
    number = str(zertz.pk)
    written = f"{number}{written[1:]}" if written[0] == "1" else written
    assert alice.answers(alice.letter, written).verdict == "ok"
    assert moves(zertz) == ["Wd4,a1"]


def test_an_illegal_move_is_explained_and_changes_nothing(zertz: Match, alice: Correspondent) -> None:
    assert alice.answers(alice.letter, "Wd4, d3").verdict == Code.ILLEGAL_MOVE
    [refusal] = alice.reads()
    assert refusal.kind == "refused"
    assert "d3" in refusal.text
    assert moves(zertz) == []
    assert alice.answers(refusal, "Wd4, a1").verdict == "ok"


@pytest.mark.parametrize("moves", ["b1-a1", "SÌ\nb1-a1"])
def test_an_illegal_move_with_words_is_told_once(
    moves: str, post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    """The letter may tell of the beginning as well: the state stands above the board alone, and so do the words."""
    alice.writes("CHALLENGE Bruno loa second")
    bruno.answers(bruno.letter, f"{moves}\nDICO Ciao Alice!\nBuona fortuna!")
    lines = [line.strip() for line in bruno.letter.text.splitlines()]
    heard = [line.strip() for letter in alice.reads() for line in letter.text.splitlines()]
    assert lines[0] == "La mossa non è stata giocata: b1-a1"
    assert "Abbiamo letto: b1-a1" not in lines
    for once in (
        "Hai aggiunto:" if moves.startswith("SÌ") else "Messaggio inviato",
        "| Ciao Alice!",
        "| Buona fortuna!",
    ):
        assert lines.count(once) == 1, once
    assert heard.count("| Ciao Alice!") == heard.count("| Buona fortuna!") == 1
    assert [line.rstrip(":") for line in heard].count("Bruno writes") == 1
    assert sum(line.startswith("Tocca a te") for line in lines) <= 1


@pytest.mark.parametrize(
    ("words", "english", "italian"),
    [
        ("My hat has 3 corners", "We did not understand your email", "Non abbiamo capito la tua email"),
        ("b1-b3\nc1-c3", "No move was played", "Nessuna mossa è stata giocata"),
        ("b1-a1", "Your move was not played: b1-a1", "La mossa non è stata giocata: b1-a1"),
        ("UNDO", "Nothing has changed", "Non è cambiato nulla"),
        (
            "NEXT a2-a7",
            "Your conditional line was not kept",
            "La tua sequenza condizionale non è stata conservata",
        ),
    ],
)
def test_a_refusal_says_first_what_has_become_of_the_email(
    words: str, english: str, italian: str, begin: Begin, alice: Correspondent
) -> None:
    begin("loa")
    turn = alice.letter
    assert alice.answers(turn, words).verdict != "ok"
    assert alice.letter.text.splitlines()[0] == english
    alice.writes("SET LANGUAGE it")
    assert alice.answers(turn, words).verdict != "ok"
    assert alice.letter.text.splitlines()[0] == italian


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Bruno has not read these words. To send them, write SAY and a colon before them."),
        ("it", "Bruno non ha letto questo messaggio. Per mandarlo scrivi DICO e due punti prima del testo."),
    ],
)
def test_words_that_may_be_a_move_are_not_sent_and_their_writer_hears_it(
    language: str, told: str, begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    begin("loa")
    turn = alice.letter
    alice.writes(f"SET LANGUAGE {language}")
    bruno.reads()
    assert alice.answers(turn, "My hat has 3 corners").verdict == Code.NO_MOVE_FOUND
    assert told in " ".join(alice.letter.text.split())
    assert alice.answers(turn, "SAY: My hat has 3 corners").verdict == "ok"
    assert "  | My hat has 3 corners" in bruno.letter.text


def test_two_moves_in_one_letter_are_asked_about(zertz: Match, alice: Correspondent) -> None:
    assert alice.answers(alice.letter, "Wd4, a1\nor rather\nWd5, a1").verdict == Code.SEVERAL_MOVES
    assert moves(zertz) == []


def test_the_same_move_twice_is_one_move(zertz: Match, alice: Correspondent) -> None:
    assert alice.answers(alice.letter, "Wd4, a1\nWd4,a1").verdict == "ok"
    assert moves(zertz) == ["Wd4,a1"]


def test_talk_alone_is_no_move_and_goes_to_the_opponent(
    zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    assert alice.answers(alice.letter, "I will think about it until Sunday.").verdict == "ok"
    assert moves(zertz) == []
    assert alice.kinds() == ["said"]
    assert bruno.kinds() == ["message"]
    assert "I will think about it until Sunday." in bruno.letter.text


@pytest.mark.parametrize("words", ["Wd4 or d5, I am not sure", "Resing", "I will think until the 20th."])
def test_what_may_be_meant_for_us_is_said_to_nobody(
    zertz: Match, alice: Correspondent, bruno: Correspondent, words: str
) -> None:
    """The opponent is not to know by a slip of the pen."""
    assert alice.answers(alice.letter, words).verdict != "ok"
    assert bruno.kinds() == []


def test_our_own_examples_are_not_moves(zertz: Match, alice: Correspondent) -> None:
    """Outlook quotes without marks; nothing of what we wrote counts."""
    lines = alice.letter.text.splitlines()
    headers = {"In-Reply-To": str(alice.letter.message["Message-ID"])}
    row = alice.writes("\n".join(["", *lines]), to=alice.letter.reply_to, headers=headers)
    assert row.verdict in (Code.NO_MOVE_FOUND, Code.QUOTED_ONLY)
    assert moves(zertz) == []


def test_the_letter_that_is_answered_tells_what_is_ours(
    zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    """Since the turn letter came another one, about an older board and without examples."""
    alice.answers(alice.letter, "Wd4, a1")
    bruno.answers(bruno.letter, "Ng7, a2")
    turn = alice.letter
    alice.answers(turn, "SHOW AT 0")
    quoted = turn.text.partition("=====")[0]
    ours = {"In-Reply-To": str(turn.message["Message-ID"])}
    assert alice.writes(f"{quoted}\nGf3, g4\n", to=turn.reply_to, headers=ours).verdict == "ok"
    assert moves(zertz)[2:] == ["Gf3,g4"]


def test_a_second_answer_to_the_same_letter_does_not_count(
    zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    first = alice.letter
    alice.answers(first, "Wd4, a1")
    assert alice.answers(first, "Wd5, a1").verdict == Code.STALE_TURN
    bruno.answers(bruno.letter, "Be5, a2")
    assert alice.answers(first, "Wd5, a1").verdict == Code.STALE_TURN
    assert moves(zertz) == ["Wd4,a1", "We5,a2"]


def test_a_letter_delivered_twice_is_one_letter(
    post: Post, zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    """A relay that heard no 250 brings the same letter again, with another trace."""
    raw, to = alice.pens("Wd4, a1"), alice.letter.reply_to
    first = post.deliver(raw, to)
    again = post.deliver(b"Received: from a relay that repeats itself\r\n" + raw, to)
    assert (again.pk, again.verdict) == (first.pk, "ok")
    assert (alice.kinds(), bruno.kinds()) == (["played"], ["turn"])


def test_whoever_is_not_to_move_is_told_so(zertz: Match, bruno: Correspondent) -> None:
    assert bruno.answers(bruno.letter, "Bd4, a1").verdict == Code.NOT_YOUR_TURN
    assert bruno.kinds() == ["refused"]


def test_a_stale_guard_is_refused(zertz: Match, alice: Correspondent) -> None:
    assert alice.writes(f"{zertz.pk} Wd4,a1#2").verdict == Code.STALE_TURN
    assert alice.writes(f"{zertz.pk} Wd4,a1#1...").verdict == Code.STALE_TURN
    assert alice.writes(f"{zertz.pk} Wd4,a1#1").verdict == "ok"


@pytest.mark.parametrize("number", ["1", "1...", "1.", "2"])
def test_a_guard_has_the_number_of_the_move_or_of_the_half_move(
    zertz: Match, alice: Correspondent, bruno: Correspondent, number: str
) -> None:
    """Letters of before counted half-moves; and the dot may end a sentence."""
    alice.answers(alice.letter, "Wd4, a1")
    assert bruno.writes(f"{zertz.pk} Bg7,a2#{number}").verdict == "ok"


def test_at_play_the_number_stands_in_front(begin: Begin, alice: Correspondent, bruno: Correspondent) -> None:
    first, second = begin(), begin("loa")
    assert alice.writes("Wd4, a1").verdict == Code.CONFIRM_NEEDED  # it fits one of them only
    assert alice.letter.kind == "confirm"
    assert moves(first) == []
    assert alice.writes(f"{first.pk} Wd4, a1").verdict == "ok"
    assert alice.writes("", subject=f"MOVE {second.pk} b1-b3").verdict == "ok"
    assert (moves(first), moves(second)) == (["Wd4,a1"], ["b1-b3"])


def test_whoever_has_one_match_needs_no_number(zertz: Match, alice: Correspondent) -> None:
    """We ask, for what is nothing but a move anybody may have been told, about anything."""
    assert alice.writes("Wd4, a1").verdict == Code.CONFIRM_NEEDED
    assert moves(zertz) == []
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert moves(zertz) == ["Wd4,a1"]


def test_nobody_moves_in_a_match_of_others(
    zertz: Match, charlie: Correspondent, alice: Correspondent
) -> None:
    for line in (
        f"{zertz.pk} Wd4, a1",
        f"MOVE {zertz.pk} Wd4,a1",
        f"DRAW {zertz.pk}",
        f"SAY {zertz.pk}: hello",
    ):
        assert charlie.writes(line).verdict in (Code.NO_SUCH_MATCH, Code.NO_MOVE_FOUND)
    assert moves(zertz) == []
    assert alice.kinds() == []
    assert not any("Bruno" in letter.text or "Alice" in letter.text for letter in charlie.letters)
