"""A match goes back to an earlier turn: nothing is deleted, both are told, old reply addresses are dead."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.matches import services
from pbem.matches.models import Event, Match
from pbem.matches.offers import roll_back
from pbem.outbox.models import OutboundMail
from pbem.refusals import Code
from tests.mail_fixtures import MORNING, Correspondent, Post
from tests.pbem.matches.test_services import play, refused

Begin = Callable[..., Match]
THERE_AND_BACK = ["b1-b3", "a2-c2", "b3-b1", "c2-a2"]


def back(match: Match, ply: int, reason: str = "A slip of the pen.") -> Event:
    return roll_back(match, ply, now=MORNING, side=None, reason=reason)


def test_the_undone_turns_stay_and_say_what_undid_them(begin: Begin) -> None:
    match = play(begin(), *THERE_AND_BACK)
    event = back(match, 1)
    assert [turn.move for turn in match.live_turns()] == THERE_AND_BACK[:1]
    assert [turn.move for turn in match.turns.filter(undone_by=event)] == THERE_AND_BACK[1:]
    assert (event.kind, event.ply, event.facts) == (
        "undone",
        1,
        {"reason": "A slip of the pen.", "undone": 3},
    )


def test_the_snapshot_is_that_of_the_turn(begin: Begin) -> None:
    match = play(begin(), *THERE_AND_BACK)
    back(match, 1)
    match = Match.objects.get()
    assert (match.ply, match.to_move) == (1, 1)
    assert match.record().replay()[-1] == match.current()
    assert play(match, "a2-c2").record().replay()[-1] == Match.objects.get().current()


def test_back_to_the_very_beginning(begin: Begin) -> None:
    match = play(begin(), "b1-b3")
    back(match, 0)
    assert Match.objects.get().current() == match.start_position()


def test_a_match_that_is_over_is_open_again(begin: Begin) -> None:
    match = play(begin(), *THERE_AND_BACK * 2)
    assert match.reason == "repetition"
    back(match, 7)
    match = Match.objects.get()
    assert (match.status, match.winner, match.reason, match.ended_at) == ("playing", None, "", None)
    assert play(match, "c2-a2").reason == "repetition"


def test_one_that_ended_off_the_board_is_open_again_where_it_stood(begin: Begin) -> None:
    match = play(begin(), "b1-b3")
    services.resign(match.seated[0], now=MORNING)
    back(match, 1)
    assert (match.status, match.to_move, match.ply) == ("playing", 1, 1)


@pytest.mark.parametrize("ply", [-1, 4, 5])
def test_only_to_a_turn_that_was(begin: Begin, ply: int) -> None:
    match = play(begin(), *THERE_AND_BACK)
    with refused(Code.NO_SUCH_TURN):
        back(match, ply)
    assert match.live_turns().count() == 4


def test_what_ended_on_the_board_cannot_be_open_there(begin: Begin) -> None:
    match = play(begin(), *THERE_AND_BACK * 2)
    with refused(Code.NO_SUCH_TURN):
        back(match, 8)


def test_a_challenge_has_no_turns(alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("CHALLENGE Bruno loa")
    with refused(Code.NOT_BEGUN):
        back(Match.objects.get(), 0)


def test_an_offer_of_a_draw_is_gone(begin: Begin) -> None:
    match = play(begin(), *THERE_AND_BACK)
    services.offer_draw(match.seated[0], now=MORNING)
    back(match, 3)
    assert Match.objects.get().draw_offered_by is None


def test_both_are_told_and_only_the_new_letters_count(
    post: Post, begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    match = play(begin(), "b1-b3", "a2-c2")
    post.send()
    old = bruno.letter
    back(match, 1)
    post.send()
    assert (alice.letter.kind, bruno.letter.kind) == ("undone", "undone")
    assert "The organiser has taken 1 move back." in alice.letter.text
    assert "    1... a2-c2" in alice.letter.text.splitlines()
    assert "A slip of the pen." in alice.letter.text
    assert "L'organizzatore ha annullato 1 mossa." in bruno.letter.text
    assert bruno.answers(old, "a2-c2").verdict == Code.REVOKED
    assert bruno.answers(bruno.letters[-2], "a2-c2").verdict == "ok"


def test_letters_about_undone_turns_are_kept_in(
    post: Post, begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    match = play(begin(), "b1-b3", "a2-c2", "b3-b1")
    back(match, 0)
    post.send()
    assert alice.kinds() == ["undone"]
    assert bruno.kinds() == ["undone"]
    assert not OutboundMail.objects.filter(status="failed").exists()


def test_one_that_was_being_sent_meanwhile_shows_the_board_of_now(
    post: Post, begin: Begin, bruno: Correspondent
) -> None:
    match = play(begin(), "b1-b3", "a2-c2", "b3-b1")
    OutboundMail.objects.update(leased_until=post.now)
    back(match, 0)
    OutboundMail.objects.update(leased_until=None)
    post.send()
    assert "undone" in bruno.kinds()
    assert not OutboundMail.objects.exclude(verdict="").exclude(verdict=Code.SUPPRESSED).exists()
