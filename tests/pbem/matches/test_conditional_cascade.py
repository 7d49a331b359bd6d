"""What players have said beforehand is played when its time comes, and equals the same moves played by hand."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from pbem.matches import conditional as keeping
from pbem.matches import services
from pbem.matches.automatic_moves import promise
from pbem.matches.models import ConditionalLine, Match
from pbem.matches.offers import roll_back
from pbem.matches.services import start
from pbem.matches.terms import Terms
from pbem.refusals import Code
from tests.mail_fixtures import MORNING, Correspondent
from tests.pbem.matches.test_services import play, refused

Begin = Callable[..., Match]
ANY = None
FORCING = ["Wa1,g7", "Nb2,g6"]


def say(match: Match, side: int, *moves: str | None, ply: int | None = None) -> Match:
    match = Match.objects.get(pk=match.pk)
    promise(match.seated[side], moves, ply=ply, now=MORNING)
    return Match.objects.get(pk=match.pk)


def moves(match: Match) -> list[str]:
    return [turn.move for turn in match.live_turns()]


def fates(match: Match) -> list[str]:
    return [row.fate for row in ConditionalLine.objects.order_by("pk")]


def test_an_answer_is_played_as_soon_as_its_reply_comes(begin: Begin) -> None:
    match = play(begin(), "b1-b3")
    say(match, 0, "a2-c2", "b3-b1")
    match = play(match, "a2-c2")
    assert moves(match) == ["b1-b3", "a2-c2", "b3-b1"]
    assert [turn.how for turn in match.live_turns()] == ["", "", "conditional"]
    assert (match.to_move, fates(match)) == (1, ["played"])
    event = match.events.latest("pk")
    assert (event.side, event.ply, event.facts) == (1, 3, {"first": 1, "itself": True})


def test_both_may_have_said_much(begin: Begin) -> None:
    match = play(begin(), "b1-b3")
    say(match, 0, "a2-c2", "b3-b1", "c2-a2", "g1-g3")
    say(match, 0, "a4-c4", "b3-b1")
    match = play(match, "a5-c5")  # nobody expected it
    assert (match.ply, fates(match)) == (2, ["missed", "missed"])
    say(match, 1, "b3-b1", "c5-a5", "g1-g3", "a2-c2")
    say(match, 1, "b3-b1", "c5-a5", ANY, "a4-c4")
    match = play(match, "b3-b1")
    assert moves(match)[2:] == ["b3-b1", "c5-a5"]
    match = play(match, "g1-g3")
    assert moves(match)[4:] == ["g1-g3", "a2-c2"]
    assert fates(match)[2:] == ["played", "missed"]


def test_two_trees_play_themselves_out(begin: Begin) -> None:
    match = play(begin(), "b1-b3")
    say(match, 0, "a2-c2", "b3-b1", "c2-a2", "g1-g3")
    with refused(Code.OWN_MOVE_FIRST):
        say(match, 1, "b3-b1", "c2-a2")  # it is their own turn
    roll_back(Match.objects.get(), 0, now=MORNING, side=None)
    say(match, 1, "b1-b3", "a2-c2", "b3-b1", "c2-a2", ANY, "a5-c5")
    match = Match.objects.get()

    def also() -> None:
        keeping.say(match.seated[0], ["a2-c2", "b3-b1", "c2-a2", "g1-g3"], now=MORNING)

    services.play(match.seated[0], "b1-b3", now=MORNING, then=also)
    assert moves(match) == ["b1-b3", "a2-c2", "b3-b1", "c2-a2", "g1-g3", "a5-c5"]
    assert match.events.filter(kind="moved").count() == 2
    assert Match.objects.get().to_move == 0


def test_a_reply_that_is_named_wins_over_any(begin: Begin) -> None:
    match = play(begin(), "b1-b3")
    say(match, 0, "a2-c2", "g1-g3")
    say(match, 0, ANY, "b3-b1")
    assert moves(play(match, "a2-c2"))[-1] == "g1-g3"
    roll_back(Match.objects.get(), 1, now=MORNING, side=None)
    assert fates(match) == ["", ""]
    assert moves(play(match, "a5-c5"))[-1] == "b3-b1"


def test_a_later_answer_replaces_an_earlier_one(begin: Begin) -> None:
    match = play(begin(), "b1-b3")
    say(match, 0, "a2-c2", "b3-b1")
    say(match, 0, "a2-c2", "g1-g3")
    say(match, 0, "a2-c2", "g1-g3")
    assert fates(match) == ["replaced", ""]
    assert moves(play(match, "a2-c2"))[-1] == "g1-g3"


def test_an_answer_to_any_reply_that_cannot_be_played_is_reported(begin: Begin) -> None:
    match = play(begin(), "b1-b3")
    say(match, 0, ANY, "b3-b1")
    say(match, 0, ANY, "b3-e6")
    match = play(match, "a4-c4")
    assert moves(match) == ["b1-b3", "a4-c4"]
    assert sorted(fates(match)) == ["failed", "replaced"]
    [failure] = match.events.latest("pk").facts["failed"]
    assert (failure["side"], failure["text"], failure["objection"][1]) == (0, "b3-e6", ["b3", "e6"])


def test_a_line_that_comes_after_its_reply_is_played_at_once(begin: Begin) -> None:
    """The letters crossed: it was said of the board after one turn."""
    match = play(begin(), "b1-b3", "a2-c2")
    match = say(match, 0, "a2-c2", "b3-b1", ply=1)
    assert moves(match) == ["b1-b3", "a2-c2", "b3-b1"]
    assert match.events.latest("pk").facts == {"first": 2, "itself": True}


def test_one_that_expected_another_reply_is_refused(begin: Begin) -> None:
    match = play(begin(), "b1-b3", "a2-c2")
    with refused(Code.OVERTAKEN):
        say(match, 0, "a5-c5", "b3-b1", ply=1)
    assert not ConditionalLine.objects.exists()


def test_the_turn_that_the_player_saw_may_have_been_his_own(begin: Begin) -> None:
    """They answer the letter with their turn once more, after their move."""
    match = play(begin(), "b1-b3")
    say(match, 0, "a2-c2", "b3-b1", ply=0)
    assert moves(play(match, "a2-c2"))[-1] == "b3-b1"


def test_an_impossible_line_is_not_kept(begin: Begin) -> None:
    match = play(begin(), "b1-b3")
    with refused(Code.IMPOSSIBLE_LINE):
        say(match, 0, "a2-c2", "b3-b9")
    assert (ConditionalLine.objects.count(), match.seated[0].conditionals) == (0, 0)


def test_lines_are_taken_away_by_number_or_all(begin: Begin) -> None:
    match = play(begin(), "b1-b3")
    for reply in ("a2-c2", "a5-c5", "a4-c4"):
        say(match, 0, reply, "b3-b1")
    seat = Match.objects.get().seated[0]
    keeping.clear(seat, 2)
    assert [row.number for row in seat.lines.waiting()] == [1, 3]
    with refused(Code.NO_SUCH_LINE):
        keeping.clear(seat, 2)
    keeping.clear(seat)
    assert moves(play(match, "a2-c2"))[-1] == "a2-c2"
    with refused(Code.NO_SUCH_LINE):
        keeping.clear(seat)


def test_there_is_room_for_many_and_an_end(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    assert keeping.MOST >= 100
    monkeypatch.setattr(keeping, "MOST", 2)
    match = play(begin(), "b1-b3")
    say(match, 0, "a2-c2", "b3-b1")
    say(match, 0, "a5-c5", "b3-b1")
    say(match, 0, "a5-c5", "g1-g3")  # instead of the one before
    with refused(Code.TOO_MANY_LINES):
        say(match, 0, "a4-c4", "b3-b1")


def test_taking_turns_back_brings_earlier_lines_back_and_later_ones_die(begin: Begin) -> None:
    match = play(begin(), "b1-b3")
    say(match, 0, "a2-c2", "b3-b1")  # was played
    say(match, 0, "a5-c5", "b3-b1")  # was out of step
    match = play(match, "a2-c2")
    say(match, 0, ANY, "g1-g3")  # begins with a turn that is no more
    roll_back(Match.objects.get(), 1, now=MORNING, side=None)
    assert fates(match) == ["", "", "undone"]
    assert moves(play(match, "a5-c5")) == ["b1-b3", "a5-c5", "b3-b1"]


def test_the_end_of_the_game_ends_the_cascade(begin: Begin) -> None:
    match = play(begin(), "b1-b3", "a2-c2", "b3-b1", "c2-a2", "b1-b3")
    say(match, 0, "a2-c2", "b3-b1")
    match = play(match, "a2-c2")
    say(match, 0, ANY, "g1-g3")
    match = play(match, "c2-a2")
    assert (match.status, match.reason, match.ply) == ("over", "repetition", 8)
    assert [row.number for row in match.seated[0].lines.unused()] == [2]


@pytest.mark.parametrize("forced", [False, True])
def test_a_move_without_choice_is_played_where_the_match_says_so(
    alice: Correspondent, bruno: Correspondent, forced: bool
) -> None:
    """The classic case: a marble of Zèrtz that can jump has to."""
    terms = Terms(forced=forced)
    pair = {"first": alice.player, "second": bruno.player, "game": "zertz", "terms": terms}
    match = play(start(**pair, now=MORNING, rng=Random(1)), *FORCING)
    assert match.live_turns().filter(how="forced").count() == forced
    assert (match.current().count() == 1) == (not forced)
    if forced:
        assert match.events.latest("pk").facts["itself"]
