"""Moves taken back, draws offered, resignations thought better of: by letters, in both languages."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from pbem.matches.models import Match, Offer
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Delivery, Post, play_address
from tests.players_fixtures import moves

Begin = Callable[..., Match]


@pytest.fixture
def held(alice: Correspondent, bruno: Correspondent) -> Match:
    """A match that holds its letters for ten minutes."""
    alice.writes("CHALLENGE Bruno loa first hold=10")
    assert "Prima di inviare una mossa aspettiamo 10 minuti" in " ".join(bruno.letter.text.split())
    bruno.answers(bruno.letter, "SÌ")
    alice.reads()
    bruno.reads()
    return Match.objects.get()


def test_a_move_is_taken_back_if_the_opponent_agrees(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "b1-b3")
    turn = bruno.letter
    assert alice.answers(alice.letter, "UNDO").verdict == "ok"
    assert "You have asked Bruno to let you take back 1. b1-b3." in alice.letter.text
    assert bruno.letter.kind == "asks"
    assert "Alice propone di annullare 1. b1-b3." in bruno.letter.text
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    assert moves(loa) == []
    assert (alice.letter.kind, bruno.letter.kind) == ("undone", "undone")
    assert "1 move has been taken back." in alice.letter.text
    assert bruno.answers(turn, "a2-c2").verdict == Code.REVOKED
    assert alice.answers(alice.letter, "g1-g3").verdict == "ok"
    assert moves(loa) == ["g1-g3"]


def test_or_stays_if_he_does_not(loa: Match, alice: Correspondent, bruno: Correspondent) -> None:
    alice.answers(alice.letter, "b1-b3")
    for answer in ("NO", "a2-c2"):
        alice.answers(alice.letters[-1], "UNDO 1") if answer == "NO" else None
        assert bruno.answers(bruno.letter, answer).verdict == "ok"
    assert moves(loa) == ["b1-b3", "a2-c2"]
    assert not Offer.objects.standing(loa).exists()
    assert bruno.answers(bruno.letter, "SÌ").verdict == Code.OFFER_GONE


@pytest.mark.prove
def test_several_at_once_in_italian(loa: Match, alice: Correspondent, bruno: Correspondent) -> None:
    alice.answers(alice.letter, "b1-b3")
    bruno.answers(bruno.letter, "a2-c2")
    alice.answers(alice.letter, "b3-b1")
    bruno.answers(bruno.letter, "c2-a2")
    assert bruno.answers(bruno.letter, "ANNULLA 3").verdict == "ok"
    assert "would like to take back 1... a2-c2 2. b3-b1 c2-a2." in alice.letter.text
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert moves(loa) == ["b1-b3"]
    assert bruno.letter.kind == "undone"
    assert bruno.answers(bruno.letter, "a5-c5").verdict == "ok"


def test_there_has_to_be_something_of_ones_own(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    assert alice.answers(alice.letter, "UNDO").verdict == Code.NO_TAKEBACK
    alice.answers(alice.letter, "b1-b3")
    assert bruno.answers(bruno.letter, "ANNULLA").verdict == Code.NO_TAKEBACK
    assert alice.answers(alice.letter, "UNDO 2").verdict == Code.NO_TAKEBACK


def test_a_match_may_be_agreed_without(alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("CHALLENGE Bruno loa first no-takebacks")
    assert "Non si annullano mosse." in bruno.letter.text
    bruno.answers(bruno.letter, "SÌ")
    alice.answers(alice.letter, "b1-b3")
    assert alice.answers(alice.letter, "UNDO").verdict == Code.NO_TAKEBACK


def test_it_is_free_while_the_letter_is_held(
    post: Post, held: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "b1-b3\nOops?")
    post.wait(minutes=9)
    post.send()
    assert bruno.reads() == []
    assert alice.answers(alice.letter, "UNDO").verdict == "ok"
    assert alice.letter.kind == "undone"
    assert alice.answers(alice.letter, "g1-g3").verdict == "ok"
    post.wait(minutes=11)
    post.send()
    [turn] = bruno.reads()
    assert "g1-g3" in turn.text
    assert "Oops" not in turn.text
    assert bruno.answers(turn, "a2-c2").verdict == "ok"
    assert moves(held) == ["g1-g3", "a2-c2"]


def test_nobody_gains_time_by_taking_back(post: Post, alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("CHALLENGE Bruno loa first hold=10 2d+1d<=5d")
    bruno.answers(bruno.letter, "SÌ")
    deadline = Match.objects.get().deadline
    assert deadline
    for _ in range(3):
        post.wait(minutes=30)
        assert alice.answers(alice.letter, "b1-b3").verdict == "ok"
        post.wait(minutes=5)
        assert alice.answers(alice.letter, "UNDO").verdict == "ok"
        match = Match.objects.get()
        assert match.deadline == deadline
        assert match.seated[1].bank_left == timedelta(days=2)


def test_whoever_has_looked_in_between_is_told(
    post: Post, held: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "b1-b3")
    bruno.writes("MOSTRA")
    bruno.reads()
    alice.answers(alice.letter, "UNDO")
    assert bruno.kinds() == ["undone"]


def test_and_needs_consent_once_it_has_left(
    post: Post, held: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "b1-b3")
    post.wait(minutes=10)
    post.send()
    assert bruno.kinds() == ["turn"]
    alice.answers(alice.letter, "UNDO")
    assert moves(held) == ["b1-b3"]
    assert bruno.kinds() == ["asks"]


def test_a_prepared_answer_is_told_at_once(held: Match, alice: Correspondent, bruno: Correspondent) -> None:
    bruno.writes("SE b1-b3 ALLORA a2-c2")
    alice.answers(alice.letter, "b1-b3")
    assert moves(held) == ["b1-b3", "a2-c2"]
    assert bruno.letter.kind == "cascade"


def test_conditional_lines_survive_a_takeback(loa: Match, alice: Correspondent, bruno: Correspondent) -> None:
    alice.answers(alice.letter, "b1-b3\nIF a2-c2 THEN b3-b1\nIF a5-c5 THEN g1-g3")
    bruno.answers(bruno.letter, "a2-c2")
    bruno.answers(bruno.letter, "ANNULLA")
    alice.answers(alice.letter, "YES")
    assert moves(loa) == ["b1-b3"]
    bruno.answers(bruno.letter, "a5-c5")
    assert moves(loa) == ["b1-b3", "a5-c5", "g1-g3"]


@pytest.mark.parametrize("body", ["b1-b3\nDRAW", "DRAW\nb1-b3"])
def test_a_draw_rides_on_a_move_and_ends_with_the_next(
    loa: Match, alice: Correspondent, bruno: Correspondent, body: str
) -> None:
    alice.answers(alice.letter, body)
    [told] = bruno.reads()
    assert told.text.startswith("Tocca a te · Alice ha giocato b1-b3 · patta proposta")
    assert told.text.count("patta") == 2, "and below the board, with the answers"
    bruno.answers(told, "a2-c2")
    loa.refresh_from_db()
    assert loa.draw_offered_by is None
    assert bruno.answers(bruno.letter, "SÌ").verdict == Code.OFFER_GONE


def test_a_prepared_answer_does_not_decline_a_draw(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    bruno.writes("SE b1-b3 ALLORA a2-c2")
    alice.answers(alice.letter, "b1-b3\nDRAW")
    assert bruno.answers(bruno.letter, "SÌ PATTA").verdict == "ok"
    loa.refresh_from_db()
    assert (loa.status, loa.reason) == ("over", "agreed")


def test_a_draw_is_offered_three_times_at_most(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    for mine, theirs in [("b1-b3", "a2-c2"), ("b3-b1", "c2-a2"), ("g1-g3", "a5-c5")]:
        assert alice.answers(alice.letter, f"{mine}\nDRAW").verdict == "ok"
        bruno.answers(bruno.letter, theirs)
    assert alice.answers(alice.letter, "b1-b3\nDRAW").verdict == Code.TOO_MANY_DRAWS
    assert len(moves(loa)) == 7


def test_any_move_cancels_a_resignation_that_is_not_confirmed_yet(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "b1-b3")
    alice.answers(alice.letter, "RESIGN")
    question = alice.letter
    alice.post.wait(minutes=1)
    bruno.answers(bruno.letter, "a2-c2")
    assert alice.answers(question, "YES RESIGN").verdict == Code.RESIGNATION_OVERTAKEN
    loa.refresh_from_db()
    assert loa.status == "playing"
    alice.answers(alice.letter, "RESIGN")
    assert alice.answers(alice.letter, "YES RESIGN").verdict == "ok"


@pytest.fixture
def retaken(post: Post, loa: Match, alice: Correspondent, bruno: Correspondent) -> Delivery:
    """The letter with the board after b1-b3, which was taken back since: Bruno is to answer g1-g3 instead."""
    alice.answers(alice.letter, "b1-b3")
    [old] = bruno.reads()
    post.wait(minutes=1)
    alice.answers(alice.letter, "UNDO")
    bruno.answers(bruno.letter, "SÌ")
    post.wait(minutes=1)
    alice.answers(alice.letter, "g1-g3")
    assert Match.objects.get(pk=loa.pk).ply == 1, "the same number of turns, on another board"
    bruno.reads()
    return old


def test_an_older_board_is_older_at_play_too(
    loa: Match, retaken: Delivery, alice: Correspondent, bruno: Correspondent
) -> None:
    """Its own reply address is dead; In-Reply-To at the address of all says nothing else."""
    row = bruno.answers(retaken, f"{loa.pk} a2-c2", to=play_address())
    assert (row.verdict, row.reading["decision"]) == (Code.STALE_TURN, "APPLY")
    assert moves(loa) == ["g1-g3"]
    [refused] = bruno.reads()
    assert refused.kind == "refused"
    assert "g1-g3" in refused.text, "with the board of now"
    assert bruno.answers(refused, f"{loa.pk} a2-c2", to=play_address()).verdict == "ok"
    assert moves(loa) == ["g1-g3", "a2-c2"]


def test_what_was_said_beforehand_for_an_older_board_is_not_kept(
    loa: Match, retaken: Delivery, alice: Correspondent, bruno: Correspondent
) -> None:
    bruno.answers(bruno.letter, "a2-c2")
    line = "SE b1-b3 ALLORA c2-a2"
    assert bruno.answers(retaken, line, to=play_address()).verdict == Code.STALE_TURN
    assert not loa.seated[1].lines.exists()


@pytest.mark.prove
def test_nor_is_it_after_a_yes(
    loa: Match, retaken: Delivery, alice: Correspondent, bruno: Correspondent
) -> None:
    """Where nobody vouches, or the number of the match is missing, it waits; it waits for the same board."""
    for line, dmarc in ((f"{loa.pk} a2-c2", "none"), ("a2-c2", "pass")):
        assert bruno.answers(retaken, line, to=play_address(), dmarc=dmarc).verdict == Code.CONFIRM_NEEDED
        assert bruno.answers(bruno.letter, "SÌ").verdict == Code.STALE_TURN
    assert moves(loa) == ["g1-g3"]


def test_the_letter_that_tells_of_it_shows_the_board_of_now(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    """All of it within one moment."""
    alice.answers(alice.letter, "b1-b3")
    alice.answers(alice.letter, "UNDO")
    bruno.answers(bruno.letter, "SÌ")
    assert alice.letter.kind == "undone"
    assert alice.answers(alice.letter, f"{loa.pk} g1-g3", to=play_address()).verdict == "ok"
    assert moves(loa) == ["g1-g3"]
