"""A letter that nearly says a move or a command is asked about: the player sees what we read, and a YES does it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from pbem.inbox.models import Confirmation
from pbem.matches.models import Match
from pbem.matches.services import resign, start
from pbem.refusals import Code
from tests.mail_fixtures import MORNING, Correspondent, Post, play_address


@pytest.fixture
def match(post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    match = start(first=alice.player, second=bruno.player, game="loa", now=MORNING, rng=Random(1))
    post.send()
    alice.reads()
    bruno.reads()
    return match


@pytest.fixture
def bruno_offers_a_draw(match: Match, post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    assert bruno.answers(bruno.letter, "DRAW").verdict == "ok"
    return match


def text(player: Correspondent) -> str:
    return player.letter.text.replace("\r\n", "\n")


def moves(match: Match) -> list[str]:
    return [turn.move for turn in match.turns.order_by("ply")]


def test_a_near_miss_is_asked_with_the_move_that_was_read(
    match: Match, post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    row = alice.answers(alice.letter, "I think I'll go b8-b6\nHow is Milan?")
    assert (row.verdict, moves(match)) == (Code.CONFIRM_NEEDED, [])
    assert alice.letter.kind == "confirm"
    assert (
        "We read:\n\n    b8-b6\n\nThat is: Alice moves from b8 to b6.\n\n"
        "And your words to Bruno:\n\n    How is Milan?\n\nAnswer YES to play it." in text(alice)
    )
    assert "in your name" not in text(alice)

    assert alice.answers(alice.letter, "Yes please!").verdict == "ok"
    assert moves(match) == ["b8-b6"]
    assert "How is Milan?" in text(bruno)


def test_no_or_silence_plays_nothing(match: Match, alice: Correspondent) -> None:
    alice.answers(alice.letter, "Then b8-b6")
    assert alice.answers(alice.letter, "no, sorry").verdict == "ok"
    assert moves(match) == []


@pytest.mark.parametrize("words", ["No, I changed my mind", "no, ho cambiato idea", "NO"])
def test_a_no_closes_the_question_and_says_so(match: Match, alice: Correspondent, words: str) -> None:
    alice.answers(alice.letter, "RESIGN")
    question = alice.letter
    alice.reads()
    assert alice.answers(question, words).verdict == "ok"
    assert alice.kinds() == ["answered"]
    assert "nothing was done, and the question is closed" in " ".join(text(alice).split())
    assert "    RESIGN" in text(alice)
    assert alice.answers(question, "YES").verdict == Code.EXPIRED
    assert Match.objects.get().status == Match.Status.PLAYING


@pytest.mark.parametrize("words", ["YES", "yes, it's me", "Sì, sono io", "Yes, but only after lunch"])
def test_what_is_unclear_is_asked_again_with_the_words_that_are_needed(
    match: Match, alice: Correspondent, words: str
) -> None:
    alice.answers(alice.letter, "RESIGN")
    assert alice.answers(alice.letter, words).verdict == Code.NO_MOVE_FOUND
    assert Match.objects.get().status == Match.Status.PLAYING
    asked = " ".join(text(alice).split())
    assert "To do it, answer just YES RESIGN." in asked
    assert "Resign match" in asked


def test_an_answer_that_is_neither_is_asked_again_and_shows_what_is_asked(
    match: Match, alice: Correspondent
) -> None:
    alice.answers(alice.letter, "Then b8-b6")
    assert alice.answers(alice.letter, "What do you mean?").verdict == Code.NO_MOVE_FOUND
    assert "\n    b8-b6\n" in text(alice)


def test_the_question_may_be_answered_with_another_move(
    match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "Then b8-b6")
    assert alice.answers(alice.letter, "b1-b3\nEnjoy yourself there!").verdict == "ok"
    assert moves(match) == ["b1-b3"]
    assert "  | Enjoy yourself there!" in text(bruno)


def test_another_move_is_not_played_on_another_board(
    match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    turn = alice.letter
    alice.answers(turn, "Then b8-b6")
    question = alice.letter
    assert alice.answers(turn, "b1-b3").verdict == "ok"
    assert bruno.answers(bruno.letter, "a2-c2").verdict == "ok"
    assert alice.answers(question, "c1-c3").verdict == Code.NO_MOVE_FOUND
    assert moves(match) == ["b1-b3", "a2-c2"]
    match.refresh_from_db()
    resign(match.seated[0], now=alice.post.now)
    other = start(first=alice.player, second=bruno.player, game="loa", now=MORNING, rng=Random(1))
    alice.post.send()
    assert alice.answers(question, "b1-b3").verdict == Code.NO_MOVE_FOUND
    assert moves(other) == []


def test_thanks_reach_the_opponent(match: Match, alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.answers(alice.letter, "Thank you very much!").verdict == "ok"
    assert "  | Thank you very much!" in text(bruno)
    assert moves(match) == []


def test_beside_a_move_it_is_talk(match: Match, alice: Correspondent, bruno: Correspondent) -> None:
    said = "Then b8-b6\nI resign?\nSure."
    assert alice.answers(alice.letter, f"b1-b3\n{said}").verdict == "ok"
    assert moves(match) == ["b1-b3"]
    assert all(line in text(bruno) for line in said.splitlines())
    assert not Confirmation.objects.exists()


def test_whoever_is_not_to_move_is_asked_about_no_move(match: Match, bruno: Correspondent) -> None:
    assert bruno.answers(bruno.letter, "Then b8-b6").verdict == Code.NO_MOVE_FOUND
    assert not Confirmation.objects.exists()


def test_the_yes_is_for_the_board_of_the_question(
    match: Match, post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    turn = alice.letter
    alice.answers(turn, "Then b8-b6")
    question = alice.letter
    assert alice.answers(turn, "b1-b3").verdict == "ok"
    assert bruno.answers(bruno.letter, "a2-c2").verdict == "ok"
    assert moves(match) == ["b1-b3", "a2-c2"]
    assert alice.answers(question, "YES").verdict == Code.STALE_TURN
    assert moves(match) == ["b1-b3", "a2-c2"]


RESIGNS = "Resign match {number} (Lines of Action) against Bruno?\n\nAnswer just YES RESIGN, and"


@pytest.mark.parametrize(
    ("line", "asked", "yes", "done"),
    [
        ("I want to resign", RESIGNS, "YES RESIGN", lambda match: match.status == Match.Status.OVER),
        ("rezign", RESIGNS, "YES RESIGN", lambda match: match.status == Match.Status.OVER),
        (
            "Draw?",
            "We read:\n\n    DRAW\n\nYES offers Bruno a draw in match {number}.\n\nAnswer YES to do it.",
            "YES",
            lambda match: match.draw_offered_by == 0,
        ),
    ],
)
def test_a_command_that_is_nearly_said(
    match: Match, alice: Correspondent, line: str, asked: str, yes: str, done: Callable[[Match], bool]
) -> None:
    assert alice.answers(alice.letter, line).verdict == Code.CONFIRM_NEEDED
    assert asked.format(number=match.pk) in text(alice)
    assert alice.answers(alice.letter, yes).verdict == "ok"
    match.refresh_from_db()
    assert done(match)


def test_a_holiday_is_asked_about_and_announced(match: Match, post: Post, alice: Correspondent) -> None:
    assert alice.answers(alice.letter, "Away until friday").verdict == Code.CONFIRM_NEEDED
    assert alice.answers(alice.letter, "ok").verdict == "ok"
    assert alice.player.absences.count() == 1


@pytest.mark.parametrize(
    ("words", "agreed"),
    [
        ("YES DRAW", True),
        ("Yes please, draw", True),
        ("No, thank you.", False),
        ("No way, I'm just getting started!", False),
        ("No thanks Bruno, play on!", False),
        ("n", False),
    ],
)
def test_the_answer_to_a_letter_that_asks(
    bruno_offers_a_draw: Match, alice: Correspondent, words: str, agreed: bool
) -> None:
    assert alice.answers(alice.letter, words).verdict == "ok"
    match = Match.objects.get()
    assert (match.status == Match.Status.OVER) is agreed
    assert match.draw_offered_by is None


def test_the_reason_of_a_no_is_said_and_an_unclear_answer_asked_again(
    bruno_offers_a_draw: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    assert alice.answers(alice.letter, "Only after lunch").verdict == Code.CONFIRM_NEEDED
    assert "Do you accept the draw that Bruno offers?" in text(alice)
    assert alice.answers(alice.letter, "No, I'm just getting started!").verdict == "ok"
    assert "I'm just getting started!" in text(bruno)


def test_sure_beside_a_move_is_talk(
    bruno_offers_a_draw: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    assert alice.answers(alice.letter, "b1-b3\nSure.").verdict == "ok"
    match = Match.objects.get()
    assert (match.status, match.ply) == (Match.Status.PLAYING, 1)
    assert "Sure." in text(bruno)


def test_sure_in_answer_to_an_older_letter_is_asked_about(
    match: Match, post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    older = alice.letter
    post.wait(hours=1)
    bruno.answers(bruno.letter, "DRAW")
    assert alice.answers(older, "Sure.").verdict == Code.CONFIRM_NEEDED
    assert Match.objects.get().status == Match.Status.PLAYING


def test_sure_where_nothing_is_asked_is_talk(
    match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    assert alice.answers(alice.letter, "Sure.").verdict == "ok"
    assert bruno.kinds()[-1] == "message"
    assert alice.writes("Sì, grazie.", to=play_address()).verdict == Code.NO_MOVE_FOUND


def test_a_challenge_is_accepted_in_other_words(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.writes("I challenge bruno to loa")
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert bruno.answers(bruno.letter, "With pleasure!").verdict == "ok"
    assert Match.objects.get().status == Match.Status.PLAYING


def test_a_refusal_quotes_the_line_and_shows_the_shape(match: Match, alice: Correspondent) -> None:
    alice.answers(alice.letter, "Hello there\nundu three times, if you like")
    assert "undu three times, if you like" in text(alice)
    assert "UNDO [match] [number of moves]" in text(alice)


@pytest.mark.parametrize(
    ("asks", "repeated"),
    [("DRAW", "A draw is offered"), ("UNDO", "Bruno would like to take 1 move back. Answer YES to agree")],
)
def test_a_refusal_repeats_what_is_pending(
    match: Match, alice: Correspondent, bruno: Correspondent, asks: str, repeated: str
) -> None:
    alice.answers(alice.letter, "b1-b3")
    bruno.answers(bruno.letter, "a2-c2")
    assert bruno.writes(asks).verdict == "ok"
    alice.answers(alice.letter, "b8-b5")
    assert alice.letter.kind == "refused"
    assert repeated in " ".join(text(alice).split())


def test_what_stands_beside_a_move_that_was_nearly_read_is_said_whatever_it_may_mean(
    match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    """Of two things that may be meant only the move is asked about; the other must not vanish."""
    words = "Shall we call it a draw here?"
    assert (
        alice.answers(alice.letter, f"I think I go from b1 with my man to b3\n{words}").verdict
        == Code.CONFIRM_NEEDED
    )
    assert words in alice.letter.text
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert words in bruno.letter.text


def test_a_name_below_is_no_command_and_a_subject_no_second_one(
    alice: Correspondent, bruno: Correspondent
) -> None:
    body = "I want to challenge Bruno to trapdoor chess\n\nNora"
    assert alice.writes(body, subject="trapdoor chess").verdict == Code.CONFIRM_NEEDED
    assert "    CHALLENGE Bruno trapdoor chess\n" in text(alice)
    assert "NOTA" not in text(alice)
    assert "OFFER" not in text(alice)


def test_a_question_is_answered_with_the_move_and_a_line_of_talk(
    match: Match, post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    """Of one match among several; the question is closed by it."""
    start(first=alice.player, second=bruno.player, game="loa", now=MORNING, rng=Random(1))
    turn = alice.letter
    alice.answers(turn, "Then b8-b6")
    question = alice.letter
    assert alice.answers(question, "I'd say d1 to d3! What a game").verdict == Code.CONFIRM_NEEDED
    assert "That is: Alice moves from d1 to d3.\n\nAnd your words to Bruno:\n\n    What a game" in text(alice)
    question = alice.letter
    post.send()
    assert alice.answers(question, "b8 - b6\nHi sis").verdict == "ok"
    assert moves(match) == ["b8-b6"]
    post.send()
    assert any("Hi sis" in letter.text for letter in bruno.letters)
    assert alice.answers(question, "YES").verdict == Code.EXPIRED


@pytest.mark.parametrize("words", ["Yes that was me", "Sì, ero io"])
def test_words_of_agreement_are_no_yes_and_are_not_passed_on(
    match: Match, post: Post, alice: Correspondent, bruno: Correspondent, words: str
) -> None:
    assert alice.writes("CHALLENGE Bruno zertz", dmarc="").verdict == Code.CONFIRM_NEEDED
    assert alice.answers(alice.letter, words).verdict == Code.NO_MOVE_FOUND
    assert bruno.letter.kind != "challenge"
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    post.send()
    assert words not in bruno.letter.text
    assert bruno.letter.kind == "challenge"


def test_where_two_questions_are_open_each_comes_again_and_is_answered_there(
    match: Match, post: Post, alice: Correspondent
) -> None:
    alice.answers(alice.letter, "Then b8-b6")
    alice.reads()
    assert alice.writes("CHALLENGE Bruno zertz", dmarc="").verdict == Code.CONFIRM_NEEDED
    alice.reads()
    alice.writes("HELP")
    helps = alice.letter
    alice.reads()
    assert alice.answers(helps, "YES", to=play_address()).verdict == Code.WHICH_QUESTION
    again = alice.reads()
    assert sorted(letter.kind for letter in again) == ["confirm", "confirm"]
    assert "Several questions" not in "".join(letter.text for letter in again)
    of_the_move = next(letter for letter in again if "b8-b6" in letter.text)
    assert "We read:" in of_the_move.text
    assert alice.answers(of_the_move, "YES").verdict == "ok"
    assert moves(match) == ["b8-b6"]


def test_a_draw_that_is_said_below_a_move_is_asked_about_and_offered_after_it(
    match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    assert alice.answers(alice.letter, "b1-b3\nBruno, draw? I'm tired").verdict == Code.CONFIRM_NEEDED
    match.refresh_from_db()
    assert match.ply == 1
    assert "    DRAW\n" in text(alice)
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert "Patta proposta" in bruno.letter.text


def test_a_no_to_our_question_that_wants_fewer_letters_is_asked_about_these(alice: Correspondent) -> None:
    assert alice.writes("please stop sending me emails").verdict in (Code.CONFIRM_NEEDED, "ok")
    alice.writes("challenge Bruno to a game of loa!!")
    said = "no no, voglio solo meno lettere, una al giorno va bene"
    question = Confirmation.objects.latest("pk")
    assert alice.answers(alice.letter, said).verdict == Code.CONFIRM_NEEDED
    question.refresh_from_db()
    assert question.agreed is False
    assert Confirmation.objects.latest("pk").lines == ["IMPOSTA CADENZA giornaliera"]
    assert alice.answers(alice.letter, "YES").verdict == "ok"


def test_a_near_move_that_is_illegal_is_refused_at_once(match: Match, alice: Correspondent) -> None:
    assert alice.answers(alice.letter, "I'll take b1-b4").verdict == Code.ILLEGAL_MOVE
    assert moves(match) == []
    assert not Confirmation.objects.exists()
