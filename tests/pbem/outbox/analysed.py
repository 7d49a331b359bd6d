"""The letters about what robots look into, among those of `tests.pbem.outbox.correspondence`."""

from __future__ import annotations

from random import Random
from typing import Any

from games.engine.analysis import Analysis, Judged
from pbem.analysis.models import AnalysisJob, Attempt, Puzzle
from pbem.matches import services as matches
from pbem.matches.models import Match
from tests.pbem.outbox.rated import Players

MOVES = "g8-e6 h3xe6 c8xe6 h6xe6 b8-d6 a6xd6 f8-f6 h7-f5"


def about_analyses(desk: Players) -> None:
    match = desk._begin("loa")
    desk._play_all(match, MOVES.split())
    match = Match.objects.get(pk=match.pk)
    matches.resign(match.seated[0], **desk._asked())
    match = Match.objects.get(pk=match.pk)
    desk._tell(desk.bruno, "analysed", match=match)
    for name, found in (("decided", analysis_of(match, 6)), ("nothing", {})):
        study = _study(match, found)
        for player in (desk.alice, desk.bruno):
            desk._tell(player, f"analysis, {name}, {player.name}", match=match, study=study.pk)
        study.delete()
    _about_hints(desk)
    _about_puzzles(desk, match)


def _about_hints(desk: Players) -> None:
    for name, game, move in (("from", "loa", "b8-b6"), ("beside", "zertz", "Gd4,a4")):
        match = desk._begin(game)
        desk._tell(desk.alice, f"analysed, hint, {name}", match=match, hint=True)
        at = {"created_at": match.started_at, "due_at": match.started_at}
        study = AnalysisJob.objects.create(
            match=match,
            kind=AnalysisJob.Kind.HINT,
            position=match.position,
            ply=0,
            found={"move": move},
            **at,
        )
        for stage in (1, 2):
            desk._tell(desk.alice, f"hint, {name}, {stage}", match=match, study=study.pk, stage=stage)
    AnalysisJob.objects.filter(pk=study.pk).update(position="another")
    desk._tell(desk.alice, "hint, too late", match=match, study=study.pk, stage=1)


def _about_puzzles(desk: Players, match: Match) -> None:
    position = match.at(match.live_turns().get(ply=5).position)
    moves, texts = [], []
    rng, here = Random(3), position
    for _ in range(3):
        moves.append(here.sample(rng))
        texts.append(str(moves[-1]))
        here = here.play(moves[-1])
    puzzle = Puzzle.objects.create(
        match=match,
        ply=6,
        game_name=match.game_name,
        position=str(position),
        accepted=[[texts[0]], [texts[2]]],
        replies=[texts[1]],
        created_at=match.ended_at,
    )
    attempt = Attempt.objects.create(puzzle=puzzle, player=desk.bruno, given_at=match.ended_at)
    told: dict[str, dict[str, Any]] = {
        "given": {"step": 0},
        "given again": {"step": 1},
        "right": {"step": 1, "asked": 0, "said": "right", "move": texts[0], "reply": texts[1]},
        "wrong": {"step": 0, "asked": 0, "said": "wrong", "move": texts[0], "solution": texts[0]},
        "solved": {"step": 1, "asked": 1, "said": "solved", "move": texts[2], "streak": 3},
    }
    for name, facts in told.items():
        desk._tell(desk.bruno, f"puzzle, {name}", attempt=attempt.pk, **facts)
    for name, gives in (("given", True), ("kept", False)):
        desk._tell(desk.bruno, f"puzzles, {name}", gives=gives)


def _study(match: Match, found: dict[str, Any]) -> AnalysisJob:
    at = {"created_at": match.ended_at, "due_at": match.ended_at, "done_at": match.ended_at}
    facts = {"kind": AnalysisJob.Kind.ANALYSIS, "status": AnalysisJob.Status.DONE, "found": found}
    return AnalysisJob.objects.create(match=match, ply=match.ply, position=match.position, **facts, **at)


def analysis_of(match: Match, *plies: int) -> dict[str, Any]:
    """One that finds fault with these turns, whatever they were."""
    chances = [0.5 + 0.03 * (ply % 3) for ply in range(match.ply)]
    judged = tuple(Judged(ply, "??", 0.62, 0.2, _line(match, ply)) for ply in plies)
    return Analysis((*chances, 0.2), judged, plies[0], 4_000).as_json()


def _line(match: Match, ply: int) -> tuple[str, ...]:
    rng, moves = Random(ply), []
    position = match.at(match.live_turns().get(ply=ply - 1).position)
    while len(moves) < 4 and position.outcome() is None:
        moves.append(position.sample(rng))
        position = position.play(moves[-1])
    return tuple(map(str, moves))
