"""The organiser ends a match with a result or without one, and may open it again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.protocol import Side
from pbem.matches.arbitration import adjudicate, void
from pbem.matches.models import Match
from pbem.matches.offers import roll_back
from pbem.refusals import Code
from tests.mail_fixtures import MORNING, Correspondent, Post
from tests.pbem.matches.test_services import play, refused

Begin = Callable[..., Match]
REASON = "Both agree that the position is lost."


@pytest.mark.parametrize(("winner", "said"), [(Side.SECOND, "lost"), (None, "Draw against Bruno")])
def test_a_match_is_adjudicated(
    post: Post, begin: Begin, alice: Correspondent, bruno: Correspondent, winner: Side | None, said: str
) -> None:
    match = play(begin(), "b1-b3")
    adjudicate(match, winner, reason=REASON, now=MORNING)
    assert (match.status, match.winner, match.reason) == ("over", winner, "adjudicated")
    assert match.record().outcome() == match.outcome()
    post.send()
    assert said in alice.letter.text
    assert "The organiser has decided the match." in " ".join(alice.letter.text.split())
    assert "The organiser writes:" in alice.letter.text
    assert REASON in bruno.letter.text
    with refused(Code.MATCH_OVER):
        adjudicate(match, None, reason=REASON, now=MORNING)


def test_a_void_match_has_no_result(
    post: Post, begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    match = play(begin(), "b1-b3")
    void(match, reason=REASON, now=MORNING)
    assert (match.status, match.outcome(), match.to_move, match.deadline) == ("void", None, None, None)
    post.send()
    assert (alice.letter.kind, bruno.letter.kind) == ("voided", "voided")
    assert "L'organizzatore ha dichiarato nulla la tua partita contro Alice" in bruno.letter.text
    assert bruno.answers(bruno.letters[-2], "a2-c2").verdict == Code.MATCH_OVER


def test_and_is_open_again_where_it_stood(begin: Begin) -> None:
    match = play(begin(), "b1-b3")
    void(match, reason=REASON, now=MORNING)
    roll_back(match, 1, now=MORNING, side=None)
    assert (match.status, match.to_move) == ("playing", Side.SECOND)
    assert play(match, "a2-c2").ply == 2
