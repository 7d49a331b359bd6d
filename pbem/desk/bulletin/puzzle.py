"""The puzzle of a bulletin: which one is next, and its board, its task and its solution in print."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from games.kit.words import capital, speech
from games.move_numbers import score
from games.protocol import Notation, Position
from games.registry import find, in_words
from pbem.analysis.models import PrintedPuzzle, Puzzle
from pbem.analysis.puzzles import available, for_bulletin
from pbem.desk.bulletin.games import Figure
from pbem.matches.models import Bulletin, Tournament


@dataclass(frozen=True)
class Task:
    """Who moves, and in how many of their `turns` they win; `solution` is the line, `1. a1-b2 c3-d4 2. ...`."""

    game: str
    variant: str
    side: str
    turns: int
    figure: Figure
    solution: str


def next_puzzle(tournament: Tournament, *, now: datetime) -> Puzzle | None:
    """Of the tournament's game, that no number of it had; its players are not named, so that any match may give it."""
    game = tournament.game_name.partition(":")[0]
    return for_bulletin(
        before=now, game=game, besides=Puzzle.objects.filter(printed__bulletin__tournament=tournament)
    )


def keep(bulletin: Bulletin, puzzle: Puzzle) -> None:
    PrintedPuzzle.objects.create(bulletin=bulletin, puzzle=puzzle)


def printed_in(bulletin: Bulletin) -> Puzzle | None:
    """None also where a player has said since that no puzzle is made of their matches."""
    return available().filter(printed__bulletin=bulletin).first() if bulletin.pk else None


def task(puzzle: Puzzle, notation: Notation) -> Task:
    game, rules = find(puzzle.game_name)
    words = speech(game, rules, notation)
    start: Position = game.position(rules, puzzle.position)
    position, written = start, list[str]()
    for text in _line(puzzle):
        move = game.move(text)
        written.append(game.write(position, move, notation))
        position = position.play(move)
    return Task(
        game=words.phrases["name"],
        variant=in_words(puzzle.game_name, notation.language),
        side=capital(words.side(start.to_move)),
        turns=len(puzzle.accepted),
        figure=Figure(f"puzzle-{puzzle.pk}", game.scene(None, None, start), words, ""),
        solution=" ".join(str(line) for line in score(written, int(start.to_move))),
    )


def _line(puzzle: Puzzle) -> list[str]:
    """The solution and the replies, in turns."""
    line = [puzzle.accepted[0][0]]
    for reply, accepted in zip(puzzle.replies, puzzle.accepted[1:], strict=False):
        line += [reply, accepted[0]]
    return line
