"""What waits for a YES keeps all it needs: the commands, the message, the match and the turn of its day."""

from __future__ import annotations

from random import Random

import pytest

from pbem.inbox.models import Confirmation
from pbem.matches.arbitration import replace
from pbem.matches.models import Match
from pbem.matches.offers import roll_back
from pbem.matches.services import start
from pbem.refusals import Code
from tests.mail_fixtures import MORNING, Correspondent, Post, play_address


@pytest.fixture
def match(post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    match = start(first=alice.player, second=bruno.player, game="loa", now=MORNING, rng=Random(1))
    post.send()
    return match


@pytest.fixture
def second(match: Match, post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    return start(first=alice.player, second=bruno.player, game="zertz", now=MORNING, rng=Random(1))


def asked(alice: Correspondent, body: str, to: str = "") -> Confirmation:
    assert alice.writes(body, to=to or play_address(), dmarc="").verdict == Code.CONFIRM_NEEDED
    return Confirmation.objects.latest("pk")


def test_a_letter_with_a_token_asks_about_its_match(match: Match, alice: Correspondent) -> None:
    question = asked(alice, "RESIGN\nThat was fun!", to=alice.letter.reply_to)
    assert (question.match, question.ply) == (match, 0)
    assert (question.lines, question.message) == (["RESIGN"], "That was fun!")
    assert question.address == "alice@example.org"


def test_the_only_match_is_meant_without_a_number(match: Match, alice: Correspondent) -> None:
    assert asked(alice, "b1-b3").match == match


def test_a_number_names_the_match(match: Match, second: Match, alice: Correspondent) -> None:
    assert asked(alice, f"{second.pk} Wd4, a1").match == second
    assert asked(alice, f"DRAW {match.pk}\n{match.pk} b1-b3").match == match


def test_several_matches_are_asked_about_together(match: Match, second: Match, alice: Correspondent) -> None:
    question = asked(alice, f"{match.pk} b1-b3\nDRAW {second.pk}")
    assert question.match is None
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    second.refresh_from_db()
    assert (match.turns.get().move, second.draw_offered_by) == ("b1-b3", 0)


def test_moves_of_several_matches_are_for_the_boards_of_the_day(
    match: Match, second: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    """Her YES comes when one of the matches stands elsewhere."""
    question = asked(alice, f"{match.pk} c1-c3\nMOVE {second.pk} Wd4,a1")
    assert question.lines == [f"{match.pk} c1-c3#1.", f"{second.pk} Wd4,a1#1."]
    asks = alice.letter
    alice.writes(f"{match.pk} b1-b3")
    bruno.writes(f"{match.pk} a2-c2")
    assert alice.answers(asks, "YES").verdict == Code.STALE_TURN
    assert [turn.move for turn in match.live_turns()] == ["b1-b3", "a2-c2"]
    assert second.turns.get().move == "Wd4,a1"


def test_a_move_put_aside_is_not_for_another_board_of_the_same_number(
    match: Match, alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    """Turns were taken back and others played: the third turn again, on another board."""
    alice.answers(alice.letter, "b1-b3")
    bruno.answers(bruno.letter, "a2-c2")
    charlie.writes("c1-c3", to=alice.letter.reply_to)
    asks = alice.letter
    alice.post.wait(hours=1)
    roll_back(Match.objects.get(), 0, now=alice.post.now, side=None)
    alice.writes(f"{match.pk} d1-d3")
    bruno.writes(f"{match.pk} a2-c2")
    assert Match.objects.get().ply == 2
    assert alice.answers(asks, "YES").verdict == Code.STALE_TURN
    assert Match.objects.get().ply == 2


def test_who_has_lost_his_seat_confirms_nothing_there_and_nowhere_else(
    match: Match, second: Match, alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    """The line has no number: without that match it would be about the only one that is left."""
    asked(alice, "RESIGN", to=alice.letters[0].reply_to)
    replace(match.seats.get(player=alice.player), charlie.player, reason="ill", now=alice.post.now)
    [question] = [letter for letter in alice.letters if letter.kind == "confirm"]
    assert alice.answers(question, "YES RESIGN").verdict == Code.NO_SUCH_MATCH
    assert {each.status for each in Match.objects.all()} == {Match.Status.PLAYING}


def test_a_match_of_others_is_not_told(match: Match, charlie: Correspondent) -> None:
    question = asked(charlie, f"DRAW {match.pk}")
    assert question.match is None
    assert "Alice" not in charlie.letter.text
    assert charlie.answers(charlie.letter, "YES").verdict == Code.NO_SUCH_MATCH


def test_a_challenge_is_about_no_match(match: Match, alice: Correspondent) -> None:
    question = asked(alice, "CHALLENGE Bruno zertz first")
    assert (question.match, question.ply) == (None, None)
    assert alice.answers(alice.letter, "OK").verdict == Code.NO_MOVE_FOUND, "nobody vouches for the question"
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert Match.objects.count() == 2


def test_the_question_shows_all_that_a_yes_would_do(match: Match, alice: Correspondent) -> None:
    question = alice.answers(alice.letter, "b1-b3\nDRAW\nHow about a draw?", dmarc="fail")
    assert question.verdict == Code.DMARC_FAIL
    for said in ("b1-b3", "DRAW", "How about a draw?"):
        assert said in alice.letter.text
    assert alice.answers(alice.letter, "What is this?").verdict == Code.NO_MOVE_FOUND
    for said in ("b1-b3", "DRAW", "How about a draw?"):
        assert said in alice.letter.text, "asked again"


def test_what_can_no_longer_be_read_is_told(match: Match, alice: Correspondent) -> None:
    """A line that was a command in its day and is none any more, after a new version of ours perhaps."""
    asked(alice, "DRAW")
    Confirmation.objects.update(lines=["DRAW", "CASTLE"])
    assert alice.answers(alice.letter, "YES").verdict == Code.NO_MOVE_FOUND
    assert "CASTLE" in alice.letter.text
    assert Match.objects.get().draw_offered_by == 0


def test_a_question_is_asked_of_nobody_else_and_answered_by_anybody_who_got_it(
    match: Match, alice: Correspondent
) -> None:
    """Her YES may come from another mailbox of hers: the address was mailed to one place only."""
    asked(alice, "DRAW")
    other = {"From": "alice@work.example"}
    assert alice.answers(alice.letter, "YES", headers=other, dmarc="").verdict == "ok"
    assert Match.objects.get().draw_offered_by == 0
