"""Puzzles by mail: from matches that are over, else from the collections, answered like a move."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games.engine.collection import collection
from games.registry import games
from pbem.analysis import puzzles
from pbem.analysis.models import AnalysisJob, Attempt, Puzzle
from pbem.matches.models import Match
from pbem.matches.services import resign
from pbem.refusals import Code, Refused
from pbem.robots.engine import Answer
from tests.journeys.test_by_mail_analysis import played, works
from tests.mail_fixtures import Correspondent, Post
from tests.players_fixtures import Begin

# What `games.engine.puzzles` finds of that game; then a turn alone.
FOUND = [
    {"ply": 24, "accepted": [["g6-h5"], ["g1xg4"]], "replies": ["b3-d5"]},
    {"ply": 30, "accepted": [["f6xc3"]], "replies": []},
]


def analysed(match: Match, alice: Correspondent, post: Post) -> None:
    """Alice asks for an analysis, and its robot finds those."""
    played(match, post)
    asked: list[Any] = []
    alice.writes(f"ANALYSE {match.pk}")

    def ask(module: str, question: Any, limits: object) -> Any:
        asked.append(question["puzzles"])
        chances = [0.5] * (len(question["moves"]) + 1)
        empty = {"chances": chances, "judged": [], "decided": None, "nodes": 1}
        return Answer(empty | {"puzzles": FOUND}, 0.5)

    works(post, ask)
    assert asked == [not match.agreed.private]


def test_it_is_answered_like_a_move(
    loa: Match, alice: Correspondent, bruno: Correspondent, charlie: Correspondent, post: Post
) -> None:
    analysed(loa, alice, post)
    assert alice.writes("PUZZLE").verdict == "ok"
    assert Attempt.objects.get().puzzle.match is None, "that of her own match is not for her"
    assert Attempt.objects.all().delete()
    assert charlie.writes("SOLVE b1-b3").verdict == Code.NO_OPEN_PUZZLE
    assert charlie.writes("PUZZLE loa").verdict == "ok"
    letter = charlie.letter
    assert letter.kind == "puzzle"
    assert "wins in at most 2 moves" in " ".join(letter.text.split())
    assert "Alice" not in letter.text
    assert max(len(line) for line in letter.text.splitlines() if "http" not in line) <= 72
    assert charlie.answers(letter, "a1-a9").verdict != "ok"
    assert Attempt.objects.get().step == 0
    assert charlie.answers(letter, "g6-h5").verdict == "ok"
    assert "g6-h5 is right, and the answer is b3-d5" in " ".join(charlie.letter.text.split())
    assert charlie.answers(charlie.letter, "SOLVE g1xg4").verdict == "ok"
    assert "g1xg4 solves puzzle" in charlie.letter.text
    assert puzzles.streak(charlie.player) == 1
    assert charlie.answers(charlie.letter, "PUZZLE").verdict == "ok"
    position = puzzles.position_of(Attempt.objects.latest("pk"))
    wrong = next(str(move) for move in position.moves() if str(move) != "f6xc3")
    assert charlie.answers(charlie.letter, wrong).verdict == "ok"
    assert "is not the solution: f6xc3 was" in " ".join(charlie.letter.text.split())
    assert puzzles.streak(charlie.player) == 0
    statuses = [attempt.status for attempt in Attempt.objects.order_by("pk")]
    assert statuses == ["solved", "failed"]


def test_nobody_s_match_becomes_one_against_their_will(
    begin: Begin, alice: Correspondent, bruno: Correspondent, charlie: Correspondent, post: Post
) -> None:
    private = begin("loa private")
    analysed(private, alice, post)
    assert not Puzzle.objects.exists()
    loa = begin("loa")
    analysed(loa, alice, post)
    assert puzzles.available().exists()
    assert bruno.writes("PROBLEMI NO").verdict == "ok"
    assert "Dalle tue partite non ricaviamo problemi" in " ".join(bruno.letter.text.split())
    assert not puzzles.available().exists()
    resign(Match.objects.get(pk=begin("loa").pk).seated[0], now=post.now)
    assert not puzzles.may_come_from(Match.objects.latest("pk"))
    assert bruno.writes("PROBLEMI SÌ").verdict == "ok"
    assert charlie.writes("PUZZLE").verdict == "ok"
    assert Attempt.objects.get().puzzle.match == loa
    assert AnalysisJob.objects.count() == 2


def test_there_is_always_one_the_easiest_first_and_of_the_game_that_is_played(
    loa: Match, alice: Correspondent, charlie: Correspondent, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(puzzles, "MOST_GIVEN", 1_000)
    all_of_loa = [each.position for each in collection(games()["loa"])]
    given = []
    for _ in all_of_loa:
        attempt = puzzles.give(alice.player, now=post.now)
        given.append(attempt.puzzle.position)
        Attempt.objects.update(status=Attempt.Status.SOLVED)
    assert given == all_of_loa
    assert puzzles.give(alice.player, now=post.now).puzzle.game_name != "loa"
    assert puzzles.give(charlie.player, "loa", now=post.now).puzzle.position == all_of_loa[0], (
        "one row for both"
    )
    with pytest.raises(Refused):
        puzzles.give(alice.player, "loa", now=post.now)


def test_what_is_removed_need_not_be_told_where_each_removal_wins(charlie: Correspondent) -> None:
    assert charlie.writes("PUZZLE yinsh").verdict == "ok"
    first = collection(games()["yinsh"])[0].accepted[0][0]
    action, *removed = first.split(";")
    assert removed
    assert charlie.answers(charlie.letter, f"SOLVE {action}").verdict == "ok"
    assert f"{first} solves puzzle" in " ".join(charlie.letter.text.split())


def test_there_is_an_example_where_each_legal_move_is_part_of_the_solution(charlie: Correspondent) -> None:
    assert charlie.writes("PUZZLE othello").verdict == "ok"
    puzzle = Attempt.objects.get().puzzle
    position = puzzles.position_of(Attempt.objects.get())
    assert {str(move) for move in position.moves()} <= {text for step in puzzle.accepted for text in step}
    [example] = re.findall(r"like this: (\S+)", " ".join(charlie.letter.text.split()))
    assert example in {str(move) for move in position.moves()} - set(puzzle.accepted[0])
