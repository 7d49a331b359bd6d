"""A YES to our question, and a command or a move below it: neither takes the place of the other."""

from collections.abc import Callable

import pytest

from pbem.inbox.models import Confirmation
from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent

Begin = Callable[..., Match]


@pytest.fixture
def match(begin: Begin, alice: Correspondent, bruno: Correspondent) -> Match:
    """Alice is asked whether she offers a draw."""
    match = begin("loa")
    bruno.reads()
    assert alice.answers(alice.letter, "Shall we call it a draw, love?").verdict == Code.CONFIRM_NEEDED
    return match


def test_the_move_below_is_played_too(match: Match, alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.answers(alice.letter, "Yes\nb1-b3\n\nLovely weather here today.").verdict == "ok"
    match.refresh_from_db()
    assert (match.ply, match.draw_offered_by) == (1, 0)
    written = bruno.letter.text
    assert "Lovely weather here today." in written
    assert "patta" in written


def test_a_resignation_behind_it_resigns_nothing(match: Match, alice: Correspondent) -> None:
    assert alice.answers(alice.letter, "Yes please, and I resign if he says no").verdict != "ok"
    question = Confirmation.objects.latest("pk")
    assert match.status == Match.Status.PLAYING
    assert question.used_at is None


@pytest.mark.parametrize("said", ["Yes, but not yet", "Yes, but b1-b3 first", "Yes, show me how that works?"])
def test_what_holds_it_back_is_no_yes(match: Match, alice: Correspondent, said: str) -> None:
    alice.answers(alice.letter, said)
    match.refresh_from_db()
    assert match.draw_offered_by is None


def test_a_setting_below_the_yes_is_set(begin: Begin, alice: Correspondent) -> None:
    assert alice.writes("I'd like to play zertz with someone").verdict == Code.CONFIRM_NEEDED
    assert alice.answers(alice.letter, "Yes please\nSET LISTED yes").verdict == "ok"
    alice.player.refresh_from_db()
    assert alice.player.listed
    assert alice.player.seeks.count() == 1


@pytest.mark.parametrize(
    ("said", "asked"), [("No!\nSET LANGUAGE it", False), ("No!\nPlease write to me in Italian.", True)]
)
def test_a_setting_below_the_no_is_set_or_asked_about(alice: Correspondent, said: str, asked: bool) -> None:
    assert alice.writes("I'd like to play zertz with someone").verdict == Code.CONFIRM_NEEDED
    alice.answers(alice.letter, said)
    if asked:
        assert "SET LANGUAGE" in alice.letter.text
        assert alice.answers(alice.letter, "Yes").verdict == "ok"
    alice.player.refresh_from_db()
    assert alice.player.language == "it"
    assert alice.player.seeks.count() == 0


def test_a_friends_address_below_the_wish_is_the_opponent(alice: Correspondent, bruno: Correspondent) -> None:
    """And not whoever has made an offer of that game."""
    bruno.writes("OFFRO zertz")
    said = "can i play zertz with my gran too\nrose@example.net\nshes rose"
    assert alice.writes(said).verdict == Code.CONFIRM_NEEDED
    assert "CHALLENGE rose@example.net zertz" in alice.letter.text
