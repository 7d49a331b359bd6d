"""Hints by mail: where both play to learn, or against a robot, and never for another match."""

from __future__ import annotations

from typing import Any

from games.engine import child
from pbem.analysis.models import AnalysisJob
from pbem.matches.models import Event, Match
from pbem.matches.services import play
from pbem.refusals import Code
from pbem.robots import studies
from pbem.robots.engine import Answer
from tests.mail_fixtures import Correspondent, Post
from tests.players_fixtures import Begin


def works(post: Post) -> None:
    """The robots' worker, which does not think long."""

    def ask(module: str, question: Any, limits: object) -> Any:
        assert (module, question["level"]) == ("games.engine.child", 3)
        return Answer(child.answer(question | {"level": 1}), 0.5)

    for pk in list(studies.due(now=post.now)):
        studies.study(pk, now=post.now, ask=ask)
    post.live()
    post.send()


def move_of(match: Match) -> str:
    match.refresh_from_db()
    [study] = AnalysisJob.objects.filter(match=match, ply=match.ply)
    return str(match.game.move(study.found["move"]))


def test_first_an_idea_then_the_move(
    begin: Begin, alice: Correspondent, bruno: Correspondent, post: Post
) -> None:
    match = begin("loa learning")
    first = alice.letter
    assert alice.answers(first, "HINT").verdict == "ok"
    assert alice.letter.kind == "analysed"
    works(post)
    idea, move = alice.letter, move_of(match)
    assert (idea.kind, move in idea.text, f"Look at {move[:2]}:" in idea.text) == ("hint", False, True)
    assert "    HINT 2\r\n" in idea.text
    assert "You have 2 of 3 hints left in this match." in " ".join(idea.text.split())
    assert "< > hint" in idea.text
    assert idea.text.count("<") - idea.text.count("<http") == 2, "one square, and the legend"
    assert alice.answers(idea, "HINT 2").verdict == "ok"
    assert f"A robot would play {move} here." in alice.letter.text
    assert alice.answers(alice.letter, move).verdict == "ok"
    assert bruno.answers(bruno.letter, "SUGGERIMENTO MOSSA").verdict == "ok"
    works(post)
    assert f"Qui un robot giocherebbe {move_of(match)}." in bruno.letter.text
    assert [event.side for event in Event.objects.filter(kind="hinted")] == [0, 0, 1]
    match.refresh_from_db()
    assert match.record().remarks == "A robot was asked for a hint before moves 1. and 1...."


def test_where_there_is_none(begin: Begin, alice: Correspondent, bruno: Correspondent, post: Post) -> None:
    usual = begin("loa")
    assert alice.answers(alice.letter, "HINT").verdict == Code.NO_HINTS
    learning = begin("loa learning")
    assert alice.writes(f"{learning.pk} HINT").verdict == Code.HINT_FOR_ANOTHER
    assert bruno.writes(f"{learning.pk} SUGGERIMENTO").verdict == Code.NOT_YOUR_TURN
    play(Match.objects.get(pk=usual.pk).seated[0], "b8-b6", now=post.now)
    assert alice.writes(f"{learning.pk} HINT 2").verdict == "ok"
    works(post)
    rated = begin("loa learning rated")
    assert alice.writes(f"{rated.pk} HINT").verdict == Code.NO_HINTS
    assert Event.objects.filter(kind="hinted").count() == 1


def test_there_are_three_and_none_of_a_board_that_was_left(
    begin: Begin, alice: Correspondent, post: Post
) -> None:
    match = begin("insert learning")
    for number in range(4):
        row = alice.writes(f"HINT {match.pk}")
        assert row.verdict == ("ok" if number < 3 else Code.TOO_MANY_HINTS)
        for _ in range(2):
            now = Match.objects.get(pk=match.pk)
            play(now.moving, str(next(now.current().moves())), now=post.now)
    works(post)
    assert {study.status for study in AnalysisJob.objects.all()} == {"void"}
    assert "There are no more hints" in alice.letter.text
